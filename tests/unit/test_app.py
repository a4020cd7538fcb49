"""The application: one append a command, idempotent, retried from a fresh load."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from eventsourcing.persistence import IntegrityError
from tests.support.log import (
    MOON,
    RECEIPT,
    START,
    SYMBOL,
    TIDE,
    WRITTEN,
    command,
    commit,
    ingest,
    opened,
    preview,
    undo,
)

from m1nd.application.app import M1nd
from m1nd.application.appending import ATTEMPTS
from m1nd.domain.base import Command
from m1nd.domain.graph import GRAPH_ID, Graph
from m1nd.domain.previews import Stage
from m1nd.domain.refusal import Refusal, Refused
from m1nd.domain.symbol_move import SymbolMove
from m1nd.domain.transplant import preview_id


def topics(app: M1nd) -> list[str]:
    return [row.topic for row in app.log.rows()]


def test_a_log_begins_empty_and_nothing_is_made_before_the_first_append(tmp_path: Path) -> None:
    state = tmp_path / ".m1nd"
    with opened(state) as app:
        assert (app.generation(), app.log_head().count, app.preview("pre_00000001")) == (0, 0, None)
        assert not app.is_recorded("journal")
        assert not state.exists()
        assert app.record_graph_change(ingest("a.rs"), command()) == 1
    assert (state.stat().st_mode & 0o777, (state / ".gitignore").read_text()) == (0o700, "*\n")


def test_an_ingest_that_found_nothing_new_appends_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        assert app.record_graph_change(ingest(), command(1)) == 1
        assert app.record_graph_change(ingest(), command(2)) == 1
        assert topics(app) == ["graph_opened", "graph_changed"]


def test_a_commit_is_one_append_and_its_parts_name_their_cause(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        app.record_graph_change(ingest("a.rs"), command(1))
        assert commit(app, "00000001", 2) == "tra_00000001"
        events = [app.event_of(row) for row in app.log.rows()][3:]
        assert [event.TOPIC for event in events] == ["transplant_committed", "graph_changed", "symbol_moved"]
        assert [event.causation_id for event in events] == ["", events[0].event_id, events[0].event_id]
        assert {event.command_id for event in events} == {"command-3"}
        assert app.generation() == 2
        state = app.transplant("tra_00000001")
        assert state is not None
        assert (state.stage, state.receipt, state.journal_id) == (
            Stage.COMMITTED,
            RECEIPT,
            "journal-00000001",
        )


def test_an_undo_is_one_append(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        id = commit(app, "00000001", 1)
        assert undo(app, id, 3) == 2
        assert topics(app)[-3:] == ["transplant_rolled_back", "graph_changed", "symbol_moved"]
        with pytest.raises(Refused, match="undo_unknown"):
            undo(app, id, 4)


def test_the_same_command_answers_the_earlier_result(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        assert app.record_preview(preview("00000001"), command(1)) == "pre_00000001"
        assert app.record_preview(preview("00000002"), command(1)) == "pre_00000001"
        first = commit(app, "00000003", 2)
        head = app.log_head()
        again = app.record_commit(
            preview_id("00000003"),
            agent_id="agent-7",
            receipt=RECEIPT,
            files=WRITTEN,
            journal_id="journal-00000003",
            change=ingest("src/tide.rs", kind="transplant"),
            moves=[SymbolMove(symbol_id=SYMBOL, source=TIDE, target=MOON)],
            command=command(3),
        )
        assert (again.transplant_id, again.generation, again.repeated) == (first, 1, True)
        assert app.log_head() == head


def test_the_same_id_with_another_request_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        app.record_graph_change(ingest("a.rs"), command(1))
        other = Command.of("ingest", {"other": True}, id="command-1", at=START, actor=command().actor)
        with pytest.raises(Refused, match="idempotency_conflict"):
            app.record_graph_change(ingest("b.rs"), other)
        assert app.log_head().count == 2


def test_a_refused_command_leaves_the_log_as_it_was(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        commit(app, "00000001", 1)
        head = app.log_head()
        for act in (
            lambda: app.discard("pre_00000001", command(5)),
            lambda: app.discard("pre_00000009", command(6)),
            lambda: app.open_preview("pre_00000001", "agent-7", START),
            lambda: app.open_preview("pre_00000009", "agent-7", START),
        ):
            with pytest.raises(Refused, match="preview_unknown"):
                act()
        assert app.log_head() == head


def test_a_lost_race_is_carried_out_again_from_a_fresh_load(tmp_path: Path) -> None:
    with opened(tmp_path) as one, opened(tmp_path) as two:
        one.record_graph_change(ingest("a.rs"), command(1))
        loaded = one._last_event

        def slow(stream: Any) -> Any:
            event = loaded(stream)
            if two.generation() == 1:
                two.record_graph_change(ingest("b.rs"), command(10))
            return event

        one._last_event = slow  # type: ignore[method-assign]
        assert one.record_graph_change(ingest("c.rs"), command(2)) == 3
        generations = [
            event.generation
            for event in map(one.event_of, one.log.rows())
            if isinstance(event, Graph.GraphChanged)
        ]
        assert generations == [1, 2, 3]


def test_who_lost_a_race_keeps_the_others_out_meanwhile(tmp_path: Path) -> None:
    with opened(tmp_path) as one, opened(tmp_path) as two:
        one.record_graph_change(ingest("a.rs"), command(1))
        two.recorder.store.gate._patience = 0.05  # type: ignore[attr-defined]
        loaded, answers = one._last_event, []

        def meddled(stream: Any) -> Any:
            event = loaded(stream)
            if stream != GRAPH_ID:
                return event
            try:
                two.record_graph_change(ingest("b.rs"), command(10 + two.generation()))
            except Refused as refused:
                answers.append(refused.refusal.code)
            return event

        one._last_event = meddled  # type: ignore[method-assign]
        assert one.record_graph_change(ingest("c.rs"), command(2)) == 3
        assert answers == ["busy"]


def test_losing_every_race_is_refused_and_nothing_is_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path) as app:
        app.record_graph_change(ingest("a.rs"), command(1))
        tries: list[int] = []

        def lose(*aggregates: Any, **_: Any) -> None:
            tries.append(sum(len(aggregate.collect_events()) for aggregate in aggregates))
            raise IntegrityError("another was first")

        monkeypatch.setattr(app, "save", lose)
        with pytest.raises(Refused) as caught:
            app.record_graph_change(ingest("c.rs"), command(2))
        assert (caught.value.refusal.code, caught.value.refusal.row.retryable) == ("write_conflict", True)
        # Each try had its event: a try from the same objects would have had none to save.
        assert tries == [1] * ATTEMPTS
        assert (app.generation(), app.log.claimed("command-2")) == (1, None)


def test_a_sweep_ends_the_due_previews_only(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        for n in (1, 2):
            app.record_preview(preview(f"0000000{n}", minutes=5 * n), command(n))
        ids = ["pre_00000001", "pre_00000002"]
        assert app.expire(ids, START + timedelta(minutes=6), command(3)) == ("pre_00000001",)
        assert app.expire(ids, START + timedelta(minutes=6), command(4)) == ()
        assert app.expire([], START, command(5)) == ()
        assert topics(app).count("transplant_expired") == 1


def test_recovery_learns_which_journals_are_recorded(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        id = commit(app, "00000001", 1)
        assert app.is_recorded("journal-00000001")
        assert not app.is_recorded("journal-0000000")
        assert not app.is_recorded(f"undo-{id}")
        undo(app, id, 3)
        for number in range(10, 10 + 600):
            app.record_graph_change(ingest("a.rs"), command(number))
        assert app.is_recorded(f"undo-{id}")


def test_a_refusal_is_noted_and_does_not_use_up_its_command(tmp_path: Path) -> None:
    refusal = Refusal("same_file", "source and destination are the same file")
    with opened(tmp_path) as app:
        kept = app.record_refusal(
            refusal, verb="transplant_preview", request_digest="d" * 64, command=command(1), field="dest"
        )
        assert kept
        assert app.record_preview(preview(), command(1)) == "pre_00000001"
        assert topics(app) == ["refusals_opened", "transplant_refused", "transplant_previewed"]


def test_a_refusal_that_cannot_be_noted_is_still_answered(tmp_path: Path) -> None:
    with opened(tmp_path / "none", read_only=True) as app:
        refusal = Refusal("same_file", "source and destination are the same file")
        assert not app.record_refusal(refusal, verb="x", request_digest="d" * 64, command=command(1))
    assert not (tmp_path / "none").exists()


def test_a_read_only_application_refuses_to_append(tmp_path: Path) -> None:
    with opened(tmp_path, read_only=True) as app, pytest.raises(Refused, match="read_only"):
        app.record_graph_change(ingest("a.rs"), command())


def test_a_long_graph_stream_is_loaded_from_its_end(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        for number in range(1, 40):
            app.record_graph_change(ingest("a.rs"), command(number))
        resumed = app._graph(command())
        folded: Graph = app.repository.get(resumed.id)
        assert (resumed.version, resumed.generation) == (folded.version, folded.generation) == (39, 39)


def test_two_applications_follow_one_log(tmp_path: Path) -> None:
    with opened(tmp_path) as writer, opened(tmp_path) as reader:
        writer.record_graph_change(ingest("a.rs"), command(1))
        with reader.follow(0) as coming:
            seen = [next(coming).topic, next(coming).topic]
            writer.record_graph_change(ingest("b.rs"), command(2))
            seen.append(next(coming).topic)
        assert seen == ["graph_opened", "graph_changed", "graph_changed"]


def test_the_symbols_of_a_move_are_found_again_also_after_its_undo(tmp_path: Path) -> None:
    move = SymbolMove(symbol_id=SYMBOL, source=TIDE, target=MOON)
    with opened(tmp_path) as app:
        first = commit(app, "00000001", 1)
        undo(app, first, 3)
        second = commit(app, "00000002", 4)
        for number in range(10, 10 + 250):
            app.record_graph_change(ingest("a.rs"), command(number))
        assert app.symbol_moves(first) == app.symbol_moves(second) == (move,)
        assert app.symbol_moves("tra_00000009") == ()


def test_a_read_only_attach_can_follow_a_log(tmp_path: Path) -> None:
    with opened(tmp_path) as writer, opened(tmp_path, read_only=True) as reader, reader.follow(0) as coming:
        writer.record_graph_change(ingest("a.rs"), command(1))
        assert [next(coming).topic, next(coming).topic] == ["graph_opened", "graph_changed"]


def test_a_follower_waits_for_a_log_that_does_not_exist_yet(tmp_path: Path) -> None:
    state = tmp_path / "later"
    with opened(state) as reader, reader.follow(0) as coming, opened(state) as writer:
        writer.record_graph_change(ingest("a.rs"), command(1))
        assert next(coming).topic == "graph_opened"


def test_a_follower_learns_that_the_log_was_damaged(tmp_path: Path) -> None:
    with opened(tmp_path) as writer, opened(tmp_path) as reader, reader.follow(2) as coming:
        writer.record_graph_change(ingest("a.rs"), command(1))
        writer.record_graph_change(ingest("b.rs"), command(2))
        assert next(coming).topic == "graph_changed"
        writer.close()
        for path in tmp_path.glob("log.db*"):
            path.unlink()
        (tmp_path / "log.db").write_bytes(b"nonsense" * 1000)
        with pytest.raises(Refused, match="store_damaged"):
            next(coming)
