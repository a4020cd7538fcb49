"""Every reference to a moved item, outside the moved text, rewritten in its own style.

A reference is an occurrence that resolves to a moved item (never a match of text). Paths that reach the item
through a re-export are left alone: the re-export itself is rewritten. TRANSPLANT.md plan 5; W5, W6, W10, W11, W14,
W15, W20, W21, W22, W35.
"""

from typing import Never

from attrs import field, frozen, mutable

from m1nd.domain.move.compose import Change, written
from m1nd.domain.move.dependencies import link_change
from m1nd.domain.move.imports import UseStatement, kept_attributes, leaf_text, leaves_of
from m1nd.domain.move.reach import crate_prefix, parent_of, path_to
from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move, occurrences_naming
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Confidence, Definition, DefinitionKind, Namespace, Occurrence, Role
from m1nd.domain.rust.workspace import Workspace

OPAQUE = (Role.TOKEN, Role.FORMAT)


@frozen
class Requalified:
    """What the referencers need; leaves are `(file, index of UseFact)`, statements stand behind a `use` item or at a head."""

    changes: tuple[Change, ...] = ()
    removed: frozenset[tuple[str, int]] = frozenset()
    behind: tuple[tuple[str, int, UseStatement], ...] = ()
    """`(file, item index of a use declaration, statement)`."""
    heads: tuple[tuple[Module, UseStatement], ...] = ()
    viewers: frozenset[Definition] = frozenset()
    """Modules that spell a moved item directly: they must be able to see it."""
    files: tuple[str, ...] = ()
    rewritten: int = 0
    passed: frozenset[tuple[str, int]] = frozenset()
    """Import leaves that rewritten references went through: they may be unused now."""
    unresolved: tuple[dict[str, object], ...] = ()
    back_imported: bool = False
    links: tuple[tuple[str, Occurrence], ...] = ()
    """Doc links to moved items, to be mended once it is known what the source imports."""


@mutable
class _Collector:
    move: Move
    arrival: Workspace
    moved_top: frozenset[Definition]
    changes: list[Change] = field(factory=list)
    removed: set[tuple[str, int]] = field(factory=set)
    behind: dict[tuple[str, int, UseStatement], None] = field(factory=dict)
    heads: dict[tuple[Definition, UseStatement], None] = field(factory=dict)
    viewers: set[Definition] = field(factory=set)
    files: dict[str, None] = field(factory=dict)
    sites: set[tuple[str, int]] = field(factory=set)
    passed: set[tuple[str, int]] = field(factory=set)
    unresolved: list[dict[str, object]] = field(factory=list)
    bare: dict[Definition, list[tuple[str, Occurrence, Definition]]] = field(factory=dict)
    """By module: bare uses of a moved item that stood in the same module (or came through a glob)."""
    through: set[Definition] = field(factory=set)
    """Modules through whose scope somebody reaches a moved item."""
    links: list[tuple[str, Occurrence]] = field(factory=list)
    back_imported: bool = False


def requalify(move: Move, arrival: Workspace) -> Requalified:
    """Rewrite every reference. Raises Refused: `not_movable` where no path leads to the new home."""
    collector = _Collector(move, arrival, _moved_top(move))
    names = frozenset(d.name for d in collector.moved_top)
    found = [(p, o) for p, o in occurrences_naming(move.workspace, names) if not move.moves(p, o.start)]
    for path, occurrence in found:
        index = _concerned(collector, occurrence)
        if index is not None:
            _site(collector, path, occurrence, index)
        else:
            _suspect(collector, path, occurrence, names)
    _globs(collector)
    _own_module(collector)
    return Requalified(
        changes=tuple(collector.changes),
        removed=frozenset(collector.removed),
        behind=tuple(collector.behind),
        heads=tuple((move.workspace.modules[m], s) for m, s in collector.heads),
        viewers=frozenset(collector.viewers),
        files=tuple(collector.files),
        rewritten=len(collector.sites),
        passed=frozenset(collector.passed),
        unresolved=tuple(collector.unresolved),
        back_imported=collector.back_imported,
        links=tuple(collector.links),
    )


