"""Every projection of the log, in the order of their names."""

from m1nd.infrastructure.views.antibodies import ANTIBODIES
from m1nd.infrastructure.views.blocks import BLOCKS
from m1nd.infrastructure.views.cards import CARDS
from m1nd.infrastructure.views.changes import CHANGES, FILES, REFUSALS
from m1nd.infrastructure.views.claims import CLAIMS
from m1nd.infrastructure.views.delegations import DELEGATIONS
from m1nd.infrastructure.views.edits import EDITS
from m1nd.infrastructure.views.missions import MISSIONS
from m1nd.infrastructure.views.moves import MOVES
from m1nd.infrastructure.views.paint import PAINT
from m1nd.infrastructure.views.receipts import RECEIPTS
from m1nd.infrastructure.views.stamps import STAMPS
from m1nd.infrastructure.views.symbols import SYMBOLS
from m1nd.infrastructure.views.tokens import TOKENS
from m1nd.infrastructure.views.trail import TRAIL

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
