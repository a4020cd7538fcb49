"""The log on a PostgreSQL server beside raw psycopg on the same server, and beside the log on SQLite (G13).

The server is private, local, and does not wait for the disk, for the raw side as for ours: the figures tell what our chain, our
gate and our decoding cost, not what a disk does.
"""

import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import psycopg
from tests.support.postgres import MISSING, binaries, server

from benchmarks.corpora import Unusable
from benchmarks.figures import Figure, Options
from benchmarks.rooms.log import append_ours, decode, events, every_row, put, seconds
from m1nd.application.audit import verify
from m1nd.domain.base import Event
from m1nd.infrastructure.log import open_app

ROOM = "log on a server"
TABLE = (
    "(id BIGINT PRIMARY KEY, stream TEXT, version BIGINT, topic TEXT, state BYTEA, UNIQUE (stream, version))"
)
Rows = Sequence[tuple[int, str, int, str, bytes]]


def measure(options: Options) -> Iterator[Figure]:
    """Raises Unusable where the programs of a server are not installed."""
    if binaries() is None:
        raise Unusable(MISSING)
    count = 1_000 if options.quick else 20_000
    made = events(count)
    ratios: dict[str, list[float]] = {}
    with server() as url, tempfile.TemporaryDirectory(prefix="m1nd-bench-") as scratch:
        rows = _rows(scratch, made)
        for number in range(2 if options.quick else options.rounds):
            for name, value in _round(url, f"r{number}", Path(scratch), made, rows).items():
                ratios.setdefault(name, []).append(value)
    for name, values in ratios.items():
        yield Figure(
            ROOM, f"G13 server {name}", name, f"{count:,} events", statistics.median(values), "x", least=True
        )  # fmt: skip


def _rows(scratch: str, made: Sequence[Event]) -> Rows:
    source = open_app(f"{scratch}/source", {})
    put(source, made, 1000)
    rows = [(r.position, r.stream, r.version, r.topic, r.state) for r in every_row(source)]
    source.close()
    return rows


def _round(url: str, name: str, scratch: Path, made: Sequence[Event], rows: Rows) -> dict[str, float]:
    """Shares: more is better. Appends against raw inserts, reads against raw reads, and against SQLite."""
    found = {}
    some = min(len(made), 500)
    for batch, count in ((1, some), (100, len(made))):
        place = f"{url}&schema={name}_{batch}"
        ours = _appended(place, str(scratch / f"{name}-{batch}"), made[:count], batch)
        raw = _raw_append(url, f"raw_{name}_{batch}", rows[:count], batch)
        on_file = append_ours(str(scratch / f"{name}-{batch}-file"), made[:count], batch)
        found[f"append, batch {batch}, share of raw psycopg"] = raw / ours
        found[f"append, batch {batch}, share of the log on SQLite"] = on_file / ours
    app = open_app(str(scratch / f"{name}-100"), {"M1ND_LOG_URL": f"{url}&schema={name}_100"})
    raw = _raw_read(url, f"raw_{name}_100")
    found["verify, share of raw psycopg"] = raw / seconds(lambda: verify(app.log))
    found["replay, share of raw psycopg"] = raw / seconds(lambda: decode(app))
    app.close()
    return found


def _appended(place: str, folder: str, made: Sequence[Event], batch: int) -> float:
    app = open_app(folder, {"M1ND_LOG_URL": place})
    app.events.put(made[:1])
    took = seconds(lambda: put(app, made[1:], batch))
    app.close()
    return took


def _raw_append(url: str, table: str, rows: Rows, batch: int) -> float:
    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {table} {TABLE}")
        insert = f"INSERT INTO {table} VALUES (%s, %s, %s, %s, %s)"
        cursor.execute(insert, rows[0])
        connection.commit()

        def work() -> None:
            for begin in range(1, len(rows), batch):
                cursor.executemany(insert, rows[begin : begin + batch])
                connection.commit()

        return seconds(work)


def _raw_read(url: str, table: str) -> float:
    query = f"SELECT id, stream, version, topic, state FROM {table} ORDER BY id"
    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        work: Callable[[], object] = lambda: cursor.execute(query).fetchall()
        return seconds(work)
