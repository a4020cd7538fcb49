"""Throws away what m1nd keeps of one repository: named files of its state folder, its shadow, or all of it.

It never follows a link, and touches no file of the repository.
"""

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from m1nd.domain.refusal import refuse
from m1nd.infrastructure.folder_lock import locked
from m1nd.infrastructure.graph_cache.snapshot import SNAPSHOT_NAME
from m1nd.infrastructure.graph_cache.store import CACHE_NAME
from m1nd.infrastructure.state_dir import BEING_WRITTEN, WRITE_LOCK
from m1nd.infrastructure.verify.homes import remove_shadow, shadow_home
from m1nd.infrastructure.views.store import VIEWS_FILE
from m1nd.infrastructure.workspace_writer.journal import OPEN

BESIDE = ("", "-wal", "-shm", "-journal")
"""A database of SQLite is the file and what may lie beside it."""
FILES = {
    "graph": (*(CACHE_NAME + end for end in BESIDE), SNAPSHOT_NAME),
    "views": tuple(VIEWS_FILE + end for end in BESIDE),
}
PATIENCE_SECONDS = 10.0


class StoredRemains:
    """`m1nd.application.remains.Remains` over the real folders."""

    def __init__(self, root: str, state_dir: str, environment: Mapping[str, str]) -> None:
        self._state = Path(state_dir)
        self._shadow = Path(shadow_home(root, environment))

    def caches(self) -> Mapping[str, int]:
        files = {kind: sum(_size(self._state / name) for name in names) for kind, names in FILES.items()}
        return {**files, "shadow": _size(self._shadow)}

    def kept_writes(self) -> int:
        return sum(_size(folder) for folder in self._ended_writes())

    def drop_caches(self) -> None:
        with self._alone():
            for names in FILES.values():
                for name in names:
                    (self._state / name).unlink(missing_ok=True)
            remove_shadow(str(self._shadow))

    def drop_kept_writes(self) -> None:
        with self._alone():
            for folder in self._ended_writes():
                (folder / "manifest.json").unlink(
                    missing_ok=True
                )  # first: without it nothing of the rest is believed
                shutil.rmtree(folder)

    def drop_everything(self) -> None:
        if self._state.is_symlink():
            refuse("outside_root", f"{self._state.name} is a link; what it leads to is not m1nd's to remove")
        with self._alone():
            # One rename, so that no reader ever finds half of it.
            gone = self._state.with_name(f"{self._state.name}-forgotten-{secrets.token_hex(4)}")
            self._state.rename(gone)
            shutil.rmtree(gone)
            remove_shadow(str(self._shadow))

    def _ended_writes(self) -> list[Path]:
        journal = self._state / "journal"
        if not journal.is_dir() or journal.is_symlink():
            return []
        return [path for path in sorted(journal.iterdir()) if path.is_dir() and path.suffix != OPEN]

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """While no other process writes the tree. Nothing to wait for where there is no state folder."""
        try:
            if not self._state.is_dir():
                yield
                return
            with locked(self._state / WRITE_LOCK, PATIENCE_SECONDS, BEING_WRITTEN):
                yield
        except OSError as error:
            reason = error.strerror or type(error).__name__
            refuse("write_failed", f"not all of it could be removed: {reason}", errno=error.errno)


def _size(path: Path) -> int:
    """Bytes of a file, or of all files below a folder; 0 where there is neither."""
    if path.is_symlink() or not path.is_dir():
        return path.lstat().st_size if path.exists() else 0
    return sum(_size(Path(entry.path)) for entry in os.scandir(path))