def _moved_top(move: Move) -> frozenset[Definition]:
    return frozenset(move.workspace.definition(move.source.definition, i) for i in move.items)


def _concerned(collector: _Collector, occurrence: Occurrence) -> int | None:
    """Index of the segment that denotes a moved top-level item."""
    for index, definitions in enumerate(occurrence.denotes):
        if any(d in collector.moved_top for d in definitions):
            return index
    return None


def _site(collector: _Collector, path: str, occurrence: Occurrence, index: int) -> None:
    """Sort one reference by how it reaches the item."""
    move = collector.move
    definition = next(d for d in occurrence.denotes[index] if d in collector.moved_top)
    if occurrence.role is Role.DOC:
        collector.links.append((path, occurrence))
        return
    collector.files[path] = None
    if index == 0:
        if occurrence.via is not None:
            _through_import(collector, occurrence)
        else:
            collector.bare.setdefault(occurrence.module, []).append((path, occurrence, definition))
        return
    parent = occurrence.denotes[index - 1]
    collector.through.update(d for d in parent if d.kind is DefinitionKind.MODULE)
    if move.source.definition not in parent:
        return
    if occurrence.role is Role.USE and index == len(occurrence.segments) - 1:
        _use_leaf(collector, path, occurrence, definition)
    else:
        _qualified(collector, path, occurrence, index, definition)


def _through_import(collector: _Collector, occurrence: Occurrence) -> None:
    """A bare use that an import serves: the import is rewritten, or (a glob) gets company."""
    assert occurrence.via is not None
    path, index = occurrence.via
    leaf = collector.move.workspace.facts[path].uses[index]
    if leaf.glob:
        target = glob_target(collector.move.workspace, path, index)
        if target is not None:
            collector.through.add(target)
        collector.passed.add((path, index))


def glob_target(workspace: Workspace, path: str, index: int) -> Definition | None:
    """The module (or enum) that a glob leaf imports from."""
    leaf = workspace.facts[path].uses[index]
    module = workspace.module_at(path, leaf.start)
    if module is None:
        return None
    if not leaf.path:
        return Definition(DefinitionKind.MODULE, module.definition.crate, ())
    found = workspace.resolve(module.definition, leaf.path, (Namespace.TYPE,), leaf.absolute)
    return found[-1][0] if found and found[-1] else None


# -- one rewritten path ---------------------------------------------------------------------------------------------


def _qualified(
    collector: _Collector, path: str, occurrence: Occurrence, index: int, definition: Definition
) -> None:
    """Rewrite the module part of a path expression, type, macro or `use` prefix."""
    if occurrence.via is not None:
        collector.passed.add(occurrence.via)
    start, end, text = _new_prefix(collector, occurrence, index, definition)
    collector.changes.append(written(path, start, end, text.encode()))
    _count(collector, path, occurrence)


def _new_prefix(
    collector: _Collector, occurrence: Occurrence, index: int, definition: Definition
) -> tuple[int, int, str]:
    """`(start, end, text)`: the range of the module segments and what to write there."""
    move = collector.move
    segment = occurrence.segments[index - 1]
    sibling = _sibling(collector, occurrence, index)
    if sibling:
        return segment.start, segment.end, sibling
    path = _spell(collector, occurrence, definition)
    end = occurrence.segments[index].start
    head, last = path[:-1], path[-1]
    if last != definition.name:
        end, head = occurrence.segments[index].end, path
        return occurrence.start, end, "::".join(head)
    if not head:
        return occurrence.start, end, ""
    text = "::".join(head)
    if occurrence.segments[0].name == "$crate" and text.startswith("crate"):
        text = "$" + text
    gap = move.workspace.sources[move.source_file][end:end]
    return occurrence.start, end, text + "::" + gap.decode()


