"""The honest gaps: what the packet does not know, as a code with arguments and as one verbatim string (CARD.md §3).

A gap's text is composed here and nowhere else; the card repeats it byte for byte.
"""

from collections.abc import Mapping
from typing import Any, Self

from attrs import frozen

from m1nd.domain.card.sanitising import sanitised

TEXTS: dict[str, str] = {
    "graph_empty": "The graph is empty or unbound — no codebase context is available until ingest runs.",
    "focus_empty": (
        "No focus nodes activated for this task — the relevant area may not be ingested, or the task text may not match "
        "the graph."
    ),
    "binding": (
        "Binding is not full trust ({verdict}) — treat retrieval as orientation only and verify final truth against local "
        "files; see recovery_playbook for the repair."
    ),
    "memory_unmatched": (
        "The memory store holds {count} durable L1GHT claim(s), but none surfaced for this task — recall found no "
        "task-relevant match, not an empty store. Broaden the task text or seek the store directly."
    ),
    "memory_empty": (
        "No durable memory yet — neither boot_memory nor L1GHT agent-memory holds a prior cross-session claim to carry."
    ),
    "coherence": (
        "Skeleton coherence sickness: serving brain expects slug `{expected}`, but the SystemBlock store carries "
        "`{found}` — signal only; reads and writes remain available."
    ),
    "block_stale": (
        "{count} ratified block(s) carry stale receipts — first: `{block}` ({reason}); evidence {have}/{need} is no longer "
        "current."
    ),
    "bell": "{count} mission(s) in merge_wait await the human landing — the tray is the door",
    "collision": (
        "COLLISION: another mutating session shares this brain and your work — {others}. Advisory only (m1nd sees activity "
        "visible to it, not git); coordinate before you both write."
    ),
    "graph_stale": (
        "{count} file(s) changed on disk since the last ingest — first: {path}; nodes may lag the files."
    ),
    "reception": "this graph does NOT cover your repo",
}
"""The text of every gap code; numbers are written plainly (D11)."""


@frozen
class Gap:
    code: str
    args: Mapping[str, Any]

    @classmethod
    def of(cls, code: str, **args: Any) -> Self:
        """A gap whose texts from the repository are made fit for a card (D12). Raises KeyError for an unknown code or a
        missing argument: a bug of the caller."""
        gap = cls(code, {name: sanitised(v) if isinstance(v, str) else v for name, v in args.items()})
        TEXTS[code].format(**gap.args)
        return gap

    @property
    def text(self) -> str:
        return TEXTS[self.code].format(**self.args)
