"""Where macros are visible: the textual order of `macro_rules`, `#[macro_use]` modules, `#[macro_export]`.

Positions and names only; bodies of macros are never looked into. Source: the Rust Reference (Scoping, exporting, and
importing macros).
"""

import re
from collections.abc import Iterator, Mapping

from attrs import frozen

from m1nd.domain.rust.externs import crate_root
from m1nd.domain.rust.facts import ItemFact, ItemKind
from m1nd.domain.rust.forest import Forest
from m1nd.domain.rust.names import Definition
from m1nd.domain.rust.scope import Binding
from m1nd.domain.rust.visibility import PUBLIC, Visibility

NAMES = re.compile(r"\w+")


@frozen
class _Event:
    """A `macro_rules` (name set) or a `mod` (name empty) in the text order of a module."""

    end: int
    item: int
    name: str
    gated: bool


class TextualMacros:
    """`macro_rules` by text order: after its definition, in later child modules, past `#[macro_use]` modules."""

    def __init__(self, forest: Forest) -> None:
        self.forest = forest
        self._events: dict[tuple[str, int], tuple[_Event, ...]] = {}

    def at(self, module: Definition, offset: int, name: str) -> tuple[Binding, ...]:
        """The textual macros called `name` at a byte offset of the module's file; cfg twins give several."""
        return tuple(Binding(d, Visibility(module), "macro_rules") for d in self._find(module, offset, name))

    def all_at(self, module: Definition, offset: int) -> Mapping[str, tuple[Definition, ...]]:
        names: set[str] = set()
        for owner, place in self._way_up(module, offset):
            names |= self._names(owner, place)
        return {n: self._find(module, offset, n) for n in sorted(names)}

    def _find(self, module: Definition, offset: int, name: str) -> tuple[Definition, ...]:
        twins: list[Definition] = []
        for owner, place in self._way_up(module, offset):
            found, certain = self._inside(owner, place, name)
            twins.extend(found)
            if certain:
                break
        return tuple(dict.fromkeys(twins))

    def _way_up(self, module: Definition, offset: int) -> Iterator[tuple[Definition, int]]:
        """Each module on the way to the root with the position up to which its macros are seen."""
        current: Definition | None = module
        while current is not None:
            yield current, offset
            known = self.forest.modules.get(current)
            if known is None or known.declared_in is None:
                return
            file, index = known.declared_in
            offset = self.forest.facts[file].items[index].start
            current = known.parent

    def _inside(self, module: Definition, offset: int, name: str) -> tuple[list[Definition], bool]:
        """Definitions of `name` in a module before `offset`, last first; whether one of them is unconditional."""
        found: list[Definition] = []
        for event in reversed(self._events_of(module)):
            if event.end > offset:
                continue
            if event.name == name:
                found.append(self.forest.table(module)[event.item])
                if not event.gated:
                    return found, True
            elif not event.name:
                for child in self._shown(module, event):
                    inner, certain = self._inside(child, 1 << 62, name)
                    found.extend(inner)
                    if certain and not event.gated:
                        return found, True
        return found, False

    def _names(self, module: Definition, offset: int) -> set[str]:
        names = set()
        for event in self._events_of(module):
            if event.end > offset:
                continue
            if event.name:
                names.add(event.name)
            for child in self._shown(module, event) if not event.name else ():
                names |= self._names(child, 1 << 62)
        return names

    def _shown(self, module: Definition, event: _Event) -> Iterator[Definition]:
        """The child modules whose macros are seen behind them: `#[macro_use]` before the `mod`, or `#![macro_use]` in its file."""
        for child in self.forest.definitions(module, event.item):
            known = self.forest.modules.get(child)
            if known is not None and known.macro_use:
                yield child

    def _events_of(self, module: Definition) -> tuple[_Event, ...]:
        place = self.forest.source_of(module)
        if place is None:
            return ()
        events = self._events.get(place)
        if events is None:
            events = self._events[place] = tuple(self._make(*place))
        return events

    def _make(self, file: str, scope: int) -> Iterator[_Event]:
        items = self.forest.facts[file].items
        for index in self.forest.items[file].members.get(scope, ()):
            item = items[index]
            gated = any(a.startswith("cfg") for a in item.attributes)
            if item.kind is ItemKind.MACRO_RULES:
                yield _Event(item.end, index, item.name, gated)
            elif item.kind is ItemKind.MOD:
                yield _Event(item.end, index, "", gated)


def exported(forest: Forest, crate: str) -> Mapping[str, tuple[Binding, ...]]:
    """The macros a crate exports at its root: `#[macro_export]`, and the entry points of a proc-macro crate."""
    names: dict[str, list[Binding]] = {}
    tree = forest.trees.get(crate)
    for module in tree.modules.values() if tree is not None else ():
        facts = forest.facts[module.file]
        for index in forest.items[module.file].content(module.scope_item):
            item = facts.items[index]
            if item.kind is ItemKind.MACRO_RULES and is_exported(item):
                binding = Binding(forest.table(module.definition)[index], PUBLIC, "macro_export")
                names.setdefault(item.name, []).append(binding)
    if tree is not None and tree.target.proc_macro:
        for name, definition in procedural(forest, crate):
            names.setdefault(name, []).append(Binding(definition, PUBLIC, "macro_export"))
    return {name: tuple(found) for name, found in names.items()}


def procedural(forest: Forest, crate: str) -> Iterator[tuple[str, Definition]]:
    """`(macro name, its fn)` of `#[proc_macro]`, `#[proc_macro_attribute]`, `#[proc_macro_derive(Name)]`."""
    root = crate_root(crate)
    place = forest.source_of(root)
    if place is None:
        return
    for index in forest.items[place[0]].members.get(place[1], ()):
        item = forest.facts[place[0]].items[index]
        name = procedural_name(item) if item.kind is ItemKind.FN else None
        if name:
            yield name, forest.table(root)[index]


def procedural_name(item: ItemFact) -> str | None:
    """The macro name that a procedural macro's fn gives, or None for an ordinary fn."""
    for attribute in item.attributes:
        text = attribute.strip()
        if text in ("proc_macro", "proc_macro_attribute"):
            return item.name
        if text.startswith("proc_macro_derive"):
            match = NAMES.search(text[text.find("(") :]) if "(" in text else None
            return match.group() if match else None
    return None


def is_always_exported(item: ItemFact) -> bool:
    """`#[macro_export]` stands on it without a condition of its own."""
    return any(a.startswith("macro_export") for a in item.attributes)


def is_exported(item: ItemFact) -> bool:
    return any(
        a.startswith("macro_export") or (a.startswith("cfg_attr") and "macro_export" in a)
        for a in item.attributes
    )


def chosen_names(attribute: str) -> tuple[str, ...]:
    """The names of `#[macro_use(a, b)]`; none for a plain `#[macro_use]`."""
    return tuple(NAMES.findall(attribute[attribute.find("(") :])) if "(" in attribute else ()
