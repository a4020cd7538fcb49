"""The event log against raw sqlite3 in the same run (QUALITY.md, G13): append, replay, verify, rebuild of the views.

Raw means: the same bytes, one plain table with its index, the same batch, synchronous=FULL. The same questions are asked at
a thousand, a hundred thousand and a million events, so that what grows with the log shows.
"""

import os
import resource
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from benchmarks.figures import Figure, Options
from m1nd.application.app import M1nd
from m1nd.application.audit import replay, verify
from m1nd.application.event_log import LogRow
from m1nd.domain.base import Actor, Command, Event
from m1nd.domain.blocks.block_state import Baseline, BlockDraft
from m1nd.domain.blocks.system_block import SystemBlock
from m1nd.domain.graph import FileChange, Graph, GraphChange
from m1nd.infrastructure.log import open_app
from m1nd.infrastructure.views import open_views
from m1nd.infrastructure.views.engine import Engine
from m1nd.infrastructure.views.projection import Projection
from m1nd.infrastructure.views.projections import PROJECTIONS

ROOM = "log"
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
        graph.change(_change(number), command(number))
    return list(graph.collect_events())  # type: ignore[arg-type]


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def append_ours(folder: str, made: Sequence[Event], batch: int) -> float:
    app = open_app(folder, {})
    app.events.put(made[:1])
    took = seconds(lambda: put(app, made[1:], batch))
    app.close()
    return took


def put(app: M1nd, made: Sequence[Event], batch: int) -> None:
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


def decode(app: M1nd) -> None:
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


def measure(options: Options) -> Iterator[Figure]:
    sizes = (1_000,) if options.quick else (1_000, 20_000, 100_000)
    for count in sizes:
        yield from _at(count, 2 if count > 20_000 else options.rounds)
    for count in (100, 1_000) if options.quick else (100, 1_000, 10_000):
        yield _load(count)
    if not options.quick:
        yield from _a_million()


def _at(count: int, rounds: int) -> Iterator[Figure]:
    """All questions to a log of that many events."""
    made = events(count)
    ratios: dict[str, list[float]] = {}
    rates: dict[str, list[float]] = {}

    def add(name: str, some: int, ours: float, raw: float) -> None:
        ratios.setdefault(name, []).append(raw / ours)
        rates.setdefault(name, []).append(some / ours)

    with tempfile.TemporaryDirectory(prefix="m1nd-bench-") as scratch:
        source = open_app(os.path.join(scratch, "source"), {})
        put(source, made, 1000)
        rows = [(r.stream, r.version, r.topic, r.state) for r in every_row(source)]
        path = os.path.join(scratch, "source", "log.db")
        single = min(count, 1_000)
        for number in range(rounds):
            place = os.path.join(scratch, f"{number}")
            for batch, some in ((1, single), (100, count)):
                ours = append_ours(f"{place}-{batch}", made[:some], batch)
                raw = append_raw(f"{place}-{batch}.db", rows[:some], batch)
                add(f"append, batch {batch}", some, ours, raw)
            raw = read_raw(path)
            add("verify", count, seconds(lambda: verify(source.log)), raw)
            add("replay", count, seconds(lambda: decode(source)), raw)
            add("replay, aggregates too", count, seconds(lambda: replay(source)), raw)
            changes = next(p for p in PROJECTIONS if p.name == "graph_changes")
            add("rebuild of one view", count, rebuild_one(source, changes), raw)
            views = open_views(f"{place}-views", source)
            add("rebuild of all views", count, seconds(views.rebuild), raw)
            views.close()
        source.close()
    corpus = f"{count:,} events"
    for name, found in ratios.items():
        yield Figure(
            ROOM,
            f"G13 {name}",
            f"{name}, share of raw sqlite3",
            corpus,
            statistics.median(found),
            "x",
            BARS.get(name),
            least=True,
        )
        yield Figure(ROOM, f"{name}, rate", name, corpus, statistics.median(rates[name]), "events/s")


def _load(count: int) -> Figure:
    """The longest streams are those of blocks: one event a receipt. What a command on such a block pays before it decides."""
    with tempfile.TemporaryDirectory(prefix="m1nd-bench-") as scratch:
        app = open_app(scratch, {})
        block = SystemBlock.open("sb_bench_00000000", command(0))
        block.ratify(
            BlockDraft(name="Bench", purpose=""),
            Baseline(members=(), content_hash="a" * 64, generation=1),
            "session",
            command(1),
        )
        for number in range(2, count):
            block.register_receipt(f"rcpt_{number:012x}", ("spec", "test")[number % 2], command(number))
        put(app, list(block.collect_events()), 1000)  # type: ignore[arg-type]
        took = [seconds(lambda: app.block("sb_bench_00000000")) for _ in range(5)]
        app.close()
    return Figure(
        ROOM, "load of a block", "fold a block whole, no snapshot", f"{count:,} events", statistics.median(took) * 1000, "ms"
    )  # fmt: skip


def _a_million() -> Iterator[Figure]:
    """Append, verify and replay of a million events, once; memory must stay flat while they are read."""
    count, chunk = 1_000_000, 20_000
    with tempfile.TemporaryDirectory(prefix="m1nd-bench-") as scratch:
        app = open_app(scratch, {})
        graph = Graph.open(command(0))

        def fill() -> None:
            for begin in range(0, count, chunk):
                for number in range(begin, begin + chunk):
                    graph.change(_change(number), command(number))
                put(app, list(graph.collect_events()), 1000)  # type: ignore[arg-type]

        corpus = f"{count:,} events"
        yield Figure(
            ROOM,
            "append, made and put, rate",
            "made and appended, batches of 1,000",
            corpus,
            count / seconds(fill),
            "events/s",
        )
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        yield Figure(
            ROOM, "verify, rate", "verify", corpus, count / seconds(lambda: verify(app.log)), "events/s"
        )
        yield Figure(ROOM, "replay, rate", "replay", corpus, count / seconds(lambda: decode(app)), "events/s")
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        yield Figure(
            ROOM,
            "memory while reading",
            "growth of the peak while a million events are read",
            corpus,
            grown,
            "MiB",
            30.0,
        )
        size = os.path.getsize(os.path.join(scratch, "log.db"))
        yield Figure(ROOM, "size of an event", "bytes on disk an event", corpus, size / count, "bytes")
        app.close()


def _change(number: int) -> GraphChange:
    path = f"src/module_{number % 90}/file.rs"
    changed = (FileChange(path=path, sha256=f"{number:064x}"),)
    return GraphChange("ingest", changed=changed, counts={"files": 90, "items": 900})


def every_row(app: M1nd) -> list[LogRow]:
    found: list[LogRow] = []
    while rows := app.log.rows(after=found[-1].position if found else 0):
        found += rows
    return found
