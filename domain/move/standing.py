"""How visible the moved item must be at its new home, and which dependencies must become visible to it.

Seed 002 §3, D37, cases 12, 16, 118 to 130. A `pub` or `pub(crate)` stays as written; what was narrower gets the least
region that holds its users and never less than it had.
"""

from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from m1nd.domain.move.compose import Change, written
from m1nd.domain.move.fields import fields_in
from m1nd.domain.move.lint_levels import is_denied
from m1nd.domain.move.reach import (
    MODIFIER,
    Raised,
    common_module,
    least_region,
    raise_to,
    root_of,
    visibility_text,
)
from m1nd.domain.move.surface import is_public, is_shown
from m1nd.domain.move.world import Move, occurrences_naming
from m1nd.domain.rust.facts import ItemFact, ItemKind
from m1nd.domain.rust.names import Definition, DefinitionKind, Role
from m1nd.domain.rust.visibility import is_inside

TYPES = ("struct", "enum", "union")
WITH_MEMBERS = (ItemKind.STRUCT, ItemKind.ENUM, ItemKind.UNION, ItemKind.TRAIT)
WITH_FIELDS = (ItemKind.STRUCT, ItemKind.UNION, ItemKind.VARIANT)
PRIVATE = ("", "pub(self)")
AS_WRITTEN = ("pub", "pub(crate)")


@frozen
class Standing:
    """Visibility of the moved item as written before and after; `change` lies inside the moved text."""

    before: str
    after: str
    region: Definition | None
    """The module inside which it is visible; None = public."""
    changes: tuple[Change, ...] = ()


def standing_of(move: Move, item: int, viewers: Iterable[Definition]) -> Standing:
    """The visibility of one moved top-level item at home."""
    fact = move.facts.items[item]
    home = move.home.definition
    definition = move.workspace.definition(move.source.definition, item)
    seen = move.workspace.visibility_of(definition)
    if move.crosses:
        return _across(move, item, viewers)
    if item in move.roots and _would_surface(move, item):
        return Standing(fact.visibility, "pub(crate)", root_of(home), _modifier(move, item, "pub(crate)"))
    if fact.visibility in AS_WRITTEN or fact.kind.value == "macro_rules":
        return Standing(fact.visibility, fact.visibility, seen.scope)
    region = least_region(move.workspace, home, viewers)
    if fact.visibility not in PRIVATE and seen.scope is not None:
        region = common_module((region, seen.scope))
    after = visibility_text(home, region)
    if fact.visibility not in PRIVATE and _reads_alike(move, fact.visibility, home, region):
        after = fact.visibility
    return Standing(fact.visibility, after, region, _modifier(move, item, after))


def _across(move: Move, item: int, viewers: Iterable[Definition]) -> Standing:
    """In another crate: `pub` where code outside of that crate uses it, else as written or the least region there."""
    fact, home = move.facts.items[item], move.home.definition
    inside = list(viewers)
    if any(v.crate.partition("#")[0] != home.crate for v in inside):
        return Standing(fact.visibility, "pub", None, _modifier(move, item, "pub"))
    if fact.visibility in AS_WRITTEN:
        return Standing(fact.visibility, fact.visibility, None if fact.visibility == "pub" else root_of(home))
    region = least_region(move.workspace, home, inside)
    after = visibility_text(home, region)
    return Standing(fact.visibility, after, region, _modifier(move, item, after))


def published(move: Move) -> tuple[Change, ...]:
    """What makes every item that was asked for `pub`."""
    return tuple(c for item in move.roots for c in _modifier(move, item, "pub"))


def _would_surface(move: Move, item: int) -> bool:
    """Nobody outside can reach the `pub` item, everybody could at home, and a lint asks for documentation there.

    The root of a procedural macro crate may show nothing but its macros.
    """
    workspace, root = move.workspace, move.facts.items[item]
    if root.visibility != "pub" or not is_shown(workspace, move.home):
        return False
    if is_re_exported(move, item):
        return False
    if workspace.target(move.home.definition.crate).proc_macro:
        return True
    undocumented = is_denied(workspace, move.home, "missing_docs") and not is_documented(move, item)
    return undocumented and not is_public(workspace, workspace.definition(move.source.definition, item))


def is_re_exported(move: Move, item: int) -> bool:
    """Some `pub use` names the item; it must stay as visible as that."""
    definition = move.workspace.definition(move.source.definition, item)
    return any(
        occurrence.role is Role.USE
        and definition in occurrence.target
        and occurrence.item >= 0
        and move.workspace.facts[path].items[occurrence.item].visibility == "pub"
        for path, occurrence in occurrences_naming(
            move.workspace, frozenset((definition.name,)), definition.crate
        )
    )


def is_documented(move: Move, item: int) -> bool:
    """The item has a doc comment, and so has everything in it and in its impls that would be as public as it is."""
    source, facts = move.workspace.sources[move.source_file], move.facts
    fact = facts.items[item]
    if fact.kind is ItemKind.MOD:
        return False  # what stands in it may not be
    blocks = [i for i in move.items if facts.items[i].kind is ItemKind.IMPL]
    shown = [m for m in facts.items if m.parent == item and m.kind is not ItemKind.MACRO_CALL]
    if fact.kind in WITH_MEMBERS:
        shown += [m for m in facts.items if m.parent in blocks and m.visibility == "pub"]
    heads = [source[m.extent_start : m.start] for m in (fact, *(shown if fact.kind in WITH_MEMBERS else ()))]
    for owner in (fact, *(m for m in shown if m.kind is ItemKind.VARIANT)):
        heads += _heads_of_fields(move, owner) if owner.kind in WITH_FIELDS and owner.has_body else []
    return all(b"///" in head or b"/**" in head or b"#[doc" in head for head in heads)


