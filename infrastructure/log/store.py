"""Connections to `log.db`: who may open it, how, and what is created when.

A reader creates nothing, not even where the log does not exist yet: then it reads an empty one. The file is made by the
first append. Every write transaction is alone (the gate) and takes SQLite's write lock before it reads.
"""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any
from urllib.parse import quote

from m1nd.application.event_log import RESTORE
from m1nd.domain.refusal import Refused, refuse
from m1nd.infrastructure.log.faults import translated
from m1nd.infrastructure.log.gate import Gate
from m1nd.infrastructure.state_dir import ensure_state_dir

LOG_FILE = "log.db"
APPLICATION_ID = 0x6D316E64
"""`m1nd` in the header, so that another program's file is never taken for a log."""
FORMAT = 1
"""Version of the tables below; a higher one was written by a later m1nd."""

# The key is called rowid because the library selects `rowid, *` and reads the column by that name.
_EVENTS = (
    "CREATE TABLE stored_events (rowid INTEGER PRIMARY KEY, originator_id TEXT NOT NULL, "
    "originator_version INTEGER NOT NULL, topic TEXT NOT NULL, state BLOB NOT NULL, chain BLOB NOT NULL, "
    "UNIQUE (originator_id, originator_version)) STRICT"
)
# Derived from the events, in the transaction of the append: makes a command id count once over all processes.
_COMMANDS = (
    "CREATE TABLE commands (id TEXT PRIMARY KEY, digest TEXT NOT NULL, first INTEGER NOT NULL, "
    "last INTEGER NOT NULL) STRICT, WITHOUT ROWID"
)
# Against accidents; against intent there is the chain.
_APPEND_ONLY = tuple(
    f"CREATE TRIGGER append_only_{act} BEFORE {act} ON stored_events "
    "BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END"
    for act in ("update", "delete")
)
SCHEMA = (
    _EVENTS,
    _COMMANDS,
    *_APPEND_ONLY,
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {FORMAT}",
)


def connect(path: str, options: str = "") -> sqlite3.Connection:
    """A connection in autocommit mode; `options` are SQLite's URI parameters (`mode=ro`)."""
    return sqlite3.connect(
        f"file:{quote(path)}?{options}" if options else path,
        uri=bool(options),
        timeout=30,
        isolation_level=None,
        check_same_thread=False,
    )


