"""The garbage collector kept quiet while much is made and little of it is garbage."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_off() -> Iterator[None]:
    """A plan makes many values, nearly all of which live until it is done; the collector would look at all of them again and
    again (a third of a plan's time on a large workspace). What circles it leaves wait for the collector's next turn.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
