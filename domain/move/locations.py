"""Macros whose result depends on where they stand (W: case 38): file-relative includes are re-anchored, the rest refused."""

import posixpath
import re
from collections.abc import Iterable

from m1nd.domain.move.compose import Change, written
from m1nd.domain.move.needs import moved_occurrences
from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.names import DefinitionKind, Role

INCLUDES = ("include", "include_str", "include_bytes")
PLACES = ("module_path", "file", "line", "column")
LITERAL = re.compile(rb"\s*!\s*[(\[{]\s*\"([^\"\\]*)\"\s*,?\s*[)\]}]")
DOCUMENT = re.compile(rb"(?m)^[ \t]*#!?\[\s*(?:cfg_attr\s*\([^\n]*?)?doc\s*=\s*(include_str)(?=\s*!)")
ABSOLUTE = re.compile(rb"\s*!\s*[(\[{]\s*concat\s*!\s*[(\[]\s*env\s*!")


def relocated_macros(move: Move) -> Iterable[Change]:
    """Changes that keep the meaning of file-relative macros in the moved text.

    Raises Refused(location_sensitive_macro) for `module_path!`, `file!`, `line!`, `column!` and includes whose
    argument is no plain string.
    """
    source = move.workspace.sources[move.source_file]
    for occurrence in moved_occurrences(move):
        if occurrence.role is not Role.MACRO or len(occurrence.segments) != 1:
            continue
        if any(d.kind is DefinitionKind.ITEM for d in occurrence.target):
            continue
        name = occurrence.segments[0].name
        if name in INCLUDES:
            yield from _include(move, source, occurrence.end, name)
        elif name in PLACES:
            _refuse(move.source_file, move.dest_file, source, occurrence.start, name)


def macros_in_files(move: Move) -> Iterable[Change]:
    """As `relocated_macros`, for the files that move whole with a module; lines and columns stay what they are there."""
    for path, planned in move.files.items():
        source = move.workspace.sources[path]
        for occurrence in move.workspace.occurrences(path, move.source.definition.crate):
            name = occurrence.segments[-1].name if occurrence.segments else ""
            own = any(d.kind is DefinitionKind.ITEM for d in occurrence.target)
            if occurrence.role is not Role.MACRO or own:
                continue
            if name in INCLUDES:
                yield from _again(path, planned, source, occurrence.end, name)
            elif name in ("module_path", "file"):
                _refuse(path, planned, source, occurrence.start, name)
        for found in DOCUMENT.finditer(source):
            yield from _again(path, planned, source, found.end(1), "include_str")


def _include(move: Move, source: bytes, end: int, name: str) -> Iterable[Change]:
    return _again(move.source_file, move.dest_file, source, end, name)


def _again(path: str, planned: str, source: bytes, end: int, name: str) -> Iterable[Change]:
    """The argument of an include in `path`, as it must be written in `planned`."""
    here, there = posixpath.dirname(path), posixpath.dirname(planned)
    if here == there or ABSOLUTE.match(source, end):
        return
    literal = LITERAL.match(source, end)
    if literal is None:
        _refuse(path, planned, source, end, name)
        return
    target = literal[1].decode("utf-8", "replace")
    if target.startswith("/"):
        return
    moved = posixpath.relpath(posixpath.normpath(posixpath.join(here or ".", target)), there or ".")
    yield written(path, literal.start(1), literal.end(1), moved.encode())


def _refuse(path: str, planned: str, source: bytes, position: int, name: str) -> None:
    refuse(
        "location_sensitive_macro",
        f"`{name}!` at {path}:{line_number(source, position)} would give another result in {planned}",
        hint="replace the macro call by what it stands for first",
        macro=name,
    )
