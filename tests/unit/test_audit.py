"""The auditor's verbs: what was done to a log is found and named; a log moves whole or not at all."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from tests.support.log import command, commit, ingest, opened, undo

from m1nd.application.app import M1nd
from m1nd.application.audit import (
    export,
    import_lines,
    line_of,
    replay,
    require_sound_file,
    topics,
    verify,
)
from m1nd.application.event_log import LogRow
from m1nd.domain.chain import GENESIS, link
from m1nd.domain.refusal import Refusal, Refused


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("source")
    with opened(folder) as app:
        for number in range(1, 12):
            app.record_graph_change(ingest(f"{number}.rs"), command(number))
        id = commit(app, "00000001", 20)
        undo(app, id, 22)
        app.record_refusal(
            Refusal("same_file", "x"), verb="transplant", request_digest="d" * 64, command=command(30)
        )
    return folder / "log.db"


def tampered(source: Path, folder: Path, act: Callable[[sqlite3.Connection], None]) -> Path:
    """A copy of the log on which somebody with a database tool was at work."""
    folder.mkdir(exist_ok=True)
    (folder / "log.db").write_bytes(source.read_bytes())
    connection = sqlite3.connect(folder / "log.db")
    for trigger in ("append_only_update", "append_only_delete"):
        connection.execute(f"DROP TRIGGER {trigger}")
    act(connection)
    connection.commit()
    connection.close()
    return folder


def renumber(connection: sqlite3.Connection, at: int, by: int) -> None:
    """Shift the rows from `at` on, in an order in which no two collide."""
    rows = connection.execute(
        f"SELECT rowid FROM stored_events WHERE rowid >= ? ORDER BY rowid {'DESC' if by > 0 else 'ASC'}",
        (at,),
    ).fetchall()
    for (rowid,) in rows:
        connection.execute("UPDATE stored_events SET rowid = ? WHERE rowid = ?", (rowid + by, rowid))


def flip(connection: sqlite3.Connection, at: int, column: str = "state") -> None:
    (value,) = connection.execute(f"SELECT {column} FROM stored_events WHERE rowid = ?", (at,)).fetchone()
    changed = bytearray(value)
    changed[len(changed) // 2] ^= 1
    connection.execute(f"UPDATE stored_events SET {column} = ? WHERE rowid = ?", (bytes(changed), at))


def remove(connection: sqlite3.Connection, at: int, close_gap: bool) -> None:
    connection.execute("DELETE FROM stored_events WHERE rowid = ?", (at,))
    if close_gap:
        renumber(connection, at, -1)


def insert(connection: sqlite3.Connection, at: int, forge: bool) -> None:
    renumber(connection, at, 1)
    stream, state, chain = "f" * 32, b'{"forged":true}', bytes(32)
    if forge:
        (previous,) = connection.execute(
            "SELECT chain FROM stored_events WHERE rowid = ?", (at - 1,)
        ).fetchone()
        chain = link(previous, at, stream, 0, "graph_changed", state)
    connection.execute(
        "INSERT INTO stored_events VALUES (?, ?, 0, 'graph_changed', ?, ?)", (at, stream, state, chain)
    )


def swap(connection: sqlite3.Connection, a: int, b: int, with_links: bool) -> None:
    columns = "originator_id, originator_version, topic, state" + (", chain" if with_links else "")
    marks = ", ".join(f"{name.strip()} = ?" for name in columns.split(","))
    rows = {
        at: connection.execute(f"SELECT {columns} FROM stored_events WHERE rowid = ?", (at,)).fetchone()
        for at in (a, b)
    }
    connection.execute("UPDATE stored_events SET originator_id = rowid WHERE rowid IN (?, ?)", (a, b))
    connection.execute(f"UPDATE stored_events SET {marks} WHERE rowid = ?", (*rows[b], a))
    connection.execute(f"UPDATE stored_events SET {marks} WHERE rowid = ?", (*rows[a], b))


@pytest.mark.parametrize(
    ("act", "position", "kind"),
    [
        (lambda c: flip(c, 5), 5, "flipped"),
        (lambda c: flip(c, 1), 1, "flipped"),
        (lambda c: flip(c, 21), 21, "flipped"),
        (lambda c: c.execute("UPDATE stored_events SET topic = 'graph_lost' WHERE rowid = 4"), 4, "flipped"),
        (
            lambda c: c.execute("UPDATE stored_events SET originator_version = 90 WHERE rowid = 4"),
            4,
            "flipped",
        ),
        (lambda c: flip(c, 5, "chain"), 5, "chain_flipped"),
        (lambda c: remove(c, 6, close_gap=False), 6, "removed"),
        (lambda c: remove(c, 1, close_gap=False), 1, "removed"),
        (lambda c: remove(c, 6, close_gap=True), 6, "removed"),
        (lambda c: remove(c, 1, close_gap=True), 1, "removed"),
        (lambda c: insert(c, 7, forge=False), 7, "inserted"),
        (lambda c: insert(c, 7, forge=True), 7, "inserted"),
        (lambda c: swap(c, 8, 9, with_links=False), 8, "swapped"),
        (lambda c: swap(c, 8, 9, with_links=True), 8, "swapped"),
        (lambda c: swap(c, 3, 12, with_links=False), 3, "swapped"),
        (lambda c: swap(c, 3, 12, with_links=True), 3, "swapped"),
    ],
)
def test_what_was_done_to_the_log_is_found_and_named(
    tmp_path: Path, source: Path, act: Callable[[sqlite3.Connection], None], position: int, kind: str
) -> None:
    with opened(tampered(source, tmp_path / "log", act)) as app:
        result = verify(app.log)
        assert result.finding is not None
        assert (result.finding.position, result.finding.kind) == (position, kind), result.finding


def test_a_whole_log_holds(source: Path) -> None:
    with opened(source.parent) as app:
        result = verify(app.log)
        head = app.log_head()
        assert result.holds
        assert (result.count, result.head, result.checked) == (head.count, head.head, head.count)
        require_sound_file(app.log)


def test_an_empty_log_holds(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        assert verify(app.log).holds
        assert verify(app.log).head == GENESIS.hex()


def test_a_published_head_shows_a_cut_tail_and_a_rewritten_past(tmp_path: Path, source: Path) -> None:
    with opened(source.parent) as app:
        head = app.log_head()
        assert verify(app.log, head.count, head.head).holds
        middle = app.log.rows(after=8, limit=1)[0]
        result = verify(app.log, 9, middle.chain.hex())
        assert (result.holds, result.checked) == (True, head.count - 9)
        wrong = verify(app.log, 9, "0" * 64).finding
        assert wrong is not None
        assert (wrong.position, wrong.kind) == (9, "rewritten")

    def cut_tail(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM stored_events WHERE rowid > ?", (head.count - 3,))

    with opened(tampered(source, tmp_path / "cut", cut_tail)) as app:
        assert verify(app.log).holds  # nothing in the file can show it
        cut = verify(app.log, head.count, head.head).finding
        assert cut is not None
        assert (cut.position, cut.kind) == (head.count - 2, "cut")


def test_a_link_covers_every_column_and_where_it_ends() -> None:
    base = (GENESIS, 1, "ab", 0, "topic", b"state")
    changed = [
        (b"\1" + GENESIS[1:], 1, "ab", 0, "topic", b"state"),
        (GENESIS, 2, "ab", 0, "topic", b"state"),
        (GENESIS, 1, "a", 0, "btopic", b"state"),
        (GENESIS, 1, "ab", 1, "topic", b"state"),
        (GENESIS, 1, "ab", 0, "topics", b"tate"),
        (GENESIS, 1, "ab", 0, "topic", b"stat"),
    ]
    assert len({link(*base), *(link(*other) for other in changed)}) == 7
    assert (
        link(*base).hex() == "fc91835bddf3187cecc683f643f847e56ffd64d36f5fe985eb7bf8b149958036"
    )  # a stored contract: old logs must verify for ever


# Topics and replay


def test_topics_are_counted_and_an_unknown_one_shows(tmp_path: Path, source: Path) -> None:
    with opened(source.parent) as app:
        counts = {row.topic: row.events for row in topics(app.log)}
        assert (counts["graph_changed"], counts["symbol_moved"], counts["symbol_lost"]) == (13, 2, 0)

    def rename(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE stored_events SET topic = 'block_melted' WHERE rowid = 5")

    with opened(tampered(source, tmp_path / "log", rename)) as app:
        assert [row.topic for row in topics(app.log) if not row.known] == ["block_melted"]
        with pytest.raises(Refused, match="unknown_topic") as caught:
            replay(app)
        assert caught.value.refusal.details["position"] == 5


def test_a_replay_folds_every_stream_to_any_position(source: Path) -> None:
    with opened(source.parent) as app:
        whole = replay(app)
        assert (whole.events, whole.streams) == (app.log_head().count, 3)
        assert (replay(app, 5).events, replay(app, 5).streams) == (5, 1)
        assert replay(app, 0).events == 0


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("UPDATE stored_events SET originator_version = 90 WHERE rowid = 4", "version 90"),
        ("DELETE FROM stored_events WHERE rowid = 1", "has not begun"),
        (
            "UPDATE stored_events SET originator_id = 'ffffffffffffffffffffffffffffffff' WHERE rowid = 1",
            "another id",
        ),
    ],
)
def test_a_replay_shows_streams_that_do_not_fold(tmp_path: Path, source: Path, sql: str, words: str) -> None:
    with opened(tampered(source, tmp_path / "log", lambda c: c.execute(sql) and None)) as app:
        with pytest.raises(Refused, match="store_damaged") as caught:
            replay(app)
        assert words in caught.value.refusal.message


# Export and import


def lines(app: M1nd) -> list[bytes]:
    return list(export(app.log))


def test_a_log_moves_with_its_chain_and_its_commands(tmp_path: Path, source: Path) -> None:
    with opened(source.parent) as app, opened(tmp_path) as other:
        exported = lines(app)
        assert import_lines(other.log, exported) == app.log_head()
        assert lines(other) == exported
        assert verify(other.log).holds
        assert other.log.rows() == app.log.rows()
        for number in (1, 11, 20, 21, 22, 30):
            assert other.log.claimed(f"command-{number}") == app.log.claimed(f"command-{number}")
        assert other.record_graph_change(ingest("new.rs"), command(99)) == app.generation() + 1


def test_an_empty_log_moves_too(tmp_path: Path) -> None:
    with opened(tmp_path / "a") as app, opened(tmp_path / "b") as other:
        assert import_lines(other.log, lines(app)).count == 0


def test_a_line_keeps_the_stored_bytes_whatever_they_are() -> None:
    for state in (b'{"a": 1}', b"\xff\x00", b'{"a":1.0}', b'{"a":1e2}', b'{"b":1,"a":"\\u00e9"}'):
        row = LogRow(1, "ab" * 16, 0, "t", state, link(GENESIS, 1, "ab" * 16, 0, "t", state))
        line = orjson.loads(line_of(row))
        kept = orjson.dumps(line["state"]) if "state" in line else line["state_text"].encode("latin-1")
        assert kept == state


def without(exported: list[bytes], index: int) -> list[bytes]:
    return exported[:index] + exported[index + 1 :]


def edited(exported: list[bytes], index: int) -> list[bytes]:
    line = json.loads(exported[index])
    line["state"]["command_id"] = "forged"
    return [*exported[:index], json.dumps(line).encode(), *exported[index + 1 :]]


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda x: without(x, 5), "chain_broken"),
        (lambda x: without(x, 1), "chain_broken"),
        (lambda x: x[:-1], "chain_broken"),
        (lambda x: edited(x, 7), "chain_broken"),
        (lambda x: [*x[:3], x[4], x[3], *x[5:]], "chain_broken"),
        (lambda x: [*x, x[-1]], "chain_broken"),
        (lambda x: x[1:], "usage"),
        (lambda x: [*x[:3], b"{", *x[4:]], "usage"),
        (lambda x: [*x[:3], b"[1]", *x[4:]], "usage"),
        (lambda x: [*x[:-1], x[-1][:50]], "usage"),
        (lambda x: [], "usage"),
        (lambda x: [b'{"format":"other"}'], "usage"),
    ],
)
def test_a_spoiled_export_is_refused_and_stores_nothing(
    tmp_path: Path, source: Path, spoil: Callable[[list[bytes]], list[bytes]], code: str
) -> None:
    with opened(source.parent) as app, opened(tmp_path) as other:
        with pytest.raises(Refused) as caught:
            import_lines(other.log, spoil(lines(app)))
        assert caught.value.refusal.code == code
        assert other.log_head().count == 0
        assert import_lines(other.log, lines(app)).count == app.log_head().count


def test_a_log_with_events_takes_no_import(tmp_path: Path, source: Path) -> None:
    with opened(source.parent) as app, opened(tmp_path) as other:
        other.record_graph_change(ingest("a.rs"), command())
        with pytest.raises(Refused, match="log_not_empty"):
            import_lines(other.log, lines(app))
