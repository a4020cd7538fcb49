"""Property tests draw the same examples every time, so that the suite passes or fails for everybody alike.

`make soak` draws anew; what it finds becomes a case of its own. A suite that a script starts in the background inherits an ignored
Ctrl-C, and so would every process whose end by Ctrl-C is tested: it is taken back.
"""

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings
from tests.support.postgres import MISSING, binaries, server

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("suite", derandomize=True, deadline=None)
settings.register_profile("soak", deadline=None)
settings.load_profile("soak" if os.environ.get("M1ND_SOAK") else "suite")


@pytest.fixture(scope="session")
def database() -> Iterator[str]:
    """The URL of a private PostgreSQL server of this test process, without a schema."""
    if binaries() is None:
        pytest.skip(MISSING)
    with server() as url:
        yield url
