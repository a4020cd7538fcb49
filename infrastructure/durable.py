"""Bytes that survive a crash: synced writes, synced folders, whole-file replacement.

The one place that knows how to reach the disk. It decides nothing and never writes to the working tree by itself.
"""

import contextlib
import fcntl
import os
from pathlib import Path

FULL_SYNC: int | None = getattr(fcntl, "F_FULLFSYNC", None)
"""macOS's own request, without which a sync stops at the drive's cache."""


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
