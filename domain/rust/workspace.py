"""The workspace as the resolver sees it: the one door to module trees, scopes, paths and occurrences.

A `Workspace` is a value over facts and bytes: immutable from outside, caches inside. It reads no file and writes
nothing; a planned tree is another `Workspace` (`with_files`). Source: GRAPH.md (Name resolution).
"""

from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence

from m1nd.domain.rust import paths, shown
from m1nd.domain.rust.bodies.model import FieldSketch
from m1nd.domain.rust.bodies.sketch import Sketch
from m1nd.domain.rust.cargo import CargoWorkspace, Target
from m1nd.domain.rust.crate_names import crate_of_text, hanging_together
from m1nd.domain.rust.facts import FileFacts, ItemFact, ItemKind
from m1nd.domain.rust.facts_after import Stay, facts_after
from m1nd.domain.rust.forest import Forest
from m1nd.domain.rust.imports import Linker, ModuleContext
from m1nd.domain.rust.known_files import KnownFiles
from m1nd.domain.rust.lexical import Lexical
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace, Occurrence, Role
from m1nd.domain.rust.occurrences import FileResolver
from m1nd.domain.rust.outside_traits import NoOutsideTraits, OutsideTraits
from m1nd.domain.rust.overlay import Overlay
from m1nd.domain.rust.receivers import Receivers
from m1nd.domain.rust.scope import Binding, ModuleScope
from m1nd.domain.rust.scope_listing import names_of_shown_modules, scope_of, traits_of
from m1nd.domain.rust.spelled import FEW, names_spelled
from m1nd.domain.rust.syntax import Parser
from m1nd.domain.rust.visibility import Visibility, can_see
from m1nd.domain.rust.walk import file_facts

WAYS = ("crate", "self", "super")
"""What a path of modules begins with that names none."""


