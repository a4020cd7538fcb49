"""A projection: tables, and a handler for each kind of event. A value; running it is `engine.py`'s work.

A handler gets (cursor, event, position) and must use nothing else: no clock, no file, no other view. So a rebuild gives
the same bytes as the live view.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

from attrs import field, frozen

from m1nd.domain.base import Event
from m1nd.infrastructure.views.versions import key_of

Handler = Callable[[sqlite3.Cursor, Any, int], None]


@frozen
class Projection:
    """`key` (`name@version`) names its position; a changed version drops the old tables and folds anew.

    `tables` maps each table's name to its columns (the inside of CREATE TABLE, with a primary key).
    """

    name: str
    version: int
    tables: Mapping[str, str]
    indices: tuple[str, ...] = ()
    handlers: dict[str, Handler] = field(factory=dict)

    @property
    def key(self) -> str:
        return key_of(self.name, self.version)

    def on(self, *kinds: type[Event]) -> Callable[[Handler], Handler]:
        """Register a handler for these events."""

        def register(handler: Handler) -> Handler:
            for kind in kinds:
                if kind.TOPIC in self.handlers:
                    raise ValueError(f"{self.key} handles {kind.TOPIC} twice")
                self.handlers[kind.TOPIC] = handler
            return handler

        return register

    def create(self, cursor: sqlite3.Cursor) -> None:
        for table, columns in self.tables.items():
            cursor.execute(f"CREATE TABLE {table} ({columns}) STRICT, WITHOUT ROWID")
        for index in self.indices:
            cursor.execute(index)
