"""Whole scopes: every name a module binds, and the traits in scope at a place. Built from single-name answers."""

from collections.abc import Iterator

from m1nd.domain.rust.associated import ItemContext
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.imports import Linker
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace
from m1nd.domain.rust.scope import ModuleScope

Via = tuple[str, int] | None


def scope_of(linker: Linker, module: Definition) -> ModuleScope:
    """The scope of a module; a name is looked up when it is asked for."""
    return ModuleScope(
        lambda namespace, name: linker.names(module, namespace, name),
        lambda: _candidates(linker, module, set()),
        lambda: linker.external_globs(module),
    )


def _candidates(linker: Linker, module: Definition, seen: set[Definition]) -> set[str]:
    """Names that a module's items, imports and globs may bind."""
    seen.add(module)
    place = linker.forest.source_of(module)
    if place is None:
        return set()
    file, scope = place
    bound = linker.forest.items[file].bound(scope)
    names = set(bound.items) | set(bound.uses)
    if not module.path:
        names |= set(linker.exports(module.crate))
    for _, containers in linker.glob_targets(module):
        for container in containers:
            if container.kind is DefinitionKind.MODULE and container not in seen:
                names |= _candidates(linker, container, seen)
            elif container.item_kind == ItemKind.ENUM:
                names |= _variant_names(linker, container)
    return names


def names_of_shown_modules(linker: Linker, module: Definition, seen: set[Definition]) -> set[str]:
    """Names by which a module may show a module to others: those of `mod` items and of re-exports, its globs' too."""
    seen.add(module)
    place = linker.forest.source_of(module)
    if place is None:
        return set()
    file, scope = place
    facts = linker.facts[file]
    bound = linker.forest.items[file].bound(scope)
    names = {n for n, items in bound.items.items() if any(facts.items[i].kind is ItemKind.MOD for i in items)}
    names |= {
        n for n, uses in bound.uses.items() if any(facts.items[facts.uses[u].item].visibility for u in uses)
    }
    for _, containers in linker.glob_targets(module):
        for container in containers:
            if container.kind is DefinitionKind.MODULE and container not in seen:
                names |= names_of_shown_modules(linker, container, seen)
    return names


def _variant_names(linker: Linker, enum: Definition) -> set[str]:
    place = linker.forest.locate(enum)
    if place is None:
        return set()
    facts = linker.facts[place[0]].items
    return {facts[i].name for i in linker.forest.items[place[0]].below(place[1]) if facts[i].name}


def traits_of(
    linker: Linker, module: Definition, scope: ModuleScope, offset: int | None
) -> tuple[tuple[Definition, Via], ...]:
    """Traits whose methods are callable: of the module, and of the blocks around `offset` in its file."""
    found: dict[tuple[Definition, Via], None] = {}
    for bindings in scope.names.values():
        for binding in bindings:
            if _may_be_trait(binding.definition):
                found[binding.definition, binding.via] = None
    for definition, via in _anonymous(linker, module):
        found[definition, via] = None
    if offset is not None:
        for definition, via in _of_blocks(linker, module, offset):
            found[definition, via] = None
    return tuple(found)


def _may_be_trait(definition: Definition) -> bool:
    if definition.kind is DefinitionKind.ITEM:
        return definition.item_kind == ItemKind.TRAIT
    return definition.kind is DefinitionKind.EXTERNAL and definition.name[:1].isupper()


def _anonymous(linker: Linker, module: Definition) -> Iterator[tuple[Definition, Via]]:
    place = linker.forest.source_of(module)
    if place is None:
        return
    file, scope = place
    for position in linker.forest.items[file].bound(scope).anonymous:
        for binding in linker.import_targets(module, file, position, Namespace.TYPE):
            yield binding.definition, (file, position)
    for _, containers in linker.glob_targets(module):
        for container in containers:
            if container.kind is DefinitionKind.MODULE and container != module:
                yield from _anonymous_visible(linker, container, module)


def _anonymous_visible(
    linker: Linker, container: Definition, from_module: Definition
) -> Iterator[tuple[Definition, Via]]:
    """`pub use Trait as _` of a module that is glob imported."""
    place = linker.forest.source_of(container)
    if place is None:
        return
    file, scope = place
    for position in linker.forest.items[file].bound(scope).anonymous:
        for binding in linker.import_bindings(container, file, position, Namespace.TYPE):
            if linker.can_see(from_module, binding.visibility):
                yield binding.definition, (file, position)


def _of_blocks(linker: Linker, module: Definition, offset: int) -> Iterator[tuple[Definition, Via]]:
    """Traits declared or imported in the functions around a position."""
    place = linker.forest.source_of(module)
    if place is None:
        return
    file = place[0]
    facts = linker.facts[file]
    around = {i for i, item in enumerate(facts.items) if item.start <= offset < item.end}
    for position, use in enumerate(facts.uses):
        owner = facts.items[use.item].parent
        if owner in around and facts.items[owner].kind is not ItemKind.MOD and not use.glob:
            context = ItemContext(linker, module, file, use.item)
            for definition in linker.follow_use(context, use.path, use.absolute).target:
                if _may_be_trait(definition):
                    yield definition, (file, position)
    for index, item in enumerate(facts.items):
        inside = item.parent in around and facts.items[item.parent].kind is ItemKind.FN
        if item.kind is ItemKind.TRAIT and inside:
            yield from ((d, None) for d in linker.forest.definitions(module, index))