def _sibling(collector: _Collector, occurrence: Occurrence, index: int) -> str | None:
    """The destination's own name in place of the source's, when the path before it leads to their common parent."""
    move = collector.move
    home = move.home.definition
    if not home.path or parent_of(home) != parent_of(move.source.definition):
        return None
    if occurrence.segments[index - 1].name in ("self", "super", "crate", "$crate"):
        return None
    names = [s.name for s in occurrence.segments[: index - 1]] + [home.path[-1]]
    if index - 1 > 0 and parent_of(home) not in occurrence.denotes[index - 2]:
        return None
    if names[0] == "$crate":
        names[0] = "crate"
    found = collector.arrival.resolve(occurrence.module, names, (Namespace.TYPE,), occurrence.absolute)
    seen = collector.arrival.can_see(occurrence.module, collector.arrival.modules[home].visibility)
    if seen and found and found[-1] == (home,) and not _shadowed(collector, occurrence, names[0], index):
        return _raw(home.path[-1])
    return None


def _shadowed(collector: _Collector, occurrence: Occurrence, name: str, index: int) -> bool:
    """A bare first segment may be hidden by a block-level item, import or generic: then no short path."""
    if index - 1 > 0 or occurrence.role is Role.USE:
        return False
    for other in collector.move.workspace.occurrences(
        _file_of(collector, occurrence), occurrence.module.crate
    ):
        if other.segments and other.segments[0].name == name and other.item == occurrence.item:
            local = other.denotes[0] and other.denotes[0][0].kind is DefinitionKind.LOCAL
            if local:
                return True
    return False


def _file_of(collector: _Collector, occurrence: Occurrence) -> str:
    return collector.move.workspace.modules[occurrence.module].file


def _raw(name: str) -> str:
    """A module's name as it must be spelled in a path."""
    return f"r#{name}" if name in KEYWORDS else name


KEYWORDS = frozenset(
    [
        "abstract",
        "as",
        "async",
        "await",
        "become",
        "box",
        "break",
        "const",
        "continue",
        "do",
        "dyn",
        "else",
        "enum",
        "extern",
        "false",
        "final",
        "fn",
        "for",
        "gen",
        "if",
        "impl",
        "in",
        "let",
        "loop",
        "macro",
        "match",
        "mod",
        "move",
        "mut",
        "override",
        "priv",
        "pub",
        "ref",
        "return",
        "static",
        "struct",
        "trait",
        "true",
        "try",
        "type",
        "typeof",
        "unsafe",
        "unsized",
        "use",
        "virtual",
        "where",
        "while",
        "yield",
    ]
)


def _spell(collector: _Collector, occurrence: Occurrence, definition: Definition) -> tuple[str, ...]:
    """A path to the item at its new home, for the occurrence's module."""
    after = collector.move.after(definition)
    if occurrence.module == collector.move.home.definition:
        return ("self", after.name)
    path = path_to(collector.arrival, after, occurrence.module, frozenset((after,)))
    if path is None:
        _refuse_unreachable(collector, occurrence, after)
    return tuple(_raw(p) if i else p for i, p in enumerate(path))


def _refuse_unreachable(collector: _Collector, occurrence: Occurrence, after: Definition) -> Never:
    move = collector.move
    file = _file_of(collector, occurrence)
    line = line_number(move.workspace.sources[file], occurrence.start)
    refuse(
        "not_movable",
        f"{file}:{line} uses `{after.name}`, but no path leads from there to {'::'.join(('crate', *after.path))}: "
        f"{move.dest_file} is private to it",
        hint=f"make the module of {move.dest_file} visible to {file}, or move to another file",
        file=file,
        line=line,
    )


def _count(collector: _Collector, path: str, occurrence: Occurrence) -> None:
    collector.sites.add((path, occurrence.start))
    collector.viewers.add(occurrence.module)


# -- imports --------------------------------------------------------------------------------------------------------


