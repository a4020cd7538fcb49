"""Hypothesis strategies for small crates that compile: modules under the root whose items use one another in every style.

A crate is drawn in two steps: first the items of every module with their visibility, then the imports and bodies, which
only use what is in scope. Names come from one short list, so that equal names in different modules are common.
"""

from attrs import field, frozen, mutable
from hypothesis import strategies as st

FNS = ("amber", "birch", "cedar", "dune", "elm", "fern", "glade", "heath")
CONSTS = ("FLOOR", "GRAIN", "HILL")
TYPES = ("Inlet", "Jetty", "Knoll")
MACROS = ("lap", "mow")
MODULES = ("north", "south", "east", "west", "inner")
ALIASES = ("near", "far", "other")
VISIBILITIES = ("", "", "pub ", "pub(crate) ", "pub(super) ")


@frozen
class Item:
    module: str
    kind: str
    name: str
    visibility: str
    path_macro: bool = False
    """A macro with a `pub(crate) use` below it."""

    @property
    def shown(self) -> bool:
        return self.path_macro if self.kind == "macro" else bool(self.visibility)


@frozen
class Crate:
    files: dict[str, str]
    fns: tuple[tuple[str, str], ...]
    """`(file, name)` of every top-level fn."""


@mutable
class Scope:
    """What a module's names mean; `spellings` are the ways in which its items can be used."""

    imports: list[str] = field(factory=list)
    bound: dict[str, Item] = field(factory=dict)
    modules: set[str] = field(factory=set)
    spellings: list[tuple[str, Item]] = field(factory=list)

    def bind(self, name: str, item: Item) -> bool:
        if self.bound.get(name, item) != item or name in MODULES:
            return False
        self.bound[name] = item
        return True


@st.composite
def crates(draw: st.DrawFn) -> Crate:
    """A crate of two to five modules."""
    count = draw(st.integers(2, 5))
    modules = MODULES[:count]
    items = {m: draw(module_items(m)) for m in modules}
    everything = [i for m in modules for i in items[m]]
    files = {"src/lib.rs": draw(roots(modules, everything))}
    for module in modules:
        files[f"src/{module}.rs"] = draw(module_texts(module, items[module], everything))
    fns = tuple((f"src/{i.module}.rs", i.name) for i in everything if i.kind == "fn")
    return Crate(files, fns)


@st.composite
def module_items(draw: st.DrawFn, module: str) -> list[Item]:
    fns = draw(st.lists(st.sampled_from(FNS), min_size=1, max_size=4, unique=True))
    consts = draw(st.lists(st.sampled_from(CONSTS), max_size=2, unique=True))
    types = draw(st.lists(st.sampled_from(TYPES), max_size=2, unique=True))
    macros = draw(st.lists(st.sampled_from(MACROS), max_size=1, unique=True))
    found = [Item(module, "macro", n, "", draw(st.booleans())) for n in macros]
    named = [("const", n) for n in consts] + [("struct", n) for n in types] + [("fn", n) for n in fns]
    found += [Item(module, k, n, draw(st.sampled_from(VISIBILITIES))) for k, n in named]
    return found


@st.composite
def roots(draw: st.DrawFn, modules: tuple[str, ...], everything: list[Item]) -> str:
    """The crate root: the modules, perhaps re-exports of fns."""
    lines = [f"{draw(st.sampled_from(('pub ', '')))}mod {m};\n" for m in modules]
    taken: set[str] = set()
    for item in everything:
        again = item.kind == "fn" and item.visibility == "pub " and item.name not in taken
        if again and draw(st.integers(0, 3)) == 0:
            taken.add(item.name)
            lines.append(f"pub use {item.module}::{item.name};\n")
    return "".join(lines)


