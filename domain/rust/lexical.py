"""Names seen from inside a body: the ribs of a sketch, from the innermost outwards, then the module.

One `Lexical` serves one mounted file. It answers like `paths.Context` and never guesses: a name that no rib and no
module knows has no binding.
"""

from m1nd.domain.rust.bodies.model import BlockItem, Local, Raw, Rib, RibKind
from m1nd.domain.rust.crate_names import DOCTEST
from m1nd.domain.rust.facts import ItemKind, UseFact
from m1nd.domain.rust.imports import NAMESPACE_OF, Linker
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace
from m1nd.domain.rust.prelude import KNOWN_GLOBS, is_constant_like
from m1nd.domain.rust.scope import Binding, dedupe
from m1nd.domain.rust.visibility import PUBLIC, Visibility

CONSTANT_KINDS = (ItemKind.CONST, ItemKind.STATIC, ItemKind.STRUCT, ItemKind.VARIANT)


def local_definition(name: str, ordinal: int = 0) -> Definition:
    return Definition(DefinitionKind.LOCAL, "", (name,), "", ordinal)


class RibContext:
    """A path written in a rib at a byte offset of the file."""

    __slots__ = ("lexical", "module", "offset", "rib")

    def __init__(self, lexical: "Lexical", rib: Rib, offset: int) -> None:
        self.lexical = lexical
        self.rib = rib
        self.offset = offset
        self.module = lexical.module_of(rib)

    def first(self, name: str, namespace: Namespace) -> tuple[Binding, ...]:
        return self.lexical.first(self.rib, name, namespace, self.offset)


