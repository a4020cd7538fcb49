"""Names that a doc test takes from a glob of the source (`use case::a::*;`): an import of its own stands beside the glob.

A doc test's imports are text, no items of the file: all is worked out from its occurrences.
"""

import re

from m1nd.domain.move.compose import written
from m1nd.domain.move.qualify import count_site, qualify, spell_for
from m1nd.domain.move.raw_names import raw_path
from m1nd.domain.move.reference_notes import Notes
from m1nd.domain.move.text import line_start, newline_of
from m1nd.domain.move.world import is_doctest
from m1nd.domain.rust.names import Definition, Occurrence, Role

STAR = re.compile(rb"\s*::\s*\*\s*;")
FENCE = re.compile(rb"```|~~~")


def beside_doctest_glob(notes: Notes, path: str, occurrence: Occurrence, definition: Definition) -> None:
    """Bring the moved item to a doc test that names it by its name alone; a plain import of it is led on where it stands."""
    source = notes.move.workspace.sources[path]
    imports = _imports_above(notes, path, occurrence)
    globs = [i for i in imports if STAR.match(source, i.segments[-1].end)]
    if any(definition in i.target for i in imports if i not in globs):
        return
    for glob in globs:
        if notes.move.source.definition in glob.target:
            _write_beside(notes, path, occurrence, definition, glob)
            return
    if not globs:
        qualify(notes, path, occurrence, 0, definition)


def _write_beside(
    notes: Notes, path: str, occurrence: Occurrence, definition: Definition, glob: Occurrence
) -> None:
    source = notes.move.workspace.sources[path]
    end = source.index(b";", glob.segments[-1].end) + 1
    line = line_start(source, glob.start)
    lead = source[line : source.rfind(b"use", line, glob.segments[0].start)]
    gap = newline_of(source) + lead if not lead.strip(b" \t/!*#") else b" "
    statement = f"use {raw_path(spell_for(notes, path, occurrence, definition))};"
    notes.changes.append(written(path, end, end, gap + statement.encode()))
    count_site(notes, path, occurrence, definition)


def _imports_above(notes: Notes, path: str, occurrence: Occurrence) -> list[Occurrence]:
    """The imports of the same code block that stand above the occurrence, the last one first."""
    workspace = notes.move.workspace
    source = workspace.sources[path]
    crate = occurrence.module.crate.partition("#")[0]
    found = [
        one
        for one in workspace.occurrences(path, crate)
        if is_doctest(one)
        and one.role is Role.USE
        and one.start < occurrence.start
        and one.segments
        and not FENCE.search(source, one.start, occurrence.start)
    ]
    return sorted(found, key=lambda one: -one.start)
