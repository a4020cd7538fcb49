"""The plan of an edit: what `m1nd edit preview` reads, and what it makes of the files as they are.

JSON (`{"files": [{"path", "base_hash"?, "content" | "edits" | "remove"}]}`) or a unified diff. Pure: bytes in, `FilePlan`s
out. Nothing is guessed: a plan that does not fit is refused with the file and the place.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from attrs import frozen

from m1nd.domain.digests import sha256
from m1nd.domain.edits import FilePlan
from m1nd.domain.path_law import normalise
from m1nd.domain.refusal import refuse
from m1nd.domain.unified_diff import FileDiff, apply_hunks, parse_diff, split_lines

MOST_BYTES = 16 << 20
"""Of a plan, and of a file that it changes."""
BOM = b"\xef\xbb\xbf"
HASH = re.compile(r"[0-9a-f]{64}")
FILE_KEYS = frozenset({"path", "base_hash", "content", "edits", "remove"})
EDIT_KEYS = frozenset({"start_line", "end_line", "text"})


@frozen
class LineEdit:
    """Lines `start_line` to `end_line` (from 1, both included) become `text`.

    `end_line = start_line - 1` inserts before `start_line`; one behind the last line appends.
    """

    start_line: int
    end_line: int
    text: str


@frozen
class WholeFile:
    content: bytes


@frozen
class Removal:
    """The file goes."""


Change = WholeFile | Removal | tuple[LineEdit, ...] | FileDiff


@frozen
class PlannedChange:
    """One file of a plan. `base_hash` is None where the plan does not say; empty: there must be no file."""

    path: str
    base_hash: str | None
    change: Change


def read_plan(data: bytes) -> tuple[PlannedChange, ...]:
    """The changes of a plan, JSON or diff, paths normalised. Raises Refused(bad_plan | empty_plan | outside_root)."""
    if len(data) > MOST_BYTES:
        refuse("bad_plan", f"the plan is larger than {MOST_BYTES >> 20} MiB", "cut it into several plans")
    if not data.strip():
        refuse("empty_plan", "the plan is empty")
    changes = _from_json(data) if data.lstrip().startswith((b"{", b"[")) else _from_diff(data)
    if not changes:
        refuse("empty_plan", "the plan names no file")
    seen: set[str] = set()
    for change in changes:
        if change.path in seen:
            refuse(
                "bad_plan",
                f"the plan names {change.path} twice",
                "join its changes to one entry",
                path=change.path,
            )
        seen.add(change.path)
    return changes


def plan_files(changes: Sequence[PlannedChange], read: Callable[[str], bytes | None]) -> tuple[FilePlan, ...]:
    """The files before and after, in the plan's order; `read` gives the bytes of today, None where there is no file.

    Files that the plan leaves as they are fall out. Raises Refused(source_modified | unreadable | hunk_failed |
    overlapping_edits | bad_plan | empty_plan), and whatever `read` raises.
    """
    plans: list[FilePlan] = []
    for change in changes:
        before = read(change.path)
        _check_base(change, before)
        after = _after(change.path, change.change, before)
        if after != before:
            plans.append(FilePlan(change.path, before, after))
    if not plans:
        refuse("empty_plan", "the plan changes nothing: every file is as it says already")
    return tuple(plans)


def _check_base(change: PlannedChange, before: bytes | None) -> None:
    path = change.path
    if before is not None and len(before) > MOST_BYTES:
        refuse("unreadable", f"{path} is larger than {MOST_BYTES >> 20} MiB", path=path)
    creates = isinstance(change.change, FileDiff) and change.change.creates
    if before is not None and (creates or change.base_hash == ""):
        refuse("source_modified", f"{path} exists already, and the plan wants to create it", path=path)
    if change.base_hash and before is None:
        refuse("source_modified", f"{path} is gone; the plan rests on its content", path=path)
    if change.base_hash and before is not None and sha256(before) != change.base_hash:
        refuse(
            "source_modified",
            f"{path} is not the file that the plan rests on: its sha256 is {sha256(before)[:12]}…, "
            f"base_hash says {change.base_hash[:12]}…",
            path=path,
            expected=change.base_hash,
            found=sha256(before),
        )


def _after(path: str, change: Change, before: bytes | None) -> bytes | None:
    match change:
        case WholeFile(content=content):
            return content
        case Removal():
            _existing(path, before)
            return None
        case FileDiff(hunks=hunks, creates=creates, removes=removes):
            after = apply_hunks(path, b"" if creates else _text(path, before), hunks)
            if removes and after:
                refuse(
                    "hunk_failed", f"{path}: the diff removes the file but not all of its lines", path=path
                )
            return None if removes else after
        case _:
            return _edited(path, _text(path, before), change)


def _existing(path: str, before: bytes | None) -> bytes:
    if before is None:
        refuse(
            "unreadable",
            f"{path} does not exist",
            'to create it, give its whole text as "content"',
            path=path,
        )
    return before


def _text(path: str, before: bytes | None) -> bytes:
    """The bytes of a file in which lines can be found."""
    data = _existing(path, before)
    try:
        data.decode("utf-8")
        readable = b"\0" not in data
    except UnicodeDecodeError:
        readable = False
    if not readable:
        refuse(
            "unreadable",
            f"{path} is not UTF-8 text: no line of it can be edited",
            'replace it whole: give "content"',
            path=path,
        )
    return data


def _edited(path: str, before: bytes, edits: Sequence[LineEdit]) -> bytes:
    """Line edits applied at once; what is written takes the file's line ending and leaves its BOM in place."""
    mark = BOM if before.startswith(BOM) else b""
    lines = split_lines(before[len(mark) :])
    ending = b"\r\n" if lines and all(line.endswith(b"\r\n") for line in lines[:-1] or lines) else b"\n"
    parts: list[bytes] = []
    position = 0
    for edit in _in_order(path, edits, len(lines)):
        text = edit.text.encode().removeprefix(BOM if mark and edit.start_line == 1 else b"")
        if ending == b"\r\n":
            text = text.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        parts += lines[position : edit.start_line - 1]
        at_end = edit.end_line == len(lines)
        ended = not lines or lines[-1].endswith(b"\n")
        if text and at_end and edit.start_line > len(lines) and not ended:
            parts.append(ending)
        if text and not text.endswith(b"\n") and (not at_end or (lines and ended)):
            text += ending
        parts.append(text)
        position = edit.end_line
    after = b"".join((*parts, *lines[position:]))
    return mark + after if after else after


