"""The packet's own ceiling: 2,000 estimated tokens, enforced by dropping the lowest ranked rows and saying so (CARD.md §1)."""

import json
from collections.abc import Callable, Mapping
from typing import Any

CHARACTERS_PER_TOKEN = 4
PACKET_TOKENS = 2000
CARD_TOKENS = 120
"""The card with its envelope (`human_view`)."""
LONGEST_TASK = 400
"""The echo of the task is cut here; the focus has read all of it."""

Rows = Callable[[dict[str, Any]], list[Any]]

DROPPED_IN_ORDER: tuple[tuple[str, Rows, int], ...] = (
    ("context.anchors", lambda p: p.get("context", {}).get("anchors", []), 0),
    ("memory", lambda p: p.get("memory", []), 1),
    ("context.focus_nodes", lambda p: p.get("context", {}).get("focus_nodes", []), 1),
    ("binding.roots", lambda p: p["binding"].get("roots", []), 1),
    ("reception.options", lambda p: p["reception"].get("options", []), 1),
    ("memory", lambda p: p.get("memory", []), 0),
    ("context.focus_nodes", lambda p: p.get("context", {}).get("focus_nodes", []), 0),
)
"""Fields that hold rows, the lowest ranked last, and how many of each stay in the first place."""


def tokens(value: Any) -> int:
    """Estimated tokens of a JSON value: characters / 4, rounded up."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def within_budget(packet: Mapping[str, Any], most: int = PACKET_TOKENS) -> dict[str, Any]:
    """The packet with as many rows as fit; `truncated{field: dropped}` counts the others. The input stays as it is."""
    fitted: dict[str, Any] = json.loads(json.dumps(packet))
    dropped: dict[str, int] = {}
    if len(fitted["task"]) > LONGEST_TASK:
        dropped["task"] = len(fitted["task"]) - LONGEST_TASK
        fitted["task"] = fitted["task"][:LONGEST_TASK]
    for name, rows_of, least in DROPPED_IN_ORDER:
        rows = rows_of(fitted)
        while len(rows) > least and tokens(fitted | {"truncated": dropped}) > most:
            rows.pop()
            dropped[name] = dropped.get(name, 0) + 1
    if dropped:
        fitted["truncated"] = dropped
    return fitted
