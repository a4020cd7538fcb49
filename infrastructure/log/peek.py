"""A look at the log without the application: what every answer's envelope needs, in a few milliseconds.

Reads one row; decodes no event. Whoever appends or folds opens the application.
"""

from contextlib import closing

import orjson

from m1nd.domain.streams import GRAPH, stream_id
from m1nd.infrastructure.log.store import LogStore

LAST_OF_STREAM = (
    "SELECT state FROM stored_events WHERE originator_id = ? ORDER BY originator_version DESC LIMIT 1"
)


def peek_generation(state_dir: str) -> int:
    """The generation of the graph as the log has it; 0 before the first ingest. Creates nothing.

    Raises Refused(store_damaged | busy).
    """
    with (
        closing(LogStore(state_dir, read_only=True)) as store,
        store.transaction(commit=False) as cursor,
    ):
        row = cursor.execute(LAST_OF_STREAM, (stream_id(GRAPH).hex,)).fetchone()
        return 0 if row is None else int(orjson.loads(row[0])["generation"])