def _heads_of_fields(move: Move, owner: ItemFact) -> list[bytes]:
    """What stands before each field that is public (those of a variant are), behind the field before it; tuples need no docs."""
    source = move.workspace.sources[move.source_file]
    fields = fields_in(move.workspace, move.source_file, owner.body_start, owner.body_end)
    ends = [owner.body_start, *(f.start for f in fields)]
    return [
        source[end : field.start]
        for end, field in zip(ends, fields, strict=False)
        if (field.visibility == "pub" or owner.kind is ItemKind.VARIANT) and not field.name.isdigit()
    ]


def _reads_alike(move: Move, text: str, home: Definition, region: Definition) -> bool:
    """The modifier as written means that region at the new home too."""
    if text == "pub(super)":
        return bool(home.path) and region.path == home.path[:-1]
    inside = text.removeprefix("pub(in ").removesuffix(")").strip()
    return text.startswith("pub(in crate") and tuple(inside.split("::")[1:]) == region.path


def _modifier(move: Move, item: int, after: str) -> tuple[Change, ...]:
    fact = move.facts.items[item]
    if after == fact.visibility:
        return ()
    source = move.workspace.sources[move.source_file]
    found = MODIFIER.match(source, fact.start) if fact.visibility else None
    end = found.end() if found else fact.start
    return (written(move.source_file, fact.start, end, f"{after} ".encode() if after else b""),)


def raises(
    move: Move,
    viewed: Iterable[Definition],
    regions: Mapping[int, Definition | None],
    opened: Mapping[Definition, frozenset[Definition]],
) -> tuple[Raised, ...]:
    """Make every definition of `viewed` visible to the new home; types in the signature as visible as the item.

    `regions`: where each item that was asked for is visible (None: public; its own types were as public before).
    `opened`: modules on the way to the new home, each with the modules that must see it.
    """
    home = move.home.definition
    found: dict[Definition, Raised] = {}
    wanted: dict[Definition, Definition] = {}
    for definition in viewed:
        if definition.kind in (DefinitionKind.ITEM, DefinitionKind.MODULE) and definition.crate == home.crate:
            wanted[move.workspace.bearer_of(definition)] = home
    for root, region in regions.items():
        if region is None or move.crosses:
            continue
        for definition in map(move.workspace.bearer_of, signature_types(move, root)):
            wanted[definition] = common_module((region, wanted.get(definition, region)))
    for module, viewers in opened.items():
        wanted[module] = common_module([*viewers, wanted.get(module, home)])
    for definition in list(wanted):
        for inner in _associated_types(move, definition):
            wanted.setdefault(inner, wanted[definition])
    for definition, viewer in wanted.items():
        if move.after(definition) != definition or definition in move.renamed.values():
            continue
        if move.workspace.locate(definition) is None or not _of_today(move, definition):
            continue
        raised = raise_to(move.workspace, definition, viewer)
        if raised is not None:
            found[definition] = raised
    return tuple(found[d] for d in sorted(found, key=lambda d: (d.path, d.ordinal)))


def _associated_types(move: Move, definition: Definition) -> Iterator[Definition]:
    """What the impls of a type bind as `type Item = …;`: it must be as visible as the type (E0446)."""
    workspace = move.workspace
    if definition.item_kind not in TYPES:
        return
    for module, block in workspace.impls_of(definition):
        file = workspace.modules[module].file
        for item in workspace.facts[file].items:
            if item.parent == block and item.kind is ItemKind.TYPE:
                for occurrence in workspace.occurrences_between(
                    file, item.name_end, item.end, definition.crate
                ):
                    yield from (d for d in occurrence.target if d.item_kind in TYPES)


def _of_today(move: Move, definition: Definition) -> bool:
    """Not part of the moved text."""
    place = move.workspace.locate(definition)
    return place is not None and not move.moves(
        place[0], move.workspace.facts[place[0]].items[place[1]].start
    )


def signature_types(move: Move, root: int) -> set[Definition]:
    """Workspace types in a root's signature that stay behind and are not visible everywhere it may be seen."""
    fact = move.facts.items[root]
    end = fact.body_start if fact.has_body else fact.end
    found: set[Definition] = set()
    crate = move.source.definition.crate
    for occurrence in move.workspace.occurrences_between(move.source_file, fact.start, end, crate):
        if occurrence.role in (Role.TYPE, Role.EXPRESSION):
            for definition in occurrence.target:
                if definition.kind is DefinitionKind.ITEM and definition not in move.renamed:
                    scope = move.workspace.visibility_of(definition).scope
                    if scope is not None and scope.crate == move.source.definition.crate:
                        found.add(definition)
    return {d for d in found if not is_inside(d_module(d), move.home.definition)}


def d_module(definition: Definition) -> Definition:
    """The module part of an item's path, taken as written (one name deep)."""
    return Definition(DefinitionKind.MODULE, definition.crate, definition.path[:-1])