@st.composite
def imports(draw: st.DrawFn, module: str, own: list[Item], everything: list[Item]) -> Scope:
    """The imports of a module, and how every item it can use may be spelled."""
    scope = Scope()
    for item in own:
        scope.bind(item.name, item)
        spelled = item.name + "!" if item.kind == "macro" else item.name
        scope.spellings.append((spelled, item))
        if item.kind != "macro":
            scope.spellings += [(f"self::{item.name}", item), (f"crate::{module}::{item.name}", item)]
    others = [i for i in everything if i.module != module and i.shown]
    for item in draw(st.lists(st.sampled_from(others), max_size=4, unique=True)) if others else []:
        _import(draw, scope, item, others)
    for item in others:
        bang = "!" if item.kind == "macro" else ""
        if item.kind != "macro" and item.module not in scope.modules:
            scope.spellings.append((f"super::{item.module}::{item.name}", item))
        scope.spellings.append((f"crate::{item.module}::{item.name}{bang}", item))
    return scope


def _import(draw: st.DrawFn, scope: Scope, item: Item, others: list[Item]) -> None:
    style = draw(st.sampled_from(("plain", "group", "nested", "alias", "module", "glob", "self group")))
    bang = "!" if item.kind == "macro" else ""
    path = f"crate::{item.module}"
    if style == "alias":
        alias = draw(st.sampled_from(ALIASES))
        if alias not in scope.bound and scope.bind(alias, item):
            scope.imports.append(f"use {path}::{item.name} as {alias};\n")
            scope.spellings.append((alias + bang, item))
    elif style in ("module", "self group"):
        if item.module in scope.modules:
            return
        scope.modules.add(item.module)
        scope.spellings.append((f"{item.module}::{item.name}{bang}", item))
        leaf = style == "self group" and item.name not in scope.bound and scope.bind(item.name, item)
        scope.imports.append(f"use {path}::{{self, {item.name}}};\n" if leaf else f"use {path};\n")
        if leaf:
            scope.spellings.append((item.name + bang, item))
    elif style == "glob":
        if any(line == f"use {path}::*;\n" for line in scope.imports):
            return
        shown = [i for i in others if i.module == item.module]
        if all(scope.bound.get(i.name, i) == i for i in shown):
            scope.bound.update((i.name, i) for i in shown)
            scope.imports.append(f"use {path}::*;\n")
            scope.spellings += [(i.name + ("!" if i.kind == "macro" else ""), i) for i in shown]
    elif item.name not in scope.bound:
        mates = [i for i in others if i.module == item.module and i.name not in scope.bound and i != item]
        mate = draw(st.sampled_from(mates)) if mates and style != "plain" else None
        leaves = [item] + ([mate] if mate else [])
        for leaf in leaves:
            scope.bind(leaf.name, leaf)
            scope.spellings.append((leaf.name + ("!" if leaf.kind == "macro" else ""), leaf))
        names = ", ".join(i.name for i in leaves)
        tail = f"{{{names}}}" if len(leaves) > 1 or style == "group" else names
        nested = f"use crate::{{\n    {item.module}::{tail},\n}};\n"
        scope.imports.append(nested if style == "nested" else f"use {path}::{tail};\n")


@st.composite
def module_texts(draw: st.DrawFn, module: str, own: list[Item], everything: list[Item]) -> str:
    scope = draw(imports(module, own, everything))
    parts = []
    for item in own:
        parts.append(draw(item_texts(item, scope)))
    spelled = list(dict.fromkeys(s for s, i in scope.spellings if i.kind == "fn" and "::" not in s))
    if spelled and draw(st.booleans()):
        parts.append(draw(test_modules(spelled, [i for i in own if i.kind == "fn"])))
    head = draw(st.sampled_from(("", "", "//! About this module.\n\n", "// A licence.\n\n")))
    lines = "".join(scope.imports)
    return head + lines + ("\n" if lines else "") + "\n".join(parts)


