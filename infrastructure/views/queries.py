"""The questions that the views answer, as SQL. Rows in, frozen rows out; no decision is taken here.

The class of a row is imported where there is a row: `north` asks much of views that are mostly empty.
"""

from __future__ import annotations

import sqlite3
from datetime import datetime
from typing import TYPE_CHECKING

import orjson

from m1nd.domain.previews import Stage
from m1nd.domain.symbols import Address
from m1nd.infrastructure.views.identity_rows import symbol_table
from m1nd.infrastructure.views.times import text_of, time_of

if TYPE_CHECKING:
    from m1nd.application.views import EditRow, GraphChangeRow, MoveRow, RefusalRow, TrailRow

_MOVE = (
    "SELECT preview_id, transplant_id, stage, agent_id, symbol, symbol_id, source_file, dest_file, previewed_at, "
    "expires_at, ended_at, position, receipt, journal_id FROM moves "
)
_EDIT = (
    "SELECT preview_id, edit_id, stage, agent_id, files, previewed_at, expires_at, ended_at, position, receipt, "
    "journal_id FROM edits "
)
_TRAIL = (
    "SELECT position, name, version, topic, event_id, recorded_at, command_id, causation_id, actor_kind, actor_id, "
    "session FROM trail JOIN streams ON streams.id = trail.stream_id "
)


def moves(c: sqlite3.Connection, limit: int) -> list[MoveRow]:
    return [_move(row) for row in c.execute(f"{_MOVE} ORDER BY position DESC LIMIT ?", (limit,))]


def move(c: sqlite3.Connection, id: str) -> MoveRow | None:
    return _first(c.execute(f"{_MOVE} WHERE preview_id = ? OR transplant_id = ?", (id, id)))


def edits(c: sqlite3.Connection, limit: int) -> list[EditRow]:
    return [_edit(row) for row in c.execute(f"{_EDIT} ORDER BY position DESC LIMIT ?", (limit,))]


def edit(c: sqlite3.Connection, id: str) -> EditRow | None:
    row = c.execute(f"{_EDIT} WHERE preview_id = ? OR edit_id = ?", (id, id)).fetchone()
    return None if row is None else _edit(row)


def undo_target(c: sqlite3.Connection) -> str | None:
    query = (
        "SELECT transplant_id, committed_position FROM moves WHERE stage = ?1 UNION ALL "
        "SELECT edit_id, committed_position FROM edits WHERE stage = ?1 ORDER BY 2 DESC LIMIT 1"
    )
    row = c.execute(query, (Stage.COMMITTED,)).fetchone()
    return None if row is None else str(row[0])


def due_previews(c: sqlite3.Connection, as_of: datetime) -> list[str]:
    query = (
        "SELECT preview_id, expires_at FROM moves WHERE stage = ?1 AND expires_at <= ?2 UNION ALL "
        "SELECT preview_id, expires_at FROM edits WHERE stage = ?1 AND expires_at <= ?2 ORDER BY 2, 1"
    )
    return [id for id, _ in c.execute(query, (Stage.PREVIEWED, text_of(as_of)))]


def moved_away(c: sqlite3.Connection, source_file: str, symbol: str) -> MoveRow | None:
    """The latest move of `symbol` out of a file, or out of a module inline in it."""
    query = (
        f"{_MOVE} WHERE (source_file = ? OR substr(source_file, 1, ?) = ?) AND stage = ? AND (symbol_id = ? OR symbol = ? OR symbol LIKE ? ESCAPE '\\') "
        "ORDER BY committed_position DESC LIMIT 1"
    )
    name = symbol.rpartition("::")[2]
    ending = "%::" + name.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    inside = f"{source_file}::"
    file = (source_file, len(inside), inside)
    return _first(c.execute(query, (*file, Stage.COMMITTED, symbol, name, ending)))


def departures(c: sqlite3.Connection) -> list[tuple[Address, Address | None]]:
    table = symbol_table(c)
    rows = c.execute(
        "SELECT symbol_id, source_kind, source_module, source_name, source_ordinal FROM symbol_steps ORDER BY position"
    )
    left: dict[Address, Address | None] = {}
    for symbol_id, kind, module, name, ordinal in rows:
        source = Address(kind=kind, module=module, name=name, ordinal=ordinal)
        left[source] = table.home_of(symbol_id)
    return list(left.items())


def has_map(c: sqlite3.Connection) -> bool:
    """Whether there is a skeleton of blocks."""
    return c.execute("SELECT 1 FROM skeleton LIMIT 1").fetchone() is not None


