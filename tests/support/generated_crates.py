"""Hypothesis strategies for small crates that compile: modules under the root whose items use one another in every style.

A crate is drawn in two steps: first the items of every module with their visibility, then the imports and bodies, which
only use what is in scope. Names come from short lists, so that equal names in different modules are common.
"""

from attrs import evolve, field, frozen, mutable
from hypothesis import strategies as st
from tests.support.generated_bodies import expressions

NAMES = {
    "macro": ("lap", "mow"),
    "const": ("FLOOR", "GRAIN", "HILL"),
    "static": ("ISLE", "JUMP"),
    "struct": ("Inlet", "Jetty", "Knoll"),
    "enum": ("Lake", "Moor"),
    "trait": ("Nudge", "Orbit"),
    "type": ("Pond", "Quay"),
    "fn": ("amber", "birch", "cedar", "dune", "elm", "fern", "glade", "heath"),
}
AT_MOST = {"fn": 4, "const": 2, "struct": 2}
MODULES = ("north", "south", "east", "west", "inner")
ALIASES = ("near", "far", "other")
VISIBILITIES = ("", "", "pub ", "pub(crate) ", "pub(super) ")
STYLES = ("plain", "group", "nested", "alias", "module", "glob", "self group", "again")

Path = tuple[str, ...]
"""A module's path from the crate root."""


def file_of(module: Path) -> str:
    return f"src/{'/'.join(module)}.rs" if module else "src/lib.rs"


def spelled(module: Path) -> str:
    return "::".join(("crate", *module))


def from_here(here: Path, module: Path) -> str:
    """A path to `module` that starts with `self` or `super`."""
    shared = 0
    while shared < min(len(here), len(module)) and here[shared] == module[shared]:
        shared += 1
    ups = ["super"] * (len(here) - shared) or ["self"]
    return "::".join((*ups, *module[shared:]))


@frozen
class Item:
    module: Path
    kind: str
    name: str
    visibility: str
    path_macro: bool = False
    """A macro with a `pub(crate) use` below it."""

    @property
    def bang(self) -> str:
        return "!" if self.kind == "macro" else ""

    def shown_to(self, viewer: Path) -> bool:
        """The item itself is visible there."""
        if self.kind == "macro":
            return self.path_macro
        return _reaches(self.visibility, self.module, viewer)


def _reaches(visibility: str, module: Path, viewer: Path) -> bool:
    """What stands in `module` with that visibility is visible to `viewer`."""
    if visibility in ("pub ", "pub(crate) "):
        return True
    region = module[:-1] if visibility else module
    return viewer[: len(region)] == region


@frozen
class Crate:
    files: dict[str, str]
    items: tuple[tuple[str, str, str], ...]
    """`(file, name, kind)` of every top-level item that bears a name."""


@frozen
class Tree:
    """The modules with the visibility of their `mod` items, and all items."""

    modules: dict[Path, str]
    items: tuple[Item, ...]
    shown_again: tuple[tuple[Path, Item], ...] = ()
    """`(module, item)`: the module re-exports the item inside the crate."""

    def children(self, module: Path) -> list[Path]:
        return [m for m in self.modules if m[:-1] == module]

    def usable(self, viewer: Path) -> list[Item]:
        """Items of other modules that `viewer` can name by their declared path."""
        return [
            i for i in self.items if i.module != viewer and i.shown_to(viewer) and self.sees(viewer, i.module)
        ]

    def sees(self, viewer: Path, module: Path) -> bool:
        """Every module on the declared path is visible."""
        return all(
            _reaches(self.modules[module[:n]], module[: n - 1], viewer) for n in range(1, len(module) + 1)
        )


@mutable
class Scope:
    """What a module's names mean; `spellings` are the ways in which an item can be used."""

    imports: list[str] = field(factory=list)
    bound: dict[str, Item] = field(factory=dict)
    modules: set[str] = field(factory=set)
    spellings: list[tuple[str, Item]] = field(factory=list)

    def bring(self, name: str, item: Item) -> bool:
        """Bind a new name; False when it is taken."""
        if name in self.bound:
            return False
        self.bound[name] = item
        self.spellings.append((name + item.bang, item))
        return True


@st.composite
def crates(draw: st.DrawFn, nested: bool = False) -> Crate:
    """A crate of two to five modules, all under the root unless `nested`."""
    modules: dict[Path, str] = {}
    for name in MODULES[: draw(st.integers(2, 5))]:
        parents = [(), *(m for m in modules if nested and len(m) < 3)]
        parent = draw(st.sampled_from(parents))
        modules[(*parent, name)] = draw(st.sampled_from(("pub ", "", "pub(crate) ")))
    tree = Tree(modules, tuple(i for m in modules for i in draw(module_items(m))))
    tree = evolve(tree, shown_again=draw(re_exports(tree)))
    files = {"src/lib.rs": draw(roots(tree))}
    for module in modules:
        files[file_of(module)] = draw(module_texts(module, tree))
    items = tuple((file_of(i.module), i.name, i.kind) for i in tree.items)
    return Crate(files, items)