@st.composite
def item_texts(draw: st.DrawFn, item: Item, scope: Scope) -> str:
    above = draw(st.sampled_from(("", "", "/// What it is.\n", "// Why it is.\n", "#[allow(dead_code)]\n")))
    if item.kind == "macro":
        again = f"#[allow(unused_imports)]\npub(crate) use {item.name};\n" if item.path_macro else ""
        return f"#[allow(unused_macros)]\nmacro_rules! {item.name} {{\n    ($e:expr) => {{\n        $e ^ 1\n    }};\n}}\n{again}"
    if item.kind == "const":
        value = draw(st.sampled_from(("1", "2", *(s for s, i in scope.spellings if i.kind == "const" and i != item))))
        safe = value if value in ("1", "2") else "3"
        return f"{above}{item.visibility}const {item.name}: u32 = {safe};\n"
    if item.kind == "struct":
        field_visibility = item.visibility or draw(st.sampled_from(("", "pub ")))
        return (
            f"{above}{item.visibility}struct {item.name} {{\n    {field_visibility}size: u32,\n    hidden: u32,\n}}\n\n"
            f"impl {item.name} {{\n    {item.visibility or ''}fn make(size: u32) -> Self {{\n"
            f"        {item.name} {{ size, hidden: 1 }}\n    }}\n\n"
            f"    fn inside(&self) -> u32 {{\n        self.size ^ self.hidden\n    }}\n}}\n"
        )
    return above + draw(fn_texts(item, scope))


@st.composite
def fn_texts(draw: st.DrawFn, item: Item, scope: Scope) -> str:
    usable = [(s, i) for s, i in scope.spellings if i != item]
    used = draw(st.lists(st.sampled_from(usable), max_size=3)) if usable else []
    lines = [f"    let x = {draw(expressions(s, i, item))};\n" for s, i in used]
    qualifier = draw(st.sampled_from(("", "", "", "unsafe ", 'extern "C" '))) if not used else ""
    qualifier = "" if qualifier == "unsafe " else qualifier
    return f"{item.visibility}{qualifier}fn {item.name}(x: u32) -> u32 {{\n{''.join(lines)}    x\n}}\n"


@st.composite
def expressions(draw: st.DrawFn, spelled: str, item: Item, user: Item) -> str:
    """A `u32` made with the item."""
    if item.kind == "macro":
        return f"{spelled}(x)" if draw(st.booleans()) else f"{spelled}{{x}}"
    if item.kind == "const":
        return draw(st.sampled_from((f"x ^ {spelled}", f"match x {{ {spelled} => 1, _ => 2 }}")))
    if item.kind == "struct":
        own = user.module == item.module
        makes = [f"{spelled}::make(x).size"]
        if own:
            makes += [f"{spelled} {{ size: x, hidden: 2 }}.size", f"{spelled}::make(x).inside()"]
            makes += [f"{{ let made = {spelled}::make(x); made.hidden }}"]
        return draw(st.sampled_from(makes))
    return draw(
        st.sampled_from(
            (
                f"{spelled}(x)",
                f"[x].into_iter().map(|y| {spelled}(y)).sum::<u32>()",
                f"Some(x).map_or(0, |y| {{ let f = {spelled}; f(y) }})",
                f'format!("{{}}", {spelled}(x)).len() as u32',
                f"vec![{spelled}(x), 2][0]",
            )
        )
    )


@st.composite
def test_modules(draw: st.DrawFn, spelled: list[str], own: list[Item]) -> str:
    """Unit tests with a glob of their parent, or with `super::` paths."""
    uses = draw(st.lists(st.sampled_from(spelled), min_size=1, max_size=3, unique=True))
    if draw(st.booleans()) or not own:
        lines = "".join(f"        let _ = {name}(1);\n" for name in uses)
        return f"#[cfg(test)]\nmod tests {{\n    use super::*;\n\n    #[test]\n    fn works() {{\n{lines}    }}\n}}\n"
    name = draw(st.sampled_from(own)).name
    return f"#[cfg(test)]\nmod tests {{\n    #[test]\n    fn works() {{\n        let _ = super::{name}(1);\n    }}\n}}\n"
