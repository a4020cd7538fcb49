"""Gives the application its recorder and mapper; it looks at no environment."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import (
    AggregateRecorder,
    ApplicationRecorder,
    EventStore,
    InfrastructureFactory,
    NotSupportedError,
    ProcessRecorder,
    Recording,
    TrackingRecorder,
)
from eventsourcing.utils import Environment

from m1nd.infrastructure.log.mapper import EventMapper


class QuietEventStore(EventStore[UUID]):
    """Stores events without the library's per-event recordings, which nobody reads here and which cost a fifth of an append."""

    def put(self, domain_events: Sequence[DomainEventProtocol[UUID]], **kwargs: Any) -> list[Recording[UUID]]:
        self.recorder.insert_events([self.mapper.to_stored_event(event) for event in domain_events], **kwargs)
        return []


class LogFactory(InfrastructureFactory[TrackingRecorder]):
    """One store, one recorder. Snapshots and tracking beside the events are not offered: views have their own file."""

    def __init__(self, recorder: ApplicationRecorder, close: Callable[[], None]) -> None:
        super().__init__(Environment("m1nd", {}))
        self._recorder = recorder
        self._close = close

    def mapper(self, *_: Any, **__: Any) -> Any:
        return EventMapper()

    def event_store(self, mapper: Any = None, recorder: Any = None) -> Any:
        return QuietEventStore(mapper or self.mapper(), recorder or self.application_recorder())

    def application_recorder(self) -> ApplicationRecorder:
        return self._recorder

    def aggregate_recorder(self, purpose: str = "events") -> AggregateRecorder:
        raise NotSupportedError("the log keeps no snapshots")

    def tracking_recorder(self, tracking_recorder_class: Any = None) -> TrackingRecorder:
        raise NotSupportedError("positions are kept in views.db")

    def process_recorder(self) -> ProcessRecorder:
        raise NotSupportedError("positions are kept in views.db")

    def close(self) -> None:
        self._close()
