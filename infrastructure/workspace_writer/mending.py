"""Bring a batch that did not end to its old bytes or to its new ones. The same code serves a failed append and the
next start after a crash.

It looks at each file before it touches it, and never overwrites what is neither the batch's old nor its new text.
"""

import contextlib
import os
from collections.abc import Callable, Sequence

from attrs import frozen

from m1nd.domain.refusal import Refused
from m1nd.infrastructure import durable
from m1nd.infrastructure.signals import signals_held
from m1nd.infrastructure.workspace_writer.journal import Entry, Journal, State
from m1nd.infrastructure.workspace_writer.tree import Place, Tree, create, look_at, remove

Steps = Callable[[str], None]
"""Told of each step before it is taken; a test may end the process there."""


@frozen
class Mended:
    """What was done: paths that were brought over, and paths that hold somebody else's text and stayed as they are."""

    changed: tuple[str, ...]
    foreign: tuple[str, ...]


def bring_to_old(tree: Tree, entry: Entry, indexes: Sequence[int] | None = None) -> Mended:
    """Every file of the batch (or those of `indexes`) that is new becomes old. Raises OSError, Refused(store_damaged)."""
    changed: list[str] = []
    foreign: list[str] = []
    for index in range(len(entry.files)) if indexes is None else indexes:
        file = entry.files[index]
        found = tree.digest(Place(file.path, file.real))
        if found == file.old:
            continue
        if found != file.new:
            foreign.append(file.path)
            continue
        _put(tree, entry, index, entry.old_bytes(index), file.old, entry.keeper(index))
        changed.append(file.path)
    return Mended(tuple(changed), tuple(foreign))


def bring_to_new(tree: Tree, entry: Entry) -> Mended:
    """Every file of the batch that is still old becomes new. Raises OSError, Refused(store_damaged)."""
    changed: list[str] = []
    foreign: list[str] = []
    for index, file in enumerate(entry.files):
        found = tree.digest(Place(file.path, file.real))
        if found == file.new:
            continue
        if found != file.old:
            foreign.append(file.path)
            continue
        _put(tree, entry, index, entry.new_bytes(index), file.new, entry.temporary(index))
        changed.append(file.path)
    return Mended(tuple(changed), tuple(foreign))


def _put(tree: Tree, entry: Entry, index: int, data: bytes | None, digest: str | None, beside: str) -> None:
    """Give the file these bytes by a rename; a file that waits beside it is used first, as it needs no space."""
    file = entry.files[index]
    place = Place(file.path, file.real)
    with tree.folder(place) as folder:
        if data is None:
            remove(folder, place.name)
        else:
            waiting = look_at(folder, beside)
            if waiting is None or waiting.digest != digest:
                beside = entry.temporary(index)
                remove(folder, beside)
                create(folder, beside, data, look_at(folder, place.name), file.mode)
            os.rename(beside, place.name, src_dir_fd=folder, dst_dir_fd=folder)
        durable.sync(folder)


def sweep(tree: Tree, entry: Entry) -> None:
    """Remove every file that the batch put beside its targets, and folders of its own that are empty. Raises OSError."""
    for index, file in enumerate(entry.files):
        place = Place(file.path, file.real)
        with contextlib.suppress(FileNotFoundError, NotADirectoryError), tree.folder(place) as folder:
            remove(folder, entry.temporary(index))
            remove(folder, entry.keeper(index))
        tree.remove_folders(place, file.folders)


def mend_left_over(
    tree: Tree, journal: Journal, id: str, is_recorded: Callable[[str], bool], steps: Steps
) -> str:
    """Finish or undo one batch that a crash left. Raises OSError where even that cannot be written."""
    try:
        entry = journal.begun(id)
    except Refused:
        aside = journal.set_aside(journal.bare(id))
        return f"write {id}: its journal cannot be read; set aside as journal/{aside.name}, no file touched"
    if entry is None:
        journal.drop(journal.bare(id))
        return f"write {id}: had not begun; no file had changed"
    with signals_held():
        return _mend_entry(tree, journal, entry, is_recorded, steps)


def _mend_entry(
    tree: Tree, journal: Journal, entry: Entry, is_recorded: Callable[[str], bool], steps: Steps
) -> str:
    state = entry.state
    recorded = state is State.RECORDED or (state is State.WRITTEN and is_recorded(entry.id))
    steps("mend")
    if state is State.PREPARED:
        sweep(tree, entry)
        journal.drop(entry)
        return f"write {entry.id}: no file had changed; leftovers removed"
    try:
        bring = bring_to_new if recorded else bring_to_old
        mended = bring(tree, entry)
    except Refused as refused:
        aside = journal.set_aside(entry)
        return f"write {entry.id}: {refused.refusal.message}; set aside as journal/{aside.name}"
    sweep(tree, entry)
    if mended.foreign:
        aside = journal.set_aside(entry)
        names = ", ".join(mended.foreign)
        return (
            f"write {entry.id}: {names} changed after the crash and was left as it is; "
            f"the bytes are in journal/{aside.name}"
        )
    if recorded:
        journal.finish(entry)
        return f"write {entry.id}: finished; the log has it and every file is new"
    journal.drop(entry)
    return (
        f"write {entry.id}: the log does not have it; the old bytes are back in {len(mended.changed)} file(s)"
    )
