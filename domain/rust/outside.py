"""What surrounds a crate's own names: dependencies, `extern crate`, `#[macro_use]`, preludes, primitives."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from m1nd.domain.rust import externs, macros, prelude
from m1nd.domain.rust.facts import ItemFact, ItemKind
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace
from m1nd.domain.rust.scope import Binding
from m1nd.domain.rust.visibility import PUBLIC

if TYPE_CHECKING:
    from m1nd.domain.rust.imports import Linker

WITHOUT_STD = re.compile(r"no_(?:std|core)|cfg_attr\(.*,\s*no_(?:std|core)\s*[,)].*", re.DOTALL)
"""An attribute of the crate that may leave `std` out; what is spelled for such a crate must do without."""


class Outside:
    def __init__(self, linker: "Linker") -> None:
        self.linker = linker
        self.forest = linker.forest

    def preludes(self, module: Definition, namespace: Namespace, name: str) -> tuple[Binding, ...]:
        if namespace is Namespace.MACRO:
            imported = self.macro_use_prelude(module.crate).get(name)
            if imported:
                return imported
        if namespace is Namespace.TYPE:
            crate = self.extern_names(module.crate).get(name)
            if crate is not None:
                return (Binding(crate, PUBLIC, "extern_prelude"),)
        known = prelude.prelude(self.linker.edition(module), self.std_crate(module.crate)).get(
            (namespace, name)
        )
        if known is not None:
            return (Binding(known, PUBLIC, "prelude"),)
        if namespace is Namespace.TYPE and name in prelude.PRIMITIVES:
            return (Binding(prelude.builtin(name), PUBLIC, "builtin"),)
        return ()

    def extern_crate(self, module: Definition, item: ItemFact) -> Definition:
        """What `extern crate name` names; a crate that is no dependency is one of the toolchain's own."""
        if item.detail == "self":
            return self.linker.root(module)
        return self.crate_called(module.crate, item.detail)

    def crate_called(self, crate: str, name: str) -> Definition:
        return self.dependencies(crate).get(name) or externs.external_crate(name)

    def dependencies(self, crate: str) -> Mapping[str, Definition]:
        key = ("dependencies", crate)
        return self.linker.guarded(key, {}, lambda: self._dependencies(crate))

    def _dependencies(self, crate: str) -> Mapping[str, Definition]:
        key, _, doctest = crate.partition("#")
        prelude_of = externs.doctest_prelude if doctest else externs.extern_prelude
        return prelude_of(self.forest.cargo, self.forest.targets[key])

    def extern_names(self, crate: str) -> Mapping[str, Definition]:
        """The extern prelude, `extern crate` items of the crate root included."""
        key = ("extern names", crate)
        return self.linker.guarded(key, self.dependencies(crate), lambda: self._extern_names(crate))

    def _extern_names(self, crate: str) -> Mapping[str, Definition]:
        names = dict(self.dependencies(crate))
        root = externs.crate_root(crate)
        for item in self.root_items(crate, ItemKind.EXTERN_CRATE):
            target = self.extern_crate(root, item)
            if item.name != "_":
                names[item.name] = target
        return names

    def macro_use_prelude(self, crate: str) -> Mapping[str, tuple[Binding, ...]]:
        """Macros that `#[macro_use] extern crate x;` brings in, where the source of `x` is known."""
        key = ("macro use", crate)
        return self.linker.guarded(key, {}, lambda: self._macro_use_prelude(crate))

    def _macro_use_prelude(self, crate: str) -> Mapping[str, tuple[Binding, ...]]:
        names: dict[str, tuple[Binding, ...]] = {}
        for item in self.root_items(crate, ItemKind.EXTERN_CRATE):
            text = next((a for a in item.attributes if a.startswith("macro_use")), None)
            target = self.extern_crate(externs.crate_root(crate), item)
            if text is None:
                continue
            chosen = macros.chosen_names(text)
            if target.kind is DefinitionKind.MODULE:
                exports = self.linker.exports(target.crate)
                for name in chosen or exports:
                    bindings = exports.get(name, ())
                    names[name] = tuple(Binding(b.definition, PUBLIC, "macro_use") for b in bindings)
            else:
                for name in chosen:
                    inner = Definition(DefinitionKind.EXTERNAL, target.crate, (name,))
                    names[name] = (Binding(inner, PUBLIC, "macro_use"),)
        return names

    def macro_use_crates(self, crate: str) -> tuple[Definition, ...]:
        """Outside crates whose macros come in unnamed by `#[macro_use] extern crate x;`."""
        found = []
        for item in self.root_items(crate, ItemKind.EXTERN_CRATE):
            target = self.extern_crate(externs.crate_root(crate), item)
            plain = any(a.strip() == "macro_use" for a in item.attributes)
            if plain and target.kind is DefinitionKind.EXTERNAL:
                found.append(target)
        return tuple(found)

    def root_items(self, crate: str, kind: ItemKind) -> list[ItemFact]:
        place = self.forest.source_of(externs.crate_root(crate))
        if place is None:
            return []
        members = self.forest.items[place[0]].members.get(place[1], ())
        return [i for i in (self.forest.facts[place[0]].items[m] for m in members) if i.kind is kind]

    def std_crate(self, crate: str) -> str:
        key = ("std", crate)
        return self.linker.guarded(key, "std", lambda: self._std_crate(crate))

    def _std_crate(self, crate: str) -> str:
        place = self.forest.source_of(externs.crate_root(crate))
        inner = self.forest.facts[place[0]].inner_attributes if place is not None else ()
        return "core" if any(WITHOUT_STD.fullmatch(a.strip()) for a in inner) else "std"
