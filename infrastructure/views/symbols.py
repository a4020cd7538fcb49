"""The steps of every symbol that moved, as they were recorded. The fold itself is the domain's (`SymbolTable`)."""

import sqlite3

from m1nd.domain.graph import Graph
from m1nd.domain.symbols import Address, Change
from m1nd.infrastructure.views.projection import Projection
from m1nd.infrastructure.views.versions import VERSIONS

_ADDRESS = "{0}_kind TEXT{1}, {0}_module TEXT{1}, {0}_name TEXT{1}, {0}_ordinal INTEGER{1}"

SYMBOLS = Projection(
    "symbols",
    VERSIONS["symbols"],
    {
        "symbol_steps": (
            "position INTEGER NOT NULL PRIMARY KEY, change TEXT NOT NULL, symbol_id TEXT NOT NULL, "
            f"{_ADDRESS.format('source', ' NOT NULL')}, {_ADDRESS.format('target', '')}, cause TEXT NOT NULL"
        )
    },
    ("CREATE INDEX symbol_steps_by_symbol ON symbol_steps (symbol_id)",),
)


@SYMBOLS.on(Graph.SymbolMoved)
def moved(cursor: sqlite3.Cursor, event: Graph.SymbolMoved, position: int) -> None:
    _step(cursor, position, Change.MOVED, event.symbol_id, event.source, event.target, event.cause)


@SYMBOLS.on(Graph.SymbolRematched)
def rematched(cursor: sqlite3.Cursor, event: Graph.SymbolRematched, position: int) -> None:
    _step(cursor, position, Change.REMATCHED, event.symbol_id, event.source, event.target, event.evidence)


@SYMBOLS.on(Graph.SymbolLost)
def lost(cursor: sqlite3.Cursor, event: Graph.SymbolLost, position: int) -> None:
    _step(cursor, position, Change.LOST, event.symbol_id, event.source, None, event.reason)


def _step(
    cursor: sqlite3.Cursor,
    position: int,
    change: Change,
    symbol_id: str,
    source: Address,
    target: Address | None,
    cause: str,
) -> None:
    cursor.execute(
        "INSERT INTO symbol_steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            position,
            change,
            symbol_id,
            *_columns(source),
            *((None,) * 4 if target is None else _columns(target)),
            cause,
        ),
    )


def _columns(address: Address) -> tuple[str, str, str, int]:
    return address.kind, address.module, address.name, address.ordinal
