"""Reads and writes the files of notes that a command line names. Whole files; a name never leads out of its folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from m1nd.application.use_cases.notes import NoteFile
from m1nd.domain.memory.light import SUFFIX
from m1nd.domain.refusal import refuse

MOST_BYTES = 1 << 20
"""A note longer than this is none."""


def given_notes(notes: Sequence[Mapping[str, object]]) -> list[NoteFile]:
    """Notes as a caller gives them, `{name, text}`. Raises Refused(usage)."""
    made = [NoteFile(str(note.get("name", "")), str(note.get("text", ""))) for note in notes]
    if any(not note.name or set(given) != {"name", "text"} for note, given in zip(made, notes, strict=True)):
        refuse("usage", "a note is {name, text}, and nothing else", "m1nd memory import PATH")
    return made


def read_notes(paths: Sequence[str]) -> list[NoteFile]:
    """The named notes, and those of named folders, by name. Raises Refused(usage | light_unreadable)."""
    files: list[str] = []
    for path in paths:
        if os.path.isdir(path):
            found = [os.path.join(at, name) for at, _, names in os.walk(path) for name in names]
            files += sorted(name for name in found if name.endswith(SUFFIX))
        elif os.path.isfile(path):
            files.append(path)
        else:
            refuse("usage", f"there is no note and no folder `{path}`", "m1nd memory import PATH")
    if not files:
        refuse("usage", f"no {SUFFIX} file is there", "m1nd memory import PATH")
    return [_read(path) for path in files]


def _read(path: str) -> NoteFile:
    name = os.path.basename(path)
    with open(path, "rb") as note:
        raw = note.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        refuse("light_unreadable", f"{name} is longer than {MOST_BYTES:,} bytes", file=name)
    try:
        return NoteFile(name, raw.decode("utf-8"))
    except UnicodeDecodeError:
        refuse("light_unreadable", f"{name} is not UTF-8", file=name)


def write_notes(folder: str, notes: Iterable[NoteFile]) -> None:
    """Write each note into `folder`, made where it is missing; a note of that name is replaced whole."""
    os.makedirs(folder, exist_ok=True)
    for note in notes:
        path = os.path.join(folder, note.name)
        partial = f"{path}.part"
        with open(partial, "w", encoding="utf-8", newline="\n") as out:
            out.write(note.text)
        os.replace(partial, path)
