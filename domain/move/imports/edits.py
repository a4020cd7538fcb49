"""All import surgery of one plan: leaves out of their trees, emptied declarations cut, new statements put in.

The rules say what goes and what comes (`references.py`, `imports/pruning.py`, `dependencies.py`); here it becomes changes that do
not touch each other.
"""

from collections.abc import Mapping, Sequence

from attrs import frozen

from m1nd.domain.move.arrival import take_out
from m1nd.domain.move.compose import Change, written
from m1nd.domain.move.extent import Extent
from m1nd.domain.move.imports.pruning import Pruned
from m1nd.domain.move.imports.statements import UseStatement, after_use, at_head, remove_leaves, use_extent
from m1nd.domain.move.reference_notes import Requalified
from m1nd.domain.move.text import indentation, newline_of
from m1nd.domain.move.world import Move
from m1nd.domain.rust.names import Definition

Behind = Mapping[tuple[str, int], list[UseStatement]]
"""New statements by the `(file, item)` of the declaration that they stand behind."""


@frozen
class _Removed:
    """What taking leaves out amounts to. `emptied` are declarations with nothing left, by file."""

    changes: list[Change]
    emptied: Mapping[str, list[Extent]]

    def is_emptied(self, path: str, item: int) -> bool:
        return any(e.item == item for e in self.emptied.get(path, ()))


def import_edits(
    move: Move, statements: Sequence[UseStatement], requalified: Requalified, pruned: Pruned
) -> list[Change]:
    """The changes of all imports; the moved extents are cut with them, so that neighbours make one cut."""
    removed = _take_leaves_out(move, requalified.removed | pruned.leaves)
    behind: dict[tuple[str, int], list[UseStatement]] = {}
    for path, item, statement in (*requalified.behind, *pruned.split):
        behind.setdefault((path, item), []).append(statement)
    cut = {
        path: [e for e in extents if (path, e.item) not in behind]
        for path, extents in removed.emptied.items()
    }
    return [
        *removed.changes,
        *_overwritten(move, removed, behind),
        *take_out(move, cut),
        *_gated(move, pruned),
        *_behind(move, removed, behind),
        *_at_heads(move, statements, requalified, removed),
    ]


def _take_leaves_out(move: Move, leaves: frozenset[tuple[str, int]]) -> _Removed:
    workspace = move.workspace
    by_file: dict[str, set[int]] = {}
    for path, leaf in leaves:
        by_file.setdefault(path, set()).add(leaf)
    changes: list[Change] = []
    emptied: dict[str, list[Extent]] = {}
    for path, mine in sorted(by_file.items()):
        source, facts = workspace.sources[path], workspace.facts[path]
        removal = remove_leaves(workspace.parser, path, source, facts, mine)
        changes += removal.changes
        emptied[path] = [use_extent(source, facts, item) for item in removal.emptied]
    return _Removed(changes, emptied)


def _overwritten(move: Move, removed: _Removed, behind: Behind) -> list[Change]:
    """A declaration that loses every leaf and has a successor is overwritten where it stands."""
    changes: list[Change] = []
    for path, extents in removed.emptied.items():
        source = move.workspace.sources[path]
        newline = newline_of(source)
        for extent in extents:
            if (path, extent.item) in behind:
                indent = indentation(source, extent.start)
                text = b"".join(s.text(newline, indent) for s in behind[(path, extent.item)])
                changes.append(written(path, extent.start, extent.end, text.strip(b" \t\r\n")))
    return changes


def _gated(move: Move, pruned: Pruned) -> list[Change]:
    """An import that only tests still use gets their condition."""
    changes: list[Change] = []
    for path, item, gate in pruned.gated:
        start = move.workspace.facts[path].items[item].start
        newline = newline_of(move.workspace.sources[path])
        changes.append(written(path, start, start, f"#[{gate}]".encode() + newline))
    return changes


def _behind(move: Move, removed: _Removed, behind: Behind) -> list[Change]:
    workspace = move.workspace
    return [
        after_use(path, workspace.sources[path], workspace.facts[path], item, statements)
        for (path, item), statements in behind.items()
        if not removed.is_emptied(path, item)
    ]


def _at_heads(
    move: Move, statements: Sequence[UseStatement], requalified: Requalified, removed: _Removed
) -> list[Change]:
    """Statements where a module keeps its imports: those the home needs, and those that bring the item back."""
    workspace = move.workspace
    heads: dict[Definition, list[UseStatement]] = {}
    for module, statement in requalified.heads:
        heads.setdefault(module.definition, []).append(statement)
    if statements:
        heads.setdefault(move.home.definition, []).extend(statements)
    changes: list[Change] = []
    for definition, mine in heads.items():
        module = workspace.modules[definition]
        gone = {e.item for e in removed.emptied.get(module.file, ())}
        if module.file == move.source_file:
            gone |= set(move.items)
        changes.append(at_head(workspace, module, tuple(dict.fromkeys(mine)), frozenset(gone)))
    return changes
