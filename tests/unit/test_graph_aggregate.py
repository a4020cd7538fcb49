"""Given, when, then of the Graph aggregate."""

from tests.support.log import MOON, SYMBOL, TIDE, command, ingest

from m1nd.domain.graph import LISTED_FILES, Graph, GraphChange
from m1nd.domain.symbol_move import SymbolMove


def opened() -> Graph:
    graph = Graph.open(command())
    graph.collect_events()
    return graph


def test_each_change_raises_the_generation_by_one() -> None:
    graph = opened()
    assert [graph.change(ingest("a.rs"), command(n)) for n in (1, 2, 3)] == [1, 2, 3]
    assert [event.TOPIC for event in graph.pending_events] == ["graph_changed"] * 3  # type: ignore[attr-defined]


def test_the_first_ingest_is_recorded_even_when_it_found_nothing() -> None:
    graph = opened()
    assert graph.change(ingest(), command()) == 1
    assert graph.change(ingest(), command(2)) == 1
    assert len(graph.pending_events) == 1


def test_a_write_is_recorded_even_when_no_file_differs() -> None:
    graph = opened()
    graph.change(ingest("a.rs"), command())
    assert graph.change(ingest(kind="rollback"), command(2)) == 2


def test_an_event_names_a_bounded_number_of_files_and_counts_the_rest() -> None:
    many = [f"src/f{n:05}.rs" for n in range(LISTED_FILES + 7)]
    files = ingest(*reversed(many)).files()
    assert [file.path for file in files.added] == many[:LISTED_FILES]
    assert files.omitted == {"added": 7}
    assert (files.count("added"), files.count("removed")) == (LISTED_FILES + 7, 0)
    assert files.digest != ingest(*many[:-1]).files().digest


def test_the_digest_of_the_files_does_not_depend_on_their_order() -> None:
    assert ingest("a.rs", "b.rs").files() == ingest("b.rs", "a.rs").files()


def test_resuming_from_the_last_event_equals_folding_them_all() -> None:
    graph = Graph.open(command())
    graph.change(ingest("a.rs"), command(2))
    graph.move_symbols([SymbolMove(symbol_id=SYMBOL, source=TIDE, target=MOON)], "tra_1", command(3))
    graph.lose_symbol(SYMBOL, MOON, "gone", command(4))
    folded = None
    for event in graph.collect_events():
        folded = event.mutate(folded)
        resumed = Graph.resume(event)  # type: ignore[arg-type]
        assert folded is not None
        assert (resumed.id, resumed.version, resumed.generation) == (
            folded.id,
            folded.version,
            folded.generation,
        )


def test_the_envelope_says_who_when_and_why() -> None:
    graph = opened()
    graph.change(ingest("a.rs"), command(7, minutes=3))
    event = graph.pending_events[0]
    asked = command(7, minutes=3)
    assert (event.command_id, event.command_digest, event.timestamp, event.actor) == (  # type: ignore[attr-defined]
        asked.id,
        asked.digest,
        asked.at,
        asked.actor,
    )
    assert event.originator_version == 1


def test_a_repeated_command_gives_the_same_event_id_in_the_same_place() -> None:
    ids = set()
    for _ in range(2):
        graph = opened()
        graph.change(ingest("a.rs"), command(7))
        ids.add(graph.pending_events[0].event_id)  # type: ignore[attr-defined]
    assert len(ids) == 1


def test_what_follows_from_an_event_names_it_as_its_cause() -> None:
    graph = opened()
    graph.change(ingest("a.rs"), command())
    cause = graph.pending_events[0]
    graph.change(GraphChange("transplant"), command(2).caused_by(cause))  # type: ignore[arg-type]
    assert graph.pending_events[1].causation_id == cause.event_id  # type: ignore[attr-defined]
