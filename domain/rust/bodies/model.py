"""What a sketch is made of: every path as written, and the scopes around it."""

from enum import Enum, auto

from attrs import Factory, define, frozen

from m1nd.domain.rust.facts import ItemKind, UseFact
from m1nd.domain.rust.names import Namespace, Role


class RibKind(Enum):
    MODULE = auto()
    """The items of a module; `item` is the inline `mod` item, -1 for the file."""
    DOCTEST = auto()
    """The crate that a doc test is: it sees crates and the prelude only."""
    ITEM = auto()
    """The border of an item: locals and generics outside it are not seen from inside."""
    SELF = auto()
    """`Self`: `item` is the struct, enum, union, trait or impl; `type` the self type of an impl."""
    GENERICS = auto()
    BLOCK = auto()
    """The items, imports and macros written directly in a block; they are unordered, macros are not."""
    LOCALS = auto()


@define(eq=False)
class Local:
    """A binding, parameter or generic parameter. `candidate`: a plain identifier pattern, a reference where the
    name denotes a constant, unit struct or unit variant. `type`: what gives its type, where plain to see."""

    name: str
    ordinal: int
    candidate: bool = False
    type: "Typed" = None


@frozen
class BlockItem:
    """An item of a block. `index` into the file's facts, -1 in text that the facts do not reach (macro arguments).

    `crate`: what an `extern crate` item names, whatever it calls it.
    """

    name: str
    kind: ItemKind
    index: int
    end: int
    named_fields: bool = False
    gated: bool = False
    crate: str = ""


@define(eq=False)
class Rib:
    kind: RibKind
    parent: "Rib | None"
    serial: int
    item: int = -1
    names: dict[str, Local] = Factory(dict)
    items: dict[str, list[BlockItem]] = Factory(dict)
    uses: list[tuple[UseFact, int]] = Factory(list)
    """`(leaf, index in the file's facts or -1)`."""
    type: "Raw | None" = None
    root: "Rib | None" = None
    """The outermost rib around it; None: it is its own."""


@define(eq=False)
class Raw:
    """One path as written. `segments`: `(name, start, end)`."""

    role: Role
    segments: tuple[tuple[str, int, int], ...]
    start: int
    end: int
    rib: Rib
    item: int
    namespaces: tuple[Namespace, ...]
    absolute: bool = False
    macros: tuple["Raw", ...] = ()
    """The macro invocations whose arguments hold it, outermost first."""
    in_macro: str = ""
    certain: bool = True
    """False: the text was not parsed as the compiler parses it (tokens, error nodes)."""
    quiet: bool = False
    """Not an occurrence unless it resolves (words in attributes and brackets in prose)."""
    shorthand: bool = False
    candidate: Local | None = None
    """An identifier pattern: an occurrence only if it is no binding."""
    base: "Raw | None" = None
    """The type before the first segment: `<T>::x`; `based` is set also where that type is no path."""
    based: bool = False
    trait: "Raw | None" = None
    """The trait of `<T as Trait>::x`."""
    receiver: "Typed" = None
    """METHOD, FIELD: what gives the type that has the member."""
    fallback: tuple[Namespace, ...] = ()
    """Namespaces to try where `namespaces` give nothing (a const argument looks like a type)."""
    use: UseFact | None = None


@frozen
class TypeSource:
    """How the type of an expression or binding can be told.

    `how`: `type` (a written type: `raw`), `value` (a path expression), `call` (the result of calling `raw`), `self`
    (the value `self` in `rib`), `field` and `method` (of `of`, named `name`), `item` (struct or variant `item`).
    """

    how: str
    raw: Raw | None = None
    of: "Typed" = None
    name: str = ""
    rib: Rib | None = None


Typed = TypeSource | None


@frozen
class FieldSketch:
    """A field of a struct, union or variant; tuple fields are named `0`, `1`, …

    `visibility` as written; `start..end` from the visibility to the end of the type; `name_start == name_end` for
    tuple fields.
    """

    name: str
    visibility: str
    start: int
    end: int
    name_start: int
    name_end: int
    type: Typed = None
