"""The working tree as the writer sees it: every path resolved once, every step relative to an opened folder.

No path is followed twice: a folder is opened component by component without following links, so that nobody can swap
a folder for a link between the check and the write. It decides nothing about what is written.
"""

import contextlib
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attrs import field, frozen

from m1nd.domain.digests import sha256
from m1nd.domain.path_law import normalise
from m1nd.domain.refusal import refuse
from m1nd.infrastructure import durable

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@frozen
class Place:
    """Where a planned path really lies: `real` is relative to the root, after every link is followed."""

    path: str
    real: str

    @property
    def folder(self) -> tuple[str, ...]:
        return tuple(self.real.split("/")[:-1])

    @property
    def name(self) -> str:
        return self.real.rsplit("/", 1)[-1]


@frozen
class Seen:
    """A file as it was read: bytes, and what a later look compares and a new file inherits."""

    data: bytes = field(repr=False)
    identity: tuple[int, int, int, int]
    """Device, inode, size, time of change in nanoseconds."""
    mode: int
    owner: tuple[int, int]
    attributes: Mapping[str, bytes] = field(factory=dict, repr=False)

    @property
    def digest(self) -> str:
        return sha256(self.data)


NEVER = frozenset({".git", ".m1nd"})
"""Names that no plan touches at any depth, in any case: a submodule has a `.git` too, and some disks know one case only."""


class NotAPlainFile(OSError):
    """The path is a folder, a pipe, a device: nothing that text is written to."""


class Tree:
    """The files under one root; everything in `excluded` (the store, `.git`) is not part of it."""

    def __init__(self, root: str | os.PathLike[str], excluded: Sequence[str | os.PathLike[str]] = ()) -> None:
        self.root = Path(os.path.realpath(root))
        self._excluded = tuple(Path(os.path.realpath(path)) for path in (*excluded, self.root / ".git"))

    def place(self, path: str) -> Place:
        """Where `path` lies. Raises Refused(outside_root): it, or a link on the way, leads out of the tree."""
        normal = normalise(path)
        real = Path(os.path.realpath(self.root / normal))
        if self.root not in real.parents:
            refuse("outside_root", f"{path!r} leads out of the repository", path=path)
        parts = real.relative_to(self.root).parts
        if any(folder == real or folder in real.parents for folder in self._excluded) or any(
            part.casefold() in NEVER for part in parts
        ):
            refuse("outside_root", f"{path!r} is not part of the working tree", path=path)
        return Place(normal, real.relative_to(self.root).as_posix())

    @contextlib.contextmanager
    def folder(self, place: Place) -> Iterator[int]:
        """A descriptor of the folder that holds the file. Raises OSError."""
        descriptor = os.open(self.root, FOLDER)
        try:
            for part in place.folder:
                inner = os.open(part, FOLDER, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = inner
            yield descriptor
        finally:
            os.close(descriptor)

    def missing_folders(self, place: Place) -> int:
        """How many of the folders above the file are not there."""
        parts = place.folder
        there = next(
            (
                count
                for count in range(len(parts), -1, -1)
                if os.path.lexists(self.root.joinpath(*parts[:count]))
            ),
            0,
        )
        return len(parts) - there

    def make_folders(self, place: Place) -> None:
        """Make the folders above the file that are missing, each on the disk before the next. Raises OSError."""
        parts = place.folder
        for count in range(len(parts) - self.missing_folders(place), len(parts)):
            with self.folder(Place(place.path, "/".join(parts[: count + 1]))) as parent:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(parts[count], dir_fd=parent)
                durable.sync(parent)

    def remove_folders(self, place: Place, count: int) -> None:
        """Remove up to `count` folders above the file, from the nearest up, as long as each is empty."""
        parts = place.folder
        for kept in range(len(parts) - 1, len(parts) - 1 - count, -1):
            try:
                with self.folder(Place(place.path, "/".join(parts[: kept + 1]))) as parent:
                    os.rmdir(parts[kept], dir_fd=parent)
            except FileNotFoundError:
                continue  # the batch did not come as far as this one
            except OSError:
                return  # not empty: it is somebody else's by now

    def look(self, place: Place) -> Seen | None:
        """The file at `place`, or None where there is none. Raises OSError (NotAPlainFile)."""
        with self.folder(place) as folder:
            return look_at(folder, place.name)

    def digest(self, place: Place) -> str | None:
        """The sha256 of the file at `place`; None for no file, empty for something that is no plain file."""
        try:
            seen = self.look(place)
        except NotAPlainFile:
            return ""
        except (FileNotFoundError, NotADirectoryError):
            return None
        return None if seen is None else seen.digest


def look_at(folder: int, name: str) -> Seen | None:
    """The file `name` of an opened folder. Raises OSError (NotAPlainFile)."""
    try:
        descriptor = os.open(name, FILE, dir_fd=folder)
    except FileNotFoundError:
        return None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise NotAPlainFile(0, "not a plain file")
        parts = []
        while part := os.read(descriptor, 1 << 20):
            parts.append(part)
        return Seen(
            b"".join(parts),
            identity_of(status),
            stat.S_IMODE(status.st_mode),
            (status.st_uid, status.st_gid),
            _attributes(descriptor),
        )
    finally:
        os.close(descriptor)


def identity_of(status: os.stat_result) -> tuple[int, int, int, int]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _attributes(descriptor: int) -> dict[str, bytes]:
    if not hasattr(os, "listxattr"):
        return {}
    try:
        return {name: os.getxattr(descriptor, name) for name in os.listxattr(descriptor)}
    except OSError:
        return {}  # a file system without extended attributes has none to keep


def create(folder: int, name: str, data: bytes, like: Seen | None, mode: int | None = None) -> None:
    """A new synced file beside its target, with the mode, owner and attributes of `like`. Raises OSError.

    Without `like` the mode is `mode`, or the process's usual one.
    """
    with durable.Unsynced() as unsynced:
        create_later(folder, name, data, like, mode, unsynced)
        unsynced.settle()


def create_later(
    folder: int, name: str, data: bytes, like: Seen | None, mode: int | None, unsynced: durable.Unsynced
) -> None:
    """As `create`, to be synced with others."""
    wanted = 0o666 if like is None and mode is None else 0o600
    descriptor = os.open(
        name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, wanted, dir_fd=folder
    )
    try:
        durable.write_all(descriptor, data)
        if like is not None:
            _inherit(descriptor, like)
        elif mode is not None:
            os.fchmod(descriptor, mode)
        unsynced.add(descriptor)
    finally:
        os.close(descriptor)


def _inherit(descriptor: int, like: Seen) -> None:
    status = os.fstat(descriptor)
    if (status.st_uid, status.st_gid) != like.owner:
        os.fchown(descriptor, *like.owner)
    for name, value in like.attributes.items():
        with contextlib.suppress(OSError):  # labels of the system that only the system may set
            os.setxattr(descriptor, name, value)
    os.fchmod(descriptor, like.mode)


def remove(folder: int, name: str) -> None:
    """Remove `name` if it is there. Raises OSError."""
    with contextlib.suppress(FileNotFoundError):
        os.stat(name, dir_fd=folder, follow_symlinks=False)  # a read-only disk refuses even to remove nothing
        os.unlink(name, dir_fd=folder)
