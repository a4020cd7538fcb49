"""Programs of the toolchain (cargo, rustfmt), run apart: a process group of their own, a time limit, an environment cut
to a list (D32). It decides nothing about what they say."""

import contextlib
import os
import selectors
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from attrs import frozen

PASSED_ON = frozenset(
    [
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "LANG",
        "LC_ALL",
        "LC_CTYPE",
        "TMPDIR",
        "CARGO_HOME",
        "RUSTUP_HOME",
        "RUSTUP_TOOLCHAIN",
        "RUSTC",
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_BUILD_JOBS",
        "CARGO_BUILD_TARGET",
        "CARGO_BUILD_RUSTFLAGS",
        "CARGO_INCREMENTAL",
        "RUSTC_BOOTSTRAP",
        "RUSTC_LINKER",
        "CC",
        "CXX",
        "AR",
        "LD",
        "CFLAGS",
        "CXXFLAGS",
        "LDFLAGS",
        "HOST_CC",
        "TARGET_CC",
        "CPATH",
        "C_INCLUDE_PATH",
        "LIBRARY_PATH",
        "LD_LIBRARY_PATH",
        "PKG_CONFIG",
        "PKG_CONFIG_PATH",
        "PKG_CONFIG_LIBDIR",
        "PKG_CONFIG_SYSROOT_DIR",
        "SDKROOT",
        "MACOSX_DEPLOYMENT_TARGET",
        "DEVELOPER_DIR",
        "LIBCLANG_PATH",
        "LLVM_CONFIG_PATH",
        "OPENSSL_DIR",
        "OPENSSL_LIB_DIR",
        "OPENSSL_INCLUDE_DIR",
        "OPENSSL_STATIC",
        "OPENSSL_NO_VENDOR",
        "PROTOC",
        "PROTOC_INCLUDE",
        "PYO3_PYTHON",
        "SQLX_OFFLINE",
        "NIX_CFLAGS_COMPILE",
        "NIX_LDFLAGS",
        "NIX_CC",
    ]
)
"""What a build may depend on. No token and no password of the user is among them, since build scripts run with this."""

OURS = {"RUSTUP_AUTO_INSTALL": "0", "CARGO_NET_OFFLINE": "true", "GIT_OPTIONAL_LOCKS": "0"}
"""Nothing is fetched, and `git` in a build script does not touch the repository's index."""

GRACE_SECONDS = 2.0
WAIT_SECONDS = 0.25
"""How long a silent program is waited for before its caller may change its mind."""


def cut_environment(environment: Mapping[str, str], **more: str) -> dict[str, str]:
    """The listed variables, ours, and `more`."""
    kept = {name: value for name, value in environment.items() if name in PASSED_ON}
    return kept | OURS | more


@frozen
class Ended:
    """How a program ended. `status` is negative for a signal."""

    status: int
    stderr: str
    timed_out: bool = False


def run_lines(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    limit: float,
    on_line: Callable[[bytes], bool],
    on_wait: Callable[[], None] = lambda: None,
) -> Ended:
    """Run to the end; give each line of stdout to `on_line`, until it answers that this was the last one of interest.

    `on_wait` is called while the program says nothing, some times a second; what it raises ends the program. After `limit` seconds, or when the caller is interrupted, the whole process group is ended. Raises OSError where the
    program cannot be started.
    """
    with tempfile.TemporaryFile() as stderr:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,
        )
        overdue = threading.Event()
        timer = threading.Timer(limit, _end_overdue, (process, overdue))
        timer.daemon = True
        timer.start()
        try:
            assert process.stdout is not None
            for line in _lines(process.stdout, on_wait):
                if on_line(line):
                    break
            process.wait()
        except BaseException:
            _end_group(process)
            raise
        finally:
            timer.cancel()
            if process.stdout is not None:
                process.stdout.close()
        stderr.seek(0)
        words = stderr.read(1 << 20).decode(errors="replace")
    return Ended(process.returncode, words, overdue.is_set())


def _lines(stream: IO[bytes], on_wait: Callable[[], None]) -> Iterator[bytes]:
    """The lines of a pipe as they come; between them `on_wait`."""
    rest = b""
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        while True:
            if not selector.select(WAIT_SECONDS):
                on_wait()
                continue
            more = os.read(stream.fileno(), 1 << 16)
            if not more:
                break
            *whole, rest = (rest + more).split(b"\n")
            yield from (line + b"\n" for line in whole)
    if rest:
        yield rest


def _end_overdue(process: subprocess.Popen[bytes], overdue: threading.Event) -> None:
    overdue.set()
    _end_group(process)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End the program and whatever it started; politely first."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_SECONDS)


def run_filter(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], data: bytes, limit: float
) -> tuple[bytes, Ended]:
    """Run a program that turns stdin into stdout. Raises OSError where it cannot be started."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        output, words = process.communicate(data, timeout=limit)
    except subprocess.TimeoutExpired:
        _end_group(process)
        process.communicate()
        return b"", Ended(process.returncode, "", timed_out=True)
    except BaseException:
        _end_group(process)
        raise
    return output, Ended(process.returncode, words.decode(errors="replace"))
