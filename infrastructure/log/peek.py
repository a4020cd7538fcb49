"""A look at the log without the application: what every answer's envelope needs, in a few milliseconds.

Reads one row; decodes no event. Whoever appends or folds opens the application.
"""

from collections.abc import Mapping
from contextlib import closing
from typing import Any

import orjson

from m1nd.domain.streams import GRAPH, stream_id
from m1nd.infrastructure.log.store import LogStore
from m1nd.infrastructure.settings import LOG_URL

LAST_OF_STREAM = (
    "SELECT state FROM stored_events WHERE originator_id = {} ORDER BY originator_version DESC LIMIT 1"
)


def peek_generation(state_dir: str, environment: Mapping[str, str]) -> int:
    """The generation of the graph as the log has it; 0 before the first ingest. Creates nothing.

    Raises Refused(store_damaged | busy | log_unreachable).
    """
    url = environment.get(LOG_URL, "")
    row = _on_server(url) if url else _in_file(state_dir)
    return 0 if row is None else int(orjson.loads(row[0])["generation"])


def _in_file(state_dir: str) -> Any:
    with (
        closing(LogStore(state_dir, read_only=True)) as store,
        store.transaction(commit=False) as cursor,
    ):
        return cursor.execute(LAST_OF_STREAM.format("?"), (stream_id(GRAPH).hex,)).fetchone()


def _on_server(url: str) -> Any:
    from m1nd.infrastructure.log import open_server

    with closing(open_server(url, read_only=True)) as store, store.reading() as cursor:
        if cursor is None:
            return None
        return cursor.execute(LAST_OF_STREAM.format("%s").encode(), (stream_id(GRAPH).hex,)).fetchone()