@st.composite
def module_items(draw: st.DrawFn, module: Path) -> list[Item]:
    found = []
    for kind, names in NAMES.items():
        least = 1 if kind == "fn" else 0
        chosen = draw(
            st.lists(st.sampled_from(names), min_size=least, max_size=AT_MOST.get(kind, 1), unique=True)
        )
        for name in chosen:
            visibility = "" if kind == "macro" else draw(st.sampled_from(VISIBILITIES))
            found.append(Item(module, kind, name, visibility, kind == "macro" and draw(st.booleans())))
    return found


@st.composite
def re_exports(draw: st.DrawFn, tree: Tree) -> tuple[tuple[Path, Item], ...]:
    """Up to two items that other modules show again, under names that are free there."""
    found: dict[tuple[Path, str], Item] = {}
    for _ in range(draw(st.integers(0, 2))):
        module = draw(st.sampled_from(list(tree.modules)))
        named = {i.name for i in tree.items if i.module == module}
        shown = [
            i
            for i in tree.usable(module)
            if i.visibility in ("pub ", "pub(crate) ")
            and i.name not in named
            and i.kind in ("fn", "const", "struct")
        ]
        if shown:
            item = draw(st.sampled_from(shown))
            found.setdefault((module, item.name), item)
    return tuple((module, item) for (module, _), item in found.items())


def declarations(tree: Tree, module: Path) -> str:
    return "".join(f"{tree.modules[m]}mod {m[-1]};\n" for m in tree.children(module))


@st.composite
def roots(draw: st.DrawFn, tree: Tree) -> str:
    """The crate root: the modules, perhaps re-exports of fns, perhaps a fn that uses them by their modules."""
    lines = [declarations(tree, ())]
    taken: set[str] = set()
    shown = [i for i in tree.usable(()) if i.kind == "fn"]
    for item in shown:
        again = item.visibility == "pub " and item.name not in taken
        if again and draw(st.integers(0, 3)) == 0:
            taken.add(item.name)
            lines.append(f"pub use {'::'.join(item.module)}::{item.name};\n")
    if shown and draw(st.booleans()):
        item = draw(st.sampled_from(shown))
        lines.append(f"\npub fn root(x: u32) -> u32 {{\n    {'::'.join(item.module)}::{item.name}(x)\n}}\n")
    return "".join(lines)


def scope_of(draw: st.DrawFn, module: Path, tree: Tree) -> Scope:
    """The imports of a module, and how every item it can use may be spelled."""
    scope = Scope(modules={m[-1] for m in tree.children(module)})
    for item in (i for i in tree.items if i.module == module):
        scope.bring(item.name, item)
        if item.kind != "macro":
            scope.spellings += [(f"self::{item.name}", item), (f"{spelled(module)}::{item.name}", item)]
    for again, item in tree.shown_again:
        if again == module and scope.bring(item.name, item):
            modifier = "#[allow(unused_imports)]\npub(crate) "
            scope.imports.append(f"{modifier}use {spelled(item.module)}::{item.name};\n")
        elif tree.sees(module, again) and item.module != module:
            scope.spellings.append((f"{spelled(again)}::{item.name}", item))
    others = tree.usable(module)
    least = min(draw(st.integers(0, 4)), len(others))
    for item in (
        draw(st.lists(st.sampled_from(others), min_size=least, max_size=5, unique=True)) if others else []
    ):
        _import(draw, scope, item, [i for i in others if i.module == item.module], module)
    for item in others:
        for path in (from_here(module, item.module), spelled(item.module)):
            scope.spellings.append((f"{path}::{item.name}{item.bang}", item))
    return scope


def _import(draw: st.DrawFn, scope: Scope, item: Item, mates: list[Item], here: Path) -> None:
    """Bring `item` into scope in some style, perhaps with others (`mates`) of its module."""
    style = draw(st.sampled_from(STYLES))
    path = spelled(item.module)
    last = item.module[-1]
    if style == "alias":
        alias = draw(st.sampled_from(ALIASES))
        if scope.bring(alias, item):
            scope.imports.append(f"use {path}::{item.name} as {alias};\n")
    elif style in ("module", "self group"):
        if last not in scope.modules:
            scope.modules.add(last)
            scope.spellings.append((f"{last}::{item.name}{item.bang}", item))
            leaf = style == "self group" and scope.bring(item.name, item)
            scope.imports.append(f"use {path}::{{self, {item.name}}};\n" if leaf else f"use {path};\n")
    elif style == "glob":
        if f"use {path}::*;\n" not in scope.imports and not any(m.name in scope.bound for m in mates):
            for mate in mates:
                scope.bring(mate.name, mate)
            scope.imports.append(f"use {path}::*;\n")
    else:
        leaves = [item] if scope.bring(item.name, item) else []
        if style not in ("plain", "again"):
            mate = draw(st.sampled_from(mates))
            leaves += [mate] if scope.bring(mate.name, mate) else []
        if leaves:
            scope.imports.append(_use(draw, style, here, leaves))


