"""What went wrong in SQLite, said as a refusal: code, plain words, the next step. Never a traceback, never a path."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from m1nd.application.event_log import RESTORE
from m1nd.domain.refusal import Refusal, Refused

_READ_FAULTS = {sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS}


def refusal_of(error: sqlite3.Error, what: str, writing: bool) -> Refusal:
    """The refusal for an error of SQLite on the file called `what`."""
    extended = getattr(error, "sqlite_errorcode", None) or sqlite3.SQLITE_ERROR
    primary = extended & 0xFF
    details = {
        "file": what,
        "reason": str(error),
        "sqlite": getattr(error, "sqlite_errorname", "") or "SQLITE_ERROR",
    }
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Refusal("busy", f"another process holds {what}", "", details)
    if primary == sqlite3.SQLITE_FULL:
        return Refusal(
            "write_failed",
            f"the disk is full: nothing was added to {what}",
            "free space, then run the command again",
            details,
        )
    if primary == sqlite3.SQLITE_READONLY or (
        writing and primary in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
    ):
        return Refusal(
            "write_failed",
            f"{what} cannot be written here: the folder or the file is read-only",
            "make the folder .m1nd writable, or run with --read-only",
            details,
        )
    if primary == sqlite3.SQLITE_IOERR and extended not in _READ_FAULTS:
        return Refusal(
            "write_failed",
            f"the disk did not take a write to {what}",
            "free space or check the disk, then run the command again",
            details,
        )
    hint = RESTORE if what == "log.db" else "m1nd projections rebuild"
    return Refusal("store_damaged", f"{what} is damaged: {_plain(error, primary)}", hint, details)


def _plain(error: sqlite3.Error, primary: int) -> str:
    if primary == sqlite3.SQLITE_NOTADB:
        return "it is not a database, or its first bytes were overwritten"
    if primary == sqlite3.SQLITE_CORRUPT:
        return "pages are missing or do not fit together (was the file cut or copied while in use?)"
    if primary == sqlite3.SQLITE_CANTOPEN:
        return "it cannot be opened for reading"
    return f"it does not have the tables of m1nd ({error})"


@contextmanager
def translated(what: str, writing: bool) -> Iterator[None]:
    """Errors of SQLite inside become Refused; a lost race becomes the library's IntegrityError, to be retried."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        from eventsourcing.persistence import IntegrityError

        raise IntegrityError(error) from error
    except sqlite3.Error as error:
        raise Refused(refusal_of(error, what, writing)) from error
