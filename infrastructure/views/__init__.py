"""Views over the log: `.m1nd/views.db`, derived, rebuilt whenever it is missing or damaged."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from m1nd.application.app import M1nd
    from m1nd.application.event_log import EventLog
    from m1nd.application.views import Views
    from m1nd.infrastructure.views.engine import Engine

__all__ = ["open_views", "views_of"]


def open_views(state_dir: str, app: M1nd, *, read_only: bool = False) -> Views:
    """`views_of` the log of an application."""
    return views_of(state_dir, app.log, read_only=read_only)


def views_of(state_dir: str, log: EventLog, *, read_only: bool = False) -> Views:
    """The views in `state_dir` over a log; opened at the first question. Read-only, they leave no trace."""
    from m1nd.infrastructure.views.sqlite_views import Folding, SqliteViews
    from m1nd.infrastructure.views.versions import KEYS

    return SqliteViews(state_dir, Folding(KEYS, log, lambda: _engine(log)), read_only=read_only)


def _engine(log: EventLog) -> Engine:
    # Late: who finds the views as far as the log is does not pay for all projections and their events.
    from m1nd.infrastructure.log.mapper import EventMapper
    from m1nd.infrastructure.views.engine import Engine
    from m1nd.infrastructure.views.projections import PROJECTIONS

    return Engine(PROJECTIONS, log, EventMapper().event_of)
