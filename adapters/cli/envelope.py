"""The one result envelope of PORTS.md, for answers and for errors. The same object will leave through MCP."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from m1nd.domain.refusal import Refusal

if TYPE_CHECKING:
    from m1nd.adapters.cli.context import Answer, Call

PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


def schema(verb: str) -> str:
    return f"m1nd.{verb}/1"


def success(call: Call, answer: Answer) -> dict[str, Any]:
    """`{schema, ok: true, data, graph_rev, warnings}`."""
    return {
        "schema": schema(call.verb),
        "ok": True,
        "data": answer.data,
        "graph_rev": graph_rev(call),
        "warnings": list(answer.warnings),
    }


def failure(call: Call, refusal: Refusal) -> dict[str, Any]:
    """`{schema, ok: false, error: {code, message, hint, retryable, details}, graph_rev, warnings}`."""
    return {
        "schema": schema(call.verb),
        "ok": False,
        "error": {
            "code": refusal.code,
            "message": refusal.message,
            "hint": hint(refusal),
            "retryable": refusal.row.retryable,
            "details": refusal.details,
        },
        "graph_rev": graph_rev(call),
        "warnings": [],
    }


def hint(refusal: Refusal) -> str:
    """The refusal's next step, its `{placeholders}` filled from the details (in capitals where there is none)."""
    details: Mapping[str, Any] = refusal.details
    return PLACEHOLDER.sub(lambda m: str(details.get(m[1], m[1].upper())), refusal.next_step)


def graph_rev(call: Call) -> int:
    """The graph's generation; 0 before the first ingest, outside of a repository, and where no log can be read."""
    try:
        if call.opened is not None:
            return call.opened.log.generation()
        return _peek(call)
    except Exception:  # noqa: BLE001 (outermost port)
        # An envelope must be made also when the log is what failed; the error itself is being answered already.
        return 0


def _peek(call: Call) -> int:
    """The generation of a repository that the command had no other need to open."""
    from m1nd.infrastructure.log.peek import peek_generation
    from m1nd.infrastructure.roots import state_dir

    return peek_generation(state_dir(call.root(), call.environment), call.environment)