def _in_order(path: str, edits: Sequence[LineEdit], count: int) -> list[LineEdit]:
    """The edits from top to bottom. Raises Refused(bad_plan | overlapping_edits)."""
    ordered = sorted(edits, key=lambda edit: (edit.start_line, edit.end_line))
    for edit in ordered:
        if not (1 <= edit.start_line <= count + 1 and edit.start_line - 1 <= edit.end_line <= count):
            refuse(
                "bad_plan",
                f"{path} has {count} line(s); no edit of lines {edit.start_line} to {edit.end_line} is possible",
                "lines count from 1; end_line = start_line - 1 inserts",
                path=path,
                lines=count,
            )
    for first, second in pairwise(ordered):
        if second.start_line <= first.end_line or _same_gap(first, second):
            refuse(
                "overlapping_edits",
                f"{path}: the edits of lines {first.start_line} to {first.end_line} and of lines {second.start_line} to "
                f"{second.end_line} overlap",
                path=path,
            )
    return ordered


def _same_gap(first: LineEdit, second: LineEdit) -> bool:
    """Both insert before one line: which comes first is nobody's to guess."""
    inserts = [edit.end_line < edit.start_line for edit in (first, second)]
    return all(inserts) and first.start_line == second.start_line


# Reading


def _from_diff(data: bytes) -> tuple[PlannedChange, ...]:
    files = parse_diff(data)
    if not files:
        refuse("bad_plan", "this is neither JSON with a list of files nor a unified diff")
    return tuple(PlannedChange(normalise(file.path), None, file) for file in files)


def _from_json(data: bytes) -> tuple[PlannedChange, ...]:
    try:
        parsed = json.loads(data, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        refuse("bad_plan", f"the plan is no JSON: {error}")
    if not isinstance(parsed, dict) or not isinstance(parsed.get("files"), list):
        refuse("bad_plan", 'the plan is no object with a list "files"')
    _only(parsed, {"files"}, "the plan")
    return tuple(_entry(number, entry) for number, entry in enumerate(parsed["files"], 1))


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("an object has a key twice")
    return made


def _entry(number: int, entry: object) -> PlannedChange:
    where = f"file {number} of the plan"
    if not isinstance(entry, dict):
        refuse("bad_plan", f"{where} is no object")
    _only(entry, FILE_KEYS, where)
    path, base = entry.get("path"), entry.get("base_hash")
    if not isinstance(path, str):
        refuse("bad_plan", f'{where} has no text "path"')
    if base is not None and not (isinstance(base, str) and (base == "" or HASH.fullmatch(base))):
        refuse(
            "bad_plan", f"{where} ({path}): base_hash is a whole sha256 in small hex, or empty for no file"
        )
    path = normalise(path)
    said = [key for key in ("content", "edits", "remove") if entry.get(key) not in (None, False)]
    if len(said) != 1:
        refuse("bad_plan", f'{where} ({path}) needs one of "content", "edits" and "remove", and just one')
    return PlannedChange(path, base, _change(f"{where} ({path})", said[0], entry[said[0]]))


def _change(where: str, key: str, value: object) -> Change:
    if key == "content":
        if not isinstance(value, str):
            refuse("bad_plan", f'{where}: "content" is no text')
        return WholeFile(_encoded(where, value))
    if key == "remove":
        if value is not True:
            refuse("bad_plan", f'{where}: "remove" is not true')
        return Removal()
    if not isinstance(value, list) or not value:
        refuse("bad_plan", f'{where}: "edits" is no list with an edit in it')
    return tuple(_line_edit(where, edit) for edit in value)


def _line_edit(where: str, edit: object) -> LineEdit:
    if not isinstance(edit, dict):
        refuse("bad_plan", f"{where}: an edit is no object")
    _only(edit, EDIT_KEYS, f"an edit of {where}")
    start, end, text = (edit.get(key) for key in ("start_line", "end_line", "text"))
    if type(start) is not int or type(end) is not int or not isinstance(text, str):
        refuse("bad_plan", f'{where}: an edit needs the numbers "start_line" and "end_line" and a "text"')
    _encoded(where, text)
    return LineEdit(start, end, text)


def _encoded(where: str, text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        refuse("bad_plan", f"{where}: the text holds half of a surrogate pair, which is no character")


def _only(found: Mapping[str, Any], known: frozenset[str] | set[str], where: str) -> None:
    if unknown := sorted(set(found) - known):
        refuse(
            "bad_plan",
            f"{where} has unknown keys: {', '.join(map(repr, unknown))}; known are {', '.join(sorted(known))}",
        )
