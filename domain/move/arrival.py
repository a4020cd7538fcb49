"""Taking the moved text out of the source file and putting it into the destination (TRANSPLANT.md plan 6).

The insertion point lies between parsed items, never inside one: at the end of the module, before a test module that
closes it. New text follows the file's line ends, byte-order mark, final line end and indentation; where a module stands
inline in a file, moved text takes the depth of its new place (`depth.py`).
"""

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from m1nd.domain.move.compose import Change, Piece, Written, compose, taken_over
from m1nd.domain.move.depth import Depth, fixed_spans, shifted
from m1nd.domain.move.extent import Extent, cuts
from m1nd.domain.move.macros.order import first_caller_at_home, macro_use_lines
from m1nd.domain.move.module_text import body_indent, closing_line, own_indent
from m1nd.domain.move.standing import published
from m1nd.domain.move.text import head_end, indentation, line_start, newline_of, only_blank
from m1nd.domain.move.world import Move
from m1nd.domain.rust.facts import FileFacts, ItemKind
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.workspace import Workspace


@frozen
class Place:
    """Where in a file the items are put, and what stands around them there."""

    position: int
    before: bytes
    after: bytes
    indent: bytes = b""


def place_for(source: bytes, facts: FileFacts, module: Module) -> Place:
    """The insertion point for new items of a module."""
    newline = newline_of(source)
    tests = _closing_tests(facts, module)
    if tests is not None:
        position = line_start(source, facts.items[tests].extent_start)
        if only_blank(source[position : facts.items[tests].extent_start]):
            return Place(position, b"", newline * 2, body_indent(source, facts, module))
    if module.inline:
        return _before_brace(source, facts, module)
    body = source[head_end(source) :]
    if not body:
        return Place(len(source), b"", newline)
    if only_blank(body):
        return Place(len(source), b"", newline)
    if source.endswith(b"\n"):
        return Place(len(source), newline, newline)
    return Place(len(source), newline * 2, b"")


def _before_brace(source: bytes, facts: FileFacts, module: Module) -> Place:
    """The end of an inline module's body; a brace that shares its line with the body gets a line of its own."""
    newline, indent = newline_of(source), body_indent(source, facts, module)
    line = closing_line(source, module)
    if line is None:
        gap = newline if only_blank(source[slice(*module.body)]) else newline * 2
        return Place(module.body[1], gap, newline + own_indent(source, facts, module), indent)
    above = source[module.body[0] : line]
    apart = only_blank(above) or only_blank(above.split(b"\n")[-2])
    return Place(line, b"" if apart else newline, newline, indent)


def _closing_tests(facts: FileFacts, module: Module) -> int | None:
    """A `#[cfg(test)] mod` that is the last item of the module."""
    top = facts.children(module.scope_item)
    if not top:
        return None
    last = facts.items[top[-1]]
    gated = any(a.replace(" ", "").startswith("cfg(test") for a in last.attributes)
    return top[-1] if last.kind is ItemKind.MOD and gated else None


def put_in(move: Move, inner: Iterable[Change]) -> Change:
    """The moved extents, changed inside by `inner`, at the destination's insertion point."""
    workspace = move.workspace
    dest = workspace.sources[move.dest_file]
    source = workspace.sources[move.source_file]
    place = _place_of(move, dest)
    newline = newline_of(dest) if dest else newline_of(source)
    changes = list(inner)
    pieces: list[Piece] = [Written(place.before)] if place.before else []
    for number, extent in enumerate(move.extents):
        if number:
            pieces.append(Written(newline * 2))
        mine = [c for c in changes if extent.start <= c.start and c.end <= extent.end]
        taken = taken_over(move.source_file, extent.start, extent.end, mine, source, newline)
        if place.indent:
            pieces.append(Written(place.indent))
        pieces += at_depth(move, extent, taken, place.indent)
    if place.after:
        pieces.append(Written(place.after.replace(b"\r\n", b"\n").replace(b"\n", newline)))
    return Change(move.dest_file, place.position, place.position, tuple(pieces))


def _place_of(move: Move, dest: bytes) -> Place:
    """A macro that the order of the text shows to its callers arrives above the first of them."""
    facts = move.workspace.facts[move.dest_file]
    before = first_caller_at_home(move)
    if before is not None:
        position = line_start(dest, facts.items[before].extent_start)
        if only_blank(dest[position : facts.items[before].extent_start]):
            return Place(position, b"", newline_of(dest) * 2, body_indent(dest, facts, move.home))
    return place_for(dest, facts, move.home)


def at_depth(move: Move, extent: Extent, pieces: tuple[Piece, ...], indent: bytes) -> tuple[Piece, ...]:
    """Between files text keeps its form; into and out of inline modules it takes the depth of its new place."""
    if not (move.source.inline or move.home.inline):
        return pieces
    source = move.workspace.sources[move.source_file]
    fixed = fixed_spans(move.workspace.parser, source, extent.start, extent.end)
    return shifted(pieces, source, Depth(indentation(source, extent.start), indent, fixed))


def take_out(move: Move, more: Mapping[str, Sequence[Extent]]) -> list[Change]:
    """Cut the moved extents, and every whole declaration in `more` (by file) that the plan empties."""
    changes: list[Change] = []
    gone: dict[str, list[Extent]] = {path: list(extents) for path, extents in more.items()}
    gone.setdefault(move.source_file, []).extend(move.extents)
    for path, extents in gone.items():
        source = move.workspace.sources[path]
        changes += [Change(path, start, end) for start, end in cuts(source, extents)]
    return changes


@frozen
class Arrival:
    """The workspace with the items taken out and put in, and nothing else done.

    `offset`: where the item that was asked for first stands in the destination. `span`: the bytes of all of them there.
    """

    world: Workspace
    offset: int
    span: tuple[int, int]


def arrival_world(move: Move) -> Arrival:
    """In another crate the items that were asked for arrive as `pub`, so that a re-export there shows its way to them."""
    public = published(move) if move.crosses else ()
    plan = compose(
        [*take_out(move, {}), *macro_use_lines(move), put_in(move, public)], move.workspace.sources
    )
    world = move.workspace.with_files(plan.texts, plan.stays)
    stands = plan.find(move.source_file, move.root_item.name_start)
    assert stands is not None
    kept = [k for k in plan.kept if move.moves(k.path, k.start)]
    span = (min(k.new_start for k in kept), max(k.new_start + k.end - k.start for k in kept))
    return Arrival(world, stands[1], span)
