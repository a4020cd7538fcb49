"""Reads, hashes and extracts many files: in this process, or with the help of one worker when there is enough to do.

The worker is this module run by a fresh interpreter (`python -m`): it inherits no thread, no lock and no open log. It
reads paths from its input, answers rows on its output, and ends when its input ends.
"""

import hashlib
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import IO

import orjson

from m1nd.infrastructure.files import MAX_TEXT, unfit_reason
from m1nd.infrastructure.rust_source.extract import Extractor

Row = tuple[str, str, str, bytes]
"""Path, sha256 (empty when unreadable), why there are no facts, and the columns as stored."""

CHUNK = 300_000
"""Bytes of source handed to the worker at a time."""
WORTH_A_WORKER = 3_000_000
"""Below this much source the start of a second interpreter costs more than it saves."""


def read_one(root: str, path: str, extractor: Extractor, known: Callable[[str], bool]) -> Row:
    """One file's row; facts only for a `.rs` file whose text is not known yet."""
    try:
        with open(os.path.join(root, path), "rb") as handle:
            if not path.endswith(".rs"):
                return path, hashlib.file_digest(handle, "sha256").hexdigest(), "", b""
            content = handle.read(MAX_TEXT + 1)
            digest = hashlib.sha256(content)
            if len(content) > MAX_TEXT:
                while more := handle.read(1 << 20):
                    digest.update(more)
    except OSError:
        return path, "", "unreadable", b""
    sha256 = digest.hexdigest()
    reason = unfit_reason(content)
    if reason or known(sha256):
        return path, sha256, reason, b""
    return path, sha256, "", orjson.dumps(extractor.extract(content).row())


def read_many(root: str, sizes: Mapping[str, int], known: Container[str], workers: int = 2) -> Iterator[Row]:
    """Rows of all files of `sizes`, in no promised order; `known` are texts whose facts are stored."""
    source = [path for path in sizes if path.endswith(".rs")]
    extractor = Extractor()
    # A worker is sent what is known; what can only be asked one by one is few.
    if workers < 2 or not isinstance(known, set) or sum(sizes[path] for path in source) < WORTH_A_WORKER:
        for path in sizes:
            yield read_one(root, path, extractor, known.__contains__)
        return
    chunks = _chunks([*source, *(path for path in sizes if not path.endswith(".rs"))], sizes)
    helper = _Helper(root, chunks, known)
    try:
        while chunks:
            try:
                chunk = chunks.popleft()
            except IndexError:
                break
            for path in chunk:
                yield read_one(root, path, extractor, known.__contains__)
            yield from helper.taken()
        helper.finish()
        yield from helper.taken()
        for path in helper.left():
            yield read_one(root, path, extractor, known.__contains__)
    finally:
        helper.stop()


def _chunks(paths: Sequence[str], sizes: Mapping[str, int]) -> deque[list[str]]:
    """Biggest files first, so that the last chunks are small and both processes end together."""
    chunks: deque[list[str]] = deque()
    current: list[str] = []
    weight = 0
    for path in sorted(paths, key=lambda p: -sizes[p]):
        current.append(path)
        weight += sizes[path] if path.endswith(".rs") else sizes[path] // 50
        if weight > CHUNK:
            chunks.append(current)
            current, weight = [], 0
    if current:
        chunks.append(current)
    return chunks


class _Helper:
    """The worker process, and the thread that feeds it from the common queue. Its failure costs time, not files."""

    def __init__(self, root: str, chunks: deque[list[str]], known: set[str]) -> None:
        self._chunks = chunks
        self._rows: deque[list[Row]] = deque()
        self._unanswered: list[str] = []
        self._process = subprocess.Popen(
            [sys.executable, "-m", "m1nd.infrastructure.rust_source.batch"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._thread = threading.Thread(target=self._feed, args=(root, known), daemon=True)
        self._thread.start()

    def _feed(self, root: str, known: set[str]) -> None:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        chunk: list[str] = []
        try:
            _send(stdin, (root, known))
            while self._chunks:
                try:
                    chunk = self._chunks.popleft()
                except IndexError:
                    return
                _send(stdin, chunk)
                self._rows.append(_receive(stdout))
                chunk = []
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            # The worker died; what it was given is read by this process instead.
            self._unanswered = chunk

    def taken(self) -> Iterator[Row]:
        while self._rows:
            yield from self._rows.popleft()

    def finish(self) -> None:
        self._thread.join()

    def left(self) -> list[str]:
        return [*self._unanswered, *(path for chunk in self._chunks for path in chunk)]

    def stop(self) -> None:
        self._chunks.clear()
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue


def _send(stream: IO[bytes], value: object) -> None:
    data = pickle.dumps(value, protocol=5)
    stream.write(len(data).to_bytes(8, "little") + data)
    stream.flush()


def _receive(stream: IO[bytes]) -> list[Row]:
    rows: list[Row] = pickle.loads(_frame(stream))
    return rows


def _frame(stream: IO[bytes]) -> bytes:
    head = stream.read(8)
    if len(head) < 8:
        raise EOFError
    return stream.read(int.from_bytes(head, "little"))


def main() -> None:
    """The worker's life: a root and known texts, then one answer per list of paths."""
    import gc

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    root, known = pickle.loads(_frame(stdin))
    extractor = Extractor()
    while True:
        try:
            paths = pickle.loads(_frame(stdin))
        except EOFError:
            return
        _send(stdout, [read_one(root, path, extractor, known.__contains__) for path in paths])


if __name__ == "__main__":
    main()