class Workspace:
    def __init__(
        self,
        forest: Forest,
        sources: Mapping[str, bytes],
        parser: Parser,
        known: KnownFiles,
        outside: OutsideTraits,
    ) -> None:
        """Use `build`, `over` or `with_files`. `known` is true for the bytes of `sources`, and grows."""
        self.forest = forest
        self.cargo = forest.cargo
        self.facts = forest.facts
        self.sources = sources
        self.parser = parser
        self.outside = outside
        self.linker = Linker(forest, sources)
        self._names = known.names
        self._sketches = known.sketches
        self._lexicals: dict[Definition, Lexical] = {}
        self._resolvers: dict[Definition, FileResolver] = {}
        self._found: dict[Definition, tuple[Occurrence, ...]] = {}
        self._scopes: dict[Definition, ModuleScope] = {}
        self._around: dict[str, tuple[str, ...]] = {}
        self._holding: dict[bytes, tuple[str, ...]] = {}
        self._macro_names: frozenset[str] | None = None

    @classmethod
    def build(
        cls,
        cargo: CargoWorkspace,
        facts: Mapping[str, FileFacts],
        sources: Mapping[str, bytes],
        parser: Parser,
        outside: OutsideTraits | None = None,
    ) -> "Workspace":
        """`outside`: what is known of the traits of other crates; nothing unless it is given."""
        return cls.over(Forest.plant(cargo, facts), sources, parser, outside or NoOutsideTraits())

    @classmethod
    def over(
        cls,
        forest: Forest,
        sources: Mapping[str, bytes],
        parser: Parser,
        outside: OutsideTraits,
        known: KnownFiles | None = None,
    ) -> "Workspace":
        """Over module trees that stand already, and what is `known` of the files: several workspaces may share both."""
        return cls(forest, sources, parser, known or KnownFiles(), outside)

    def with_files(
        self, changed: Mapping[str, bytes | None], stays: Mapping[str, Sequence[Stay]] | None = None
    ) -> "Workspace":
        """A planned tree: new bytes per path, None = removed. Shares all that the change cannot touch.

        `stays`: which bytes of a path's text the change leaves as they are, where that is known.
        """
        fresh = {
            path: self._facts_after(path, text, (stays or {}).get(path, ())) if text is not None else None
            for path, text in changed.items()
        }
        facts = Overlay(self.facts, fresh)
        texts = {p: t for p, t in changed.items() if t is not None}
        sources: Mapping[str, bytes] = ChainMap(texts, self.sources)  # type: ignore[arg-type]
        known = KnownFiles(self._names, self._sketches).beside(changed)
        forest = self.forest.replanted(facts, fresh)
        return Workspace(forest, sources, self.parser, known, self.outside)

    def _facts_after(self, path: str, text: bytes, stays: Sequence[Stay]) -> FileFacts:
        if not stays or path not in self.facts:
            return file_facts(text, self.parser)
        return facts_after(text, stays, self.sources[path], self.facts[path], self.parser)

    # Crates and modules

    @property
    def crates(self) -> tuple[Target, ...]:
        return tuple(self.forest.targets.values())

    def target(self, crate_key: str) -> Target:
        return self.forest.targets[crate_key]

    def edition(self, crate_key: str) -> int:
        return self.forest.targets[crate_key].edition

    @property
    def modules(self) -> Mapping[Definition, Module]:
        return self.forest.modules

    def mounts(self, path: str) -> tuple[Module, ...]:
        """Non-inline modules whose file is `path`, one per target that compiles it."""
        return self.forest.mounts(path)

    def files_around(self, crate: str) -> tuple[str, ...]:
        """The files of all crates that may name something of `crate`, or the other way round, in the order of the facts;
        those of procedural macros too, which write code for anybody."""
        package = self.forest.targets[crate.partition("#")[0]].package
        found = self._around.get(package)
        if found is None:
            near = hanging_together(self.cargo, package)
            keys = {target.key for target in self.crates if target.package in near or target.proc_macro}
            files = {module.file for module in self.modules.values() if module.definition.crate in keys}
            found = self._around[package] = tuple(path for path in self.facts if path in files)
        return found

    def files_holding(self, word: bytes) -> tuple[str, ...]:
        """The files whose bytes hold `word`, in the order of the facts."""
        found = self._holding.get(word)
        if found is None:
            found = self._holding[word] = tuple(p for p in self.facts if word in self.sources[p])
        return found

    def macro_names(self) -> frozenset[str]:
        """The names of all `macro_rules!`."""
        if self._macro_names is None:
            self._macro_names = frozenset(
                item.name
                for facts in self.facts.values()
                for item in facts.items
                if item.kind is ItemKind.MACRO_RULES
            )
        return self._macro_names

    def orphans(self) -> tuple[str, ...]:
        """`.rs` files that no crate reaches."""
        return self.forest.orphans()

    def module_at(self, path: str, offset: int, crate: str | None = None) -> Module | None:
        """The innermost module around a byte offset; None for a file that no crate (or not `crate`) mounts."""
        for mount in self.forest.mounts(path):
            if crate is None or mount.definition.crate == crate:
                return self.forest.module_inside(mount, offset)
        return None

    # Definitions

    def definition(self, module: Definition, item_index: int) -> Definition:
        """What item `item_index` of the module's file declares in `module` (the module around the item)."""
        found = self.forest.definitions(module, item_index)
        if not found:
            raise KeyError(f"item {item_index} declares nothing in {module}")
        return found[0]

    def locate(self, definition: Definition) -> tuple[str, int] | None:
        """`(file, item index)` of an ITEM; of a field (item_kind `field`) that of its struct, union or variant;
        of a MODULE the `mod` item that declares it (`(root file, -1)` for a crate root)."""
        return self.forest.locate(definition)

    def item(self, definition: Definition) -> ItemFact | None:
        return self.forest.item(definition)

    def module_of(self, definition: Definition) -> Definition | None:
        """The module that declares an ITEM."""
        return self.forest.module_of(definition)

    # Scopes and paths

    def scope(self, module: Definition) -> ModuleScope:
        """Every name of a module's own scope; preludes and textual macros are not in it."""
        found = self._scopes.get(module)
        if found is None:
            found = self._scopes[module] = scope_of(self.linker, module)
        return found

    def names_of(self, definition: Definition) -> frozenset[str]:
        """The name of an item or module, and all that imports anywhere may call it."""
        names = self.linker.associated.names_of(definition.name)
        if definition.kind is DefinitionKind.MODULE:
            # `use super as above;`: a module is also imported by a word that is no name.
            names |= {n for word in WAYS for n in self.linker.associated.names_of(word)}
        return frozenset(names)

    def imported_names(self, module: Definition, names: frozenset[str]) -> frozenset[str]:
        """Those of `names` that an import of the module, or a glob of it, may bind."""
        place = self.forest.source_of(module)
        if place is None:
            return frozenset()
        bound = self.forest.items[place[0]].bound(place[1])
        return names if bound.globs else names.intersection(bound.uses)

    def names_of_shown_modules(self, module: Definition) -> frozenset[str]:
        """Every name by which a module may show another module to the outside."""
        return frozenset(names_of_shown_modules(self.linker, module, set()))

    def lookup(
        self, module: Definition, name: str, namespace: Namespace, offset: int | None = None
    ) -> tuple[Binding, ...]:
        """An unqualified name as the module's items see it: scope, textual macros, extern and std prelude, primitives.

        `offset`: the position, for textual macros; without it those at the end of the module are taken.
        """
        position = offset if offset is not None else 1 << 62
        return self.linker.lexical(module, namespace, name, position)

    def resolve(
        self,
        module: Definition,
        segments: Sequence[str],
        namespaces: Sequence[Namespace],
        absolute: bool = False,
        offset: int | None = None,
    ) -> tuple[tuple[Definition, ...], ...]:
        """What each prefix of a path denotes, written among the items of `module`; all twins of each."""
        position = offset if offset is not None else 1 << 62
        context = ModuleContext(self.linker, module, position)
        return paths.follow(self.linker, context, segments, namespaces, absolute).denotes

    def resolve_import(
        self,
        module: Definition,
        segments: Sequence[str],
        namespaces: Sequence[Namespace] = (Namespace.TYPE,),
        absolute: bool = False,
    ) -> tuple[tuple[Definition, ...], ...]:
        """As `resolve`, for the path of a `use` declaration: edition 2015 reads it from the crate root."""
        context = ModuleContext(self.linker, module, 1 << 62)
        return self.linker.follow_use(context, segments, absolute, namespaces).denotes

    def macro_scope(self, module: Definition, offset: int) -> Mapping[str, tuple[Definition, ...]]:
        """Textual `macro_rules` visible at a position: name to definitions (cfg twins give several)."""
        return self.linker.macros.all_at(module, offset)

    # Visibility

    def can_see(self, from_module: Definition, visibility: Visibility) -> bool:
        return can_see(from_module, visibility)

    def visibility_of(self, definition: Definition) -> Visibility:
        """Declared visibility; variants, trait items and items of trait impls have that of their enum or trait."""
        return shown.visibility_of(self, definition)

    def bearer_of(self, definition: Definition) -> Definition:
        """The definition whose modifier decides: the enum of a variant and its fields, the trait of its items and of an impl's."""
        return shown.bearer_of(self, definition)

    def reachable(self, definition: Definition, from_module: Definition) -> bool:
        """Whether the declared path from the crate root is visible to `from_module`, module by module."""
        return shown.reachable(self, definition, from_module)

    # Types and traits

    def trait_methods(self, definition: Definition) -> frozenset[str]:
        """Names of the functions and constants that a workspace trait declares."""
        return self.linker.associated.trait_methods(definition)

    def outside_methods(self, trait: Definition) -> frozenset[str] | None:
        """Associated functions and constants of an EXTERNAL trait; empty for what is no trait; None when unknown."""
        return self.outside.methods(self._package_name(trait.crate), trait.name)

    def outside_glob_methods(self, module: Definition) -> frozenset[str] | None:
        """Associated functions of all traits that a glob import of an EXTERNAL module may bring; None when unknown."""
        found = self.outside.of_glob(self._package_name(module.crate), module.path)
        return None if found is None else frozenset(m for methods in found.values() for m in methods)

    def outside_glob_traits(self, module: Definition) -> frozenset[str] | None:
        """Names of the traits that a glob import of an EXTERNAL module may bring; None when unknown."""
        found = self.outside.of_glob(self._package_name(module.crate), module.path)
        return None if found is None else frozenset(found)

    def _package_name(self, crate: str) -> str:
        """The package that code calls `crate`."""
        for package in self.cargo.packages:
            for dependency in package.dependencies:
                if dependency.name == crate:
                    return dependency.package_name
        return crate

    def self_type(self, module: Definition, impl_index: int) -> Definition | None:
        """The type that an impl block of `module` is for, aliases followed; None where it is no plain path."""
        return self.linker.associated.self_type(module, impl_index)

    def is_inherent(self, definition: Definition) -> bool:
        """An associated item of an `impl` block without a trait."""
        owner = self.forest.owner_definition(definition) if definition.kind is DefinitionKind.ITEM else None
        if owner is None or owner.item_kind != ItemKind.IMPL:
            return False
        module, place = self.forest.module_of(definition), self.forest.locate(owner)
        return (
            module is not None
            and place is not None
            and self.linker.associated.trait_of(module, place[1]) is None
        )

    def traits_in_scope(
        self, module: Definition, offset: int | None = None
    ) -> tuple[tuple[Definition, tuple[str, int] | None], ...]:
        """Workspace traits, and EXTERNAL imports that may be traits (kind EXTERNAL is the flag), `as _` included.

        With `offset`, imports and traits of the blocks around it too. Second of the pair: `(file, use index)`.
        """
        return traits_of(self.linker, module, self.scope(module), offset)

    def impls_of(self, definition: Definition) -> tuple[tuple[Definition, int], ...]:
        """`(module, item index)` of the impl blocks whose self type is `definition`."""
        return self.linker.associated.impls_of(definition)

    # Occurrences

    def occurrences(self, path: str, crate: str | None = None) -> tuple[Occurrence, ...]:
        """Every path occurrence of a file, in textual order; mount by mount unless `crate` picks one.

        A file that no crate mounts has none.
        """
        return tuple(
            o
            for mount in self.forest.mounts(path)
            if crate is None or mount.definition.crate == crate
            for o in self._of_mount(mount)
        )

    def occurrences_of(
        self, path: str, names: frozenset[str], crate: str | None = None
    ) -> tuple[Occurrence, ...]:
        """The occurrences that have a segment called by one of `names`; cheaper than all of them."""
        return tuple(
            o
            for mount in self.forest.mounts(path)
            if crate is None or mount.definition.crate == crate
            for o in self._resolver(mount).occurrences(names)
        )

    def occurrences_between(
        self, path: str, start: int, end: int, crate: str | None = None
    ) -> tuple[Occurrence, ...]:
        """The occurrences that start in bytes `start..end` of a file; cheaper than all of them."""
        return tuple(
            o
            for mount in self.forest.mounts(path)
            if crate is None or mount.definition.crate == crate
            for o in self._resolver(mount).between(start, end)
        )

    def names_beside(
        self, path: str, occurrence: Occurrence, name: str, namespace: Namespace
    ) -> tuple[Binding, ...]:
        """What an unqualified name means where an occurrence of a file stands: in its blocks, its module, the preludes."""
        return tuple(
            b
            for mount in self.forest.mounts(path)
            if mount.definition.crate == crate_of_text(occurrence.module.crate)
            for b in self._resolver(mount).names_at(occurrence.start, name, namespace)
        )

    def method_calls(self, path: str) -> tuple[tuple[str, int, Definition], ...]:
        """`(name, start, module)` of every method call of a file, `Type::f(…)` included; only the module is resolved."""
        return tuple(
            (raw.segments[-1][0], raw.start, self._lexical(mount).module_of(raw.rib))
            for mount in self.forest.mounts(path)
            for raw in self.sketch(path).raws()
            if raw.role is Role.METHOD
            or (raw.role in (Role.CALL, Role.EXPRESSION) and (len(raw.segments) > 1 or raw.based))
        )

    def type_before(self, path: str, start: int) -> Definition | None:
        """The type before the dot of the method name at `start`, or of the plain name there; None where it is not plain."""
        found = {self._resolver(mount).type_before(start) for mount in self.forest.mounts(path)}
        return next(iter(found)) if len(found) == 1 else None

    def fields_of(self, definition: Definition) -> tuple[tuple[Definition, FieldSketch], ...]:
        """The fields of a struct, union or variant, tuple fields named `0`, `1`, …; FIELD definitions."""
        place = self.forest.locate(definition)
        found = self.sketch(place[0]).fields(place[1]) if place is not None else ()
        return tuple((Receivers.field_definition(definition, f), f) for f in found)

    def sketch(self, path: str) -> Sketch:
        """The paths and scopes a file writes down, unresolved; kept as long as its bytes stay."""
        found = self._sketches.get(path)
        if found is None:
            found = self._sketches[path] = Sketch(self.sources[path], self.facts[path], self.parser)
        return found

    def _of_mount(self, mount: Module) -> tuple[Occurrence, ...]:
        found = self._found.get(mount.definition)
        if found is None:
            found = self._found[mount.definition] = tuple(self._resolver(mount).occurrences())
        return found

    def _resolver(self, mount: Module) -> FileResolver:
        found = self._resolvers.get(mount.definition)
        if found is None:
            found = FileResolver(self.sketch(mount.file), self._lexical(mount), self.sketch, self._lexical_of)
            self._resolvers[mount.definition] = found
        return found

    def _lexical(self, mount: Module) -> Lexical:
        found = self._lexicals.get(mount.definition)
        if found is None:
            found = self._lexicals[mount.definition] = Lexical(self.linker, mount)
        return found

    def _lexical_of(self, module: Definition) -> Lexical | None:
        """The lookup of the file that holds a module."""
        known = self.forest.modules.get(module)
        while known is not None and known.inline and known.parent is not None:
            known = self.forest.modules.get(known.parent)
        return self._lexical(known) if known is not None else None

    def spells(self, path: str, names: Iterable[str]) -> bool:
        """Whether one of `names` is among the file's identifiers (`names_in`).

        Most files spell none: a search of the bytes says so at a fraction of the cost of listing all their names.
        """
        wanted = frozenset(names)
        if path not in self._names and all(n.isascii() for n in wanted) and len(wanted) <= FEW:
            source = self.sources[path]
            if not any(n.encode() in source for n in wanted):
                return False
        return not wanted.isdisjoint(self.names_in(path))

    def names_in(self, path: str) -> frozenset[str]:
        """Every identifier spelled in the file's bytes, in NFC and without `r#`; strings and comments included."""
        found = self._names.get(path)
        if found is None:
            found = self._names[path] = names_spelled(self.sources[path])
        return found
