"""Programs of the toolchain run apart: they end when they must, and see no more than the list."""

import os
import time
from pathlib import Path

import pytest

from m1nd.infrastructure.child_process import cut_environment, run_filter, run_lines

SLEEPER = ["/bin/sh", "-c", "echo started; sleep 300 & echo $!; wait"]


def test_the_environment_is_cut_to_a_list() -> None:
    seen = cut_environment(
        {"PATH": "/bin", "CARGO_REGISTRY_TOKEN": "secret", "MY_PASSWORD": "x"}, CARGO_TERM_COLOR="never"
    )
    assert seen == {
        "PATH": "/bin",
        "CARGO_TERM_COLOR": "never",
        "RUSTUP_AUTO_INSTALL": "0",
        "CARGO_NET_OFFLINE": "true",
        "GIT_OPTIONAL_LOCKS": "0",
    }


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/stat")
    return not status.exists() or status.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def gone_soon(process: int) -> bool:
    deadline = time.monotonic() + 5
    while is_alive(process) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not is_alive(process)


def test_an_interrupted_run_ends_the_whole_group(tmp_path: Path) -> None:
    heard: list[bytes] = []

    def interrupt(line: bytes) -> bool:
        heard.append(line)
        if len(heard) == 2:
            raise KeyboardInterrupt
        return False

    with pytest.raises(KeyboardInterrupt):
        run_lines(SLEEPER, tmp_path, {}, 60, interrupt)
    assert gone_soon(int(heard[1]))


def test_a_run_that_takes_too_long_ends_with_its_children_and_says_so(tmp_path: Path) -> None:
    heard: list[bytes] = []
    ended = run_lines(SLEEPER, tmp_path, {}, 0.2, lambda line: heard.append(line) is not None)
    assert ended.timed_out and ended.status < 0
    assert gone_soon(int(heard[1]))


def test_reading_stops_at_the_last_line_of_interest_even_if_a_daemon_keeps_the_pipe(tmp_path: Path) -> None:
    started = time.monotonic()
    ended = run_lines(["/bin/sh", "-c", "sleep 3 & echo last"], tmp_path, {}, 60, lambda _: True)
    assert ended.status == 0 and time.monotonic() - started < 2


def test_a_filter_that_hangs_is_ended(tmp_path: Path) -> None:
    output, ended = run_filter(
        ["/bin/sh", "-c", "cat >/dev/null; sleep 300"], tmp_path, {}, b"x" * 200_000, 0.3
    )
    assert (output, ended.timed_out) == (b"", True)


def test_a_caller_that_changes_its_mind_ends_a_silent_program(tmp_path: Path) -> None:
    """A compiler that says nothing for minutes is no reason to wait for it."""
    waited: list[int] = []

    def give_up() -> None:
        waited.append(1)
        if len(waited) == 2:
            raise KeyboardInterrupt

    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run_lines(["/bin/sh", "-c", "echo first; sleep 60"], tmp_path, {}, 60, lambda _: False, give_up)
    assert (len(waited), time.monotonic() - begun < 30) == (2, True)


def test_lines_come_whole_however_they_are_written(tmp_path: Path) -> None:
    heard: list[bytes] = []
    script = "printf 'one\\ntw'; sleep 0.1; printf 'o\\n\\nlast'"
    run_lines(["/bin/sh", "-c", script], tmp_path, {}, 60, lambda line: heard.append(line) is not None)
    assert heard == [b"one\n", b"two\n", b"\n", b"last"]
