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
    from m1nd.application.event_log import EventLog
    from m1nd.application.views import Views
    from m1nd.domain.symbols import SymbolTable


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
                current = seen == (KEYS["symbols"], head.count, bytes.fromhex(head.head))
                return symbol_table(connection) if current else None
        except sqlite3.Error:
            return None
