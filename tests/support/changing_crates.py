"""A workspace that changes item by item: plain items come, go, swap and get other bodies, and now and then all the rest.

`random` decides; the names are few, so that most of them have several bearers.
"""

import re
from random import Random

from attrs import define, field

VALUES = ("one", "two", "new", "run")
TYPES = ("A", "B", "C")
FREE_VALUES = (*VALUES[2:], "free", "loose", "wild")
FREE_TYPES = ("C", "F", "G")
ALIASES = ("far", "Off")
"""Names of items and in bodies, of which some are in no import and no header; names of imports alone."""
VARIANTS = ("V", "W", "A")
CONSTANTS = ("ONE", "TWO")
MODULES = ("a", "b", "c", "inner", "common", "other")
MACROS = ("m", "n")
PLAIN = ("fn", "fn", "fn", "test", "struct", "tuple", "enum", "const", "static", "type", "union", "busy")
FRAME = ("use", "mod", "impl", "impl_for", "trait", "rules", "call", "extern", "uses_inside", "crate")
MEMBERS = ("fn", "fn", "method", "const", "type")
CHANGES = ("add", "add", "remove", "swap", "body", "body", "again", "mark", "show", "show", "rename")
MANIFESTS = {
    "Cargo.toml": '[workspace]\nmembers = ["demo", "other"]\n',
    "demo/Cargo.toml": '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n'
    '[dependencies]\nother = { path = "../other" }\nserde = "1"\n',
    "other/Cargo.toml": '[package]\nname = "other"\nversion = "0.1.0"\nedition = "2018"\n',
}
ROOTS = {
    "demo/src/lib.rs": 'pub mod a; pub mod b; #[path = "twin.rs"] mod c; mod missing;',
    "demo/src/main.rs": "mod inner;",
    "demo/src/a.rs": "pub mod c; use super::b::*;",
    "demo/src/a/c.rs": "use super::*;",
    "demo/src/b.rs": "pub use crate::a::A; use other::*;",
    "demo/src/twin.rs": "",
    "demo/src/inner.rs": "use demo::a;",
    "demo/src/lost.rs": "",
    "demo/tests/t.rs": "mod common; use common::one;",
    "demo/tests/u.rs": "mod common;",
    "demo/tests/common/mod.rs": "",
    "other/src/lib.rs": "pub mod b;",
    "other/src/b.rs": "use crate::*;",
}
"""Files, and what stays in them."""


PUBLIC = re.compile(r"^pub(\(crate\))? ")
NAMED = re.compile(r"\b(struct|enum|union|type) ")
NAME = re.compile(r"(?<=\bfn )\w+|(?<=\b(?:enum|type) )\w+|(?<=\bunion )\w+|(?<=\bstruct )\w+")


@define
class Item:
    """One item; `inside` are those in its braces, `head` and `body` what is written before and in them."""

    kind: str
    head: str
    body: str = ""
    inside: list["Item"] = field(factory=list)
    before: str = ""

    def text(self) -> str:
        inner = " ".join(item.text() for item in self.inside)
        if self.kind in ("struct", "tuple", "const", "static", "type", "use", "crate", "signature"):
            return f"{self.before}{self.head}{self.body};"
        return f"{self.before}{self.head} {{ {self.body} {inner} }}"


