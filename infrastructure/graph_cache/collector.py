"""The garbage collector, kept away from facts."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from m1nd.application.collector import collector_off


@contextmanager
def facts_left_alone() -> Iterator[None]:
    """Facts are many small lists and no cycles: the collector would only look at them in vain (5 to 13 % of an ingest), then and
    later."""
    was_on = gc.isenabled()
    try:
        with collector_off():
            yield
    finally:
        if was_on:
            gc.freeze()
