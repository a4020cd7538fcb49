"""Receipt candidates: brought into the form in which they would land, and checked before anybody waits for them (D36)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from m1nd.domain.receipts.checks import (
    check_anchor,
    check_cwd,
    check_emitter,
    check_excerpt,
    check_execution,
    check_expiry,
    check_times,
)
from m1nd.domain.receipts.evidence import read_receipt


def complete(candidate: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """The candidate in the form in which it would be imported, secrets out, when every check of its own holds.

    Checked here, so that what waits for the human can land at all; checked again when it does. Raises
    Refused(receipt_malformed | evidence_incomplete | outside_root | emitter_not_allowed | time_incoherent |
    excerpt_too_long).
    """
    body = read_receipt(candidate)
    check_anchor(body.evidence)
    check_cwd(body.evidence)
    check_execution(body)
    check_emitter(body, None)
    check_times(body.evidence, now)
    check_expiry(body)
    check_excerpt(body.evidence)
    return body.wire()