class Changing:
    """The files, as `texts` has them now; `step` changes one and answers its path."""

    def __init__(self, random: Random, frames: float = 0.1, imports: float = 0.1) -> None:
        self.random = random
        self.imports = imports
        """How often an import is what changes."""
        self.frames = frames
        """How often something other than a plain item is made or changed."""
        self.at = "demo/src/b.rs"
        self.worked_at = list(ROOTS) if random.random() < 0.5 else random.sample(list(ROOTS), 2)
        self.files = {
            path: [self.item(FRAME + PLAIN, 2) for _ in range(random.randint(1, 4))] for path in ROOTS
        }

    @property
    def texts(self) -> dict[str, str]:
        return {path: self.text(path) for path in self.files}

    def text(self, path: str) -> str:
        return ROOTS[path] + "\n" + "\n".join(item.text() for item in self.files[path]) + "\n"

    def step(self) -> str:
        # Now one file is worked at, now another.
        if self.random.random() < 0.3:
            self.at = self.random.choice(self.worked_at)
        path = self.at
        self._change(self.files[path], 3, PLAIN)
        return path

    def _change(self, items: list[Item], depth: int, kinds: tuple[str, ...]) -> None:
        random = self.random
        holders = [item for item in items if item.inside or item.kind in ("mod", "impl", "impl_for", "enum")]
        if holders and depth and random.random() < 0.5:
            item = random.choice(holders)
            self._change(item.inside, depth - 1, _inside(item.kind))
            return
        if random.random() < self.imports and kinds is PLAIN:
            self._change_import(items)
            return
        done = random.choice(CHANGES)
        able = items if random.random() < self.frames else [i for i in items if i.kind not in FRAME]
        if done == "add" or not able:
            items.insert(random.randint(0, len(items)), self.item(self._kinds(kinds), depth - 1))
        elif done == "remove":
            items.remove(random.choice(able))
        elif done == "swap":
            at, to = items.index(random.choice(able)), items.index(random.choice(able))
            items[at], items[to] = items[to], items[at]
        elif done == "body":
            item = random.choice(able)
            if item.kind in ("fn", "test", "method", "busy"):
                item.body = self.body()
        elif done == "show":
            item = random.choice(able)
            item.head = random.choice(("", "pub ", "pub(crate) ")) + PUBLIC.sub("", item.head)
        elif done == "rename":
            item = random.choice(able)
            if NAME.search(item.head):
                other = random.choice(FREE_TYPES if NAMED.search(item.head) else FREE_VALUES)
                item.head = NAME.sub(other, item.head, count=1)
        elif done == "mark":
            item = random.choice(able)
            item.before = random.choice(("", "#[test] ", "#[cfg(x)] ", "#[derive(A, Clone)] ", "/// A\n"))
        else:
            at = items.index(random.choice(able))
            items[at] = self.item(self._kinds(kinds), depth - 1)

    def _change_import(self, items: list[Item]) -> None:
        random = self.random
        there = [item for item in items if item.kind == "use"]
        new = Item(
            "use", random.choice(("", "pub ")) + (self.use() if random.random() < 0.3 else self.narrow_use())
        )
        done = random.choice(("add", "remove", "again"))
        if done != "add" and there:
            at = items.index(random.choice(there))
            items[at : at + 1] = [] if done == "remove" else [new]
        elif done == "add":
            items.insert(random.randint(0, len(items)), new)

    def _kinds(self, kinds: tuple[str, ...]) -> tuple[str, ...]:
        return kinds + FRAME if kinds is PLAIN and self.random.random() < self.frames else kinds

    # ---- items

    def item(self, kinds: tuple[str, ...], depth: int) -> Item:
        random = self.random
        kind = random.choice(kinds)
        pub = random.choice(("", "pub ", "pub(crate) "))
        value = random.choice(random.choice((VALUES, FREE_VALUES)))
        type_ = random.choice(random.choice((TYPES, FREE_TYPES)))
        few = range(random.randint(0, 2) if depth > 0 else 0)
        match kind:
            case "fn" | "test":
                before = "#[test] " if kind == "test" else ""
                return Item(kind, f"{pub}fn {value}(x: {self.type()})", self.body(), before=before)
            case "method":
                return Item(kind, f"{pub}fn {value}(&self)", self.body())
            case "busy":
                return Item(
                    kind, f"{pub}fn {value}()", self.body(), [self.item(PLAIN, depth - 1) for _ in few]
                )
            case "uses_inside":
                return Item(kind, f"{pub}fn {value}()", self.use() + "; " + self.body())
            case "struct":
                return Item(kind, f"{pub}struct {type_}", before=random.choice(("", "#[derive(Debug, B)] ")))
            case "tuple":
                return Item(kind, f"{pub}struct {type_}", f"({self.type()})")
            case "union":
                return Item(kind, f"{pub}union {type_}", f"f: {self.type()}")
            case "enum":
                return Item(kind, f"{pub}enum {type_}", "", [self.item(("variant",), 0) for _ in few])
            case "variant":
                return Item("variant", random.choice(VARIANTS))
            case "const":
                return Item(kind, f"{pub}const {random.choice(CONSTANTS)}: u8 = ", self.expression())
            case "static":
                return Item(kind, f"{pub}static {random.choice(CONSTANTS)}: u8 = ", self.expression())
            case "type":
                return Item(kind, f"{pub}type {type_} = ", self.type())
            case "use":
                return Item(kind, pub + self.use())
            case "crate":
                return Item(
                    kind, f"extern crate {random.choice(('other', 'serde', 'self as me', 'other as b'))}"
                )
            case "mod":
                return Item(
                    kind, f"{pub}mod {random.choice(MODULES)}", "", [self.item(PLAIN, depth - 1) for _ in few]
                )
            case "impl":
                return Item(kind, f"impl {self.type()}", "", [self.item(MEMBERS, 0) for _ in few])
            case "impl_for":
                return Item(
                    kind, f"impl {self.type()} for {self.type()}", "", [self.item(MEMBERS, 0) for _ in few]
                )
            case "trait":
                return Item(kind, f"{pub}trait {type_}", "", [self.item(MEMBERS, 0) for _ in few])
            case "rules":
                return Item(kind, f"macro_rules! {random.choice(MACROS)}", "() => {}")
            case "call":
                return Item(kind, "cfg_x!", "", [self.item(PLAIN, depth - 1) for _ in few])
            case _:
                return Item("extern", 'extern "C"', f"fn {value}();")

    def type(self) -> str:
        random = self.random
        return random.choice(
            (
                *TYPES,
                f"{random.choice(MODULES)}::{random.choice(TYPES)}",
                f"crate::{random.choice(MODULES)}::{random.choice(TYPES)}",
                f"super::{random.choice(TYPES)}",
                f"{random.choice(ALIASES)}",
                f"{random.choice(ALIASES)}::{random.choice(TYPES)}",
                "u8",
            )
        )

    def use(self) -> str:
        random = self.random
        module, type_ = random.choice(MODULES), random.choice(TYPES)
        name = random.choice(VALUES + TYPES + VARIANTS)
        start = random.choice(("crate::", "super::", "self::", "", "demo::", "other::"))
        return "use " + random.choice(
            (
                f"{start}{module}::{name}",
                f"{start}{module}::{name}",
                f"{start}{module}::*",
                f"{start}{type_}::*",
                f"{start}{type_}::{name}",
                f"{start}{module}::{name} as {random.choice(VALUES + TYPES)}",
                f"{start}{module}::{{self, {name}}}",
                "serde::*",
                "super::*",
            )
        )

    def narrow_use(self) -> str:
        """An import of a name that few others import."""
        random = self.random
        module = random.choice(MODULES)
        name = random.choice(FREE_VALUES + FREE_TYPES)
        start = random.choice(("crate", "crate", "super", "self", "std", "serde", "other", "demo"))
        path = random.choice((f"{start}::{module}::{name}", f"{start}::{name}", f"crate::a::c::{name}"))
        other = random.choice(ALIASES)
        return "use " + random.choice(
            (
                path,
                f"{path} as {other}",
                f"{path} as {other}",
                f"{path} as _",
                f"{start}::{module} as {other}",
                f"{start}::{module}::{{{name}, {random.choice(VALUES)} as {other}}}",
                f"{start}::{module}::{{self as {other}}}",
                f"{other}::{name}",
            )
        )

    def body(self) -> str:
        return " ".join(self.expression() + ";" for _ in range(self.random.randint(0, 4)))

    def expression(self) -> str:
        random = self.random
        value = random.choice(random.choice((VALUES, FREE_VALUES)))
        type_ = random.choice(random.choice((TYPES, FREE_TYPES)))
        module = random.choice(MODULES)
        return random.choice(
            (
                f"{value}()",
                f"{module}::{value}()",
                f"crate::{module}::{value}()",
                f"super::{value}()",
                f"other::{value}()",
                f"{type_}::{value}()",
                f"{type_}::{random.choice(VARIANTS)}",
                f"{module}::{type_}::{value}()",
                f"Self::{value}()",
                f"Self::{random.choice(VARIANTS)}",
                f"T::{value}()",
                f"x.{value}()",
                f"x.{value}()",
                f"{random.choice(MACROS)}!()",
                f"let y: {self.type()} = {value}",
                random.choice(CONSTANTS),
                random.choice(VARIANTS),
                f"{random.choice(ALIASES)}()",
                f"{random.choice(ALIASES)}::{value}()",
                f"let z: {random.choice(ALIASES)} = {random.choice(ALIASES)}",
            )
        )


def _inside(kind: str) -> tuple[str, ...]:
    if kind == "enum":
        return ("variant",)
    return MEMBERS if kind in ("impl", "impl_for", "trait") else PLAIN
