"""Views over the log: `.m1nd/views.db`, derived, rebuilt whenever it is missing or damaged."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from m1nd.application.app import M1nd
    from m1nd.application.views import Views

__all__ = ["open_views"]


def open_views(state_dir: str, app: M1nd, *, read_only: bool = False) -> Views:
    """The views of the log in `state_dir`; opened at the first question. Read-only, they leave no trace."""
    # Late: who only looks at one table (`identities.py`) does not pay for all projections and their events.
    from m1nd.infrastructure.views.engine import Engine
    from m1nd.infrastructure.views.projections import PROJECTIONS
    from m1nd.infrastructure.views.sqlite_views import SqliteViews

    return SqliteViews(state_dir, Engine(PROJECTIONS, app.log, app.event_of), read_only=read_only)
