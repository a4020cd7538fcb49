"""Between events and bytes: exact, checked on reading, lifted from older versions; a log is data, never code."""

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch
from uuid import UUID

import orjson
import pytest
from eventsourcing.persistence import StoredEvent
from tests.support.log import RECEIPT, TIDE, WRITTEN, command, ingest, preview

from m1nd.domain import events
from m1nd.domain.base import LOADED, Event
from m1nd.domain.events import AGGREGATES, EVENT_KINDS
from m1nd.domain.graph import Graph
from m1nd.domain.refusal import Refused
from m1nd.domain.transplant import Transplant
from m1nd.infrastructure.log.mapper import EventMapper

MAPPER = EventMapper()


def some_events() -> Iterator[Event]:
    graph = Graph.open(command())
    graph.change(ingest("a.rs", "ü.rs"), command(2))
    transplant = Transplant.preview_move(preview(), command(3))
    transplant.commit("agent-7", {**RECEIPT, "files_changed": ("a", ["b"])}, WRITTEN, "j", command(4))
    yield from graph.pending_events  # type: ignore[misc]
    yield from transplant.pending_events  # type: ignore[misc]


def stored(event: Event, **changes: Any) -> StoredEvent:
    made = MAPPER.to_stored_event(event)
    state = {**orjson.loads(made.state), **changes}
    return StoredEvent(made.originator_id, made.originator_version, made.topic, orjson.dumps(state))


def refusal(row: StoredEvent) -> tuple[str, str]:
    with pytest.raises(Refused) as caught:
        MAPPER.to_domain_event(row)
    return caught.value.refusal.code, caught.value.refusal.message


def test_what_is_stored_is_what_is_read() -> None:
    for event in some_events():
        row = MAPPER.to_stored_event(event)
        again = MAPPER.to_domain_event(row)
        assert again == event
        assert type(again) is type(event)
        assert MAPPER.to_stored_event(again) == row


def test_columns_are_not_repeated_in_the_json_and_the_time_has_its_wire_name() -> None:
    for event in some_events():
        state = orjson.loads(MAPPER.to_stored_event(event).state)
        assert not {"originator_id", "originator_version", "timestamp", "class_version"} & set(state)
        assert {"event_id", "recorded_at", "command_id", "command_digest", "causation_id", "actor"} <= set(
            state
        )


def test_every_topic_is_the_snake_case_of_its_class() -> None:
    for name, kind in EVENT_KINDS.items():
        snake = "".join(f"_{c.lower()}" if c.isupper() else c for c in kind.__name__).lstrip("_")
        assert name == kind.TOPIC == snake


def test_the_table_holds_every_event_of_every_aggregate() -> None:
    nested = {
        kind
        for aggregate in AGGREGATES
        for kind in vars(aggregate).values()
        if isinstance(kind, type) and issubclass(kind, Event) and kind.__name__ != "Event"
    }
    assert set(EVENT_KINDS.values()) == nested


@pytest.mark.parametrize("topic", ["block_melted", "os:system", "antigravity", "graph", ""])
def test_a_name_outside_the_table_is_refused_and_never_imported(topic: str) -> None:
    code, message = refusal(StoredEvent(UUID(int=1), 0, topic, b"{}"))
    assert code == "unknown_topic"
    assert topic in message


@pytest.mark.parametrize(
    "changes",
    [
        {"surprise": 1},
        {"generation": -1},
        {"generation": "many"},
        {"recorded_at": "2026-05-01T12:00:00"},
        {"actor": {"kind": "robot", "id": "x"}},
        {"command_id": ""},
    ],
)
def test_a_state_of_another_shape_is_refused(changes: dict[str, Any]) -> None:
    graph = Graph.open(command())
    graph.change(ingest("a.rs"), command(2))
    code, message = refusal(stored(graph.pending_events[1], **changes))  # type: ignore[arg-type]
    assert (code, "graph_changed" in message) == ("store_damaged", True)


@pytest.mark.parametrize("state", [b"", b"{", b"[]", b"\xff", b"null"])
def test_bytes_that_are_no_event_are_refused(state: bytes) -> None:
    assert refusal(StoredEvent(UUID(int=1), 0, "graph_changed", state))[0] == "store_damaged"


def test_a_created_event_may_only_begin_a_known_aggregate() -> None:
    graph = Graph.open(command())
    row = stored(graph.pending_events[0], originator_topic="os:system")  # type: ignore[arg-type]
    assert refusal(row)[0] == "store_damaged"


def test_an_older_version_is_lifted_step_by_step() -> None:
    class Lifted(Graph.SymbolLost):
        class_version = 3

        @staticmethod
        def upcast_v1_v2(state: dict[str, Any]) -> None:
            state["reason"] = state.pop("why")

        @staticmethod
        def upcast_v2_v3(state: dict[str, Any]) -> None:
            state["reason"] += "!"

    graph = Graph.open(command())
    graph.lose_symbol("sym_000000000001", TIDE, "gone", command(2))
    written = MAPPER.to_stored_event(graph.pending_events[1])  # type: ignore[arg-type]
    old = orjson.loads(written.state)
    old["why"] = old.pop("reason")
    row = StoredEvent(written.originator_id, 1, "symbol_lost", orjson.dumps(old))
    with patch.dict(LOADED, symbol_lost=Lifted):
        event = MAPPER.to_domain_event(row)
        assert isinstance(event, Lifted)
        assert event.reason == "gone!"
        newest = MAPPER.to_stored_event(event)
        assert orjson.loads(newest.state)["class_version"] == 3
        assert MAPPER.to_domain_event(newest) == event
    later = StoredEvent(row.originator_id, 1, "symbol_lost", newest.state)
    code, message = refusal(later)
    assert (code, "version 3" in message) == ("unknown_topic", True)


def test_two_events_of_one_name_cannot_be_defined() -> None:
    with patch.object(events, "AGGREGATES", (Graph, Graph)), pytest.raises(ValueError, match="bear the name"):
        events._table()
