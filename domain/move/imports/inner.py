"""Imports inside the moved text, one leaf of which leads elsewhere after the move: it gets a declaration of its own."""

from collections.abc import Iterator, Sequence

from m1nd.domain.move.compose import Change, written
from m1nd.domain.move.imports.leaves import leaf_of
from m1nd.domain.move.imports.statements import (
    UseStatement,
    after_use,
    kept_attributes,
    remove_leaves,
    use_extent,
)
from m1nd.domain.move.text import indentation, newline_of
from m1nd.domain.move.world import Move
from m1nd.domain.rust.names import Occurrence

Leaf = tuple[int, UseStatement]
"""`(use index in the source file, the declaration it becomes)`."""


def own_declaration(move: Move, occurrence: Occurrence, depth: int, path: tuple[str, ...]) -> Leaf | None:
    """The leaf an occurrence was read from, with `path` in place of its segments up to `depth`."""
    index = leaf_of(move.facts, occurrence)
    if index is None:
        return None
    use = move.facts.uses[index]
    rest = [s.name for s in occurrence.segments[depth + 1 :]] + (["*"] if use.glob else [])
    item = move.facts.items[use.item]
    statement = UseStatement(
        (*path, *rest), use.alias, item.visibility, kept_attributes(move.facts, use.item)
    )
    return index, statement


def split_out(move: Move, leaves: Sequence[Leaf]) -> Iterator[Change]:
    """Take the leaves out of their declarations and put each on a line of its own behind."""
    facts, path = move.facts, move.source_file
    source = move.workspace.sources[path]
    by_item: dict[int, dict[int, UseStatement]] = {}
    for index, statement in leaves:
        by_item.setdefault(facts.uses[index].item, {})[index] = statement
    for item, mine in by_item.items():
        removal = remove_leaves(move.workspace.parser, path, source, facts, mine)
        statements = list(dict.fromkeys(mine.values()))
        if not removal.emptied:
            yield from removal.changes
            yield after_use(path, source, facts, item, statements)
            continue
        extent = use_extent(source, facts, item)
        indent = indentation(source, extent.start)
        text = b"".join(s.text(newline_of(source), indent) for s in statements)
        yield written(path, extent.start, extent.end, text.strip(b" \t\r\n"))


def is_whole(move: Move, occurrence: Occurrence, depth: int) -> bool:
    """The path up to `depth` is written in one piece, outside every group."""
    source = move.workspace.sources[move.source_file]
    return b"{" not in source[occurrence.segments[0].start : occurrence.segments[depth].start]
