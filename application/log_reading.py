"""What can be told of the log by a look at its newest rows: its head, and the graph's generation.

For reads of a repository in which nothing happened since: they decode no event and pay for no event class.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from attrs import frozen

from m1nd.domain.streams import GRAPH, stream_id

if TYPE_CHECKING:
    from m1nd.application.event_log import EventLog, LogHead


@frozen
class LogReading:
    log: EventLog

    def head(self) -> LogHead:
        return self.log.head()

    def generation(self) -> int:
        """The generation of the graph; 0 before the first ingest. Every event of the graph's stream carries it."""
        row = self.log.last_row(stream_id(GRAPH))
        return 0 if row is None else int(json.loads(row.state)["generation"])