def _use(draw: st.DrawFn, style: str, here: Path, leaves: list[Item]) -> str:
    names = ", ".join(i.name for i in leaves)
    module = leaves[0].module
    tail = f"{{{names}}}" if len(leaves) > 1 or style == "group" else names
    if style == "nested":
        why = draw(st.sampled_from(("", "    // why\n")))
        return f"use crate::{{\n{why}    {'::'.join(module)}::{tail},\n}};\n"
    public = style == "again" and all(i.visibility == "pub " for i in leaves)
    modifier = "#[allow(unused_imports)]\npub(crate) " if public else ""
    path = draw(st.sampled_from((spelled(module), from_here(here, module))))
    return f"{modifier}use {path}::{tail};\n"


@st.composite
def module_texts(draw: st.DrawFn, module: Path, tree: Tree) -> str:
    scope = scope_of(draw, module, tree)
    own = [i for i in tree.items if i.module == module]
    parts = [draw(item_texts(item, scope)) for item in own]
    bare = list(dict.fromkeys(s for s, i in scope.spellings if i.kind == "fn" and "::" not in s))
    if bare and draw(st.booleans()):
        parts.append(draw(inner_modules(bare, [i for i in own if i.kind == "fn"])))
    head = draw(st.sampled_from(("", "", "//! About this module.\n\n", "// A licence.\n\n")))
    lines = declarations(tree, module) + "".join(scope.imports)
    return head + lines + ("\n" if lines else "") + "\n".join(parts)


@st.composite
def item_texts(draw: st.DrawFn, item: Item, scope: Scope) -> str:
    above = draw(st.sampled_from(("", "", "/// What it is.\n", "// Why it is.\n", "#[allow(dead_code)]\n")))
    name, shown = item.name, item.visibility
    if item.kind == "macro":
        again = f"#[allow(unused_imports)]\npub(crate) use {name};\n" if item.path_macro else ""
        rule = f"macro_rules! {name} {{\n    ($e:expr) => {{\n        $e ^ 1\n    }};\n}}\n"
        return f"#[allow(unused_macros)]\n{rule}{again}"
    if item.kind == "fn":
        return above + draw(fn_texts(item, scope))
    inner = shown or draw(st.sampled_from(("", "pub ")))
    return (
        above
        + {
            "const": f"{shown}const {name}: u32 = 3;\n",
            "static": f"{shown}static {name}: u32 = 4;\n",
            "type": f"{shown}type {name} = u32;\n",
            "enum": f"{shown}enum {name} {{\n    One,\n    Two(u32),\n}}\n",
            "struct": f"{shown}struct {name} {{\n    {inner}size: u32,\n    hidden: u32,\n}}\n\n"
            f"impl {name} {{\n    {shown}fn make(size: u32) -> Self {{\n        {name} {{ size, hidden: 1 }}\n    }}\n\n"
            "    fn inside(&self) -> u32 {\n        self.size ^ self.hidden\n    }\n}\n",
            "trait": f"{shown}trait {name} {{\n    fn {name.lower()}(self) -> u32;\n}}\n\n"
            f"impl {name} for u32 {{\n    fn {name.lower()}(self) -> u32 {{\n        self ^ 5\n    }}\n}}\n",
        }[item.kind]
    )


@st.composite
def fn_texts(draw: st.DrawFn, item: Item, scope: Scope) -> str:
    usable = [(s, i) for s, i in scope.spellings if i != item]
    least = draw(st.integers(0, 3))
    used = draw(st.lists(st.sampled_from(usable), min_size=least, max_size=4)) if usable else []
    lines = []
    for text, other in used:
        methods = other.kind == "trait" and {i for i in scope.bound.values() if i.name == other.name} == {
            other
        }
        choice = expressions(text, other.kind, other.module == item.module, methods, spelled(other.module))
        lines.append(f"    let x = {draw(st.sampled_from(choice))};\n")
    qualifier = draw(st.sampled_from(("", "", 'extern "C" ')))
    return f"{item.visibility}{qualifier}fn {item.name}(x: u32) -> u32 {{\n{''.join(lines)}    x\n}}\n"


@st.composite
def inner_modules(draw: st.DrawFn, bare: list[str], own: list[Item]) -> str:
    """Unit tests, or a plain child, with a glob of the parent or with `super::` paths."""
    test = draw(st.booleans())
    head = "#[cfg(test)]\nmod tests {\n" if test else "pub mod child {\n"
    mark = "    #[test]\n    fn works() {\n" if test else "    pub fn works() {\n"
    if draw(st.booleans()) or not own:
        uses = draw(st.lists(st.sampled_from(bare), min_size=1, max_size=3, unique=True))
        lines = "".join(f"        let _ = {name}(1);\n" for name in uses)
        return f"{head}    use super::*;\n\n{mark}{lines}    }}\n}}\n"
    name = draw(st.sampled_from(own)).name
    return f"{head}{mark}        let _ = super::{name}(1);\n    }}\n}}\n"