class Lexical:
    def __init__(self, linker: Linker, mount: Module) -> None:
        self.linker = linker
        self.mount = mount
        self._modules: dict[int, Definition] = {}
        self._constants: dict[tuple[int, str], bool] = {}
        self._memo: dict[tuple[int, str, Namespace], tuple[Binding, ...]] = {}

    # Where a rib is

    def module_of(self, rib: Rib) -> Definition:
        """The module a rib lies in; a doc test is a crate of its own beside the library."""
        root = rib.root or rib
        found = self._modules.get(root.serial)
        if found is None:
            if root.kind is RibKind.DOCTEST:
                key = self.mount.definition.crate + DOCTEST
                found = Definition(DefinitionKind.MODULE, key, ())
            else:
                found = self.linker.forest.module_of_item(self.mount, root.item).definition
            self._modules[root.serial] = found
        return found

    def home_of(self, raw: Raw) -> Definition:
        """The module of the file a path is written in, doc tests included."""
        root = raw.rib.root or raw.rib
        if root.kind is not RibKind.DOCTEST:
            return self.module_of(raw.rib)
        items = self.linker.forest.items[self.mount.file]
        scope = items.module[raw.item] if raw.item >= 0 else -1
        return self.linker.forest.module_of_item(self.mount, scope).definition

    # Names

    def first(self, rib: Rib, name: str, namespace: Namespace, offset: int) -> tuple[Binding, ...]:
        if namespace is Namespace.MACRO:
            return self._first(rib, name, namespace, offset)
        key = (rib.serial, name, namespace)
        known = self._memo.get(key)
        if known is None:
            known = self._first(rib, name, namespace, offset)
            if not self.linker.busy:
                self._memo[key] = known
        return known

    def _first(self, rib: Rib, name: str, namespace: Namespace, offset: int) -> tuple[Binding, ...]:
        outside = False
        unseen: list[Binding] = []
        current: Rib | None = rib
        while current is not None:
            kind = current.kind
            if kind is RibKind.LOCALS and not outside:
                local = current.names.get(name) if namespace is Namespace.VALUE else None
                if local is not None and not self.is_reference(current, local, offset):
                    return (self._local(local),)
            elif kind is RibKind.GENERICS and not outside:
                generic = current.names.get(name) if namespace is not Namespace.MACRO else None
                if generic is not None:
                    return (self._local(generic),)
            elif kind is RibKind.SELF and not outside:
                if name == "Self":
                    return (Binding(local_definition("Self"), PUBLIC, "local"),)
            elif kind is RibKind.ITEM:
                outside = True
            elif kind is RibKind.BLOCK:
                found = self._in_block(current, name, namespace, offset)
                if found:
                    return found
                unseen.extend(self._unseen(current, name))
            elif kind is RibKind.MODULE:
                found = self.linker.lexical(self.module_of(current), namespace, name, offset)
                return found or tuple(unseen)
            elif kind is RibKind.DOCTEST:
                return self.linker.outside.preludes(self.module_of(current), namespace, name) or tuple(unseen)
            current = current.parent
        return tuple(unseen)

    @staticmethod
    def _local(local: Local) -> Binding:
        return Binding(local_definition(local.name, local.ordinal), PUBLIC, "local")

    def local(self, rib: Rib, name: str) -> Local | None:
        """The local that a name denotes, where it denotes one."""
        current: Rib | None = rib
        while current is not None:
            if current.kind is RibKind.LOCALS and name in current.names:
                found = current.names[name]
                if not self.is_reference(current, found, 0):
                    return found
            if current.kind in (RibKind.ITEM, RibKind.MODULE):
                return None
            if current.kind is RibKind.BLOCK and name in current.items:
                return None
            current = current.parent
        return None

    def is_reference(self, rib: Rib, local: Local, offset: int) -> bool:
        """Whether a plain identifier pattern refers to a constant, unit struct or unit variant instead of binding."""
        if not local.candidate or rib.parent is None:
            return False
        return self.is_constant(rib.parent, local.name, offset)

    def is_constant(self, rib: Rib, name: str, offset: int) -> bool:
        key = (rib.serial, name)
        known = self._constants.get(key)
        if known is None:
            known = any(self._is_constant_like(b) for b in self.first(rib, name, Namespace.VALUE, offset))
            if not self.linker.busy:
                self._constants[key] = known
        return known

    def _is_constant_like(self, binding: Binding) -> bool:
        definition = binding.definition
        if definition.kind is DefinitionKind.EXTERNAL:
            return is_constant_like(definition.name)
        if definition.kind is not DefinitionKind.ITEM or definition.item_kind not in CONSTANT_KINDS:
            return False
        item = self.linker.forest.item(definition)
        return item is not None and (item.kind in (ItemKind.CONST, ItemKind.STATIC) or not item.has_body)

    # Blocks

    def _in_block(self, rib: Rib, name: str, namespace: Namespace, offset: int) -> tuple[Binding, ...]:
        module = self.module_of(rib)
        found: list[Binding] = []
        for item in rib.items.get(name, ()):
            if self._block_item_binds(item, namespace, offset):
                found.extend(self._block_item(module, item))
        if namespace is Namespace.MACRO and found:
            return (found[-1],)
        for position, (use, index) in enumerate(rib.uses):
            if use.bound_name == name and not (use.is_self and namespace is not Namespace.TYPE):
                found.extend(self._block_use(rib, position, use, index, namespace))
        if found:
            return dedupe(found)
        for position, (use, index) in enumerate(rib.uses):
            if use.glob:
                found.extend(self._block_glob(rib, position, use, index, name, namespace))
        return dedupe(found)

    def _block_item_binds(self, item: BlockItem, namespace: Namespace, offset: int) -> bool:
        if namespace not in NAMESPACE_OF.get(item.kind, ()):
            return False
        if item.kind is ItemKind.MACRO_RULES:
            return item.end <= offset
        return not (item.kind is ItemKind.STRUCT and namespace is Namespace.VALUE and item.named_fields)

    def _block_item(self, module: Definition, item: BlockItem) -> list[Binding]:
        if item.index < 0 and item.kind is ItemKind.EXTERN_CRATE:
            outside = self.linker.outside.crate_called(module.crate, item.crate)
            return [Binding(outside, PUBLIC, "extern_crate")]
        if item.index < 0:
            return [Binding(local_definition(item.name), PUBLIC, "item")]
        if item.kind is ItemKind.EXTERN_CRATE:
            fact = self.linker.facts[self.mount.file].items[item.index]
            return [Binding(self.linker.outside.extern_crate(module, fact), PUBLIC, "extern_crate")]
        definitions = self.linker.forest.definitions(module, item.index)
        return [Binding(d, Visibility(module), "item") for d in definitions]

    def _block_use(
        self, rib: Rib, position: int, use: UseFact, index: int, namespace: Namespace
    ) -> tuple[Binding, ...]:
        key = ("block", self.mount.definition, self.mount.file, rib.serial, position, namespace)
        via = (self.mount.file, index) if index >= 0 else None

        def compute() -> tuple[Binding, ...]:
            answer = self.linker.follow_use(
                RibContext(self, rib, use.start), use.path, use.absolute, (namespace,)
            )
            module = self.module_of(rib)
            seen = (d for d in answer.target if not self._is_hidden(module, d))
            return tuple(Binding(d, Visibility(module), "import", via) for d in seen)

        return self.linker.guarded(key, (), compute)

    def _is_hidden(self, module: Definition, definition: Definition) -> bool:
        """A module that a doc test, which is a crate of its own, cannot see: its import brings the namesake alone."""
        known = self.linker.forest.modules.get(definition)
        if known is None or not module.crate.endswith(DOCTEST):
            return False
        return not self.linker.can_see(module, known.visibility)

    def _containers(self, rib: Rib, position: int, use: UseFact) -> tuple[Definition, ...]:
        key = ("block glob", self.mount.definition, self.mount.file, rib.serial, position)

        def compute() -> tuple[Definition, ...]:
            context = RibContext(self, rib, use.start)
            return self.linker.follow_use(context, use.path, use.absolute).target

        return self.linker.guarded(key, (), compute)

    def _block_glob(
        self, rib: Rib, position: int, use: UseFact, index: int, name: str, namespace: Namespace
    ) -> list[Binding]:
        module = self.module_of(rib)
        via = (self.mount.file, index) if index >= 0 else None
        found: list[Binding] = []
        for container in self._containers(rib, position, use):
            if container.kind is DefinitionKind.MODULE:
                inner = self.linker.names(container, namespace, name)
            elif container.kind is DefinitionKind.ITEM:
                inner = self.linker.variants(container, namespace, name)
            else:
                continue
            found.extend(
                Binding(b.definition, Visibility(module), "glob", via)
                for b in inner
                if self.linker.can_see(module, b.visibility)
            )
        return found

    def _unseen(self, rib: Rib, name: str) -> list[Binding]:
        """What glob imports of outside modules in a block may bind."""
        found = []
        for position, (use, index) in enumerate(rib.uses):
            for container in self._containers(rib, position, use) if use.glob else ():
                if container.kind is not DefinitionKind.EXTERNAL:
                    continue
                known = KNOWN_GLOBS.get(container.path)
                if known is None or name in known:
                    inner = Definition(DefinitionKind.EXTERNAL, container.crate, (*container.path, name))
                    via = (self.mount.file, index) if index >= 0 else None
                    found.append(Binding(inner, PUBLIC, "external_glob", via))
        return found
