"""Times on a command line: with a zone, or a date; what is neither is a usage error."""

from datetime import UTC, datetime

import pytest

from m1nd.adapters.cli.times import time_in_utc
from m1nd.domain.refusal import Refused


@pytest.mark.parametrize(
    "text, time",
    [
        ("", None),
        ("2026-05-01", datetime(2026, 5, 1, tzinfo=UTC)),
        ("2026-05-01T12:00:00Z", datetime(2026, 5, 1, 12, tzinfo=UTC)),
        ("2026-05-01T14:00:00.5+02:00", datetime(2026, 5, 1, 12, 0, 0, 500_000, tzinfo=UTC)),
    ],
)
def test_a_time_is_read_in_utc(text: str, time: datetime | None) -> None:
    assert time_in_utc(text) == time


@pytest.mark.parametrize("text", ["now", "2026-05-01T12:00:00", "2026-02-30", "12:00", "2026-5-1"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(Refused) as caught:
        time_in_utc(text)
    assert caught.value.refusal.code == "usage"
