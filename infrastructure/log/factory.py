"""Gives the application its recorder and mapper; it looks at no environment."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import (
    AggregateRecorder,
    EventStore,
    InfrastructureFactory,
    NotSupportedError,
    ProcessRecorder,
    Recording,
    TrackingRecorder,
)
from eventsourcing.utils import Environment

from m1nd.infrastructure.log.mapper import EventMapper
from m1nd.infrastructure.log.recorder import ChainedRecorder, Datastore


class QuietEventStore(EventStore[UUID]):
    """Stores events without the library's per-event recordings, which nobody reads here and which cost a fifth of an append."""

    def put(self, domain_events: Sequence[DomainEventProtocol[UUID]], **kwargs: Any) -> list[Recording[UUID]]:
        self.recorder.insert_events([self.mapper.to_stored_event(event) for event in domain_events], **kwargs)
        return []


class LogFactory(InfrastructureFactory[TrackingRecorder]):
    """One store, one recorder. Snapshots and tracking in the log's own file are not offered: views have theirs."""

    def __init__(self, store: Datastore) -> None:
        super().__init__(Environment("m1nd", {}))
        self.store = store

    def mapper(self, *_: Any, **__: Any) -> Any:
        return EventMapper()

    def event_store(self, mapper: Any = None, recorder: Any = None) -> Any:
        return QuietEventStore(mapper or self.mapper(), recorder or self.application_recorder())

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
