"""The file `views.db`: opened where it can be, kept in memory where it cannot, thrown away where it is damaged."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from m1nd.domain.refusal import Refused
from m1nd.infrastructure.log.gate import Gate
from m1nd.infrastructure.log.store import connect
from m1nd.infrastructure.state_dir import ensure_state_dir

if TYPE_CHECKING:
    from m1nd.application.event_log import EventLog

VIEWS_FILE = "views.db"

WORTHLESS = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT}
"""Errors after which the file is thrown away: it is no database, or not made of our tables."""
UNWRITABLE = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}
"""Errors after which the views are kept in memory for this run."""


def primary_code(error: sqlite3.Error) -> int:
    return (getattr(error, "sqlite_errorcode", None) or sqlite3.SQLITE_ERROR) & 0xFF


def open_file(folder: str) -> sqlite3.Connection:
    """The connection to `views.db` in `folder`, made when missing. Raises sqlite3.Error, Refused, OSError."""
    ensure_state_dir(folder)
    path = os.path.join(folder, VIEWS_FILE)
    gate = Gate(f"{path}.lock")
    try:
        with gate.writing():
            connection = connect(path)
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                # Derived data: what a power cut takes is folded again.
                connection.execute("PRAGMA synchronous = NORMAL")
            except BaseException:
                connection.close()
                raise
            return connection
    finally:
        gate.close()


def discard_file(folder: str) -> None:
    """Remove a worthless `views.db` with what SQLite keeps beside it."""
    path = os.path.join(folder, VIEWS_FILE)
    gate = Gate(f"{path}.lock")
    try:
        with gate.writing():
            for suffix in ("", "-wal", "-shm"):
                with suppress(FileNotFoundError):
                    os.unlink(path + suffix)
    finally:
        gate.close()


def in_memory(folder: str) -> sqlite3.Connection:
    """Views that leave no trace: a copy of the file where there is a sound one, else empty."""
    memory = connect(":memory:")
    path = os.path.join(folder, VIEWS_FILE)
    tail = f"{path}-wal"
    try:
        if os.path.exists(path):
            settled = not os.path.exists(tail)
            with closing(connect(path, "mode=ro&immutable=1" if settled else "mode=ro")) as source:
                source.backup(memory)
            if settled and os.path.exists(tail):
                raise sqlite3.OperationalError("a writer came while the views were copied")
    except sqlite3.Error:
        # Not worth a word: an empty copy is folded anew and answers the same.
        memory.close()
        memory = connect(":memory:")
    return memory


def can_keep_file(folder: str) -> bool:
    """Whether `views.db` can be made or written in `folder` (which may not exist yet)."""
    path = os.path.join(folder, VIEWS_FILE)
    if os.path.exists(path):
        return os.access(path, os.W_OK) and os.access(folder, os.W_OK)
    return not os.path.exists(folder) or os.access(folder, os.W_OK)


EMPTY = "no log yet"


def nothing_to_keep(folder: str, log: EventLog) -> bool:
    """Whether there is neither a log nor a view: then a question must not make files."""
    return not os.path.exists(os.path.join(folder, VIEWS_FILE)) and not log.exists()


def open_or_remember(folder: str, log: EventLog, read_only: bool) -> tuple[sqlite3.Connection, str]:
    """A connection, and why it is in memory (empty when it is to the file)."""
    if read_only:
        return in_memory(folder), "read-only attach"
    if nothing_to_keep(folder, log):
        return connect(":memory:"), EMPTY
    if not can_keep_file(folder):
        return in_memory(folder), "the folder cannot be written"
    try:
        return open_file(folder), ""
    except (Refused, OSError):
        return in_memory(folder), "the folder cannot be written"
    except sqlite3.Error as error:
        if primary_code(error) in UNWRITABLE:
            return in_memory(folder), str(error)
        raise
