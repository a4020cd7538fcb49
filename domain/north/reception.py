"""Who asks, and whether this graph covers their repository: the front desk of the packet (CARD.md §1, Caller root)."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from m1nd.domain.card.facts import Reception
from m1nd.domain.card.sanitising import sanitised
from m1nd.domain.north.gaps import TEXTS

MATCH = {Reception.MATCH: "match", Reception.MISMATCH: "caller_root_mismatch", Reception.UNKNOWN: "unknown"}
"""The wire words (D38)."""


@frozen
class FrontDesk:
    """`bound` is the root of this brain, `caller` the repository of who asks (both absolute); `caller` is empty where nobody
    said so. `covered` was judged on resolved paths."""

    bound: str
    caller: str = ""
    covered: bool = True

    @property
    def reception(self) -> Reception:
        if not self.caller:
            return Reception.UNKNOWN
        return Reception.MATCH if self.covered else Reception.MISMATCH


def ingest_call(root: str) -> str:
    """The literal call that the card shows under mismatch."""
    return f"ingest project_root={sanitised(root)}"


def wire(desk: FrontDesk, task: str) -> dict[str, Any]:
    """`reception`; under mismatch both roots, the warning, and what can be done, each option executable as it stands."""
    if desk.reception is not Reception.MISMATCH:
        return {"match": MATCH[desk.reception]}
    return {
        "match": MATCH[desk.reception],
        "caller_root": desk.caller,
        "bound_workspace": desk.bound,
        "honest": TEXTS["reception"],
        "options": _options(desk, task),
    }


def _options(desk: FrontDesk, task: str) -> list[Mapping[str, Any]]:
    return [
        {
            "id": "ingest_your_repo",
            "note": "Build a graph of your repository; it gets a brain of its own.",
            "call": ingest_call(desk.caller),
            "tool": "ingest",
            "arguments": {"project_root": desk.caller},
        },
        {
            "id": "continue_bound",
            "note": "Read the bound repository as your own. Until you say so, every write here is refused.",
            "call": f"north caller_root={sanitised(desk.bound)} {sanitised(task)}".rstrip(),
            "tool": "north",
            "arguments": {"task": task, "caller_root": desk.bound},
        },
    ]
