"""The views as the application sees them: what can be asked, in frozen rows. A port; `infrastructure/views` implements it.

Views are derived: they can be deleted at any time and are rebuilt from the log. Queries that depend on time take `as_of`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from attrs import frozen

from m1nd.application.map_views import MapRows
from m1nd.application.memory_views import MemoryViews
from m1nd.application.mission_views import MissionViews
from m1nd.application.receipt_views import ReceiptViews

if TYPE_CHECKING:
    from m1nd.domain.card.cadence import Shown
    from m1nd.domain.previews import Stage
    from m1nd.domain.symbols import SymbolTable


@frozen
class MoveRow:
    """One transplant. `position` is that of its newest event, `ended_at` the time of its end or None."""

    preview_id: str
    transplant_id: str
    stage: Stage
    agent_id: str
    symbol: str
    symbol_id: str
    source_file: str
    dest_file: str
    previewed_at: datetime
    expires_at: datetime
    ended_at: datetime | None
    position: int
    receipt: Mapping[str, Any] | None
    journal_id: str


@frozen
class EditRow:
    """One edit. `files` are the planned paths; `position` and `ended_at` as of a move."""

    preview_id: str
    edit_id: str
    stage: Stage
    agent_id: str
    files: tuple[str, ...]
    previewed_at: datetime
    expires_at: datetime
    ended_at: datetime | None
    position: int
    receipt: Mapping[str, Any] | None
    journal_id: str


@frozen
class GraphChangeRow:
    """One numbered change of the graph; counts of its files."""

    generation: int
    kind: str
    cause: str
    added: int
    removed: int
    changed: int
    counts: Mapping[str, int]
    recorded_at: datetime
    position: int


@frozen
class TrailRow:
    """One event as the audit trail lists it; `stream` is the stream's name."""

    position: int
    stream: str
    version: int
    topic: str
    event_id: str
    recorded_at: datetime
    command_id: str
    causation_id: str
    actor_kind: str
    actor_id: str
    session: str


@frozen
class RefusalRow:
    position: int
    recorded_at: datetime
    verb: str
    keyword: str
    field: str
    request_digest: str
    actor_kind: str
    actor_id: str


@frozen
class TokenRow:
    """One token; its secret and its hash are not here."""

    token_id: str
    purpose: str
    label: str
    created_at: datetime
    revoked_at: datetime | None


@frozen
class TableDigest:
    """One table of one view: rows and a sha256 over all of them, in the order of their keys."""

    view: str
    table: str
    rows: int
    digest: str


@frozen
class Difference:
    """A table in which the live view and a rebuild are not byte for byte the same."""

    live: TableDigest
    rebuilt: TableDigest


class Views(MemoryViews, MissionViews, ReceiptViews, Protocol):
    """Every query catches up with the log first, so that it answers as of now.

    All may raise Refused(unknown_topic | store_damaged | busy).
    """

    def catch_up(self) -> int:
        """Bring every view up to the end of the log; answers the position."""
        ...

    # Moves and edits

    def moves(self, limit: int = 50) -> Sequence[MoveRow]:
        """Newest first."""
        ...

    def move(self, id: str) -> MoveRow | None:
        """By preview id or transplant id."""
        ...

    def edits(self, limit: int = 50) -> Sequence[EditRow]:
        """Newest first."""
        ...

    def edit(self, id: str) -> EditRow | None:
        """By preview id or edit id."""
        ...

    def undo_target(self) -> str | None:
        """The id of the last committed write, move or edit, that was not undone."""
        ...

    def due_previews(self, as_of: datetime) -> Sequence[str]:
        """Ids of previews, of moves and of edits, whose time is over and whose end is not recorded yet."""
        ...

    def moved_away(self, source_file: str, symbol: str) -> MoveRow | None:
        """The newest standing move that took `symbol` (name or symbol id) out of that file (`already_moved`)."""
        ...

    # Stamps

    def open_stamps(self, as_of: datetime) -> Sequence[str]:
        """Ids of the challenges that wait for the human, the oldest first."""
        ...

    def due_stamps(self, as_of: datetime) -> Sequence[str]:
        """Ids of challenges whose time is over and whose end is not recorded yet."""
        ...

    def tokens(self) -> Sequence[TokenRow]:
        """Newest first."""
        ...

    # Cards

    def cards_shown(self, session: str, as_of: datetime) -> Shown:
        """The cards that the log knew of at `as_of`: those of a session, and whether there was any on that UTC date."""
        ...

    # The map

    def blocks_map(self) -> MapRows | None:
        """The skeleton, its candidates and every block; None where there is no map."""
        ...

    # Symbols, graph, refusals, trail

    def symbols(self) -> SymbolTable: ...

    def graph_changes(self, after_generation: int = 0, limit: int = 100) -> Sequence[GraphChangeRow]: ...

    def refusals(self, limit: int = 50) -> Sequence[RefusalRow]:
        """Newest first."""
        ...

    def trail(
        self, after: int = 0, stream: str = "", topic: str = "", limit: int = 100
    ) -> Sequence[TrailRow]:
        """Events after a position, oldest first. `stream` is a whole name, or a kind (`transplant`) for all of that kind."""
        ...

    def trail_tail(self, stream: str = "", topic: str = "", limit: int = 20) -> Sequence[TrailRow]:
        """The last events, oldest first."""
        ...

    def event(self, event_id: str) -> TrailRow | None:
        """One event by its id."""
        ...

    def position_at(self, as_of: datetime) -> int:
        """The position of the last event recorded up to a time; 0 before the first."""
        ...

    # Upkeep

    @property
    def notes(self) -> Sequence[str]:
        """What the reader should know: views kept in memory, a damaged file rebuilt."""
        ...

    def rebuild(self) -> int:
        """Drop every view and fold the log anew; answers the position. Accepts the log as it is now."""
        ...

    def check(self) -> Sequence[Difference]:
        """Rebuild beside the live views and compare; empty when all are the same."""
        ...

    def digests(self) -> Sequence[TableDigest]:
        """Of the live tables."""
        ...

    def replay(self, to: int, out: str = "") -> Sequence[TableDigest]:
        """The views as they were at log position `to`, written to the SQLite file `out` if one is named."""
        ...

    def close(self) -> None: ...
