"""A type that leaves its crate: what only the crate of a type may do (frontier 2c).

Impl blocks of the type's own file move along. Every other impl that speaks of the type must be legal where it stays
(E0116, E0117, E0210, and E0119 where a blanket impl stands beside it), no private member may be in use outside, and no
macro may be given the type, for it may make an impl of it. Source: the Rust Reference (Orphan rules).
"""

from collections.abc import Iterator, Sequence

from m1nd.domain.move.crates.crossing import refuse_crossing
from m1nd.domain.move.crates.macros import bodies_called, makes_impls, may_use
from m1nd.domain.move.crates.unpublished import refuse_unpublished
from m1nd.domain.move.macros.order import MACRO_BODY
from m1nd.domain.move.members_at_home import member_modifiers, viewers_of
from m1nd.domain.move.reach import root_of
from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move, is_doctest, occurrences_naming
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.associated import generic_names
from m1nd.domain.rust.bodies.documentation import DOCTEST
from m1nd.domain.rust.crate_names import crate_of_text
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.names import Definition, DefinitionKind, Occurrence, Role
from m1nd.domain.rust.prelude import STD_MACROS

TYPES = ("struct", "enum", "union")
Impl = tuple[Definition, str, int]
"""`(module, file, item)`."""


def check_types(move: Move) -> None:
    """Refuse with `orphan_rule`, `not_movable` or the closed boundary what a moved type may not leave behind."""
    types = frozenset(d for d in move.renamed if d.item_kind in TYPES)
    if not types:
        return
    for path, occurrence in occurrences_naming(
        move.workspace, frozenset(d.name for d in types), move.source.definition.crate
    ):
        if (
            move.moves(path, occurrence.start)
            or crate_of_text(occurrence.module.crate) == move.home.definition.crate
        ):
            continue
        if occurrence.role is Role.DOC or is_doctest(occurrence) or occurrence.in_macro == DOCTEST:
            continue
        if any(d in types for ds in occurrence.denotes for d in ds):
            _check_use(move, types, path, occurrence)
    for block in _impls_naming(move, _with_type_aliases(move, types)):
        _check_impl(move, types, block)
    _check_members(move)


def _check_use(move: Move, types: frozenset[Definition], path: str, occurrence: Occurrence) -> None:
    """A macro that is given the type, and a literal or pattern of a struct whose fields are not all public."""
    line = line_number(move.workspace.sources[path], occurrence.start)
    macro = _macro_around(move, path, occurrence)
    crate = occurrence.module.crate.partition("#")[0]
    bodies = bodies_called(move.workspace, crate, macro) if macro else ()
    if makes_impls(bodies):
        name = occurrence.segments[-1].name
        given = f"the macro `{occurrence.in_macro}!` is given `{name}`"
        if occurrence.in_macro == MACRO_BODY:
            given = f"the body of a macro names `{name}`"
        refuse_crossing(
            move.workspace,
            move.source.definition.crate,
            move.home.definition.crate,
            f"{given} ({path}:{line}) and may make an impl of it",
            hint=f"write out what the macro makes at {path}:{line} first, then preview again",
        )
    named = [d for ds in occurrence.denotes for d in ds if d in types]
    members = [d for d, _, _ in member_modifiers(move, "pub") if any(d.path[:-1] == n.path for n in named)]
    hidden = may_use(bodies or (), members) if macro else []
    if hidden:
        _refuse_hidden(hidden, f"{path}:{line}")
    if occurrence.role is Role.STRUCT and any(d in types for d in occurrence.target):
        fields = [d for d, _, _ in member_modifiers(move, "pub") if d.item_kind == "field"]
        hidden = [f for f in fields if any(f.path[:-1] == d.path for d in occurrence.target)]
        if hidden:
            _refuse_hidden(hidden, f"{path}:{line}")


def _macro_around(move: Move, path: str, occurrence: Occurrence) -> str:
    """The macro that may do anything with what is named there: one that is no standard one, called or with that in its body."""
    name = occurrence.in_macro
    if not name or name in STD_MACROS or occurrence.role is Role.USE:
        return ""
    item = move.workspace.facts[path].items[occurrence.item] if occurrence.item >= 0 else None
    return item.name if name == MACRO_BODY and item is not None else name


def _with_type_aliases(move: Move, types: frozenset[Definition]) -> frozenset[Definition]:
    """The types, and the type aliases that stay outside the new crate and speak of one of them: an impl may go by these."""
    workspace, found, new = move.workspace, set(types), set(types)
    while new:
        named = frozenset(d.name for d in new)
        seen: set[Definition] = set()
        for path, occurrence in _in_items(move, named):
            item = workspace.facts[path].items[occurrence.item]
            spoken = any(d in new for ds in occurrence.denotes for d in ds)
            if (
                spoken
                and item.kind is ItemKind.TYPE
                and crate_of_text(occurrence.module.crate) != move.home.definition.crate
            ):
                seen.update(workspace.forest.definitions(occurrence.module, occurrence.item))
        new = seen - found
        found |= new
    return frozenset(found)


