"""Gives the application its recorder and mapper; it looks at no environment."""

from typing import Any

from eventsourcing.persistence import (
    AggregateRecorder,
    InfrastructureFactory,
    NotSupportedError,
    ProcessRecorder,
    TrackingRecorder,
)
from eventsourcing.utils import Environment

from m1nd.infrastructure.log.mapper import EventMapper
from m1nd.infrastructure.log.recorder import ChainedRecorder
from m1nd.infrastructure.log.store import LogStore


class LogFactory(InfrastructureFactory[TrackingRecorder]):
    """One store, one recorder. Snapshots and tracking in the log's own file are not offered: views have theirs."""

    def __init__(self, store: LogStore) -> None:
        super().__init__(Environment("m1nd", {}))
        self.store = store

    def mapper(self, *_: Any, **__: Any) -> Any:
        return EventMapper()

    def application_recorder(self) -> ChainedRecorder:
        return ChainedRecorder(self.store)

    def aggregate_recorder(self, purpose: str = "events") -> AggregateRecorder:
        raise NotSupportedError("the log keeps no snapshots")

    def tracking_recorder(self, tracking_recorder_class: Any = None) -> TrackingRecorder:
        raise NotSupportedError("positions are kept in views.db")

    def process_recorder(self) -> ProcessRecorder:
        raise NotSupportedError("positions are kept in views.db")

    def close(self) -> None:
        self.store.close()
