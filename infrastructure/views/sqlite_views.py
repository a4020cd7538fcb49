"""Implements the port `Views`: each question catches up first, then reads one moment of the file.

Where every view has seen the whole log there is nothing to fold, and neither a projection nor an event is loaded.

A missing or damaged file is rebuilt; a folder that cannot be written gives views in memory. One connection, one thread
at a time.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from attrs import frozen

from m1nd.domain.refusal import Refused
from m1nd.infrastructure.log.faults import refusal_of
from m1nd.infrastructure.log.store import connect
from m1nd.infrastructure.views import card_queries, queries
from m1nd.infrastructure.views.identity_rows import symbol_table
from m1nd.infrastructure.views.memory_questions import MemoryQuestions
from m1nd.infrastructure.views.mission_questions import MissionQuestions
from m1nd.infrastructure.views.positions import have_seen_all, reached
from m1nd.infrastructure.views.receipt_questions import ReceiptQuestions
from m1nd.infrastructure.views.store import (
    EMPTY,
    UNWRITABLE,
    VIEWS_FILE,
    WORTHLESS,
    discard_file,
    in_memory,
    nothing_to_keep,
    open_or_remember,
    primary_code,
)
from m1nd.infrastructure.views.transactions import reading

if TYPE_CHECKING:
    from datetime import datetime

    from m1nd.application.event_log import EventLog
    from m1nd.application.map_views import MapRows
    from m1nd.application.views import (
        Difference,
        EditRow,
        GraphChangeRow,
        MoveRow,
        RefusalRow,
        TableDigest,
        TokenRow,
        TrailRow,
    )
    from m1nd.domain.card.cadence import Shown
    from m1nd.domain.symbols import SymbolTable
    from m1nd.infrastructure.views.engine import Engine

T = TypeVar("T")
Query = Callable[[sqlite3.Connection], T]


@frozen
class Folding:
    """What the views are folded from and by: today's keys by name, the log, and the engine, made when there is work."""

    keys: Mapping[str, str]
    log: EventLog
    engine: Callable[[], Engine]


