"""One file of a batch: what must hold before it is touched, and the few steps that touch it.

Each function works in an opened folder, takes one step and leaves the rest to the writer.
"""

import errno
import os
from collections.abc import Sequence

from attrs import frozen

from m1nd.domain.digests import sha256
from m1nd.domain.refusal import Refusal, Refused, refuse
from m1nd.infrastructure.workspace_writer.journal import FileEntry
from m1nd.infrastructure.workspace_writer.tree import Place, Seen, create, identity_of, remove

NO_LINKS = {
    errno.EPERM,
    errno.EACCES,
    errno.ENOTSUP,
    errno.EOPNOTSUPP,
    errno.EMLINK,
    errno.ENOSYS,
    errno.EXDEV,
}
"""What a file system answers that has no second names, or whose rules forbid this one."""


@frozen
class Change:
    """One file of a batch under the lock: as it is, and as it shall be."""

    place: Place
    seen: Seen | None
    after: bytes | None
    mode: int | None = None
    """The mode of a file that is made anew, where it is known."""
    folders: int = 0
    """Folders above it that the batch must make, or that it may leave empty."""

    @property
    def entry(self) -> FileEntry:
        return FileEntry(
            self.place.path,
            self.place.real,
            None if self.seen is None else self.seen.digest,
            None if self.after is None else sha256(self.after),
            self.mode if self.seen is None else self.seen.mode,
            self.folders,
        )


class ChangedMeanwhile(OSError):
    """The file is not the one that was read under the lock."""


def check_unmodified(path: str, seen: Seen | None, wanted: str | None) -> None:
    found = None if seen is None else seen.digest
    if found == wanted:
        return
    if found is None:
        refuse("source_modified", f"{path} is gone", path=path, expected=wanted, found=None)
    if wanted is None:
        refuse("source_modified", f"{path} exists already", path=path, expected=None, found=found)
    refuse("source_modified", f"{path} has changed since the plan", path=path, expected=wanted, found=found)


def check_distinct(changes: Sequence[Change]) -> None:
    """No two plans may mean one file: through a link, or on a disk that does not tell `a.rs` from `A.rs`."""
    taken: dict[object, str] = {}
    for change in changes:
        keys: list[object] = [change.place.real]
        if change.seen is not None:
            keys.append((change.seen.identity[:2], change.place.real.casefold()))
        for key in keys:
            if key in taken:
                refuse(
                    "write_failed",
                    f"{taken[key]} and {change.place.path} are one file",
                    files=[taken[key], change.place.path],
                )
        taken.update(dict.fromkeys(keys, change.place.path))


def check_writable(folder: int, change: Change) -> None:
    """A file that nobody may write is left alone, although a rename could replace it. Raises PermissionError."""
    seen = change.seen
    if seen is None:
        return
    if seen.mode & 0o222 == 0 or not os.access(change.place.name, os.W_OK, dir_fd=folder):
        raise PermissionError(errno.EACCES, "the file is read-only")


def keep(folder: int, name: str, keeper: str, seen: Seen) -> None:
    """A second name for the old file; a copy where the file system or its rules forbid one. Raises OSError."""
    try:
        os.link(name, keeper, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        create(folder, keeper, seen.data, seen)


def check_identity(folder: int, change: Change) -> None:
    """The file is still the one that was read under the lock. Raises ChangedMeanwhile, OSError."""
    try:
        now = identity_of(os.stat(change.place.name, dir_fd=folder, follow_symlinks=False))
    except FileNotFoundError:
        now = None
    if now != (None if change.seen is None else change.seen.identity):
        raise ChangedMeanwhile(0, "changed meanwhile")


def rename(folder: int, temporary: str, change: Change) -> None:
    """The one step that changes a file of the tree. Raises OSError; ChangedMeanwhile where a new file's name is taken."""
    name = change.place.name
    if change.after is None:
        remove(folder, name)
        return
    if change.seen is None:
        try:
            os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
            return
        except FileExistsError as error:
            raise ChangedMeanwhile(0, "exists meanwhile") from error
        except OSError as error:
            if error.errno not in NO_LINKS:
                raise
    os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)


def refused(path: str, error: OSError) -> Refused:
    if isinstance(error, ChangedMeanwhile):
        message = f"{path} changed while it was being written"
        return Refused(Refusal("source_modified", message, details={"path": path}))
    return Refused(Refusal("write_failed", f"{path}: {reason(error)}", details={"path": path}))


def reason(error: OSError) -> str:
    """The system's words, without any path (it would be an absolute one)."""
    return (error.strerror or type(error).__name__).lower()
