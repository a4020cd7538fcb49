"""A held stretch of code is not cut in two, whichever thread of the process the signal reaches."""

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from m1nd.infrastructure.signals import POLITE, signals_held


@pytest.fixture
def another_thread() -> Iterator[None]:
    """A second thread, to which the system may give the signal."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    yield
    done.set()
    thread.join()


@pytest.mark.usefixtures("another_thread")
def test_a_signal_inside_is_raised_at_the_end() -> None:
    before = [signal.getsignal(number) for number in POLITE]
    reached = []
    with pytest.raises(KeyboardInterrupt), signals_held():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.05)
        reached.append("the end of the block")
    assert reached
    assert [signal.getsignal(number) for number in POLITE] == before


def test_the_blocks_own_error_goes_on() -> None:
    with pytest.raises(ValueError, match="own"), signals_held():
        raise ValueError("own")


def test_an_ignored_signal_stays_ignored() -> None:
    old = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with signals_held():
            os.kill(os.getpid(), signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, old)


def test_a_signal_in_a_nested_stretch_waits_for_the_outer_one() -> None:
    reached = []
    with pytest.raises(KeyboardInterrupt), signals_held():
        with signals_held():
            os.kill(os.getpid(), signal.SIGINT)
            reached.append("inner")
        reached.append("outer")
    assert reached == ["inner", "outer"]


def test_another_thread_holds_nothing() -> None:
    entered = []

    def hold() -> None:
        with signals_held():
            entered.append(True)

    thread = threading.Thread(target=hold)
    thread.start()
    thread.join()
    assert entered == [True]
