"""The event log against raw sqlite3 in the same run (QUALITY.md, G13): append, replay, verify, rebuild of the views.

Rounds are interleaved and medians are shown; a bar that is not met ends the run with status 1. `--quick` makes it small.
Raw means: the same bytes, one plain table with its index, the same batch, synchronous=FULL.
"""

import argparse
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from m1nd.application.app import M1nd
from m1nd.application.audit import replay, verify
from m1nd.domain.base import Actor, Command, Event
from m1nd.domain.graph import FileChange, Graph, GraphChange
from m1nd.infrastructure.log import open_app
from m1nd.infrastructure.views import PROJECTIONS, open_views
from m1nd.infrastructure.views.engine import Engine
from m1nd.infrastructure.views.projection import Projection

BARS = {
    "append, batch 1": 0.35,
    "append, batch 100": 0.35,
    "verify": 0.23,
    "replay": 0.088,
    "rebuild of one view": 0.03,
}
"""Least ratio to raw sqlite3: appends to inserting, the others to reading the rows.

The study's absolute bars (400k, 150k and 50k events/s, where raw reading gave 1.7M rows/s) said as ratios.
"""

START = datetime(2026, 1, 1, tzinfo=UTC)
ACTOR = Actor(kind="agent", id="bench")


def command(number: int) -> Command:
    return Command(f"command-{number}", "d" * 64, START + timedelta(seconds=number), ACTOR)


def events(count: int) -> list[Event]:
    """`count` small events of the graph's stream, as an incremental ingest records them."""
    graph = Graph.open(command(0))
    for number in range(1, count):
        path = f"src/module_{number % 90}/file.rs"
        changed = (FileChange(path=path, sha256=f"{number:064x}"),)
        graph.change(
            GraphChange("ingest", changed=changed, counts={"files": 90, "items": 900}), command(number)
        )
    return list(graph.collect_events())  # type: ignore[arg-type]


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def append_ours(folder: str, made: Sequence[Event], batch: int) -> float:
    app = open_app(folder, {})
    app.events.put(made[:1])
    took = seconds(lambda: _put(app, made[1:], batch))
    app.close()
    return took


def _put(app: M1nd, made: Sequence[Event], batch: int) -> None:
    for begin in range(0, len(made), batch):
        app.events.put(made[begin : begin + batch])


def append_raw(path: str, rows: Sequence[tuple[str, int, str, bytes]], batch: int) -> float:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(
        "CREATE TABLE stored_events (id INTEGER PRIMARY KEY, stream TEXT, version INTEGER, topic TEXT, state BLOB, "
        "UNIQUE (stream, version))"
    )
    insert = "INSERT INTO stored_events (stream, version, topic, state) VALUES (?, ?, ?, ?)"
    connection.execute(insert, rows[0])

    def work() -> None:
        for begin in range(1, len(rows), batch):
            connection.execute("BEGIN")
            connection.executemany(insert, rows[begin : begin + batch])
            connection.commit()

    took = seconds(work)
    connection.close()
    return took


def read_raw(path: str) -> float:
    connection = sqlite3.connect(path)
    query = "SELECT rowid, originator_id, originator_version, topic, state, chain FROM stored_events ORDER BY rowid"
    return seconds(lambda: [None for _ in connection.execute(query)])


def _decode(app: M1nd) -> None:
    position = 0
    while rows := app.log.rows(after=position):
        for row in rows:
            app.event_of(row)
        position = rows[-1].position


def rebuild_one(app: M1nd, projection: Projection) -> float:
    engine = Engine((projection,), app.log, app.event_of)
    connection = sqlite3.connect(":memory:", isolation_level=None)
    engine.ensure(connection)
    return seconds(lambda: engine.catch_up(connection))


class Table:
    def __init__(self) -> None:
        self.rates: dict[str, list[float]] = {}
        self.ratios: dict[str, list[float]] = {}

    def add(self, name: str, count: int, ours: float, raw: float) -> None:
        self.rates.setdefault(name, []).append(count / ours)
        self.ratios.setdefault(name, []).append(raw / ours)

    def show(self) -> bool:
        good = True
        print(f"{'':24}{'events/s':>12}{'of raw':>9}{'bar':>7}")
        for name, rates in self.rates.items():
            ratio = statistics.median(self.ratios[name])
            bar = BARS.get(name)
            met = bar is None or ratio >= bar
            good &= met
            tail = "" if bar is None else f"{bar:7.2f}{'' if met else '   NOT MET'}"
            print(f"{name:24}{statistics.median(rates):12,.0f}{ratio:9.2f}{tail}")
        return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    count, rounds = (2_000, 3) if options.quick else (options.events, options.rounds)
    made = events(count)
    table = Table()
    with tempfile.TemporaryDirectory() as scratch:
        source = open_app(os.path.join(scratch, "source"), {})
        _put(source, made, 1000)
        rows = [(r.stream, r.version, r.topic, r.state) for r in _all(source)]
        size = statistics.mean(len(row[3]) for row in rows)
        print(f"{count:,} events of {size:.0f} bytes of JSON, {rounds} rounds")
        path = os.path.join(scratch, "source", "log.db")
        single = min(count, 2_000)
        for number in range(rounds):
            place = os.path.join(scratch, f"{number}")
            for batch, some in ((1, single), (100, count)):
                ours = append_ours(f"{place}-{batch}", made[:some], batch)
                raw = append_raw(f"{place}-{batch}.db", rows[:some], batch)
                table.add(f"append, batch {batch}", some, ours, raw)
            raw = read_raw(path)
            table.add("verify", count, seconds(lambda: verify(source.log)), raw)
            table.add("replay", count, seconds(lambda: _decode(source)), raw)
            table.add("replay, aggregates too", count, seconds(lambda: replay(source)), raw)
            for projection in PROJECTIONS:
                if projection.name in ("graph_changes", "trail"):
                    took = rebuild_one(source, projection)
                    name = (
                        "rebuild of one view"
                        if projection.name == "graph_changes"
                        else f"rebuild of {projection.name}"
                    )
                    table.add(name, count, took, raw)
            views = open_views(f"{place}-views", source)
            table.add("rebuild of all views", count, seconds(views.rebuild), raw)
            views.close()
        source.close()
    return 0 if table.show() else 1


def _all(app: M1nd) -> list:  # type: ignore[type-arg]
    found, position = [], 0
    while rows := app.log.rows(after=position):
        found += rows
        position = rows[-1].position
    return found


if __name__ == "__main__":
    sys.exit(main())
