"""`apply_batch`: the one door to the working tree (D45, TRANSPLANT.md "Writing").

All files of a batch become new, and the append is in the log, or all stay old. It never decides what is written, and
never writes outside the repository's root.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from m1nd.application.ports import WriteOutcome
from m1nd.domain.digests import sha256
from m1nd.domain.edits import FilePlan
from m1nd.domain.refusal import Refusal, Refused, refuse
from m1nd.infrastructure import durable
from m1nd.infrastructure.folder_lock import locked
from m1nd.infrastructure.signals import signals_held
from m1nd.infrastructure.state_dir import BEING_WRITTEN, WRITE_LOCK, ensure_state_dir
from m1nd.infrastructure.workspace_writer.changes import (
    Change,
    check_distinct,
    check_identity,
    check_unmodified,
    check_writable,
    keep,
    reason,
    refused,
    rename,
)
from m1nd.infrastructure.workspace_writer.journal import Entry, Journal, State
from m1nd.infrastructure.workspace_writer.mending import Steps, bring_to_old, mend_left_over, sweep
from m1nd.infrastructure.workspace_writer.tree import NotAPlainFile, Place, Seen, Tree, create_later

UNDO = "undo_"
"""Prefix of the journal id of an undo: that of `tp_1` is `undo_tp_1`; the log is asked about it by this name."""


def no_steps(step: str) -> None:
    """The writer tells each step that it is about to take; a test may end the process there."""


class WorkspaceWriter:
    """`m1nd.application.ports.Writer` over a real folder.

    `is_recorded(journal_id)` asks the log whether the append of a batch is in it. With it, a write first mends what a
    crash left; without it, such a write refuses (`busy`) until `recover` has run.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        state_dir: str | os.PathLike[str],
        *,
        is_recorded: Callable[[str], bool] | None = None,
        lock_timeout: float = 10.0,
        keep: int = 200,
        keep_days: float = 30.0,
        now: Callable[[], float] = time.time,
        steps: Steps = no_steps,
    ) -> None:
        self._tree = Tree(root, excluded=(state_dir,))
        self._state_dir = Path(state_dir)
        self._journal = Journal(self._state_dir / "journal", keep, keep_days)
        self._is_recorded = is_recorded
        self._lock_timeout = lock_timeout
        self._now = now
        self._steps = steps

    def real_path(self, path: str) -> str:
        """See `Writer.real_path`."""
        return self._tree.place(path).real

    def read(self, path: str) -> bytes | None:
        """See `Writer.read`."""
        place = self._tree.place(path)
        try:
            seen = self._tree.look(place)
        except NotAPlainFile:
            refuse("unreadable", f"{place.path} is not a plain file", path=place.path)
        except (FileNotFoundError, NotADirectoryError):
            seen = None
        except OSError as error:
            refuse("unreadable", f"{place.path}: {reason(error)}", path=place.path)
        if seen is None and os.path.islink(self._tree.root / place.path):
            refuse("unreadable", f"{place.path} is a link to nothing", path=place.path)
        return None if seen is None else seen.data

    def apply(
        self,
        journal_id: str,
        plans: Sequence[FilePlan],
        record: Callable[[], None],
        base: Mapping[str, str] | None = None,
    ) -> WriteOutcome:
        """See `Writer.apply`. `base` may name files that are not written; each must still have its hash.

        Raises Refused(source_modified | write_failed | write_interrupted | busy | outside_root), and whatever `record`
        raises, after the old bytes are back.
        """
        with self._locked() as repairs:
            changes = self._changes(plans, {} if base is None else base)
            self._write(journal_id, changes, record)
            return WriteOutcome(journal_id, tuple(change.place.path for change in changes), repairs)

    def restore(self, journal_id: str, record: Callable[[], None]) -> WriteOutcome:
        """See `Writer.restore`. The undo is a batch of its own, with the journal id `undo_<journal_id>`."""
        with self._locked() as repairs:
            changes = self._changes_back(self._kept(journal_id))
            self._write(UNDO + journal_id, changes, record)
            return WriteOutcome(UNDO + journal_id, tuple(change.place.path for change in changes), repairs)

    def undo_plans(self, journal_id: str) -> tuple[FilePlan, ...]:
        """See `Writer.undo_plans`."""
        return tuple(
            FilePlan(change.place.path, None if change.seen is None else change.seen.data, change.after)
            for change in self._changes_back(self._kept(journal_id))
        )

    def recover(self, is_recorded: Callable[[str], bool]) -> tuple[str, ...]:
        """See `Writer.recover`. Costs one look into a folder when nothing is left over."""
        if not self._journal.pending():
            return ()
        try:
            with self._lock_only():
                return self._mend_all(is_recorded)
        except OSError as error:
            raise Refused(Refusal("write_failed", f"mending a cut-off write: {reason(error)}")) from error

    # under the lock

    def _lock_only(self) -> contextlib.AbstractContextManager[None]:
        ensure_state_dir(str(self._state_dir))
        return locked(self._state_dir / WRITE_LOCK, self._lock_timeout, BEING_WRITTEN)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[tuple[str, ...]]:
        """The lock, with nothing left over from a crash; yields a line per repair. OSError becomes a refusal."""
        try:
            with self._lock_only():
                repairs: tuple[str, ...] = ()
                if self._journal.pending():
                    if self._is_recorded is None:
                        refuse("busy", "a write that was cut off waits to be mended", "m1nd status")
                    repairs = self._mend_all(self._is_recorded)
                yield repairs
        except OSError as error:
            raise Refused(Refusal("write_failed", f"the journal: {reason(error)}")) from error

    def _changes(self, plans: Sequence[FilePlan], base: Mapping[str, str]) -> list[Change]:
        """The plans against what is on the disk. Raises Refused(source_modified | write_failed | outside_root)."""
        changes: list[Change] = []
        for plan in plans:
            place = self._tree.place(plan.path)
            seen = self._look(place)
            wanted = base.get(plan.path, None if plan.before is None else sha256(plan.before))
            check_unmodified(plan.path, seen, wanted)
            if seen is None and os.path.islink(self._tree.root / place.path):
                refuse("write_failed", f"{plan.path}: a link to nothing", path=plan.path)
            if plan.before != plan.after:
                folders = self._tree.missing_folders(place) if seen is None else 0
                if plan.after is None:
                    folders = len(place.folder)  # those that the file leaves empty go with it
                changes.append(Change(place, seen, plan.after, self._mode_for(plan), folders))
        check_distinct(changes)
        planned = {plan.path for plan in plans}
        for path, digest in base.items():
            if path not in planned:
                check_unmodified(path, self._look(self._tree.place(path)), digest)
        return changes

    def _mode_for(self, plan: FilePlan) -> int | None:
        """The mode of a new file that was another one so far; None for any other."""
        old = self._look(self._tree.place(plan.came_from)) if plan.came_from else None
        return None if old is None else old.mode

    def _kept(self, journal_id: str) -> Entry:
        """The kept batch. Raises Refused(undo_unknown): never written, dropped since, or undone already."""
        kept = self._journal.kept(journal_id)
        if kept is None:
            refuse("undo_unknown", f"the journal keeps no bytes of {journal_id}", journal_id=journal_id)
        if self._journal.kept(UNDO + journal_id) is not None:
            refuse("undo_unknown", f"{journal_id} is undone already", journal_id=journal_id)
        return kept

    def _changes_back(self, kept: Entry) -> list[Change]:
        """What undoes a kept batch. Raises Refused(undo_modified) naming every file that has changed since."""
        modified = [
            file.path for file in kept.files if self._tree.digest(Place(file.path, file.real)) != file.new
        ]
        if modified:
            names = ", ".join(modified)
            refuse("undo_modified", f"changed after the move: {names}", journal_id=kept.id, files=modified)
        changes = []
        for index, file in enumerate(kept.files):
            place = Place(file.path, self._tree.place(file.real).real)
            seen = self._look(place)
            folders = file.folders or (self._tree.missing_folders(place) if seen is None else 0)
            changes.append(Change(place, seen, kept.old_bytes(index), file.mode, folders))
        return changes

    def _look(self, place: Place) -> Seen | None:
        try:
            return self._tree.look(place)
        except NotAPlainFile:
            refuse("write_failed", f"{place.path}: not a plain file", path=place.path)
        except (FileNotFoundError, NotADirectoryError):
            return None  # no parent folder: the file is not there; creating it will say so
        except OSError as error:
            refuse("write_failed", f"{place.path}: {reason(error)}", path=place.path)

    def _write(self, id: str, changes: Sequence[Change], record: Callable[[], None]) -> None:
        self._steps("journal")
        entry = self._journal.begin(
            id,
            [change.entry for change in changes],
            [None if change.seen is None else change.seen.data for change in changes],
            [change.after for change in changes],
        )
        renamed: list[int] = []
        written = False
        try:
            self._prepare_all(entry, changes)
            with signals_held():
                self._rename_and_record(entry, changes, renamed, record)
                written = True
                self._end(entry)
        except BaseException as error:
            # A Ctrl-C that was held back arrives here too; by then the batch is whole and stays.
            if not written:
                self._take_back(entry, renamed, error)
            raise

    def _prepare_all(self, entry: Entry, changes: Sequence[Change]) -> None:
        """Every new file beside its target, on the disk before any of them is renamed."""
        with durable.Unsynced() as unsynced:
            for index, change in enumerate(changes):
                self._prepare(entry, index, change, unsynced)
            self._steps("settle")
            try:
                unsynced.settle()
            except OSError as error:
                message = f"the new files do not reach the disk: {reason(error)}"
                raise Refused(Refusal("write_failed", message)) from error

    def _prepare(self, entry: Entry, index: int, change: Change, unsynced: durable.Unsynced) -> None:
        """Put the new file beside the target, and a second name of the old one, so that going back needs no space."""
        try:
            if change.after is not None and change.folders:
                self._steps(f"folders {index}")
                self._tree.make_folders(change.place)
            with self._tree.folder(change.place) as folder:
                check_writable(folder, change)
                if change.after is not None:
                    self._steps(f"temporary {index}")
                    create_later(
                        folder, entry.temporary(index), change.after, change.seen, change.mode, unsynced
                    )
                if change.seen is not None:
                    self._steps(f"keeper {index}")
                    keep(folder, change.place.name, entry.keeper(index), change.seen)
        except OSError as error:
            raise refused(change.place.path, error) from error

    def _rename_and_record(
        self, entry: Entry, changes: Sequence[Change], renamed: list[int], record: Callable[[], None]
    ) -> None:
        self._steps("renaming")
        entry.reach(State.RENAMING)
        self._rename_all(entry, changes, renamed)
        self._steps("written")
        entry.reach(State.WRITTEN)
        self._steps("record")
        try:
            record()
        except BaseException:
            if self._is_recorded is None or not self._is_recorded(entry.id):
                raise
        self._steps("recorded")

    def _rename_all(self, entry: Entry, changes: Sequence[Change], renamed: list[int]) -> None:
        """Rename file by file; `renamed` holds, at every moment, the ones that are new."""
        folders: dict[tuple[str, ...], Place] = {}
        for index, change in enumerate(changes):
            self._steps(f"rename {index}")
            try:
                with self._tree.folder(change.place) as folder:
                    check_identity(folder, change)
                    rename(folder, entry.temporary(index), change)
            except OSError as error:
                raise refused(change.place.path, error) from error
            renamed.append(index)
            folders[change.place.folder] = change.place
        for number, place in enumerate(folders.values()):
            self._steps(f"sync {number}")
            with self._tree.folder(place) as folder:
                durable.sync(folder)

    def _end(self, entry: Entry) -> None:
        """The batch is in the log: from here on nothing is an error (D45). What stays beside a target is swept by the
        next start."""
        with contextlib.suppress(OSError):
            self._steps("sweep")
            sweep(self._tree, entry)
            self._steps("finish")
            self._journal.finish(entry)
            self._steps("prune")
            self._journal.prune(self._now())

    def _take_back(self, entry: Entry, renamed: Sequence[int], cause: BaseException) -> None:
        """Old bytes back, nothing left beside the targets, no journal entry. Raises Refused(write_interrupted)."""
        with signals_held():
            try:
                mended = bring_to_old(self._tree, entry, renamed)
            except (OSError, Refused) as error:
                message = f"the old bytes could not be put back ({_words(error)}); the next start tries again"
                raise Refused(Refusal("write_interrupted", message)) from cause
            if mended.foreign:
                sweep(self._tree, entry)
                aside = self._journal.set_aside(entry)
                names = ", ".join(mended.foreign)
                message = f"{names} changed meanwhile and stay as they are; old bytes: journal/{aside.name}"
                raise Refused(Refusal("write_interrupted", message)) from cause
            with contextlib.suppress(
                OSError
            ):  # the files are old; the next start sweeps what is left beside them
                sweep(self._tree, entry)
                self._journal.drop(entry)

    def _mend_all(self, is_recorded: Callable[[str], bool]) -> tuple[str, ...]:
        return tuple(
            mend_left_over(self._tree, self._journal, id, is_recorded, self._steps)
            for id in self._journal.pending()
        )


def _words(error: OSError | Refused) -> str:
    return error.refusal.message if isinstance(error, Refused) else reason(error)
