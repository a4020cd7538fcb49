"""Bytes that survive a crash: synced writes, synced folders, whole-file replacement.

The one place that knows how to reach the disk. It decides nothing and never writes to the working tree by itself.
"""

import contextlib
import fcntl
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self

FULL_SYNC: int | None = getattr(fcntl, "F_FULLFSYNC", None)
"""macOS's own request, without which a sync stops at the drive's cache."""

AT_A_TIME = 16
"""Syncs that are under way at a time."""
MOST_OPEN = 64
"""Files that wait for their sync, each with an open descriptor."""


def sync(descriptor: int) -> None:
    """Do not return before the file's bytes are on the disk. Raises OSError."""
    if FULL_SYNC is not None:
        try:
            fcntl.fcntl(descriptor, FULL_SYNC)
        except OSError:
            os.fsync(descriptor)  # a file system that does not know the request
    else:
        os.fsync(descriptor)


def sync_folder(folder: Path) -> None:
    """Do not return before the folder's entries (creations, renames, removals) are on the disk. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)


class Unsynced:
    """Files that are written and not yet on the disk. They are synced together: a file system takes syncs that are under way
    at a time as one, while one after the other each waits for the disk.
    """

    def __init__(self) -> None:
        self._files: list[int] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def add(self, descriptor: int) -> None:
        """Take a file in, by a descriptor that the caller closes. Raises OSError."""
        if len(self._files) >= MOST_OPEN:
            self.settle()
        self._files.append(os.dup(descriptor))

    def settle(self) -> None:
        """Do not return before all of them are on the disk. Raises OSError."""
        try:
            if self._files:
                with ThreadPoolExecutor(min(len(self._files), AT_A_TIME)) as pool:
                    list(pool.map(sync, self._files))
        finally:
            self._close()

    def _close(self) -> None:
        for descriptor in self._files:
            os.close(descriptor)
        self._files = []


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte; the system may take them in parts. Raises OSError."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def write_new(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Create `path` with these bytes, synced. The folder's entry is not: call `sync_folder` once for all.

    Raises FileExistsError, OSError.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        write_all(descriptor, data)
        sync(descriptor)
    finally:
        os.close(descriptor)


def write_later(path: Path, data: bytes, unsynced: Unsynced, mode: int = 0o600) -> None:
    """Create `path` with these bytes, to be synced with others. Raises FileExistsError, OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        write_all(descriptor, data)
        unsynced.add(descriptor)
    finally:
        os.close(descriptor)


def replace_file(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Give `path` these bytes so that a crash leaves the old file or the new one. Raises OSError.

    For the product's own files in `.m1nd` and in caches; the working tree has a writer of its own.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        write_new(temporary, data, mode)
        os.rename(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    sync_folder(path.parent)
