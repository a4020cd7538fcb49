"""Taking the moved text out of the source file and putting it into the destination (TRANSPLANT.md plan 6).

The insertion point lies between parsed items, never inside one: at the end of the module, before a test module that
closes it. New text follows the file's line ends, byte-order mark, final line end and indentation.
"""

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from m1nd.domain.move.compose import Change, Piece, Written, compose, taken_over
from m1nd.domain.move.extent import Extent, cuts
from m1nd.domain.move.text import head_end, line_start, newline_of, only_blank
from m1nd.domain.move.world import Move
from m1nd.domain.rust.facts import FileFacts, ItemKind
from m1nd.domain.rust.workspace import Workspace


@frozen
class Place:
    """Where in a file the items are put, and what stands around them there."""

    position: int
    before: bytes
    after: bytes


def place_for(source: bytes, facts: FileFacts) -> Place:
    """The insertion point for new items at file level."""
    newline = newline_of(source)
    tests = _closing_tests(facts)
    if tests is not None:
        position = line_start(source, facts.items[tests].extent_start)
        if only_blank(source[position : facts.items[tests].extent_start]):
            return Place(position, b"", newline * 2)
    body = source[head_end(source) :]
    if not body:
        return Place(len(source), b"", newline)
    if only_blank(body):
        return Place(len(source), b"", newline)
    if source.endswith(b"\n"):
        return Place(len(source), newline, newline)
    return Place(len(source), newline * 2, b"")


def _closing_tests(facts: FileFacts) -> int | None:
    """A `#[cfg(test)] mod` that is the last item of the file."""
    top = facts.children(-1)
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
    place = place_for(dest, workspace.facts[move.dest_file])
    newline = newline_of(dest) if dest else newline_of(source)
    changes = list(inner)
    pieces: list[Piece] = [Written(place.before)] if place.before else []
    for number, extent in enumerate(move.extents):
        if number:
            pieces.append(Written(newline * 2))
        mine = [c for c in changes if extent.start <= c.start and c.end <= extent.end]
        pieces += taken_over(move.source_file, extent.start, extent.end, mine, source, newline)
    if place.after:
        pieces.append(Written(place.after.replace(b"\r\n", b"\n").replace(b"\n", newline)))
    return Change(move.dest_file, place.position, place.position, tuple(pieces))


def take_out(move: Move, more: Mapping[str, Sequence[Extent]]) -> list[Change]:
    """Cut the moved extents, and every whole declaration in `more` (by file) that the plan empties."""
    changes: list[Change] = []
    gone: dict[str, list[Extent]] = {path: list(extents) for path, extents in more.items()}
    gone.setdefault(move.source_file, []).extend(move.extents)
    for path, extents in gone.items():
        source = move.workspace.sources[path]
        changes += [Change(path, start, end) for start, end in cuts(source, extents)]
    return changes


def arrival_world(move: Move) -> tuple[Workspace, int]:
    """The workspace with the items taken out and put in, and nothing else done; and where they stand in the destination."""
    plan = compose([*take_out(move, {}), put_in(move, ())], move.workspace.sources)
    world = move.workspace.with_files(plan.texts)
    stands = plan.find(move.source_file, move.root_item.start)
    assert stands is not None
    return world, stands[1]
