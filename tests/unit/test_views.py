"""Views: what they answer, that they can be thrown away, and that they never fold a log that is not theirs."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from attrs import evolve
from tests.support.log import (
    EDIT_RECEIPT,
    MOON,
    RECEIPT,
    START,
    SYMBOL,
    TIDE,
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
from m1nd.application.views import Views
from m1nd.domain.events import EVENT_KINDS
from m1nd.domain.graph import Graph
from m1nd.domain.previews import Stage
from m1nd.domain.refusal import Refusal, Refused
from m1nd.domain.symbols import first_sight_id
from m1nd.infrastructure.views import open_views
from m1nd.infrastructure.views.engine import Engine
from m1nd.infrastructure.views.projection import Projection
from m1nd.infrastructure.views.projections import PROJECTIONS
from m1nd.infrastructure.views.sqlite_views import Folding, SqliteViews
from m1nd.infrastructure.views.trail import TRAIL


@contextmanager
def both(folder: Path, *, read_only: bool = False) -> Iterator[tuple[M1nd, Views]]:
    with opened(folder, read_only=read_only) as app:
        views = open_views(str(folder), app, read_only=read_only)
        try:
            yield app, views
        finally:
            views.close()


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


# What they answer


def test_moves_are_listed_newest_first_and_found_by_either_name(tmp_path: Path) -> None:
    with both(tmp_path) as (app, views):
        app.record_preview(preview("00000001"), command(1))
        id = commit(app, "00000002", 2)
        assert [row.preview_id for row in views.moves()] == ["pre_00000002", "pre_00000001"]
        row = views.move(id)
        assert row == views.move("pre_00000002")
        assert row is not None
        assert (row.stage, row.symbol_id, row.dest_file, row.receipt) == (
            Stage.COMMITTED,
            SYMBOL,
            "src/moon.rs",
            RECEIPT,
        )
        assert (row.previewed_at, row.ended_at) == (START, START)
        assert views.move("tra_99999999") is None


def test_undo_takes_the_last_standing_move(tmp_path: Path) -> None:
    with both(tmp_path) as (app, views):
        assert views.undo_target() is None
        first, second = commit(app, "00000009", 1), commit(app, "00000001", 3)
        assert views.undo_target() == second
        undo(app, second, 5)
        assert views.undo_target() == first
        undo(app, first, 6)
        assert views.undo_target() is None


def test_undo_takes_the_last_write_of_either_kind(tmp_path: Path) -> None:
    with both(tmp_path) as (app, views):
        first, edit, last = (
            commit(app, "00000009", 1),
            commit_edit(app, "00000005", 3),
            commit(app, "00000001", 5),
        )
        assert views.undo_target() == last
        undo(app, last, 7)
        assert views.undo_target() == edit
        undo_edit(app, edit, 8)
        assert views.undo_target() == first


def test_an_edit_is_listed_under_both_names_with_its_receipt(tmp_path: Path) -> None:
    with both(tmp_path) as (app, views):
        id = commit_edit(app, "00000001", 1)
        app.record_edit_preview(edit_preview("00000002"), command(3))
        assert [(row.edit_id, row.stage) for row in views.edits()] == [
            ("edt_00000002", Stage.PREVIEWED),
            (id, Stage.COMMITTED),
        ]
        row = views.edit(id)
        assert row == views.edit("edp_00000001")
        assert row is not None
        assert (row.files, row.receipt, row.journal_id) == (
            ("src/tide.rs",),
            EDIT_RECEIPT,
            "journal-e00000001",
        )
        undo_edit(app, id, 4)
        row = views.edit(id)
        assert row is not None
        assert (row.stage, row.receipt) == (Stage.ROLLED_BACK, EDIT_RECEIPT)
        assert views.edit("edt_99999999") is None
        assert views.check() == ()


def test_previews_fall_due_at_their_time(tmp_path: Path) -> None:
    with both(tmp_path) as (app, views):
        for n in (1, 2, 3):
            app.record_preview(preview(f"0000000{n}", minutes=n), command(n))
        app.discard("pre_00000001", command(4))
        assert views.due_previews(START + timedelta(minutes=2)) == ["pre_00000002"]
        app.expire(views.due_previews(START + timedelta(minutes=9)), START + timedelta(minutes=9), command(5))
        assert views.due_previews(START + timedelta(hours=9)) == []


def test_previews_of_edits_fall_due_beside_those_of_moves(tmp_path: Path) -> None:
    with both(tmp_path) as (app, views):
        app.record_preview(preview("00000001", minutes=2), command(1))
        app.record_edit_preview(edit_preview("00000001", minutes=1), command(2))
        app.record_edit_preview(edit_preview("00000002", minutes=3), command(3))
        late = START + timedelta(minutes=2)
        assert views.due_previews(late) == ["edp_00000001", "pre_00000001"]
        assert app.expire(views.due_previews(late), late, command(4)) == ("edp_00000001", "pre_00000001")
        assert views.due_previews(late) == []


def test_a_symbol_that_was_moved_away_is_remembered_until_the_undo(tmp_path: Path) -> None:
    with both(tmp_path) as (app, views):
        id = commit(app, "00000001", 1)
        for symbol in ("height", "harbour::tide::height", SYMBOL):
            row = views.moved_away("src/tide.rs", symbol)
            assert row is not None, symbol
            assert row.transplant_id == id
        for symbol in ("eight", "heigh_", "%", "harbour"):
            assert views.moved_away("src/tide.rs", symbol) is None, symbol
        assert views.moved_away("src/moon.rs", "height") is None
        undo(app, id, 3)
        assert views.moved_away("src/tide.rs", "height") is None


def test_symbols_are_folded_from_the_log(tmp_path: Path) -> None:
    with both(tmp_path) as (app, views):
        id = commit(app, "00000001", 1)
        assert views.symbols().id_at(MOON) == SYMBOL
        assert views.symbols().id_at(TIDE) != first_sight_id(TIDE)
        undo(app, id, 3)
        assert views.symbols().id_at(TIDE) == SYMBOL
        app.record_lost(SYMBOL, TIDE, "gone", command(4))
        assert views.symbols().home_of(SYMBOL) is None


def test_changes_of_the_graph_are_numbered(tmp_path: Path) -> None:
    with both(tmp_path) as (app, views):
        app.record_graph_change(ingest("a.rs", "b.rs"), command(1))
        commit(app, "00000001", 2)
        rows = views.graph_changes()
        assert [(row.generation, row.kind, row.cause, row.added) for row in rows] == [
            (1, "ingest", "", 2),
            (2, "transplant", "tra_00000001", 1),
        ]
        assert views.graph_changes(after_generation=1) == rows[1:]


def test_refusals_and_the_trail_tell_who_did_what(tmp_path: Path) -> None:
    with both(tmp_path) as (app, views):
        commit(app, "00000001", 1)
        refusal = Refusal("same_file", "x")
        app.record_refusal(
            refusal, verb="transplant", request_digest="d" * 64, command=command(3), field="dest"
        )
        (row,) = views.refusals()
        assert (row.keyword, row.verb, row.field, row.actor_id) == ("same_file", "transplant", "dest", "ada")
        trail = views.trail()
        assert [row.position for row in trail] == list(range(1, 8))
        assert {row.stream for row in trail} == {"graph", "transplant:00000001", "refusals:2026-05-01"}
        kinds = [row.topic for row in views.trail(stream="transplant")]
        assert kinds == ["transplant_previewed", "transplant_committed"]
        assert views.trail(stream="transplant:00000001") == views.trail(stream="transplant")
        assert views.trail(stream="transplant:0000") == []
        assert [row.position for row in views.trail(after=2, topic="graph_changed")] == [4]
        assert [row.position for row in views.trail_tail(limit=2)] == [6, 7]


# Derived, and nothing but derived


def test_a_missing_file_is_rebuilt(tmp_path: Path) -> None:
    with both(tmp_path) as (app, views):
        commit(app, "00000001", 1)
        before = views.digests()
    (tmp_path / "views.db").unlink()
    with both(tmp_path) as (_, views):
        assert views.digests() == before
        assert views.notes == ()


def nonsense(path: Path) -> None:
    path.write_bytes(b"nonsense" * 4000)


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 3)


def no_table(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE moves")
    connection.close()


@pytest.mark.parametrize("damage", [nonsense, cut, no_table])
def test_a_damaged_file_is_rebuilt_with_a_word_about_it(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    with both(tmp_path) as (app, views):
        commit(app, "00000001", 1)
        before = views.digests()
    damage(tmp_path / "views.db")
    with both(tmp_path) as (_, views):
        assert views.moves()[0].preview_id == "pre_00000001"
        assert views.digests() == before
        assert "damaged" in views.notes[0]


def test_a_question_to_an_unknown_repository_makes_no_file(tmp_path: Path) -> None:
    state = tmp_path / ".m1nd"
    with both(state) as (app, views):
        assert views.moves() == []
        assert not state.exists()
        commit(app, "00000001", 1)
        assert len(views.moves()) == 1
        assert "views.db" in names(state)


def test_read_only_views_leave_no_trace_and_answer_the_same(tmp_path: Path) -> None:
    with both(tmp_path) as (app, views):
        commit(app, "00000001", 1)
        before = views.digests()
        with both(tmp_path, read_only=True) as (_, reader):
            assert reader.digests() == before
    kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with both(tmp_path, read_only=True) as (_, reader):
        assert reader.digests() == before
        assert reader.check() == ()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == kept


def test_read_only_views_of_a_damaged_file_fold_the_log(tmp_path: Path) -> None:
    with both(tmp_path) as (app, views):
        commit(app, "00000001", 1)
        before = views.digests()
    nonsense(tmp_path / "views.db")
    with both(tmp_path, read_only=True) as (_, reader):
        assert reader.digests() == before


def test_a_difference_is_found_and_a_rebuild_mends_it(tmp_path: Path) -> None:
    with both(tmp_path) as (app, views):
        commit(app, "00000001", 1)
        assert views.check() == ()
        connection = sqlite3.connect(tmp_path / "views.db")
        connection.execute("UPDATE moves SET dest_file = 'src/elsewhere.rs'")
        connection.commit()
        connection.close()
        (difference,) = views.check()
        assert (difference.live.table, difference.live.rows) == ("moves", difference.rebuilt.rows)
        assert views.rebuild() == 5
        assert views.check() == ()


def test_a_replay_shows_the_views_of_then(tmp_path: Path) -> None:
    with both(tmp_path) as (app, views):
        app.record_graph_change(ingest("a.rs"), command(1))
        then, position = views.digests(), app.log_head().count
        commit(app, "00000001", 2)
        out = tmp_path / "then.db"
        assert views.replay(position, str(out)) == then
        assert views.digests() != then
        connection = sqlite3.connect(out)
        assert connection.execute("SELECT count(*) FROM moves").fetchone() == (0,)
        connection.close()


# Positions


def test_a_log_that_lost_its_tail_is_noticed(tmp_path: Path) -> None:
    with both(tmp_path) as (app, views):
        app.record_graph_change(ingest("a.rs"), command(1))
        shorter = (tmp_path / "log.db").read_bytes(), (tmp_path / "log.db-wal").read_bytes()
        commit(app, "00000001", 2)
        assert views.catch_up() == 6
    (tmp_path / "log.db").write_bytes(shorter[0])
    (tmp_path / "log.db-wal").write_bytes(shorter[1])
    with both(tmp_path) as (app, views):
        with pytest.raises(Refused, match="store_damaged") as caught:
            views.moves()
        assert caught.value.refusal.details == {"file": "log.db", "seen": 6, "count": 2}
        assert "projections rebuild" in caught.value.refusal.next_step
        assert views.rebuild() == 2
        assert views.moves() == []


def test_a_log_that_was_exchanged_is_noticed(tmp_path: Path) -> None:
    for name, paths in (("a", "a.rs"), ("b", "b.rs")):
        with both(tmp_path / name) as (app, views):
            app.record_graph_change(ingest(paths), command(1))
            views.catch_up()
    (tmp_path / "a" / "log.db").write_bytes((tmp_path / "b" / "log.db").read_bytes())
    with (
        both(tmp_path / "a") as (_, views),
        pytest.raises(Refused, match="not the one that the views have seen"),
    ):
        views.catch_up()


def test_an_unknown_topic_stops_the_views_and_is_never_skipped(tmp_path: Path) -> None:
    with both(tmp_path) as (app, views):
        for n in (1, 2, 3):
            app.record_graph_change(ingest("a.rs"), command(n))
        engine = Engine(PROJECTIONS, app.log, app.event_of)
    connection = sqlite3.connect(tmp_path / "log.db")
    connection.execute("DROP TRIGGER append_only_update")
    connection.execute("UPDATE stored_events SET topic = 'block_melted' WHERE rowid = 3")
    connection.commit()
    connection.close()
    with both(tmp_path) as (app, views):
        for _ in range(2):
            with pytest.raises(Refused, match="unknown_topic") as caught:
                views.moves()
            assert caught.value.refusal.details["position"] == 3
        engine = evolve(engine, log=app.log, event_of=app.event_of)
        memory = sqlite3.connect(":memory:", isolation_level=None)
        engine.ensure(memory)
        with pytest.raises(Refused, match="unknown_topic"):
            engine.catch_up(memory, page=lambda: 1)
        assert engine.position(memory) == 2


def test_a_projection_of_another_version_begins_anew(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        commit(app, "00000001", 1)
        old = Projection("moves", 1, {"old_moves": "position INTEGER NOT NULL PRIMARY KEY"})
        new = Projection(
            "moves", 2, {"new_moves": "position INTEGER NOT NULL PRIMARY KEY, topic TEXT NOT NULL"}
        )

        @old.on(*EVENT_KINDS.values())
        def keep(cursor: sqlite3.Cursor, event: object, position: int) -> None:
            cursor.execute("INSERT INTO old_moves VALUES (?)", (position,))

        @new.on(Graph.GraphChanged)
        def keep_name(cursor: sqlite3.Cursor, event: Graph.GraphChanged, position: int) -> None:
            cursor.execute("INSERT INTO new_moves VALUES (?, ?)", (position, event.TOPIC))

        for projection, rows in ((old, 5), (new, 1)):
            engine = Engine((projection, TRAIL), app.log, app.event_of)
            folding = Folding({p.name: p.key for p in engine.projections}, app.log, lambda made=engine: made)
            views = SqliteViews(str(tmp_path), folding)
            digests = {digest.table: digest.rows for digest in views.digests()}
            assert digests == {
                f"{'old' if projection is old else 'new'}_moves": rows,
                "streams": 2,
                "trail": 5,
            }
            views.close()
        connection = sqlite3.connect(tmp_path / "views.db")
        tables = {
            name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        }
        connection.close()
        assert tables == {"projections", "new_moves", "streams", "trail"}


def test_one_event_has_one_handler_in_a_view() -> None:
    with pytest.raises(ValueError, match="twice"):
        TRAIL.on(Graph.GraphChanged)(lambda cursor, event, position: None)


def test_a_handler_that_fails_leaves_the_page_unfolded(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        commit(app, "00000001", 1)
        picky = Projection("picky", 1, {"picky": "position INTEGER NOT NULL PRIMARY KEY"})

        @picky.on(*EVENT_KINDS.values())
        def fold(cursor: sqlite3.Cursor, event: object, position: int) -> None:
            if position == 4:
                raise RuntimeError("a bug")
            cursor.execute("INSERT INTO picky VALUES (?)", (position,))

        engine = Engine((picky,), app.log, app.event_of)
        memory = sqlite3.connect(":memory:", isolation_level=None)
        engine.ensure(memory)
        with pytest.raises(RuntimeError, match="a bug"):
            engine.catch_up(memory, page=lambda: 2)
        assert engine.position(memory) == 2
        assert memory.execute("SELECT count(*) FROM picky").fetchone() == (2,)