def _use_leaf(collector: _Collector, path: str, occurrence: Occurrence, definition: Definition) -> None:
    """An import of the item: re-pointed in place, split out of its group, or (at home) dropped."""
    move = collector.move
    facts = move.workspace.facts[path]
    spans = tuple((s.start, s.end) for s in occurrence.segments)
    index = next((i for i, u in enumerate(facts.uses) if u.segments == spans), None)
    if index is None:
        _qualified(collector, path, occurrence, len(occurrence.segments) - 1, definition)
        return
    leaf = facts.uses[index]
    _count(collector, path, occurrence)
    if occurrence.via is not None:
        collector.passed.add(occurrence.via)
    shares = any(d not in collector.moved_top for d in occurrence.target)
    block_level = (
        facts.items[leaf.item].parent >= 0 and facts.items[facts.items[leaf.item].parent].kind.value != "mod"
    )
    if occurrence.module == move.home.definition and not block_level:
        _drop_at_home(collector, path, index, definition, shares)
        return
    spelled = _leaf_path(collector, occurrence, definition)
    statement = UseStatement(
        spelled, leaf.alias, facts.items[leaf.item].visibility, kept_attributes(facts, leaf.item)
    )
    siblings = leaves_of(facts, leaf.item)
    if shares:
        collector.behind[(path, leaf.item, statement)] = None
    elif len(siblings) == 1:
        start, end = _tree_range(move.workspace, path, leaf.item)
        collector.changes.append(
            written(path, start, end, leaf_text_of(leaf.alias, spelled, occurrence, move, path))
        )
    elif _inside_leaf(occurrence, leaf.start):
        _rewrite_in_group(collector, path, occurrence, index, definition, statement)
    else:
        collector.removed.add((path, index))
        collector.behind[(path, leaf.item, statement)] = None


def leaf_text_of(
    alias: str | None, spelled: tuple[str, ...], occurrence: Occurrence, move: Move, path: str
) -> bytes:
    """The new tree of a declaration with one leaf; the last segment keeps its spelling (`r#area`)."""
    last = occurrence.segments[-1]
    typed = move.workspace.sources[path][last.start : last.end]
    head = "::".join(spelled[:-1]).encode()
    name = typed if spelled[-1].removeprefix("r#") == last.name else spelled[-1].encode()
    return (head + b"::" if head else b"") + name + (f" as {alias}".encode() if alias else b"")


def _tree_range(workspace: Workspace, path: str, item: int) -> tuple[int, int]:
    """The range of a declaration's whole use tree."""
    fact = workspace.facts[path].items[item]
    source = workspace.sources[path]
    root = workspace.parser.parse(source[fact.start : fact.end])
    argument = root.named_children[0].child_by_field_name("argument")
    if argument is None:
        return fact.start, fact.end
    return fact.start + argument.start_byte, fact.start + argument.end_byte


def _inside_leaf(occurrence: Occurrence, leaf_start: int) -> bool:
    """The segment that names the source module is written inside the leaf itself."""
    return len(occurrence.segments) > 1 and occurrence.segments[-2].start >= leaf_start


def _rewrite_in_group(
    collector: _Collector,
    path: str,
    occurrence: Occurrence,
    index: int,
    definition: Definition,
    statement: UseStatement,
) -> None:
    """A leaf of a group that names its module itself: `{a::x, b::y}`."""
    facts = collector.move.workspace.facts[path]
    last = len(occurrence.segments) - 1
    sibling = _sibling(collector, occurrence, last)
    if sibling:
        segment = occurrence.segments[last - 1]
        collector.changes.append(written(path, segment.start, segment.end, sibling.encode()))
    elif occurrence.segments[0].start >= facts.uses[index].start:
        leaf = facts.uses[index]
        collector.changes.append(written(path, leaf.start, leaf.end, leaf_text(leaf, statement.path)))
    else:
        collector.removed.add((path, index))
        collector.behind[(path, facts.uses[index].item, statement)] = None


def _leaf_path(collector: _Collector, occurrence: Occurrence, definition: Definition) -> tuple[str, ...]:
    """The path of a re-pointed import: the old one with the module's name exchanged where that leads home."""
    last = len(occurrence.segments) - 1
    sibling = _sibling(collector, occurrence, last)
    if sibling:
        head = [_raw_segment(s.name) for s in occurrence.segments[: last - 1]]
        lead = [""] if occurrence.absolute else []
        return (*lead, *head, sibling, _raw(occurrence.segments[last].name))
    return _spell(collector, occurrence, definition)


def _raw_segment(name: str) -> str:
    return name if name in ("self", "super", "crate", "$crate") else _raw(name)