def _in_items(move: Move, names: frozenset[str]) -> Iterator[tuple[str, Occurrence]]:
    """The occurrences of `names` in the text of items, without what their documentation says."""
    for path, occurrence in occurrences_naming(move.workspace, names, move.source.definition.crate):
        if (
            occurrence.item >= 0
            and occurrence.start >= move.workspace.facts[path].items[occurrence.item].start
        ):
            yield path, occurrence


def _impls_naming(move: Move, types: frozenset[Definition]) -> Iterator[Impl]:
    """The impl blocks outside the new crate, not moved, whose header speaks of one of the types."""
    workspace = move.workspace
    names = frozenset(d.name for d in types)
    seen: dict[tuple[str, int], Impl] = {}
    for path, occurrence in _in_items(move, names):
        if not any(d in types for ds in occurrence.denotes for d in ds):
            continue
        item = workspace.facts[path].items[occurrence.item]
        header = item.kind is ItemKind.IMPL and occurrence.start < (item.body_start or item.end)
        if (
            header
            and not move.moves(path, item.start)
            and crate_of_text(occurrence.module.crate) != move.home.definition.crate
        ):
            seen[path, occurrence.item] = (occurrence.module, path, occurrence.item)
    yield from seen.values()


def _check_impl(move: Move, types: frozenset[Definition], block: Impl) -> None:
    """Legal where it stays: of a trait, or for a type, of that crate; and no blanket impl of the trait beside it."""
    workspace, (module, path, index) = move.workspace, block
    owner = workspace.self_type(module, index)
    trait = workspace.linker.associated.trait_of(module, index)
    is_local = owner is not None and _is_of(owner, module) and owner not in types
    if trait is None and is_local:
        return
    if trait is not None and (is_local or (_is_of(trait, module) and trait.item_kind == "trait")):
        blanket = next(_that_may_meet(move, block, trait, owner), None)
        if blanket is None:
            return
    else:
        blanket = None
    line = line_number(workspace.sources[path], workspace.facts[path].items[index].start)
    header = workspace.facts[path].items[index].detail
    why = (
        f"and `impl{_spaced(workspace.facts[blanket[1]].items[blanket[2]].detail)}` of the same trait could meet it"
        if blanket is not None
        else "which only the crate of the type may write"
    )
    refuse(
        "orphan_rule",
        f"{path}:{line} says `impl{_spaced(header)}`, {why}; after the move the type is of another crate",
        hint=_way_for_an_impl(move, module, owner),
        file=path,
        line=line,
    )


def _way_for_an_impl(move: Move, module: Definition, owner: Definition | None) -> str:
    """Impls of the type that stand beside it travel; one of another type would stay there too."""
    if module == move.source.definition or (owner is not None and move.after(owner) == owner):
        return "write it as an impl of the moved type first (such as `Into` for `From`), or stay inside the crate"
    return f"move the impl into {move.source_file} beside the type first, then preview again"


def _that_may_meet(move: Move, block: Impl, trait: Definition, owner: Definition | None) -> Iterator[Impl]:
    """Generic impls of the same trait in the crate, but those for another type by its name."""
    for other in _impls_of(move, trait, block[0].crate):
        if other != block and _is_generic(move, other):
            known = move.workspace.self_type(other[0], other[2])
            if known is None or known == owner:
                yield other


def _spaced(detail: str) -> str:
    return detail if detail.startswith("<") else f" {detail}"


def _is_of(definition: Definition, module: Definition) -> bool:
    return definition.kind is DefinitionKind.ITEM and definition.crate == module.crate


def _impls_of(move: Move, trait: Definition, crate: str) -> Iterator[Impl]:
    """The impl blocks of a trait in one crate; those of a trait that nobody knows may be any."""
    workspace = move.workspace
    for module in workspace.modules.values():
        if module.definition.crate != crate or module.inline:
            continue
        for index, item in enumerate(workspace.facts[module.file].items):
            if item.kind is ItemKind.IMPL:
                inner = workspace.module_at(module.file, item.start, crate) or module
                if workspace.linker.associated.trait_of(inner.definition, index) == trait:
                    yield inner.definition, module.file, index


def _is_generic(move: Move, block: Impl) -> bool:
    names = generic_names(move.workspace.facts[block[1]].items[block[2]].detail)
    return any(not name.startswith("'") for name in names)


def _check_members(move: Move) -> None:
    """Members that are not `pub` and that text of the old crate uses: a move does not publish them."""
    members = {definition for definition, _, _ in member_modifiers(move, "pub")}
    if not members:
        return
    found = viewers_of(move, members, root_of(move.source.definition))
    for member in sorted(found, key=lambda d: d.path):
        outside = sorted({"::".join(("crate", *v.path)) for v in found[member]})
        _refuse_hidden([member, *found], f"`{outside[0]}`")


def _refuse_hidden(members: Sequence[Definition], place: str) -> None:
    member = members[0]
    refuse_unpublished(
        f"`{'::'.join(member.path)}` is not public, and {place} uses it; after the move it would be of another crate",
        hint=f"make `{member.name}` public, give the type a public fn for it first",
        seen=members,
        name="::".join(member.path),
    )
