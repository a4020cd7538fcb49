"""The questions about paint, as SQL.

The class of a row is imported where there is a row: `north` asks much of views that are mostly empty.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import orjson

from m1nd.domain.symbols import Address
from m1nd.infrastructure.views.times import time_of

if TYPE_CHECKING:
    from m1nd.application.memory_views import PaintRow, TagRow


def version(c: sqlite3.Connection) -> int:
    return int(c.execute("SELECT coalesce(max(version), 0) FROM paint_ledger").fetchone()[0])


_TAG = "SELECT symbol_id, tag, place, reason, version FROM paint_tags "


def tags(c: sqlite3.Connection) -> list[TagRow]:
    return [_tag(row) for row in c.execute(f"{_TAG} ORDER BY symbol_id, tag")]


def tag_names(c: sqlite3.Connection) -> list[str]:
    return [str(tag) for (tag,) in c.execute("SELECT DISTINCT tag FROM paint_tags ORDER BY tag")]


def tagged(c: sqlite3.Connection, tag: str, limit: int) -> list[TagRow]:
    return [_tag(row) for row in c.execute(f"{_TAG} WHERE tag = ? ORDER BY symbol_id LIMIT ?", (tag, limit))]


def tags_on(c: sqlite3.Connection, symbol_id: str) -> list[TagRow]:
    return [_tag(row) for row in c.execute(f"{_TAG} WHERE symbol_id = ? ORDER BY tag", (symbol_id,))]


def _tag(row: tuple[str, str, str, str, int]) -> TagRow:
    from m1nd.application.memory_views import TagRow

    symbol_id, tag, place, reason, version = row
    kind, module, name, ordinal = orjson.loads(place)
    address = Address(kind=kind, module=module, name=name, ordinal=ordinal)
    return TagRow(symbol_id, tag, address, reason, version)


def ledger(c: sqlite3.Connection, limit: int) -> list[PaintRow]:
    from m1nd.application.memory_views import PaintRow

    query = (
        "SELECT version, kind, tags, scope, changed, scanned, counts, proof_coverage, actor_id, recorded_at "
        "FROM paint_ledger ORDER BY version DESC LIMIT ?"
    )
    return [
        PaintRow(
            version,
            kind,
            tuple(orjson.loads(tags)),
            scope,
            changed,
            scanned,
            orjson.loads(counts),
            much,
            who,
            time_of(at),
        )
        for version, kind, tags, scope, changed, scanned, counts, much, who, at in c.execute(query, (limit,))
    ]
