"""The `mod` line of a module that moves: where it arrives, what changes in it, and the tree in which it has arrived.

It arrives among the lines of the new parent's other modules, in their order where they are sorted, with its own
attributes, comments and visibility. Where the module calls macros by their textual order and would not see them from
there, it stands at the end of the file.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator

from attrs import frozen

from m1nd.domain.move.arrival import at_depth, place_for, take_out
from m1nd.domain.move.compose import (
    Change,
    Composition,
    Piece,
    Written,
    compose,
    renamed,
    taken_over,
    written,
)
from m1nd.domain.move.mod_lines import mod_line
from m1nd.domain.move.module_text import body_indent
from m1nd.domain.move.modules.folders import folders_of
from m1nd.domain.move.modules.found import planned_modules
from m1nd.domain.move.text import newline_of
from m1nd.domain.move.world import Move
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.module_tree import join
from m1nd.domain.rust.names import DefinitionKind, Role
from m1nd.domain.rust.workspace import Workspace

LINE = re.compile(rb"[^\s][^\r\n]*;")
PATH = re.compile(rb'#\[\s*path\s*=\s*"([^"\\]*)"\s*\]')


@frozen
class Spot:
    """Where in the new parent's file the line arrives, what is written around it there, and how deep it stands."""

    position: int
    before: bytes
    after: bytes
    indent: bytes = b""


@frozen
class Arrived:
    """`world`: today's tree with the line and the files at their new places, and nothing else done.

    `composition`: where today's bytes stand in it.
    """

    spot: Spot
    world: Workspace
    composition: Composition


def arrive(move: Move) -> Arrived:
    """Choose the spot. Raises Refused(not_movable) where a file would be another module than before."""
    spots = list(dict.fromkeys((_among_siblings(move), _at_the_end(move))))
    tried = [_arrived(move, spot) for spot in spots[:1]]
    if len(spots) > 1 and _loses_macros(move, tried[0].world):
        other = _arrived(move, spots[1])
        if not _loses_macros(move, other.world):
            tried = [other]
    _check_files(move, tried[0].world)
    return tried[0]


def put_line(move: Move, spot: Spot, inner: Iterable[Change]) -> Change:
    """The line, changed by `inner` and with its own `#[path]` written anew, at its spot."""
    source, dest = move.workspace.sources[move.source_file], move.workspace.sources[move.dest_file]
    newline = newline_of(dest) if dest else newline_of(source)
    extent = move.extents[0]
    changes = [*inner, *_path_attribute(move)]
    pieces: list[Piece] = [Written(spot.before)] if spot.before else []
    pieces += [Written(spot.indent)] if spot.indent else []
    taken = taken_over(move.source_file, extent.start, extent.end, changes, source, newline)
    pieces += at_depth(move, extent, taken, spot.indent)
    pieces += [Written(spot.after)] if spot.after else []
    return Change(move.dest_file, spot.position, spot.position, tuple(pieces))


def _among_siblings(move: Move) -> Spot:
    facts = move.workspace.facts[move.dest_file]
    if move.home.inline and not facts.children(move.home.scope_item):
        return _at_the_end(move)
    line = mod_line(move.workspace, move.home, move.root_item.name)
    found = LINE.search(line.text)
    assert found is not None
    indent = body_indent(move.workspace.sources[move.dest_file], facts, move.home)
    return Spot(line.position, line.text[: found.start()], line.text[found.end() :], indent)


def _at_the_end(move: Move) -> Spot:
    workspace = move.workspace
    place = place_for(workspace.sources[move.dest_file], workspace.facts[move.dest_file], move.home)
    return Spot(place.position, place.before, place.after, place.indent)


def _path_attribute(move: Move) -> Iterator[Change]:
    """`#[path]` of the module's own: relative to the folder that the module around the line gives it."""
    here, there = (folders_of(move.workspace, m).paths for m in (move.source, move.home))
    if here == there:
        return
    source, extent = move.workspace.sources[move.source_file], move.extents[0]
    for found in PATH.finditer(source, extent.start, move.root_item.start):
        file = join(here, found[1].decode("utf-8", "replace"))
        again = posixpath.relpath(file, there or ".")
        yield written(move.source_file, found.start(1), found.end(1), again.encode())


def _arrived(move: Move, spot: Spot) -> Arrived:
    sources = move.workspace.sources
    plan = compose([*take_out(move, {}), put_line(move, spot, ())], sources)
    arrived = renamed(plan, move.files, sources)
    world = move.workspace.with_files({**dict.fromkeys(arrived.gone), **arrived.texts})
    return Arrived(spot, world, arrived)


def _loses_macros(move: Move, world: Workspace) -> bool:
    """Some macro call in the module's files finds another macro by textual order than today."""
    for path, planned in move.files.items():
        for call in move.workspace.occurrences(path, move.source.definition.crate):
            textual = any(d.kind is DefinitionKind.ITEM and d.item_kind == "macro_rules" for d in call.target)
            if call.role is not Role.MACRO or len(call.segments) > 1 or not textual:
                continue
            again = world.occurrences_between(planned, call.start, call.start + 1)
            meant = {move.after(d) for d in call.target}
            if not any(set(o.target) == meant for o in again):
                return True
    return False


def _check_files(move: Move, world: Workspace) -> None:
    """Every module of the planned tree has the file that is planned for it (a `#[path]` may lead elsewhere now)."""
    for module, after, file in planned_modules(move):
        known = world.modules.get(after)
        if known is None or known.file != file:
            refuse(
                "not_movable",
                f"{module.file} would not be found as `{'::'.join(('crate', *after.path))}` at {file}: a `#[path]` on the way leads elsewhere",
                hint="move the module by hand, or take the `#[path]` away first",
                file=module.file,
            )
