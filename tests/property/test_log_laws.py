"""Laws of log and views over random histories."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.log import (
    START,
    command,
    commit,
    commit_edit,
    edit_preview,
    ingest,
    opened,
    preview,
    undo,
    undo_edit,
)

from m1nd.application.app import M1nd
from m1nd.application.audit import export, import_lines, replay, verify
from m1nd.domain.previews import Stage
from m1nd.domain.refusal import Refusal, Refused
from m1nd.domain.symbols import Address, Change, SymbolStep, SymbolTable
from m1nd.infrastructure.log.store import connect
from m1nd.infrastructure.views.engine import Engine
from m1nd.infrastructure.views.projections import PROJECTIONS

RUNS = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])

ACTS = st.sampled_from(
    [
        *("ingest", "nothing", "preview", "commit", "undo", "discard", "expire", "refuse", "twice"),
        *("preview edit", "commit edit", "undo edit", "discard edit", "expire edit"),
    ]
)
HISTORY = st.lists(st.tuples(ACTS, st.integers(0, 4)), max_size=14)


@contextmanager
def fresh() -> Iterator[M1nd]:
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder)) as app:
        yield app


class Player:
    """Carries out a random history; whatever is refused must leave the log as it was."""

    def __init__(self, app: M1nd) -> None:
        self.app = app
        self.number = 0

    def next(self) -> int:
        self.number += 10
        return self.number

    def play(self, act: str, digit: int) -> None:
        head = self.app.log_head()
        try:
            self.act(act, f"0000000{digit}")
        except Refused:
            assert self.app.log_head() == head

    def act(self, act: str, digits: str) -> None:
        app, number = self.app, self.next()
        match act:
            case "ingest":
                app.record_graph_change(ingest(f"{digits}.rs"), command(number))
            case "nothing":
                app.record_graph_change(ingest(), command(number))
            case "preview" | "commit":
                if app.preview(f"pre_{digits}") is not None:
                    return
                if act == "preview":
                    app.record_preview(preview(digits), command(number))
                else:
                    commit(app, digits, number)
            case "preview edit" | "commit edit":
                if app.edit(f"edp_{digits}") is not None:
                    return
                if act == "preview edit":
                    app.record_edit_preview(edit_preview(digits), command(number))
                else:
                    commit_edit(app, digits, number)
            case "undo edit":
                undo_edit(app, f"edt_{digits}", number)
            case "discard edit":
                app.discard_edit(f"edp_{digits}", command(number))
            case "expire edit":
                if app.edit(f"edp_{digits}") is not None:
                    app.expire([f"edp_{digits}"], START.replace(hour=13), command(number))
            case "undo":
                undo(app, f"tra_{digits}", number)
            case "discard":
                app.discard(f"pre_{digits}", command(number))
            case "expire":
                if app.preview(f"pre_{digits}") is not None:
                    app.expire([f"pre_{digits}"], START.replace(hour=13), command(number))
            case "refuse":
                refusal = Refusal("same_file", "x")
                app.record_refusal(refusal, verb="t", request_digest="d" * 64, command=command(number))
            case "twice":
                first = app.record_graph_change(ingest("a.rs"), command(number))
                head = app.log_head()
                assert app.record_graph_change(ingest("a.rs"), command(number)) == first
                assert app.log_head() == head


@RUNS
@given(HISTORY, st.lists(st.integers(1, 7), min_size=1, max_size=5))
def test_catching_up_in_any_pages_gives_what_a_rebuild_gives(
    history: list[tuple[str, int]], pages: list[int]
) -> None:
    with fresh() as app:
        player = Player(app)
        engine = Engine(PROJECTIONS, app.log, app.event_of)
        live = connect(":memory:")
        engine.ensure(live)
        sizes = iter(pages * 1000)
        for act, digit in history:
            player.play(act, digit)
            if digit % 2:
                engine.catch_up(live, page=lambda: next(sizes))
        engine.catch_up(live, page=lambda: next(sizes))
        rebuilt = connect(":memory:")
        engine.ensure(rebuilt)
        engine.catch_up(rebuilt)
        assert engine.digests(live) == engine.digests(rebuilt)
        before = engine.digests(live)
        engine.reset(live)
        engine.catch_up(live)
        assert engine.digests(live) == before


@RUNS
@given(HISTORY)
def test_every_prefix_folds_and_nothing_ever_decreases(history: list[tuple[str, int]]) -> None:
    with fresh() as app:
        player, generation = Player(app), 0
        for act, digit in history:
            player.play(act, digit)
            assert app.generation() >= generation
            generation = app.generation()
        assert verify(app.log).holds
        count = app.log_head().count
        for position in range(count + 1):
            assert replay(app, position).events == position
        generations = [
            event.generation  # type: ignore[attr-defined]
            for event in map(app.event_of, app.log.rows())
            if event.TOPIC == "graph_changed"
        ]
        assert generations == list(range(1, len(generations) + 1))


@RUNS
@given(HISTORY)
def test_a_move_or_an_edit_has_at_most_one_end_and_one_undo(history: list[tuple[str, int]]) -> None:
    ends = {
        f"{kind}_{end}" for kind in ("transplant", "edit") for end in ("committed", "expired", "discarded")
    }
    with fresh() as app:
        player = Player(app)
        for act, digit in history:
            player.play(act, digit)
        per_stream: dict[str, list[str]] = {}
        for row in app.log.rows():
            per_stream.setdefault(row.stream, []).append(row.topic)
        for digit in range(5):
            state = app.preview(f"pre_0000000{digit}")
            assert state is None or state.stage in Stage
        for topics in per_stream.values():
            assert len([topic for topic in topics if topic in ends]) <= 1
            for kind in ("transplant", "edit"):
                assert topics.count(f"{kind}_rolled_back") <= topics.count(f"{kind}_committed")


@RUNS
@given(HISTORY)
def test_an_exported_log_is_the_same_log(history: list[tuple[str, int]]) -> None:
    with fresh() as app, fresh() as other:
        player = Player(app)
        for act, digit in history:
            player.play(act, digit)
        exported = list(export(app.log))
        assert import_lines(other.log, exported) == app.log_head()
        assert list(export(other.log)) == exported


@RUNS
@given(HISTORY, st.data())
def test_one_changed_byte_is_found_at_its_event(history: list[tuple[str, int]], data: Any) -> None:
    with fresh() as app:
        player = Player(app)
        player.play("ingest", 0)
        for act, digit in history:
            player.play(act, digit)
        count = app.log_head().count
        at = data.draw(st.integers(1, count))
        row = app.log.rows(after=at - 1, limit=1)[0]
        byte = data.draw(st.integers(0, len(row.state) - 1))
        changed = bytearray(row.state)
        changed[byte] ^= data.draw(st.integers(1, 255))
        store = app.recorder.store  # type: ignore[attr-defined]
        connection = connect(store.path)
        connection.execute("DROP TRIGGER append_only_update")
        connection.execute("UPDATE stored_events SET state = ? WHERE rowid = ?", (bytes(changed), at))
        connection.close()
        finding = verify(app.log).finding
        assert finding is not None
        assert (finding.position, finding.kind) == (at, "flipped")


ADDRESSES = [Address(kind="fn", module=f"c::{module}", name="f") for module in "abc"]


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["b", "c", "a", "lost"])), max_size=30))
def test_no_two_items_ever_share_an_id(acts: list[tuple[int, str]]) -> None:
    """A model of one name in three modules: at each address stands an item or none; newcomers appear by hand."""
    standing: dict[Address, str | None] = dict.fromkeys(ADDRESSES)
    steps: list[SymbolStep] = []
    seen: set[str] = set()

    def appear(address: Address) -> None:
        symbol = SymbolTable.fold(steps).id_at(address)
        assert symbol not in seen, "a newcomer got the id of an item that went away"
        seen.add(symbol)
        standing[address] = symbol

    for index, where in acts:
        source = ADDRESSES[index]
        if standing[source] is None:
            appear(source)
            continue
        symbol = standing[source]
        assert symbol is not None
        target = None if where == "lost" else Address(kind="fn", module=f"c::{where}", name="f")
        if target == source or (target is not None and standing[target] is not None):
            continue
        steps.append(SymbolStep(Change.LOST if target is None else Change.MOVED, symbol, source, target))
        standing[source] = None
        if target is not None:
            standing[target] = symbol
        table = SymbolTable.fold(steps)
        for address, here in standing.items():
            assert here is None or table.id_at(address) == here
