"""The type before a dot, where it is plain to see, and the member it then has.

Only written types are followed: annotations, struct literals, results and fields with a plain type. Whatever takes
inference, a smart pointer or a bound has no answer here.
"""

from collections.abc import Callable

from attrs import evolve

from m1nd.domain.rust import paths, standard_types
from m1nd.domain.rust.bodies.model import FieldSketch, Raw, Rib, RibKind, Typed, TypeSource
from m1nd.domain.rust.bodies.sketch import Sketch
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.forest import FIELD
from m1nd.domain.rust.lexical import Lexical
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace
from m1nd.domain.rust.prelude import SYSROOT_CRATES
from m1nd.domain.rust.scope import Binding

MAX_STEPS = 40
NO_TYPE = "receiver type unknown"
NO_MEMBER = "member not found in the workspace"


class Receivers:
    """Types of one mounted file. `sketch_of(path)` gives other files' sketches, `lexical_of(module)` their lookups."""

    def __init__(
        self,
        lexical: Lexical,
        target_of: Callable[[Lexical, Raw], tuple[Definition, ...]],
        sketch_of: Callable[[str], Sketch],
        lexical_of: Callable[[Definition], Lexical | None],
    ) -> None:
        self.lexical = lexical
        self.linker = lexical.linker
        self.target_of = target_of
        self.sketch_of = sketch_of
        self.lexical_of = lexical_of

    def members(self, raw: Raw, method: bool) -> tuple[tuple[Definition, ...], str]:
        """What a METHOD or FIELD occurrence denotes, and why nothing."""
        name = raw.segments[0][0]
        if not method:
            owner = self.owner(self.lexical, raw.receiver, 0)
            if owner is None or owner.kind is not DefinitionKind.ITEM:
                return (), NO_TYPE
            found = self.field(owner, name)
            return ((self.field_definition(owner, found),), "") if found is not None else ((), NO_MEMBER)
        owner = self.type_of(self.lexical, raw.receiver, 0)
        if owner is None or owner.kind is not DefinitionKind.ITEM:
            return (), NO_TYPE
        bindings = self.methods(owner, name)
        module = self.lexical.module_of(raw.rib)
        seen = [b for b in bindings if self.linker.can_see(module, b.visibility)] or list(bindings)
        found_all = tuple(dict.fromkeys(b.definition for b in seen))
        if len(found_all) > 1:
            return found_all, paths.plural(self.linker, found_all, (Namespace.VALUE,))
        return found_all, "" if found_all else NO_MEMBER

    def methods(self, owner: Definition, name: str) -> tuple[Binding, ...]:
        return self.linker.associated.items(owner, Namespace.VALUE, name)

    def type_of(self, lexical: Lexical, source: Typed, steps: int) -> Definition | None:
        """The type that a source gives; None where it is not plain."""
        if source is None or steps > MAX_STEPS:
            return None
        match source.how:
            case "type":
                return self._written(lexical, source.raw, steps)
            case "self":
                return self._self_type(lexical, source.rib, steps) if source.rib is not None else None
            case "value":
                return self._value(lexical, source.raw, steps)
            case "call":
                return self._called(lexical, source.raw, steps)
            case "field":
                owner = self.owner(lexical, source.of, steps + 1)
                found = self.field(owner, source.name) if owner is not None else None
                return self._there(owner, found.type, steps) if found is not None else None
            case "method":
                return self._method_result(lexical, source, steps)
        return None

    def owner(self, lexical: Lexical, source: Typed, steps: int) -> Definition | None:
        """The struct, union or variant whose fields a source has (a variant only where it is written)."""
        if source is not None and source.raw is not None and source.how in ("type", "call"):
            for definition in self.target_of(lexical, source.raw):
                if definition.item_kind == ItemKind.VARIANT:
                    return definition
        return self.type_of(lexical, source, steps)

    def field(self, owner: Definition, name: str) -> FieldSketch | None:
        return next((f for f in self.fields(owner) if f.name == name), None)

    def fields(self, owner: Definition) -> tuple[FieldSketch, ...]:
        place = self.linker.forest.locate(owner) if owner.kind is DefinitionKind.ITEM else None
        return self.sketch_of(place[0]).fields(place[1]) if place is not None else ()

    @staticmethod
    def field_definition(owner: Definition, field: FieldSketch) -> Definition:
        return Definition(owner.kind, owner.crate, (*owner.path, field.name), FIELD, owner.ordinal)

    def _written(self, lexical: Lexical, raw: Raw | None, steps: int) -> Definition | None:
        if raw is None:
            return None
        target = self.target_of(lexical, raw)
        if not target:
            return None
        return self._plain(lexical, target[0], raw.rib, steps)

    def _plain(self, lexical: Lexical, found: Definition, rib: Rib, steps: int) -> Definition | None:
        """A type with aliases and `Self` followed; None for generics and what is no type."""
        if found.kind is DefinitionKind.LOCAL:
            return self._self_type(lexical, rib, steps) if found.path == ("Self",) else None
        if found.item_kind == ItemKind.TYPE:
            return self.linker.associated.aliased(found)
        return found if found.item_kind != ItemKind.TRAIT else None

    def _self_type(self, lexical: Lexical, rib: Rib | None, steps: int) -> Definition | None:
        """What `Self` is in a rib: the type of the impl, or the item itself."""
        current = rib
        while current is not None and current.kind is not RibKind.SELF:
            current = current.parent
        if current is None:
            return None
        if current.type is not None:
            target = self.target_of(lexical, current.type)
            if not target or target[0].kind is DefinitionKind.LOCAL:
                return None
            return self._plain(lexical, target[0], current, steps)
        if current.item < 0:
            return None
        module = lexical.module_of(current)
        found = self.linker.forest.definitions(module, current.item)
        return found[0] if found and found[0].item_kind not in (ItemKind.IMPL,) else None

    def self_type(self, rib: Rib) -> Definition | None:
        return self._self_type(self.lexical, rib, 0)

    def _value(self, lexical: Lexical, raw: Raw | None, steps: int) -> Definition | None:
        if raw is None:
            return None
        target = self.target_of(lexical, raw)
        if not target:
            return None
        found = target[0]
        if found.kind is DefinitionKind.LOCAL and len(raw.segments) == 1:
            local = lexical.local(raw.rib, raw.segments[0][0])
            return self.type_of(lexical, local.type, steps + 1) if local is not None else None
        if found.item_kind in (ItemKind.CONST, ItemKind.STATIC):
            place = self.linker.forest.locate(found)
            source = self.sketch_of(place[0]).type(place[1]) if place is not None else None
            return self._there(found, source, steps)
        return self._constructed(found)

    def _constructed(self, found: Definition) -> Definition | None:
        """The type of a unit or tuple struct's or a variant's constructor."""
        if found.item_kind == ItemKind.STRUCT:
            return found
        if found.item_kind == ItemKind.VARIANT:
            return self.linker.forest.owner_definition(found)
        return None

    def _called(self, lexical: Lexical, raw: Raw | None, steps: int) -> Definition | None:
        if raw is None:
            return None
        target = self.target_of(lexical, raw)
        if not target:
            return None
        found = target[0]
        if found.item_kind == ItemKind.FN:
            return self._result(found, steps)
        if found.kind is DefinitionKind.LOCAL and found.path == ("Self",):
            return self._self_type(lexical, raw.rib, steps)
        if found.kind is DefinitionKind.EXTERNAL and found.crate in SYSROOT_CRATES:
            return self._made_by_new(found)
        return self._constructed(found)

    @staticmethod
    def _made_by_new(found: Definition) -> Definition | None:
        """The type `T` of the standard library of which `T::new` makes one."""
        owner = evolve(found, path=found.path[:-1])
        return owner if found.name == "new" and owner.path and owner.name[:1].isupper() else None

    def _method_result(self, lexical: Lexical, source: TypeSource, steps: int) -> Definition | None:
        owner = self.type_of(lexical, source.of, steps + 1)
        if owner is None:
            return None
        if owner.kind is DefinitionKind.EXTERNAL and owner.crate in SYSROOT_CRATES:
            path = standard_types.result(owner.path, source.name)
            return evolve(owner, path=path) if path is not None else None
        if owner.kind is not DefinitionKind.ITEM:
            return None
        found = self.methods(owner, source.name)
        return self._result(found[0].definition, steps) if len(found) == 1 else None

    def _result(self, function: Definition, steps: int) -> Definition | None:
        place = self.linker.forest.locate(function)
        source = self.sketch_of(place[0]).result(place[1]) if place is not None else None
        return self._there(function, source, steps)

    def _there(self, where: Definition | None, source: Typed, steps: int) -> Definition | None:
        """The type of a source written in the file of another definition."""
        module = self.linker.forest.module_of(where) if where is not None else None
        lexical = self.lexical_of(module) if module is not None and source is not None else None
        return self.type_of(lexical, source, steps + 1) if lexical is not None else None
