"""A long generated history, folded every way: chain verified, aggregates replayed, views rebuilt and compared.

Prints events a second and the greatest memory of the process; ends with 1 where a rebuild differs from the live views.

Usage: python scripts/long_history.py [--events N] [--seed N] [--into DIR]
"""

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from tests.support.history import History

from m1nd.application.audit import replay, verify
from m1nd.infrastructure.log import open_app
from m1nd.infrastructure.views import open_views

T = TypeVar("T")
PAGE_OF_LIVE_VIEWS = 10
"""The live views catch up this often while the log grows, so that they are folded in pieces and the rebuild at once."""


def measured(title: str, events: int, work: Callable[[], T]) -> T:
    begun = time.perf_counter()
    result = work()
    seconds = time.perf_counter() - begun
    print(
        f"{title:<34}{events:>8,} events {seconds:>7.1f} s {events / seconds:>10,.0f} events/s "
        f"{memory():>6,.0f} MiB"
    )
    return result


def memory() -> float:
    """The greatest resident size of this process so far, in MiB (Linux counts KiB, macOS bytes)."""
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--into", type=Path, help="keep the state folder here")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.into or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        return check(str(folder), arguments.events, arguments.seed)


def check(folder: str, events: int, seed: int) -> int:
    app = open_app(folder, {})
    views = open_views(folder, app)
    history = History(app, seed)

    def grow() -> int:
        count = 0
        for part in range(1, PAGE_OF_LIVE_VIEWS + 1):
            count = history.grow(events * part // PAGE_OF_LIVE_VIEWS)
            views.catch_up()
        return count

    count = measured("append, views following", events, grow)
    holds = measured("verify the chain", count, lambda: verify(app.log)).holds
    folded = measured("replay every aggregate", count, lambda: replay(app))
    differences = measured("rebuild the views and compare", count, views.check)
    topics = len(app.log.topic_counts())
    print(f"{folded.streams:,} streams, {topics} kinds of event, {len(views.digests())} tables")
    views.close()
    app.close()
    if not holds or folded.events != count or differences:
        print(f"the chain holds: {holds}; differing: {[d.live.table for d in differences]}")
        return 1
    print("the rebuild is the live views, byte for byte")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
