"""The shadow: a copy of the repository's files outside of it, kept up to date by looking at what changed.

Copies, not links: a build script that writes beside its sources must never reach the real tree, and cargo must see a
new time on every file whose content changed in the shadow, in either direction. The real tree is only ever read.
"""

import json
import os
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from attrs import frozen

from m1nd.domain.digests import sha256
from m1nd.domain.edits import FilePlan

LARGE = 8 << 20
"""Files above this size are linked, not copied: they are data, and no plan writes them."""

LINKED_FOLDERS = frozenset({".git", "node_modules"})
SETTLED_NANOSECONDS = 2_000_000_000
"""A file touched so shortly before we looked may change again without a new time; it is compared once more."""


class ShadowBroken(Exception):
    """The shadow cannot stand for the real tree; the message says why."""


@frozen
class Copy:
    """What we know of one file: how the real one looked, and how we left ours."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    digest: str
    shadow_size: int
    shadow_mtime_ns: int

    def is_of(self, status: os.stat_result) -> bool:
        return (self.size, self.mtime_ns, self.ctime_ns, self.inode) == (
            status.st_size,
            status.st_mtime_ns,
            status.st_ctime_ns,
            status.st_ino,
        )


class Shadow:
    """The shadow of `root` at `folder`; `index` is the file that remembers its state. One user at a time (the caller locks)."""

    def __init__(self, root: Path, folder: Path, index: Path, excluded: Sequence[Path] = ()) -> None:
        self.root = root
        self.folder = folder
        self._index = index
        self._excluded = frozenset(str(path) for path in (*excluded, root / ".m1nd"))
        self._copies: dict[str, Copy] = {}
        self._links: dict[str, str] = {}
        self._planned: list[str] = []
        self._made: set[str] = set()
        self._load()

    # state

    def _load(self) -> None:
        try:
            state = json.loads(self._index.read_bytes())
            self._copies = {path: Copy(*row) for path, row in state["copies"].items()}
            self._links = dict(state["links"])
            self._planned = list(state["planned"])
        except FileNotFoundError:
            return
        except (ValueError, TypeError, KeyError, AttributeError):
            shutil.rmtree(self.folder, ignore_errors=True)  # derived: a new copy is always right
            self._copies, self._links, self._planned = {}, {}, []

    def save(self) -> None:
        """Remember the state. It may be lost in a crash: the sizes and times of the copies tell."""
        rows = {
            path: [c.size, c.mtime_ns, c.ctime_ns, c.inode, c.digest, c.shadow_size, c.shadow_mtime_ns]
            for path, c in self._copies.items()
        }
        state = {"copies": rows, "links": self._links, "planned": self._planned}
        temporary = self._index.with_suffix(".tmp")
        temporary.write_text(json.dumps(state, separators=(",", ":")))
        os.replace(temporary, self._index)

    def digest(self, planned: Mapping[str, bytes | None] | None = None) -> str:
        """One digest over the paths and bytes of the real tree, with `planned` (the answer of `put`) in it."""
        files = {path: copy.digest for path, copy in self._copies.items()}
        for path, data in (planned or {}).items():
            if data is None:
                files.pop(path, None)
            else:
                files[path] = sha256(data)
        lines = [f"{path}\0{files[path]}" for path in sorted(files)]
        lines += [f"{path}\0-> {self._links[path]}" for path in sorted(self._links)]
        return sha256("\n".join(lines).encode(errors="surrogateescape"))

    def digest_of(self, wanted: Callable[[str], bool]) -> str:
        """One digest over the paths and bytes of some files of the real tree."""
        lines = [f"{path}\0{self._copies[path].digest}" for path in sorted(self._copies) if wanted(path)]
        return sha256("\n".join(lines).encode(errors="surrogateescape"))

    def paths(self) -> Sequence[str]:
        return sorted(self._copies)

    # refresh

    def refresh(self, now_ns: int) -> None:
        """Make the shadow equal to the real tree; touch only what differs. Raises OSError, ShadowBroken."""
        self._made = set()
        files: dict[str, os.stat_result] = {}
        links: dict[str, str] = {}
        for path, status, target in self._walk():
            if target is None:
                files[path] = status
            else:
                links[path] = target
        doubtful = set(self._planned)
        self._planned = []
        for path in {*self._copies, *self._links, *doubtful}:
            if path not in files and path not in links:
                self._drop(path)
        for path, target in links.items():
            if self._links.get(path) != target or not self._is_link(path, target):
                self._put_link(path, target)
        before, self._links = self._links, links
        copies = {}
        for path, status in files.items():
            known = self._copies.get(path)
            if (
                known is None
                or path in doubtful
                or not known.is_of(status)
                or not self._is_intact(path, known)
            ):
                known = self._copy(path, status, known, now_ns)
            if known is not None:
                copies[path] = known
        changed = doubtful or copies != self._copies or links != before
        self._copies = copies
        if changed:
            self.save()

    def _walk(self) -> Iterator[tuple[str, os.stat_result, str | None]]:
        """`(path, status, None)` per file and `(path, status, target)` per link; caches and the store are left out."""
        stack = [""]
        while stack:
            prefix = stack.pop()
            with os.scandir(self.root / prefix) as entries:
                listed = list(entries)
            if prefix and any(entry.name == "CACHEDIR.TAG" for entry in listed):
                continue
            for entry in listed:
                path = prefix + entry.name
                status = entry.stat(follow_symlinks=False)
                if entry.path in self._excluded:
                    continue
                if entry.is_symlink():
                    yield path, status, self._link_target(entry.path)
                elif entry.is_dir(follow_symlinks=False):
                    if entry.name in LINKED_FOLDERS or os.path.exists(os.path.join(entry.path, "pyvenv.cfg")):
                        yield path, status, entry.path
                    else:
                        stack.append(path + "/")
                elif stat.S_ISREG(status.st_mode):
                    yield path, status, entry.path if status.st_size > LARGE else None

    def _link_target(self, path: str) -> str:
        """The link as it is, or pointing into the shadow where it names the root by an absolute path."""
        target = os.readlink(path)
        inside = os.path.relpath(target, self.root) if os.path.isabs(target) else ".."
        return target if inside.startswith("..") else str(self.folder / inside)

    def _is_intact(self, path: str, known: Copy) -> bool:
        try:
            # Once a file: joining paths would cost more than the look.
            status = os.lstat(f"{self.folder}/{path}")
        except OSError:
            return False
        return stat.S_ISREG(status.st_mode) and (status.st_size, status.st_mtime_ns) == (
            known.shadow_size,
            known.shadow_mtime_ns,
        )

    def _is_link(self, path: str, target: str) -> bool:
        try:
            return os.readlink(self.folder / path) == target
        except OSError:
            return False

    def _copy(self, path: str, status: os.stat_result, known: Copy | None, now_ns: int) -> Copy | None:
        """Bring one file over; write only when the bytes differ. None where it vanished or cannot be read meanwhile."""
        try:
            data = (self.root / path).read_bytes()
        except OSError:
            self._drop(path)
            return None
        ours = self._rebased(path, data)
        ours_now = self._write_if_different(path, ours, stat.S_IMODE(status.st_mode))
        settled = now_ns - max(status.st_mtime_ns, status.st_ctime_ns) > SETTLED_NANOSECONDS
        return Copy(
            status.st_size,
            status.st_mtime_ns,
            status.st_ctime_ns if settled else 0,
            status.st_ino,
            sha256(data),
            ours_now.st_size,
            ours_now.st_mtime_ns,
        )

    def _rebased(self, path: str, data: bytes) -> bytes:
        """A manifest or cargo configuration that names the root by an absolute path names the shadow instead."""
        name = path.rsplit("/", 1)[-1]
        if name != "Cargo.toml" and not (name in ("config", "config.toml") and ".cargo/" in path):
            return data
        return data.replace(os.fsencode(self.root) + b"/", os.fsencode(self.folder) + b"/")

    def _write_if_different(self, path: str, data: bytes, mode: int) -> os.stat_result:
        target = self.folder / path
        self._make_folder(path)
        try:
            status = os.lstat(target)
            same = (
                stat.S_ISREG(status.st_mode) and status.st_size == len(data) and target.read_bytes() == data
            )
        except OSError:
            same = False
        if not same:
            self._write(target, data, mode)
        return os.lstat(target)

    def _write(self, target: Path, data: bytes, mode: int) -> None:
        """A new file in the place of the old one, never a change of its bytes: whatever was linked there stays whole."""
        if _is_real_folder(target):
            shutil.rmtree(target)
        temporary = target.with_name(".m1nd-shadow.tmp")
        temporary.unlink(missing_ok=True)
        temporary.write_bytes(data)
        os.chmod(temporary, mode | 0o600)
        os.rename(temporary, target)

    def _put_link(self, path: str, target: str) -> None:
        self._drop(path)
        self._make_folder(path)
        os.symlink(target, self.folder / path)

    def _drop(self, path: str) -> None:
        """Remove a file, link or folder of the shadow, and folders that become empty. Never follows a link."""
        parents = path.split("/")[:-1]
        folders = [self.folder.joinpath(*parents[: end + 1]) for end in range(len(parents))]
        if not all(_is_real_folder(folder) for folder in folders):
            return
        target = self.folder / path
        if _is_real_folder(target):
            shutil.rmtree(target)
        else:
            target.unlink(missing_ok=True)
        for folder in reversed(folders):
            if any(os.scandir(folder)):
                break
            folder.rmdir()
            self._made.discard(folder.relative_to(self.folder).as_posix())

    def _make_folder(self, path: str) -> None:
        """Every folder above `path` is a real folder of the shadow, so that no write goes through a link."""
        parent = path.rpartition("/")[0]
        if parent in self._made:
            return
        if parent:
            self._make_folder(parent)
        folder = self.folder / parent if parent else self.folder
        if not _is_real_folder(folder):
            folder.unlink(missing_ok=True)
            folder.mkdir(parents=not parent)
        self._made.add(parent)

    # plans

    def put(self, plans: Sequence[FilePlan]) -> dict[str, bytes | None]:
        """Write the planned files into the shadow; their bytes by the path where they really lie.

        Raises OSError, ShadowBroken (a plan behind a link that leads out).
        """
        planned = {self._resolve(plan.path): plan.after for plan in plans}
        self._planned = sorted({*self._planned, *planned})
        self.save()
        for path, data in planned.items():
            if data is None:
                self._drop(path)
            else:
                known = self.folder / path
                mode = stat.S_IMODE(known.stat().st_mode) if known.exists() else 0o644
                self._write_if_different(path, data, mode)
        return planned

    def _resolve(self, path: str) -> str:
        real = os.path.realpath(self.folder / path)
        inside = os.path.relpath(real, os.path.realpath(self.folder))
        if inside.startswith(".."):
            raise ShadowBroken(f"{path} lies behind a link that leads out of the repository")
        return inside


def _is_real_folder(path: Path) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
