"""Every verb of the product, in one table: name, use case, arguments, result keys, effects, command (PORTS.md).

The deny list of a read-only attach, the hints that MCP clients get, docs/wire.md and the tests of both come from here. It
holds no code of any verb and imports none, so that reading it costs nothing.
"""

from m1nd.adapters.verb_rows.audit import AUDIT
from m1nd.adapters.verb_rows.blocks import BLOCKS
from m1nd.adapters.verb_rows.daily import DAILY
from m1nd.adapters.verb_rows.delegation import DELEGATION
from m1nd.adapters.verb_rows.edits import EDITS
from m1nd.adapters.verb_rows.gestures import GESTURES
from m1nd.adapters.verb_rows.graph import GRAPH
from m1nd.adapters.verb_rows.memory import MEMORY
from m1nd.adapters.verb_rows.missions import MISSIONS
from m1nd.adapters.verb_rows.moves import MOVES
from m1nd.adapters.verb_rows.north import NORTH
from m1nd.adapters.verb_rows.paint import ANTIBODIES, PAINT
from m1nd.adapters.verb_rows.receipts import RECEIPTS
from m1nd.adapters.verb_rows.serving import SERVING
from m1nd.adapters.verb_shape import table

VERBS = table(
    (
        *GRAPH,
        *NORTH,
        *MOVES,
        *EDITS,
        *RECEIPTS,
        *BLOCKS,
        *MISSIONS,
        *DELEGATION,
        *MEMORY,
        *PAINT,
        *ANTIBODIES,
        *GESTURES,
        *AUDIT,
        *DAILY,
        *SERVING,
    )
)
"""By wire name."""
