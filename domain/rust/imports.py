"""Names of modules across the workspace: items, imports and globs, on demand and to a fixpoint.

One question is `(module, namespace, name)`; its answer is remembered. A question that depends on itself (import
cycles) contributes nothing to itself, and what was answered on the way is not remembered. Source: GRAPH.md
(Name resolution 2), the Rust Reference (Use declarations, Name resolution).
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar

from m1nd.domain.rust import externs, macros, paths, prelude
from m1nd.domain.rust.associated import Associated
from m1nd.domain.rust.facts import ItemFact, ItemKind, UseFact
from m1nd.domain.rust.forest import Forest
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace
from m1nd.domain.rust.outside import Outside
from m1nd.domain.rust.scope import Binding, dedupe
from m1nd.domain.rust.visibility import PUBLIC, Visibility, can_see, narrower, parse_visibility

T = TypeVar("T")
NAMESPACE_OF = {
    ItemKind.FN: (Namespace.VALUE,),
    ItemKind.CONST: (Namespace.VALUE,),
    ItemKind.STATIC: (Namespace.VALUE,),
    ItemKind.STRUCT: (Namespace.TYPE, Namespace.VALUE),
    ItemKind.VARIANT: (Namespace.TYPE, Namespace.VALUE),
    ItemKind.ENUM: (Namespace.TYPE,),
    ItemKind.UNION: (Namespace.TYPE,),
    ItemKind.TRAIT: (Namespace.TYPE,),
    ItemKind.TYPE: (Namespace.TYPE,),
    ItemKind.MOD: (Namespace.TYPE,),
    ItemKind.EXTERN_CRATE: (Namespace.TYPE,),
    ItemKind.MACRO_RULES: (Namespace.MACRO,),
}
NOTHING: tuple[Binding, ...] = ()
GLOB_DEPTH = 2
"""How deep glob targets whose own first segment comes from a glob of the same module are followed."""


class ModuleContext:
    """A path in the items of a module. `offset` (in the module's file) gives the textual macros seen there."""

    __slots__ = ("linker", "module", "offset")

    def __init__(self, linker: "Linker", module: Definition, offset: int | None = None) -> None:
        self.linker = linker
        self.module = module
        self.offset = offset

    def first(self, name: str, namespace: Namespace) -> tuple[Binding, ...]:
        return self.linker.lexical(self.module, namespace, name, self.offset)


class Linker:
    def __init__(self, forest: Forest, sources: Mapping[str, bytes]) -> None:
        self.forest = forest
        self.facts = forest.facts
        self.sources = sources
        self.associated = Associated(self)
        self.macros = macros.TextualMacros(forest)
        self.outside = Outside(self)
        self._memo: dict[Hashable, Any] = {}
        self._active: dict[Hashable, int] = {}
        self._lowest = 1 << 30
        self._glob_depth = 0

    # The fixpoint

    def guarded(self, key: Hashable, empty: T, compute: Callable[[], T]) -> T:
        """`compute()`, remembered; a question under way answers `empty` to itself."""
        memo = self._memo
        if key in memo:
            found: T = memo[key]
            return found
        depth = self._active.get(key)
        if depth is not None:
            self._lowest = min(self._lowest, depth)
            return empty
        depth = self._active[key] = len(self._active)
        outer, self._lowest = self._lowest, 1 << 30
        try:
            result = compute()
        finally:
            del self._active[key]
        if self._lowest >= depth:
            memo[key] = result
            self._lowest = outer
        else:
            self._lowest = min(outer, self._lowest)
        return result

    @property
    def busy(self) -> bool:
        """A question is under way, so that an answer given now may be incomplete."""
        return bool(self._active)

    @property
    def remembered(self) -> int:
        """How many answers are kept."""
        return len(self._memo)

    def names(self, module: Definition, namespace: Namespace, name: str) -> tuple[Binding, ...]:
        """The bindings of a name in a module's own scope: items and imports, else globs. No preludes."""
        key = (module, namespace, name)
        found: tuple[Binding, ...] | None = self._memo.get(key)
        if found is None:
            found = self.guarded(key, NOTHING, lambda: self._names(module, namespace, name))
        return found

    def _names(self, module: Definition, namespace: Namespace, name: str) -> tuple[Binding, ...]:
        return self.explicit(module, namespace, name) or self._through_globs(module, namespace, name, {})

    def explicit(self, module: Definition, namespace: Namespace, name: str) -> tuple[Binding, ...]:
        key = ("explicit", module, namespace, name)
        return self.guarded(key, (), lambda: self._explicit(module, namespace, name))

    def _explicit(self, module: Definition, namespace: Namespace, name: str) -> tuple[Binding, ...]:
        place = self.forest.source_of(module)
        if place is None:
            return ()
        file, scope = place
        bound = self.forest.items[file].bound(scope)
        facts = self.facts[file]
        found: list[Binding] = []
        gated = False
        for index in bound.items.get(name, ()):
            item = facts.items[index]
            if not self.binds(file, item, namespace):
                continue
            found.extend(self._item_bindings(module, file, index, item))
            gated = gated or is_gated(item)
        if namespace is Namespace.MACRO and not module.path:
            found.extend(self.exported_macros(module, name))
        own = bool(found)
        for position in bound.uses.get(name, ()):
            use = facts.uses[position]
            if use.is_self and namespace is not Namespace.TYPE:
                continue
            imported = self.import_bindings(module, file, position, namespace)
            if own and not (gated or is_gated(facts.items[use.item])):
                imported = tuple(b for b in imported if b.definition.kind is not DefinitionKind.EXTERNAL)
            found.extend(imported)
        return dedupe(found)

    def binds(self, file: str, item: ItemFact, namespace: Namespace) -> bool:
        """Whether an item binds its name in a namespace (a struct with named fields is no value)."""
        if namespace not in NAMESPACE_OF.get(item.kind, ()):
            return False
        if item.kind is ItemKind.STRUCT and namespace is Namespace.VALUE:
            return not item.has_body or self.sources[file][item.body_start : item.body_start + 1] != b"{"
        return True

    def _item_bindings(self, module: Definition, file: str, index: int, item: ItemFact) -> list[Binding]:
        visibility = parse_visibility(item.visibility, module)
        if item.kind is ItemKind.EXTERN_CRATE:
            return [Binding(self.outside.extern_crate(module, item), visibility, "extern_crate")]
        return [Binding(d, visibility, "item") for d in self.forest.definitions(module, index)]

    # Imports

    def import_bindings(
        self, module: Definition, file: str, position: int, namespace: Namespace
    ) -> tuple[Binding, ...]:
        """What one use leaf binds in a namespace, with the import's own visibility."""
        use = self.facts[file].uses[position]
        item = self.facts[file].items[use.item]
        outer = parse_visibility(item.visibility, module)
        via = (file, position)
        return tuple(
            Binding(b.definition, outer, "import", via)
            for b in self.import_targets(module, file, position, namespace)
        )

    def import_targets(
        self, module: Definition, file: str, position: int, namespace: Namespace
    ) -> tuple[Binding, ...]:
        use = self.facts[file].uses[position]
        if use.is_self:
            containers = self.use_prefix(module, file, position, whole=True)
            return tuple(Binding(d, PUBLIC, "import") for d in containers) if containers else ()
        head = use.path[-1]
        if len(use.path) == 1:
            return self._single_segment(module, use, namespace)
        if head in ("self", "super", "crate"):
            return tuple(
                Binding(d, PUBLIC, "import") for d in self.use_prefix(module, file, position, whole=True)
            )
        found: list[Binding] = []
        for container in self.use_prefix(module, file, position):
            found.extend(self.member(container, namespace, head, module))
        if (
            found
            and all(b.origin == "external_glob" for b in found)
            and self._known_elsewhere(module, file, position, namespace)
        ):
            return ()
        visible = [b for b in found if self.can_see(module, b.visibility)]
        return tuple(visible or found)

    def _known_elsewhere(self, module: Definition, file: str, position: int, namespace: Namespace) -> bool:
        """A leaf that surely binds another namespace is not taken for something an unseen glob may hold."""
        head = self.facts[file].uses[position].path[-1]
        return any(
            self.names(container, other, head)
            for container in self.use_prefix(module, file, position)
            if container.kind is DefinitionKind.MODULE
            for other in Namespace
            if other is not namespace
        )

    def _single_segment(self, module: Definition, use: UseFact, namespace: Namespace) -> tuple[Binding, ...]:
        name = use.path[0]
        if name in ("crate", "self", "super"):
            if namespace is not Namespace.TYPE:
                return ()
            answer = {"crate": self.root(module), "self": module, "super": self.forest.parent(module)}[name]
            return (Binding(answer, PUBLIC, "import"),)
        if use.absolute or self.edition(module) < 2018:
            found, _ = self.absolute(module, name, (namespace,))
            return tuple(Binding(d, PUBLIC, "import") for d in found)
        return self.lexical(module, namespace, name, use.start)

    def use_prefix(
        self, module: Definition, file: str, position: int, whole: bool = False
    ) -> tuple[Definition, ...]:
        """What the path of a use leaf denotes without its last segment (`whole`: with it), as containers."""
        key = ("prefix", module, file, position, whole)
        return self.guarded(key, (), lambda: self._use_prefix(module, file, position, whole))

    def _use_prefix(
        self, module: Definition, file: str, position: int, whole: bool
    ) -> tuple[Definition, ...]:
        use = self.facts[file].uses[position]
        segments = use.path if whole else use.path[:-1]
        if segments == ("self",):
            return (module,)
        return self.follow_use(ModuleContext(self, module, use.start), segments, use.absolute).target

    def follow_use(
        self,
        context: paths.Context,
        segments: Sequence[str],
        absolute: bool,
        namespaces: Sequence[Namespace] = (Namespace.TYPE,),
    ) -> paths.Answer:
        """A path of a `use` declaration: relative to the crate root in edition 2015."""
        rooted = bool(segments) and segments[0] in ("crate", "self", "super", "$crate")
        lead = absolute or (self.edition(context.module) < 2018 and not rooted)
        return paths.follow(self, context, segments, namespaces, lead)

    # Globs

    def glob_targets(self, module: Definition) -> tuple[tuple[int, tuple[Definition, ...]], ...]:
        """`(use position, containers)` of each glob import of a module."""
        place = self.forest.source_of(module)
        if place is None:
            return ()
        file, scope = place
        globs = self.forest.items[file].bound(scope).globs
        if not globs or self._glob_depth > GLOB_DEPTH:
            return ()
        self._glob_depth += 1
        try:
            return tuple((p, self.use_prefix(module, file, p, whole=True)) for p in globs)
        finally:
            self._glob_depth -= 1

    def _through_globs(
        self,
        module: Definition,
        namespace: Namespace,
        name: str,
        seen: dict[Definition, tuple[Binding, ...]],
    ) -> tuple[Binding, ...]:
        seen[module] = ()
        found: list[Binding] = []
        place = self.forest.source_of(module)
        for position, containers in self.glob_targets(module):
            assert place is not None
            file = place[0]
            item = self.facts[file].items[self.facts[file].uses[position].item]
            outer = parse_visibility(item.visibility, module)
            for container in containers:
                if container.kind is DefinitionKind.MODULE:
                    inner = seen.get(container)
                    if inner is None:
                        inner = self.explicit(container, namespace, name)
                        inner = inner or self._through_globs(container, namespace, name, seen)
                        seen[container] = inner
                elif container.kind is DefinitionKind.ITEM:
                    inner = self.variants(container, namespace, name)
                else:
                    continue
                found.extend(
                    Binding(b.definition, narrower(outer, b.visibility), "glob", (file, position))
                    for b in inner
                    if can_see(module, b.visibility)
                )
        result = dedupe(found)
        seen[module] = result
        return result

    def external_globs(self, module: Definition) -> tuple[Binding, ...]:
        """Glob imports, followed through the workspace, of modules whose source we do not have."""
        key = ("external globs", module)
        return self.guarded(key, (), lambda: self._external_globs(module, {module}))

    def _external_globs(self, module: Definition, seen: set[Definition]) -> tuple[Binding, ...]:
        found: list[Binding] = []
        place = self.forest.source_of(module)
        for position, containers in self.glob_targets(module):
            assert place is not None
            file = place[0]
            item = self.facts[file].items[self.facts[file].uses[position].item]
            outer = parse_visibility(item.visibility, module)
            for container in containers:
                if container.kind is DefinitionKind.EXTERNAL:
                    found.append(Binding(container, outer, "glob", (file, position)))
                elif container.kind is DefinitionKind.MODULE and container not in seen:
                    seen.add(container)
                    found.extend(
                        Binding(b.definition, narrower(outer, b.visibility), "glob", (file, position))
                        for b in self._external_globs(container, seen)
                        if can_see(module, b.visibility)
                    )
        return dedupe(found)

    def from_external_globs(self, module: Definition, name: str) -> tuple[Binding, ...]:
        """What the unseen globs of a module may bind under a name: each of them, nothing is chosen."""
        found = []
        for glob in self.external_globs(module):
            known = prelude.KNOWN_GLOBS.get(glob.definition.path)
            if known is not None and name not in known:
                continue
            definition = Definition(
                DefinitionKind.EXTERNAL, glob.definition.crate, (*glob.definition.path, name)
            )
            found.append(Binding(definition, glob.visibility, "external_glob", glob.via))
        return tuple(found)

    # Containers

    def member(
        self, container: Definition, namespace: Namespace, name: str, from_module: Definition
    ) -> tuple[Binding, ...]:
        """The bindings of `name` inside a module, enum, type, trait or outside crate."""
        if container.kind is DefinitionKind.MODULE:
            found = self.names(container, namespace, name)
            return found or tuple(
                b
                for b in self.from_external_globs(container, name)
                if self.can_see(from_module, b.visibility)
            )
        if container.kind is DefinitionKind.EXTERNAL:
            inner = Definition(DefinitionKind.EXTERNAL, container.crate, (*container.path, name))
            of_ours = self.associated.items(container, namespace, name) if container.path else ()
            return of_ours or (Binding(inner, PUBLIC, "item"),)
        return self.variants(container, namespace, name) or self.associated.items(container, namespace, name)

    def variants(self, definition: Definition, namespace: Namespace, name: str) -> tuple[Binding, ...]:
        if definition.item_kind == ItemKind.TYPE:
            inner = self.associated.aliased(definition)
            return self.variants(inner, namespace, name) if inner is not None else ()
        place = self.forest.locate(definition) if definition.item_kind == ItemKind.ENUM else None
        module = self.forest.module_of(definition)
        if place is None or module is None or namespace is Namespace.MACRO:
            return ()
        file, enum = place
        items = self.facts[file].items
        visibility = parse_visibility(items[enum].visibility, module)
        table = self.forest.table(module)
        return tuple(
            Binding(table[i], visibility, "item")
            for i in self.forest.items[file].below(enum)
            if items[i].kind is ItemKind.VARIANT and items[i].name == name
        )

    def exported_macros(self, root: Definition, name: str) -> tuple[Binding, ...]:
        """`#[macro_export]` macros and procedural macros, which live at the crate root."""
        return self.exports(root.crate).get(name, ())

    def exports(self, crate: str) -> Mapping[str, tuple[Binding, ...]]:
        key = ("exports", crate)
        return self.guarded(key, {}, lambda: macros.exported(self.forest, crate))

    # The first segment

    def lexical(
        self, module: Definition, namespace: Namespace, name: str, offset: int | None = None
    ) -> tuple[Binding, ...]:
        """An unqualified name in the items of a module, preludes included."""
        if namespace is Namespace.MACRO and offset is not None:
            textual = self.macros.at(module, offset, name)
            if textual:
                return textual
        found = self.names(module, namespace, name)
        if namespace is Namespace.TYPE and found:
            return self._crate_over_import(module, name, found)
        if found:
            return found
        fallback = self.outside.preludes(module, namespace, name)
        unseen = self.from_external_globs(module, name)
        if fallback and unseen:
            if all(b.definition.crate in prelude.SYSROOT_CRATES for b in unseen):
                return fallback
            return tuple(Binding(b.definition, b.visibility, "shadowable", b.via) for b in fallback)
        return fallback or unseen

    def _crate_over_import(
        self, module: Definition, name: str, found: tuple[Binding, ...]
    ) -> tuple[Binding, ...]:
        """`use anyhow::anyhow;` binds a macro, not a type, if `anyhow` is a crate: a path through it is the crate's."""
        outside = all(
            b.definition.kind is DefinitionKind.EXTERNAL
            and b.definition.path[-1:] == (name,)
            and b.definition.crate == name
            for b in found
        )
        crate = self.outside.dependencies(module.crate).get(name) if outside else None
        return (Binding(crate, PUBLIC, "extern_prelude"),) if crate is not None else found

    def absolute(
        self, module: Definition, name: str, namespaces: Sequence[Namespace]
    ) -> tuple[tuple[Definition, ...], str]:
        """The first segment after a leading `::` (in edition 2015 also that of every `use`)."""
        if self.edition(module) < 2018:
            found, _ = paths.step(self, (self.root(module),), name, namespaces, module)
            if found:
                return found, ""
        crate = self.outside.extern_names(module.crate).get(name)
        if crate is not None and Namespace.TYPE in namespaces:
            return (crate,), ""
        return (), paths.UNKNOWN_CRATE

    # Small questions

    def root(self, module: Definition) -> Definition:
        return externs.crate_root(module.crate)

    def edition(self, module: Definition) -> int:
        target = self.forest.targets.get(module.crate.partition("#")[0])
        return target.edition if target is not None else 2021

    @staticmethod
    def can_see(from_module: Definition, visibility: Visibility) -> bool:
        return can_see(from_module, visibility)

    def has_cfg(self, definition: Definition) -> bool:
        """The definition, or a module on its way, is behind a `cfg`."""
        item = self.forest.item(definition)
        module = self.forest.module_of(definition)
        known = self.forest.modules.get(module) if module is not None else None
        return (item is not None and is_gated(item)) or (known is not None and bool(known.cfg))

    def kind_group(self, definition: Definition) -> str:
        """The namespaces a definition lives in, coarsely: two of one group cannot share a name without cfg."""
        if definition.kind is DefinitionKind.ITEM:
            kind = ItemKind(definition.item_kind) if definition.item_kind != "field" else None
            spaces = NAMESPACE_OF.get(kind, ()) if kind is not None else ()
            return spaces[0].value if spaces else definition.item_kind
        return "type" if definition.kind in (DefinitionKind.MODULE, DefinitionKind.BUILTIN) else "outside"

    def doubt(self, module: Definition) -> str:
        """Why a name may be missing from a module: macros and includes can define what we cannot see."""
        place = self.forest.source_of(module)
        if place is None:
            return paths.NOT_FOUND
        members = self.forest.items[place[0]].members.get(place[1], ())
        for index in members:
            item = self.facts[place[0]].items[index]
            if item.kind is ItemKind.MACRO_CALL:
                return (
                    "not found, included text" if item.name.endswith("include") else "not found, macro call"
                )
        return paths.NOT_FOUND


def is_gated(item: ItemFact) -> bool:
    return any(a.startswith("cfg") for a in item.attributes)
