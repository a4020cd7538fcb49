"""The event log on SQLite: `.m1nd/log.db`, chained, appended by any number of processes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from m1nd.infrastructure.settings import check_log_settings

if TYPE_CHECKING:
    from m1nd.application.app import M1nd

__all__ = ["open_app"]


def open_app(state_dir: str, environment: Mapping[str, str], *, read_only: bool = False) -> M1nd:
    """The application over the log in `state_dir`. Creates nothing before the first append, and nothing if read-only.

    Raises Refused(unknown_setting); a damaged log is refused at the first read or append.
    """
    check_log_settings(environment)
    # Late: a process that only peeks (`peek.py`) does not pay for the event classes.
    from m1nd.application.app import M1nd
    from m1nd.infrastructure.log.factory import LogFactory
    from m1nd.infrastructure.log.recorder import Datastore

    return M1nd(LogFactory(Datastore(state_dir, read_only=read_only)))
