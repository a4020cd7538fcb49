"""The two transactions of `views.db`: one that writes, one that reads one moment."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Cursor]:
    """A write transaction that takes the lock before it reads."""
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
def reading(connection: sqlite3.Connection) -> Iterator[None]:
    """One moment of the file for several queries."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.rollback()
