"""The identities of items, read without opening the other views where their view has seen the whole log already."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

from attrs import frozen

from m1nd.infrastructure.log.store import connect
from m1nd.infrastructure.views.identity_rows import symbol_table
from m1nd.infrastructure.views.store import VIEWS_FILE
from m1nd.infrastructure.views.versions import KEYS

if TYPE_CHECKING:
    from m1nd.application.event_log import EventLog, LogHead
    from m1nd.application.views import Views
    from m1nd.domain.symbols import SymbolTable

FEW = 100
"""So many events that came after are looked at; more are for the fold."""
WITHOUT_STEPS = frozenset(("graph_opened", "graph_changed"))


@frozen
class ViewedIdentities:
    """The port `Identities`. A quick look at `views.db`, else the views themselves."""

    folder: str
    log: EventLog
    views: Callable[[], Views]
    read_only: bool = False

    def table(self) -> SymbolTable:
        found = self._quickly()
        return found if found is not None else self.views().symbols()

    def _quickly(self) -> SymbolTable | None:
        """None where the file is not there, not of this version, or behind the log; whoever opens the views mends it."""
        path = os.path.join(self.folder, VIEWS_FILE)
        if self.read_only or not os.path.exists(path):
            return None  # a look at a file in use would put its shared memory beside it
        head = self.log.head()
        try:
            with closing(connect(path, "mode=ro")) as connection:
                connection.execute("BEGIN")
                seen = connection.execute(
                    "SELECT key, position, chain FROM projections WHERE name = ?", ("symbols",)
                ).fetchone()
                if seen is None:
                    return None
                key, position, chain = seen
                return symbol_table(connection) if self._is_current(key, position, chain, head) else None
        except sqlite3.Error:
            return None

    def _is_current(self, key: str, position: int, chain: bytes, head: LogHead) -> bool:
        """Whether a view of this key, place and link tells of all steps: nothing, or nothing but changes of files, came after."""
        if key != KEYS["symbols"]:
            return False
        if position == head.count:
            return chain == bytes.fromhex(head.head)
        if not 0 < position < head.count <= position + FEW:
            return False
        place, *later = self.log.rows(after=position - 1, until=head.count)
        return place.chain == chain and {row.topic for row in later} <= WITHOUT_STEPS
