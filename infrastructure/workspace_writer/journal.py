"""The journal: old and new bytes of every batch, on the disk before the first rename (D45).

`<state>/journal/<id>.open/` while a batch is under way, `<state>/journal/<id>/` once it is recorded. Inside: `N.old`,
`N.new` (the bytes), `manifest.json` (what they belong to), `state` (one word a line, the last one counts). It never
touches the working tree.
"""

import json
import os
import re
import shutil
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from attrs import asdict, frozen

from m1nd.domain.digests import sha256
from m1nd.domain.refusal import refuse
from m1nd.infrastructure import durable

OPEN = ".open"
IDENTIFIER = re.compile(r"[A-Za-z0-9_-]{1,80}")


class State(StrEnum):
    """How far a batch came."""

    PREPARED = "prepared"
    """Bytes and manifest are on the disk; no file of the tree has changed."""
    RENAMING = "renaming"
    """Files of the tree may be old or new."""
    WRITTEN = "written"
    """All files are new; the append may or may not be in the log."""
    RECORDED = "recorded"
    """The append is in the log."""


@frozen
class FileEntry:
    """One file of a batch. `old` and `new` are sha256, None for no file; `mode` is that of the old file.

    `folders` counts the folders above it, from the nearest up, that are there for this file only: the batch made them,
    or it takes back what had made them.
    """

    path: str
    real: str
    old: str | None
    new: str | None
    mode: int | None
    folders: int = 0


@frozen
class Entry:
    """One batch in the journal."""

    id: str
    folder: Path
    files: tuple[FileEntry, ...]

    def temporary(self, index: int) -> str:
        """The name, beside the target, of the file that will be renamed over it."""
        return f".m1nd-{self.id}-{index}.new"

    def keeper(self, index: int) -> str:
        """The name, beside the target, under which the old file stays reachable until the append is done."""
        return f".m1nd-{self.id}-{index}.old"

    def old_bytes(self, index: int) -> bytes | None:
        return self._bytes(f"{index}.old", self.files[index].old)

    def new_bytes(self, index: int) -> bytes | None:
        return self._bytes(f"{index}.new", self.files[index].new)

    def _bytes(self, name: str, digest: str | None) -> bytes | None:
        if digest is None:
            return None
        try:
            data = (self.folder / name).read_bytes()
        except OSError:
            data = None
        if data is None or sha256(data) != digest:
            refuse("store_damaged", f"the journal of {self.id} has lost bytes", journal_id=self.id)
        return data

    @property
    def state(self) -> State:
        try:
            words = (self.folder / "state").read_text().split()
        except OSError:
            words = []
        known = [word for word in words if word in set(State)]
        return State(known[-1]) if known else State.PREPARED

    def reach(self, state: State) -> None:
        """Note that the batch came this far; on the disk before it returns. Raises OSError."""
        descriptor = os.open(self.folder / "state", os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        try:
            durable.write_all(descriptor, f"{state}\n".encode())
            durable.sync(descriptor)
        finally:
            os.close(descriptor)


class Journal:
    """All batches of one repository; the newest `keep` of the last `keep_days` days stay for undo."""

    def __init__(self, folder: Path, keep: int = 200, keep_days: float = 30.0) -> None:
        self.folder = folder
        self._keep = keep
        self._keep_seconds = keep_days * 86_400

    def begin(
        self, id: str, files: Sequence[FileEntry], old: Sequence[bytes | None], new: Sequence[bytes | None]
    ) -> Entry:
        """Put a batch into the journal, synced, in state `prepared`. Raises OSError, ValueError (a bad id)."""
        if not IDENTIFIER.fullmatch(id):
            raise ValueError(f"not a journal id: {id!r}")
        if (self.folder / id).exists():
            raise ValueError(f"the journal id is taken: {id!r}")
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        entry = Entry(id, self.folder / (id + OPEN), tuple(files))
        entry.folder.mkdir(mode=0o700)
        try:
            with durable.Unsynced() as unsynced:
                for index, (before, after) in enumerate(zip(old, new, strict=True)):
                    if before is not None:
                        durable.write_later(entry.folder / f"{index}.old", before, unsynced)
                    if after is not None:
                        durable.write_later(entry.folder / f"{index}.new", after, unsynced)
                durable.write_later(entry.folder / "state", f"{State.PREPARED}\n".encode(), unsynced)
                unsynced.settle()
            manifest = {"schema": 1, "id": id, "files": [asdict(file) for file in files]}
            durable.replace_file(entry.folder / "manifest.json", json.dumps(manifest, indent=1).encode())
            durable.sync_folder(self.folder)
        except BaseException:
            self.drop(entry)
            raise
        return entry

    def finish(self, entry: Entry) -> Entry:
        """The batch is in the log: keep its bytes for undo. Raises OSError."""
        entry.reach(State.RECORDED)
        kept = self.folder / entry.id
        os.rename(entry.folder, kept)
        return Entry(entry.id, kept, entry.files)

    def drop(self, entry: Entry) -> None:
        """Throw a batch away, the manifest first: without it nothing of the rest is ever believed."""
        (entry.folder / "manifest.json").unlink(missing_ok=True)
        shutil.rmtree(entry.folder, ignore_errors=True)

    def set_aside(self, entry: Entry) -> Path:
        """Keep a batch that could not be mended where nothing acts on it again. Raises OSError."""
        aside = entry.folder.with_name(entry.id + ".aside")
        shutil.rmtree(aside, ignore_errors=True)
        os.rename(entry.folder, aside)
        return aside

    def kept(self, id: str) -> Entry | None:
        """A recorded batch, or None if there is none of that id (any more)."""
        folder = self.folder / id
        return self._read(id, folder) if IDENTIFIER.fullmatch(id) and folder.is_dir() else None

    def pending(self) -> list[str]:
        """The ids of all batches that somebody began and nobody ended."""
        try:
            names = sorted(os.listdir(self.folder))
        except (FileNotFoundError, NotADirectoryError):
            return []
        return [name.removesuffix(OPEN) for name in names if name.endswith(OPEN)]

    def begun(self, id: str) -> Entry | None:
        """A pending batch; None where it never came as far as its manifest. Raises Refused(store_damaged)."""
        return self._read(id, self.folder / (id + OPEN))

    def bare(self, id: str) -> Entry:
        """A pending batch of which only the folder counts: to be dropped or set aside."""
        return Entry(id, self.folder / (id + OPEN), ())

    def _read(self, id: str, folder: Path) -> Entry | None:
        try:
            manifest = json.loads((folder / "manifest.json").read_bytes())
            files = tuple(FileEntry(**file) for file in manifest["files"])
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError, OSError):
            refuse("store_damaged", f"the journal of {id} cannot be read", "m1nd doctor", journal_id=id)
        return Entry(id, folder, files)

    def prune(self, now: float) -> None:
        """Drop what lies beyond the bounds; the newest batch always stays."""
        ended = [path for path in self.folder.iterdir() if path.is_dir() and path.suffix != OPEN]
        by_age = sorted(ended, key=lambda path: path.stat().st_mtime_ns, reverse=True)
        for rank, folder in enumerate(by_age):
            too_old = now - folder.stat().st_mtime > self._keep_seconds
            if rank >= self._keep or (rank > 0 and too_old):
                (folder / "manifest.json").unlink(missing_ok=True)
                shutil.rmtree(folder, ignore_errors=True)