class SqliteViews(MemoryQuestions, MissionQuestions, ReceiptQuestions):
    def __init__(self, folder: str, folding: Folding, *, read_only: bool = False) -> None:
        self._folder = folder
        self._folding = folding
        self._read_only = read_only
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.RLock()
        self._notes: list[str] = []
        self._waiting = False
        """There is no log yet; the first question after its first event opens the file."""

    # Questions

    def catch_up(self) -> int:
        return self._ask(reached)

    def moves(self, limit: int = 50) -> Sequence[MoveRow]:
        return self._ask(lambda c: queries.moves(c, limit))

    def move(self, id: str) -> MoveRow | None:
        return self._ask(lambda c: queries.move(c, id))

    def edits(self, limit: int = 50) -> Sequence[EditRow]:
        return self._ask(lambda c: queries.edits(c, limit))

    def edit(self, id: str) -> EditRow | None:
        return self._ask(lambda c: queries.edit(c, id))

    def undo_target(self) -> str | None:
        return self._ask(queries.undo_target)

    def due_previews(self, as_of: datetime) -> Sequence[str]:
        return self._ask(lambda c: queries.due_previews(c, as_of))

    def moved_away(self, source_file: str, symbol: str) -> MoveRow | None:
        return self._ask(lambda c: queries.moved_away(c, source_file, symbol))

    def open_stamps(self, as_of: datetime) -> Sequence[str]:
        from m1nd.infrastructure.views import stamp_queries

        return self._ask(lambda c: stamp_queries.waiting(c, as_of))

    def due_stamps(self, as_of: datetime) -> Sequence[str]:
        from m1nd.infrastructure.views import stamp_queries

        return self._ask(lambda c: stamp_queries.due(c, as_of))

    def tokens(self) -> Sequence[TokenRow]:
        from m1nd.infrastructure.views import stamp_queries

        return self._ask(stamp_queries.tokens)

    def cards_shown(self, session: str, as_of: datetime) -> Shown:
        return self._ask(lambda c: card_queries.cards_shown(c, session, as_of))

    def blocks_map(self) -> MapRows | None:
        return self._ask(_map_rows)

    def symbols(self) -> SymbolTable:
        return self._ask(symbol_table)

    def graph_changes(self, after_generation: int = 0, limit: int = 100) -> Sequence[GraphChangeRow]:
        return self._ask(lambda c: queries.graph_changes(c, after_generation, limit))

    def refusals(self, limit: int = 50) -> Sequence[RefusalRow]:
        return self._ask(lambda c: queries.refusals(c, limit))

    def trail(
        self, after: int = 0, stream: str = "", topic: str = "", limit: int = 100
    ) -> Sequence[TrailRow]:
        return self._ask(lambda c: queries.trail(c, after, stream, topic, limit))

    def trail_tail(self, stream: str = "", topic: str = "", limit: int = 20) -> Sequence[TrailRow]:
        return self._ask(lambda c: queries.trail_tail(c, stream, topic, limit))

    def event(self, event_id: str) -> TrailRow | None:
        return self._ask(lambda c: queries.event(c, event_id))

    def position_at(self, as_of: datetime) -> int:
        return self._ask(lambda c: queries.position_at(c, as_of))

    def digests(self) -> Sequence[TableDigest]:
        return self._ask(lambda c: self._engine.digests(c))

    # Upkeep

    @property
    def notes(self) -> Sequence[str]:
        return tuple(self._notes)

    def rebuild(self) -> int:
        def work(connection: sqlite3.Connection) -> int:
            self._engine.reset(connection)
            return self._engine.catch_up(connection)

        return self._run(work)

    def check(self) -> Sequence[Difference]:
        from m1nd.application.views import Difference

        live_position, live = self._ask(lambda c: (self._engine.position(c), self._engine.digests(c)))
        rebuilt = self.replay(live_position)
        return tuple(
            Difference(left, right) for left, right in zip(live, rebuilt, strict=True) if left != right
        )

    def replay(self, to: int, out: str = "") -> Sequence[TableDigest]:
        try:
            with closing(connect(out or ":memory:")) as connection:
                self._engine.ensure(connection)
                if out:
                    self._engine.reset(connection)
                self._engine.catch_up(connection, until=to)
                return self._engine.digests(connection)
        except sqlite3.Error as error:
            raise Refused(refusal_of(error, "the replay's file", writing=True)) from error

    def close(self) -> None:
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    # Inside

    @cached_property
    def _engine(self) -> Engine:
        return self._folding.engine()

    def _ask(self, query: Query[T]) -> T:
        """Catch up, then ask in one transaction."""

        def work(connection: sqlite3.Connection) -> T:
            if not have_seen_all(connection, self._folding.keys, self._folding.log.head()):
                self._engine.ensure(connection)
                self._engine.catch_up(connection)
            with reading(connection):
                return query(connection)

        return self._run(work)

    def _run(self, work: Query[T]) -> T:
        with self._lock:
            try:
                return work(self._open())
            except sqlite3.Error as error:
                self._replace(error)
            try:
                return work(self._open())
            except sqlite3.Error as error:
                raise Refused(refusal_of(error, VIEWS_FILE, writing=True)) from error

    def _open(self) -> sqlite3.Connection:
        if self._waiting and not nothing_to_keep(self._folder, self._folding.log):
            self.close()
        if self._connection is None:
            connection, reason = open_or_remember(self._folder, self._folding.log, self._read_only)
            self._waiting = reason == EMPTY
            if reason and not self._waiting and not self._read_only:
                self._notes.append(f"views are kept in memory: {reason}")
            self._connection = connection
        return self._connection

    def _replace(self, error: sqlite3.Error) -> None:
        """Put something sound in the place of a file that failed. Raises Refused for a failure that is not the file's."""
        self.close()
        code = primary_code(error)
        if code in WORTHLESS:
            if not self._read_only:
                discard_file(self._folder)
                self._notes.append(f"{VIEWS_FILE} was damaged and is rebuilt from the log")
                return
            self._connection = connect(":memory:")
        elif code in UNWRITABLE:
            self._notes.append(f"views are kept in memory: {error}")
            self._connection = in_memory(self._folder)
        else:
            raise Refused(refusal_of(error, VIEWS_FILE, writing=True)) from error


def _map_rows(connection: sqlite3.Connection) -> MapRows | None:
    if not queries.has_map(connection):
        return None
    # Late: what a map is made of is loaded where there is one.
    from m1nd.infrastructure.views import block_queries

    return block_queries.map_rows(connection)
