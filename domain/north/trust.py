"""How far this answer can be trusted: one ladder, the first rung that holds (CARD.md §1, D41)."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from attrs import frozen


class Trust(StrEnum):
    """`binding.trust_mode`."""

    DEGRADED = "degraded_host_tool_surface"
    FOREIGN_SCOPE = "wrong_workspace_binding"
    ORIENTATION_ONLY = "orientation_only"
    NEEDS_INGEST = "needs_ingest"
    FULL = "full_trust"

    @property
    def is_empty(self) -> bool:
        """Nothing was ever ingested: there is no context to serve."""
        return self in (Trust.ORIENTATION_ONLY, Trust.NEEDS_INGEST)


REQUIRED_TOOLS = ("ingest", "search", "surgical_context")
"""What a client must offer: to repair an empty graph, to look further, to read before an edit."""


@frozen
class Standing:
    """What the ladder looks at. `client_tools` is None where the caller named none; `scope_outside`: an absolute scope that
    no bound root covers."""

    generation: int
    read_only: bool
    scope_outside: bool = False
    client_tools: tuple[str, ...] | None = None

    @property
    def missing_tools(self) -> tuple[str, ...]:
        if self.client_tools is None:
            return ()
        offered = set(bare_names(self.client_tools))
        return tuple(name for name in REQUIRED_TOOLS if name not in offered)


def bare_names(tools: Iterable[str]) -> list[str]:
    """Names of tools without what a host puts in front (`mcp__m1nd__search`, `m1nd.search`)."""
    return [name.rpartition("__")[2].rpartition(".")[2].rpartition("/")[2] for name in tools]


def trust(standing: Standing) -> Trust:
    if standing.missing_tools:
        return Trust.DEGRADED
    if standing.scope_outside:
        return Trust.FOREIGN_SCOPE
    if standing.generation == 0:
        return Trust.ORIENTATION_ONLY if standing.read_only else Trust.NEEDS_INGEST
    return Trust.FULL


def playbook(mode: Trust, standing: Standing, task: str = "") -> Mapping[str, Any] | None:
    """`recovery_playbook`: `{next_action, why, call}`; None at full trust. `task` is that of the question, on one line."""
    rows = {
        Trust.DEGRADED: (
            "refresh_host_binding",
            f"The client offers no {', '.join(standing.missing_tools)}.",
            "doctor",
        ),
        Trust.FOREIGN_SCOPE: (
            "select_or_bind_workspace",
            "The scope lies outside the bound roots; name one inside, relative to the root.",
            f"north scope=. {task}".rstrip(),
        ),
        Trust.ORIENTATION_ONLY: (
            "refresh_binding_for_ingest",
            "Nothing was ingested, and this attach is read-only; attach without it.",
            "ingest",
        ),
        Trust.NEEDS_INGEST: ("call_ingest", "Nothing was ingested yet.", "ingest"),
    }
    if mode not in rows:
        return None
    next_action, why, call = rows[mode]
    return {"next_action": next_action, "why": why, "call": call}
