"""What went wrong at the server, said as a refusal: code, plain words, the next step. Never a password, never a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from eventsourcing.persistence import IntegrityError
from psycopg import errors

from m1nd.domain.refusal import Refusal, Refused

WHERE = "the log's server"


def refusal_of(error: psycopg.Error) -> Refusal:
    details = {"sqlstate": error.sqlstate or "", "reason": _reason(error)}
    if isinstance(error, errors.LockNotAvailable):
        return Refusal("busy", "another process has held the log for too long", "", details)
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return Refusal(
            "write_failed",
            f"{WHERE} takes no writes (a standby, or a read-only database)",
            "point M1ND_LOG_URL at the primary server, or run with --read-only",
            details,
        )
    if isinstance(error, errors.DiskFull | errors.InsufficientPrivilege):
        return Refusal(
            "write_failed",
            f"{WHERE} did not take the write: {_reason(error)}",
            "free space or grant the rights, then run the command again",
            details,
        )
    if isinstance(error, errors.RaiseException | errors.UndefinedTable | errors.UndefinedColumn):
        return Refusal("store_damaged", f"{WHERE}: {_reason(error)}", "", details)
    return Refusal("log_unreachable", f"{WHERE} did not answer: {_reason(error)}", "", details)


def _reason(error: psycopg.Error) -> str:
    """The server's own words, one line; libpq names host and port there, but no password."""
    words = error.diag.message_primary or str(error)
    return next((line.strip() for line in words.splitlines() if line.strip()), type(error).__name__)


@contextmanager
def translated() -> Iterator[None]:
    """Errors of the server inside become Refused; a lost race becomes the library's IntegrityError, to be retried."""
    try:
        yield
    except errors.UniqueViolation as error:
        raise IntegrityError(error) from error
    except psycopg.Error as error:
        raise Refused(refusal_of(error)) from error