class LogStore:
    """The connections of one process to one log. Threads may share it; a fork may not."""

    def __init__(self, folder: str, *, read_only: bool = False) -> None:
        self.folder = folder
        self.path = os.path.join(folder, LOG_FILE)
        self.read_only = read_only
        self.gate = Gate(f"{self.path}.lock")
        self._lock = threading.Lock()
        self._writer: sqlite3.Connection | None = None
        self._idle: list[sqlite3.Connection] = []
        self._identity: tuple[int, int] | None = None
        self._closed = False

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[Any]:
        """A cursor inside a transaction; committed at the end if `commit`, else rolled back.

        Raises Refused(busy | write_failed | store_damaged | read_only), IntegrityError after a lost race.
        """
        if commit:
            with self._appending() as cursor:
                yield cursor
        else:
            with self._reading() as cursor:
                yield cursor

    def exists(self) -> bool:
        return os.path.exists(self.path)

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """No other process or thread appends while this is held; what is read inside is still so at the append."""
        if self.read_only:
            refuse("read_only", "this attach is read-only: nothing is appended to the log")
        ensure_state_dir(self.folder)
        with self._gated():
            yield

    @contextmanager
    def _appending(self) -> Iterator[sqlite3.Cursor]:
        with self.exclusive(), translated(LOG_FILE, writing=True):
            connection = self._writable()
            cursor = connection.cursor()
            cursor.execute("BEGIN IMMEDIATE")
            try:
                yield cursor
                connection.commit()
            except BaseException:
                connection.rollback()
                raise
            finally:
                cursor.close()

    @contextmanager
    def _gated(self) -> Iterator[None]:
        with ExitStack() as stack:
            try:
                stack.enter_context(self.gate.writing())
            except OSError as error:
                refuse(
                    "write_failed",
                    f"{LOG_FILE} cannot be locked for writing: {error.strerror}",
                    "make the folder .m1nd writable, or run with --read-only",
                    errno=error.errno,
                )
            yield

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Cursor]:
        if self._closed:
            raise RuntimeError("the log is closed")
        with translated(LOG_FILE, writing=False):
            self._notice_replacement()
            connection = self._idle_connection()
            if connection is None and self._must_leave_no_trace():
                with self.gate.reading(), closing(self._open_read_only()) as fleeting:
                    yield fleeting.cursor()
                return
            connection = connection or self._open_for_reading()
            try:
                cursor = connection.cursor()
                cursor.execute("BEGIN")
                yield cursor
                cursor.close()
                connection.rollback()
            except BaseException:
                connection.close()
                raise
            self._give_back(connection)

    def _must_leave_no_trace(self) -> bool:
        """Whether a connection may put its -wal and -shm beside the log."""
        return self.read_only or not (os.access(self.folder, os.W_OK) and os.access(self.path, os.W_OK))

    def _idle_connection(self) -> sqlite3.Connection | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _open_read_only(self) -> sqlite3.Connection:
        """Called inside the gate: no writer can come, so a log that was closed cleanly may be taken as it is.

        A plain read-only connection would create -wal and -shm beside it.
        """
        if not os.path.exists(self.path):
            return _empty()
        tail = f"{self.path}-wal"
        settled = not os.path.exists(tail) or os.path.getsize(tail) == 0
        return self._checked(connect(self.path, "mode=ro&immutable=1" if settled else "mode=ro"))

    def _open_for_reading(self) -> sqlite3.Connection:
        if not os.path.exists(self.path):
            return _empty()
        # The first connection to a log sets up its shared memory; inside the gate, cold starts cannot collide.
        with self.gate.reading():
            try:
                connection = self._checked(connect(self.path, "mode=rw"))
            except sqlite3.OperationalError:
                # No room for the shared memory (a full disk): what is there can still be read, or says why not.
                return self._open_read_only()
            self._remember_identity()
            return connection

    def _checked(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        """The connection if it is to a log of ours; an empty log where the file was never begun."""
        try:
            connection.row_factory = sqlite3.Row
            if _is_blank(connection):
                connection.close()
                return _empty()
            _check_header(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._lock:
            if len(self._idle) < 4 and self._identity is not None and not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    def _writable(self) -> sqlite3.Connection:
        """The connection of this process's writer; makes the log when it is missing. Called inside the gate."""
        if self._closed:
            raise RuntimeError("the log is closed")
        self._notice_replacement()
        if self._writer is None:
            if os.path.exists(self.path) and os.path.getsize(self.path) == 0:
                self._refuse_emptied()
            self._writer = self._opened()
        return self._writer

    def _refuse_emptied(self) -> None:
        """A file of no bytes is a log that was never begun, unless something remembers an older one."""
        if os.path.exists(os.path.join(self.folder, "views.db")):
            refuse(
                "store_damaged",
                f"{LOG_FILE} is empty, but the views remember events of it",
                f"to begin anew, remove the folder .m1nd; else {RESTORE}",
                file=LOG_FILE,
            )

    def _opened(self) -> sqlite3.Connection:
        connection = connect(self.path, "mode=rwc")
        try:
            connection.row_factory = sqlite3.Row
            if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                connection.execute("PRAGMA journal_mode = WAL")
            # The log is the truth: a commit that was answered must survive a power cut.
            connection.execute("PRAGMA synchronous = FULL")
            if _is_blank(connection):
                _create(connection)
            _check_header(connection)
        except BaseException:
            connection.close()
            raise
        self._remember_identity()
        return connection

    def _remember_identity(self) -> None:
        found = os.stat(self.path)
        self._identity = (found.st_dev, found.st_ino)

    @contextmanager
    def watching(self) -> Iterator[Callable[[], bool]]:
        """A function that tells whether the log may have changed since it was last asked; cheap."""
        with closing(_Watcher(self)) as watcher:
            yield watcher.changed

    def _notice_replacement(self) -> None:
        """Let go of a file that was removed or replaced under us: what is appended to it would be lost."""
        if self._identity is None:
            return
        try:
            found = os.stat(self.path)
            if (found.st_dev, found.st_ino) == self._identity:
                return
        except FileNotFoundError:
            pass  # removed: the next append begins a new log
        self._drop_connections()

    def _drop_connections(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
            writer, self._writer = self._writer, None
            self._identity = None
        for connection in (*idle, *([writer] if writer else [])):
            connection.close()

    def close(self) -> None:
        if self._closed:
            return
        if self._writer is not None or self._idle:
            # The last connection to close writes the tail into the file: inside the gate, so that no reader sees half.
            try:
                with self._gated():
                    self._drop_connections()
            except Refused:
                self._drop_connections()
        self._closed = True
        self.gate.close()

    def __del__(self) -> None:
        if hasattr(self, "_closed"):
            self.close()


class _Watcher:
    """Asks SQLite's change counter, on a connection that never writes."""

    def __init__(self, store: LogStore) -> None:
        self._store = store
        self._connection: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._seen: object = None

    def changed(self) -> bool:
        seen = self._now()
        if seen == self._seen:
            return False
        self._seen = seen
        return True

    def _now(self) -> object:
        try:
            found = os.stat(self._store.path)
        except FileNotFoundError:
            self.close()
            return None
        identity = (found.st_dev, found.st_ino)
        if self._store._must_leave_no_trace():
            # No connection that lasts: file times tell, if a little less exactly.
            return identity, _times(self._store.path), _times(f"{self._store.path}-wal")
        with translated(LOG_FILE, writing=False):
            if self._connection is None or identity != self._identity:
                self.close()
                self._identity = identity
                with self._store.gate.reading():
                    self._connection = connect(self._store.path, "mode=rw")
            return identity, self._connection.execute("PRAGMA data_version").fetchone()[0]

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _times(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_mtime_ns, found.st_size


def _is_blank(connection: sqlite3.Connection) -> bool:
    return not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in SCHEMA:
            connection.execute(statement)
        connection.commit()
    except BaseException:
        connection.rollback()
        raise


def _empty() -> sqlite3.Connection:
    connection = connect(":memory:")
    connection.row_factory = sqlite3.Row
    _create(connection)
    return connection


def _check_header(connection: sqlite3.Connection) -> None:
    """Refuse a file that is no log of ours, or one of a later version."""
    found = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if found != APPLICATION_ID:
        refuse(
            "store_damaged",
            f"{LOG_FILE} is not a log of m1nd",
            f"to begin anew, remove the folder .m1nd; else {RESTORE}",
            file=LOG_FILE,
        )
    if version > FORMAT:
        refuse(
            "store_damaged",
            f"{LOG_FILE} has format {version}; this m1nd reads up to {FORMAT}",
            "update m1nd",
            file=LOG_FILE,
            format=version,
        )