def graph_changes(c: sqlite3.Connection, after_generation: int, limit: int) -> list[GraphChangeRow]:
    from m1nd.application.views import GraphChangeRow

    query = (
        "SELECT generation, kind, cause, added, removed, changed, counts, recorded_at, position FROM graph_changes "
        "WHERE generation > ? ORDER BY generation LIMIT ?"
    )
    return [
        GraphChangeRow(
            generation, kind, cause, added, removed, changed, orjson.loads(counts), time_of(at), position
        )
        for generation, kind, cause, added, removed, changed, counts, at, position in c.execute(
            query, (after_generation, limit)
        )
    ]


def file_generations(c: sqlite3.Connection) -> dict[str, int]:
    return dict(c.execute("SELECT path, generation FROM file_history"))


def refusals(c: sqlite3.Connection, limit: int) -> list[RefusalRow]:
    from m1nd.application.views import RefusalRow

    query = (
        "SELECT position, recorded_at, verb, keyword, field, request_digest, actor_kind, actor_id FROM refusals "
        "ORDER BY position DESC LIMIT ?"
    )
    return [RefusalRow(row[0], time_of(row[1]), *row[2:]) for row in c.execute(query, (limit,))]


def trail(c: sqlite3.Connection, after: int, stream: str, topic: str, limit: int) -> list[TrailRow]:
    where, parameters = _trail_filter(stream, topic)
    query = f"{_TRAIL} WHERE position > ? {where} ORDER BY position LIMIT ?"
    return [_trail_row(row) for row in c.execute(query, (after, *parameters, limit))]


def trail_tail(c: sqlite3.Connection, stream: str, topic: str, limit: int) -> list[TrailRow]:
    where, parameters = _trail_filter(stream, topic)
    query = f"{_TRAIL} WHERE true {where} ORDER BY position DESC LIMIT ?"
    return [_trail_row(row) for row in c.execute(query, (*parameters, limit))][::-1]


def event(c: sqlite3.Connection, event_id: str) -> TrailRow | None:
    row = c.execute(f"{_TRAIL} WHERE event_id = ?", (event_id,)).fetchone()
    return None if row is None else _trail_row(row)


def position_at(c: sqlite3.Connection, as_of: datetime) -> int:
    query = "SELECT max(position) FROM trail WHERE recorded_at <= ?"
    found: int | None = c.execute(query, (text_of(as_of),)).fetchone()[0]
    return found or 0


def _trail_filter(stream: str, topic: str) -> tuple[str, list[str]]:
    where, parameters = "", []
    if stream:
        # `;` is the character after `:`, so that the range holds every `transplant:…`.
        where += "AND stream_id IN (SELECT id FROM streams WHERE name = ? OR name >= ? AND name < ?) "
        parameters += [stream, f"{stream}:", f"{stream};"]
    if topic:
        where += "AND topic = ? "
        parameters.append(topic)
    return where, parameters


def _move(row: tuple[object, ...]) -> MoveRow:
    from m1nd.application.views import MoveRow

    (preview_id, transplant_id, stage, agent, symbol, symbol_id, source, dest, made, until, ended, *rest) = (
        row
    )
    position, receipt, journal_id = rest
    return MoveRow(
        str(preview_id),
        str(transplant_id),
        Stage(str(stage)),
        str(agent),
        str(symbol),
        str(symbol_id),
        str(source),
        str(dest),
        time_of(str(made)),
        time_of(str(until)),
        None if ended is None else time_of(str(ended)),
        int(str(position)),
        None if receipt is None else orjson.loads(str(receipt)),
        str(journal_id),
    )


def _edit(row: tuple[object, ...]) -> EditRow:
    from m1nd.application.views import EditRow

    preview_id, edit_id, stage, agent, files, made, until, ended, position, receipt, journal_id = row
    return EditRow(
        str(preview_id),
        str(edit_id),
        Stage(str(stage)),
        str(agent),
        tuple(orjson.loads(str(files))),
        time_of(str(made)),
        time_of(str(until)),
        None if ended is None else time_of(str(ended)),
        int(str(position)),
        None if receipt is None else orjson.loads(str(receipt)),
        str(journal_id),
    )


def _first(rows: sqlite3.Cursor) -> MoveRow | None:
    row = rows.fetchone()
    return None if row is None else _move(row)


def _trail_row(row: tuple[object, ...]) -> TrailRow:
    from m1nd.application.views import TrailRow

    position, stream, version, topic, event_id, recorded_at, *rest = row
    return TrailRow(
        int(str(position)),
        str(stream),
        int(str(version)),
        str(topic),
        str(event_id),
        time_of(str(recorded_at)),
        *map(str, rest),
    )
