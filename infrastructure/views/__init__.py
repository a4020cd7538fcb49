"""Views over the log: `.m1nd/views.db`, derived, rebuilt whenever it is missing or damaged."""

from m1nd.application.app import M1nd
from m1nd.application.views import Views
from m1nd.infrastructure.views.antibodies import ANTIBODIES
from m1nd.infrastructure.views.blocks import BLOCKS
from m1nd.infrastructure.views.cards import CARDS
from m1nd.infrastructure.views.changes import CHANGES, FILES, REFUSALS
from m1nd.infrastructure.views.claims import CLAIMS
from m1nd.infrastructure.views.delegations import DELEGATIONS
from m1nd.infrastructure.views.edits import EDITS
from m1nd.infrastructure.views.engine import Engine
from m1nd.infrastructure.views.missions import MISSIONS
from m1nd.infrastructure.views.moves import MOVES
from m1nd.infrastructure.views.paint import PAINT
from m1nd.infrastructure.views.receipts import RECEIPTS
from m1nd.infrastructure.views.sqlite_views import SqliteViews
from m1nd.infrastructure.views.stamps import STAMPS
from m1nd.infrastructure.views.symbols import SYMBOLS
from m1nd.infrastructure.views.tokens import TOKENS
from m1nd.infrastructure.views.trail import TRAIL

__all__ = ["PROJECTIONS", "open_views"]

PROJECTIONS = (
    ANTIBODIES,
    CARDS,
    BLOCKS,
    CHANGES,
    CLAIMS,
    DELEGATIONS,
    EDITS,
    FILES,
    MISSIONS,
    MOVES,
    PAINT,
    RECEIPTS,
    REFUSALS,
    STAMPS,
    SYMBOLS,
    TOKENS,
    TRAIL,
)


def open_views(state_dir: str, app: M1nd, *, read_only: bool = False) -> Views:
    """The views of the log in `state_dir`; opened at the first question. Read-only, they leave no trace."""
    return SqliteViews(state_dir, Engine(PROJECTIONS, app.log, app.event_of), read_only=read_only)
