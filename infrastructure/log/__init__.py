"""The event log, chained, appended by any number of processes: `.m1nd/log.db`, or a schema of a PostgreSQL server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from m1nd.domain.refusal import refuse
from m1nd.infrastructure.settings import LOG_URL, check_log_settings

if TYPE_CHECKING:
    from m1nd.application.app import M1nd
    from m1nd.application.graph_records import GraphRecords
    from m1nd.infrastructure.log.factory import LogFactory
    from m1nd.infrastructure.log.postgres.recorder import PostgresRecorder
    from m1nd.infrastructure.log.postgres.store import PostgresStore
    from m1nd.infrastructure.log.recorder import ChainedRecorder
    from m1nd.infrastructure.log.stored_rows import StoredRows

    Log = StoredRows | PostgresRecorder

__all__ = ["app_over", "graph_records_over", "open_app", "open_log", "open_server"]


def open_log(state_dir: str, environment: Mapping[str, str], *, read_only: bool = False) -> Log:
    """The log in `state_dir`, or the one that `M1ND_LOG_URL` names.

    Creates nothing before the first append, and nothing if read-only. Raises Refused(unknown_setting |
    extra_missing); a damaged or unreachable log is refused at the first read or append.
    """
    check_log_settings(environment)
    url = environment.get(LOG_URL, "")
    if url:
        store = open_server(url, read_only)
        from m1nd.infrastructure.log.postgres.recorder import PostgresRecorder

        return PostgresRecorder(store)
    # Light: a process that only reads what the views hold pays neither for the library nor for the event classes.
    from m1nd.infrastructure.log.store import LogStore
    from m1nd.infrastructure.log.stored_rows import StoredRows

    return StoredRows(LogStore(state_dir, read_only=read_only))


def app_over(log: Log) -> M1nd:
    """The application over an opened log, by the same connections; closing the application closes the log."""
    from m1nd.application.app import M1nd

    return M1nd(_factory(log))


def graph_records_over(log: Log) -> GraphRecords:
    """The graph's part of the application alone."""
    from m1nd.application.graph_records import GraphRecords

    return GraphRecords(_factory(log))


def _factory(log: Log) -> LogFactory:
    from m1nd.infrastructure.log.factory import LogFactory
    from m1nd.infrastructure.log.stored_rows import StoredRows

    return LogFactory(recorder_over(log) if isinstance(log, StoredRows) else log, log.close)


def recorder_over(log: StoredRows) -> ChainedRecorder:
    """The library's recorder over a log in its file."""
    from m1nd.infrastructure.log.recorder import ChainedRecorder

    return ChainedRecorder(log.store)


def open_app(state_dir: str, environment: Mapping[str, str], *, read_only: bool = False) -> M1nd:
    """`app_over(open_log(…))`."""
    return app_over(open_log(state_dir, environment, read_only=read_only))


def open_server(url: str, read_only: bool) -> PostgresStore:
    """The store that a `M1ND_LOG_URL` names; connects at the first question. Raises Refused(unknown_setting | extra_missing)."""
    from m1nd.infrastructure.log.postgres.address import address_of

    address = address_of(url, LOG_URL)
    try:
        from m1nd.infrastructure.log.postgres.store import PostgresStore
    except ImportError:
        refuse(
            "extra_missing",
            f"{LOG_URL} names a PostgreSQL server, and the library that speaks to it is not installed",
            "pip install 'm1nd[postgres]'",
            extra="postgres",
        )
    return PostgresStore(address, read_only=read_only)