def _drop_at_home(collector: _Collector, path: str, index: int, definition: Definition, shares: bool) -> None:
    """The destination imported the item: the import goes; an alias stays as `use self::name as alias`."""
    facts = collector.move.workspace.facts[path]
    leaf = facts.uses[index]
    if shares:
        return
    collector.removed.add((path, index))
    if leaf.alias and leaf.alias != definition.name:
        item = facts.items[leaf.item]
        statement = UseStatement(
            ("self", definition.name), leaf.alias, item.visibility, kept_attributes(facts, leaf.item)
        )
        collector.behind[(path, leaf.item, statement)] = None


# -- globs and the module itself --------------------------------------------------------------------------------------


def _globs(collector: _Collector) -> None:
    """Glob imports that brought the item: an explicit import beside each that somebody needs (W11, W15)."""
    move, workspace = collector.move, collector.move.workspace
    for path, facts in workspace.facts.items():
        for index, leaf in enumerate(facts.uses):
            if leaf.glob and not move.moves(path, leaf.start) and _imports_source(collector, path, index):
                for definition in collector.moved_top:
                    _beside_glob(collector, path, index, definition)


def _imports_source(collector: _Collector, path: str, index: int) -> bool:
    leaf = collector.move.workspace.facts[path].uses[index]
    names = {collector.move.source.definition.name, "self", "super", "crate"}
    likely = (
        not leaf.path
        or leaf.path[-1] in names
        or len(leaf.path) == 1
        or _may_be_alias(collector, leaf.path[-1])
    )
    return likely and glob_target(collector.move.workspace, path, index) == collector.move.source.definition


def _may_be_alias(collector: _Collector, name: str) -> bool:
    """Some import calls the source module `name`."""
    return any(
        u.alias == name
        and u.path
        and u.path[-1] in (collector.move.source.definition.name, "self", "super", "crate")
        for facts in collector.move.workspace.facts.values()
        for u in facts.uses
    )


def _beside_glob(collector: _Collector, path: str, index: int, definition: Definition) -> None:
    move, workspace, arrival = collector.move, collector.move.workspace, collector.arrival
    facts = workspace.facts[path]
    leaf = facts.uses[index]
    item = facts.items[leaf.item]
    module = workspace.module_at(path, leaf.start)
    if module is None or module.definition == move.home.definition:
        return
    after = move.after(definition)
    namespace = Namespace.MACRO if definition.item_kind == "macro_rules" else Namespace.VALUE
    spaces = (namespace,) if definition.item_kind == "fn" else tuple(Namespace)
    if any(
        b.definition == after for n in spaces for b in arrival.scope(module.definition).get(n, after.name)
    ):
        return
    visible = workspace.can_see(module.definition, workspace.visibility_of(definition))
    used_here = any(v == (path, index) for v in _uses_via(collector, path, index))
    shown = bool(item.visibility) and item.visibility != "pub(self)"
    if not visible or not (used_here or module.definition in collector.through or shown):
        return
    if (
        not used_here
        and module.definition not in collector.through
        and not _shows(workspace, definition, item.visibility)
    ):
        return
    if _served_by_source(collector, path, index, module):
        return
    occurrence = _at_module(module)
    spelled = _spell(collector, occurrence, definition)
    visibility = item.visibility if shown and _shows(workspace, definition, item.visibility) else ""
    statement = UseStatement(spelled, None, visibility, kept_attributes(facts, leaf.item))
    collector.behind[(path, leaf.item, statement)] = None
    collector.files[path] = None
    collector.viewers.add(module.definition)
    collector.sites.add((path, leaf.start))


def _uses_via(collector: _Collector, path: str, index: int) -> list[tuple[str, int]]:
    return [(path, index)] if (path, index) in collector.passed else []


def _shows(workspace: Workspace, definition: Definition, visibility: str) -> bool:
    """A glob re-export of that visibility really re-exports the item (it shows only what is visible enough)."""
    mine = workspace.visibility_of(definition)
    return mine.public or (visibility not in ("", "pub(self)") and bool(mine.scope and not mine.scope.path))


