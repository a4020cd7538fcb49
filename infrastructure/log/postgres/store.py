"""Connections to the log on a server: who may append, how, and what is created when.

A reader creates nothing: where the schema does not exist yet, it reads an empty log. Schema and tables are made by the
first append. Every append is alone: it holds the server's advisory lock of this schema, which ends with the connection.
"""

import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import sql

from m1nd.domain.refusal import refuse
from m1nd.infrastructure.log.postgres.address import Address
from m1nd.infrastructure.log.postgres.faults import translated

FORMAT = 1
"""Version of the tables below; a higher one was written by a later m1nd."""
PATIENCE = 30.0
IDLE = 4

Connection = psycopg.Connection[tuple[Any, ...]]
Cursor = psycopg.Cursor[tuple[Any, ...]]

_EVENTS = (
    "CREATE TABLE stored_events (position BIGINT PRIMARY KEY, originator_id TEXT NOT NULL, "
    "originator_version BIGINT NOT NULL, topic TEXT NOT NULL, state BYTEA NOT NULL, chain BYTEA NOT NULL, "
    "UNIQUE (originator_id, originator_version))"
)
# Derived from the events, in the transaction of the append: makes a command id count once over all machines.
_COMMANDS = "CREATE TABLE commands (id TEXT PRIMARY KEY, digest TEXT NOT NULL, first BIGINT NOT NULL, last BIGINT NOT NULL)"
# Against accidents; against intent there is the chain.
_APPEND_ONLY = (
    "CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS "
    "$$BEGIN RAISE EXCEPTION 'the log is append-only'; END$$; "
    "CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON stored_events "
    "FOR EACH STATEMENT EXECUTE FUNCTION append_only()"
)
SCHEMA = (_EVENTS, _COMMANDS, _APPEND_ONLY, f"CREATE TABLE log_format AS SELECT {FORMAT} AS version")


class PostgresStore:
    """The connections of one process to one log. Threads may share it; a fork may not."""

    def __init__(self, address: Address, *, read_only: bool = False, patience: float = PATIENCE) -> None:
        self.schema = address.schema
        self.read_only = read_only
        self._server = address.server
        self._patience = patience
        self._key = zlib.crc32(f"m1nd log {address.schema}".encode())
        self._threads = threading.Lock()
        self._holder: int | None = None
        self._writer: Connection | None = None
        self._idle: list[Connection] = []
        self._lock = threading.Lock()
        self._known = False
        self._closed = False

    @property
    def channel(self) -> str:
        """The name under which appends are announced."""
        return f"m1nd_{self.schema}"

    def exists(self) -> bool:
        with self.reading() as cursor:
            return cursor is not None

    @contextmanager
    def reading(self) -> Iterator[Cursor | None]:
        """A cursor inside a read transaction; None where there is no log yet.

        Raises Refused(log_unreachable | store_damaged).
        """
        with translated():
            connection = self._connection()
            try:
                cursor = connection.cursor(binary=True)
                yield cursor if self._is_there(cursor) else None
                connection.rollback()
            except BaseException:
                connection.close()
                raise
            self._give_back(connection)

    @contextmanager
    def appending(self) -> Iterator[Cursor]:
        """A cursor inside a write transaction, alone on this log; committed at the end.

        Raises Refused(busy | write_failed | log_unreachable | read_only), IntegrityError after a lost race.
        """
        with self.exclusive(), translated():
            connection = self._writable()
            with connection.transaction():
                cursor = connection.cursor()
                yield cursor
                cursor.execute("SELECT pg_notify(%s, '')", (self.channel,))

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """No other process, machine or thread appends while this is held. The thread that is inside may come in again."""
        if self.read_only:
            refuse("read_only", "this attach is read-only: nothing is appended to the log")
        if self._holder == threading.get_ident():
            yield
            return
        if not self._threads.acquire(timeout=self._patience):
            refuse("busy", f"another thread has held the log for more than {self._patience:.0f} s")
        try:
            with translated():
                connection = self._writable()
                connection.execute("SELECT pg_advisory_lock(%s)", (self._key,))
            self._holder = threading.get_ident()
            try:
                yield
            finally:
                self._holder = None
                self._unlock(connection)
        finally:
            self._threads.release()

    def _unlock(self, connection: Connection) -> None:
        """A connection that is gone has taken its lock with it."""
        try:
            connection.execute("SELECT pg_advisory_unlock(%s)", (self._key,))
        except psycopg.Error:
            connection.close()

    def connect(self) -> Connection:
        """A new connection in autocommit mode whose tables are those of this log."""
        connection = psycopg.connect(
            self._server,
            autocommit=True,
            connect_timeout=10,
            application_name="m1nd",
        )
        path = sql.SQL("SET search_path = {}").format(sql.Identifier(self.schema))
        connection.execute(path)
        # The log is the truth: a commit that was answered must survive a power cut, whatever the server's default is.
        connection.execute("SET synchronous_commit = on")
        connection.execute(
            "SELECT set_config('lock_timeout', %s, false)", (f"{int(self._patience * 1000)}ms",)
        )
        if self.read_only:
            connection.execute("SET default_transaction_read_only = on")
        return connection

    def _connection(self) -> Connection:
        """A connection with an open read transaction; one that the server dropped meanwhile is replaced."""
        if self._closed:
            raise RuntimeError("the log is closed")
        begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        with self._lock:
            idle = self._idle.pop() if self._idle else None
        if idle is not None:
            try:
                idle.execute(begin)
            except psycopg.OperationalError:
                idle.close()
            else:
                return idle
        connection = self.connect()
        connection.execute(begin)
        return connection

    def _give_back(self, connection: Connection) -> None:
        with self._lock:
            if len(self._idle) < IDLE and not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    def _is_there(self, cursor: Cursor) -> bool:
        if not self._known:
            row = cursor.execute("SELECT to_regclass('stored_events') IS NOT NULL").fetchone()
            if row is None or not row[0]:
                return False
            _check_format(cursor)
            self._known = True
        return True

    def _writable(self) -> Connection:
        """The connection of this process's writer."""
        if self._closed:
            raise RuntimeError("the log is closed")
        if self._writer is None or self._writer.closed:
            self._writer = self.connect()
        return self._writer

    def prepare(self, cursor: Cursor) -> None:
        """Make schema and tables where they are missing. Called inside an append."""
        if self._is_there(cursor):
            return
        cursor.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(self.schema)))
        for statement in SCHEMA:
            cursor.execute(statement)

    def close(self) -> None:
        self._closed = True
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in (*idle, *([self._writer] if self._writer else [])):
            connection.close()
        self._writer = None


def _check_format(cursor: Cursor) -> None:
    row = cursor.execute("SELECT max(version) FROM log_format").fetchone()
    version = row[0] if row else None
    if version is None or version > FORMAT:
        refuse(
            "store_damaged",
            f"the log on the server has format {version}; this m1nd reads up to {FORMAT}",
            "update m1nd",
            format=version or 0,
        )