def _served_by_source(collector: _Collector, path: str, index: int, module: Module) -> bool:
    """A child of the source with `use super::*` sees what the source itself imports, and the source will import it."""
    inside = (
        module.definition.path[: len(collector.move.source.definition.path)]
        == collector.move.source.definition.path
    )
    here = collector.bare.get(collector.move.source.definition, [])
    return inside and any(not gates_of(collector.move.workspace, p, o) for p, o, _ in here)


def _at_module(module: Module) -> Occurrence:
    """A place in `module` to spell a path from."""
    return Occurrence(Role.USE, (), 0, 0, False, module.definition, -1, ())


def _own_module(collector: _Collector) -> None:
    """Bare uses that stood beside the item: the source imports it back (seed 002 §2.8), gated when all uses are."""
    for module, uses in collector.bare.items():
        by_definition: dict[Definition, list[tuple[str, Occurrence]]] = {}
        for path, occurrence, definition in uses:
            by_definition.setdefault(definition, []).append((path, occurrence))
        for definition, places in by_definition.items():
            spelled = _spell(collector, places[0][1], definition)
            statement = UseStatement(spelled, None, "", _shared_gates(collector, places))
            collector.heads[(module, statement)] = None
            collector.viewers.add(module)
            collector.sites.update((p, o.start) for p, o in places)
            collector.back_imported |= module == collector.move.source.definition


def _shared_gates(collector: _Collector, places: list[tuple[str, Occurrence]]) -> tuple[str, ...]:
    gates = [gates_of(collector.move.workspace, path, occurrence) for path, occurrence in places]
    shared = set.intersection(*(set(g) for g in gates)) if gates else set()
    return tuple(sorted(shared))


def gates_of(workspace: Workspace, path: str, occurrence: Occurrence) -> tuple[str, ...]:
    """The cfg conditions of the items around an occurrence, up to its module (`#[test]` counts as `cfg(test)`)."""
    facts = workspace.facts[path]
    found: list[str] = []
    index = occurrence.item
    while index >= 0 and facts.items[index].kind.value != "mod":
        for attribute in facts.items[index].attributes:
            if attribute.startswith("cfg("):
                found.append(attribute)
            elif attribute in ("test", "bench") or attribute.endswith("::test"):
                found.append("cfg(test)")
        index = facts.items[index].parent
    return tuple(found)


# -- what cannot be proven --------------------------------------------------------------------------------------------


def _suspect(collector: _Collector, path: str, occurrence: Occurrence, names: frozenset[str]) -> None:
    """A token that spells a moved name and resolves to nothing may be a reference that only a macro completes (D31)."""
    if occurrence.role is not Role.TOKEN or occurrence.confidence is Confidence.EXACT:
        return
    if occurrence.segments[-1].name in names and not occurrence.target:
        source = collector.move.workspace.sources[path]
        collector.unresolved.append(
            {
                "file": path,
                "line": line_number(source, occurrence.start),
                "text": source[occurrence.start : occurrence.end].decode("utf-8", "replace"),
                "reason": f"a token of the macro `{occurrence.in_macro}!` that may name the moved item",
            }
        )


def mend_links(move: Move, arrival: Workspace, requalified: Requalified) -> list[Change]:
    """Doc links elsewhere to a moved item: pointed at its new path where they would dangle."""
    changes: list[Change] = []
    moved = _moved_top(move)
    imported = {m.definition for m, s in requalified.heads if not s.gates}
    for path, occurrence in requalified.links:
        index = next(i for i, ds in enumerate(occurrence.denotes) if any(d in moved for d in ds))
        definition = next(d for d in occurrence.denotes[index] if d in moved)
        if index > 0 and move.source.definition not in occurrence.denotes[index - 1]:
            continue
        if index == 0 and (occurrence.via is not None or occurrence.module in imported):
            continue
        after = move.after(definition)
        spelled = path_to(arrival, after, occurrence.module, frozenset((after,)))
        if spelled is None or crate_prefix(arrival, after.crate, occurrence.module) is None:
            continue
        if occurrence.module == move.home.definition and index == 0:
            continue
        changes += link_change(move.workspace, path, occurrence, index, spelled)
    return changes
