"""What names denote: the vocabulary that the resolver answers in.

A `Definition` is a value: equal definitions are the same thing. Keys are made of module paths, kinds, names and
ordinals (never of byte offsets), so that an answer can be compared before and after a planned edit.
"""

from enum import StrEnum

from attrs import frozen


class Namespace(StrEnum):
    __hash__ = str.__hash__
    """That of an enum is a function of Python's, and these are parts of every key."""
    TYPE = "type"
    VALUE = "value"
    MACRO = "macro"


class DefinitionKind(StrEnum):
    __hash__ = str.__hash__
    MODULE = "module"
    """A module of this repository; the crate root is the module with an empty path."""
    ITEM = "item"
    """An item of this repository, enum variants and associated items included."""
    EXTERNAL = "external"
    """Something in a crate whose source is not in the repository (`std` too), known by its path only."""
    BUILTIN = "builtin"
    """A primitive type, a built-in macro or attribute."""
    LOCAL = "local"
    """A local binding, parameter, generic parameter; `Self`, `self`."""


@frozen(cache_hash=True)
class Definition:
    """What a name denotes.

    `crate`: the target's key for MODULE and ITEM, the crate's name for EXTERNAL, empty else.
    `path`: MODULE: its path from the crate root; ITEM: the path of its module, then of the enclosing items, then its
    own name (`("geo", "Shape", "Round")`); EXTERNAL: path inside the crate; BUILTIN and LOCAL: one name.
    `item_kind`: the ItemKind of an ITEM (`fn`, `struct`, `variant`, …), empty else.
    `ordinal`: counts equal (crate, path, item_kind) in textual order (cfg twins, several impls); a LOCAL has the
    ordinal of its binding inside its body, so that two bindings of one name differ.
    """

    kind: DefinitionKind
    crate: str
    path: tuple[str, ...]
    item_kind: str = ""
    ordinal: int = 0

    @property
    def name(self) -> str:
        return self.path[-1] if self.path else "crate"


class Confidence(StrEnum):
    EXACT = "exact"
    MAYBE = "maybe"
    UNRESOLVED = "unresolved"


class Role(StrEnum):
    """How an occurrence uses its path."""

    EXPRESSION = "expression"
    CALL = "call"
    TYPE = "type"
    PATTERN = "pattern"
    STRUCT = "struct"
    """The path of a struct literal or struct pattern."""
    MACRO = "macro"
    """The path of a macro invocation."""
    USE = "use"
    """A leaf of a use tree."""
    VISIBILITY = "visibility"
    """The path of `pub(in path)`."""
    METHOD = "method"
    """The name after a dot that is called; `denotes` is empty unless the receiver's type is plain to see."""
    FIELD = "field"
    """The name after a dot that is not called, and field names of struct literals and patterns."""
    ATTRIBUTE = "attribute"
    """A path in an attribute: derive, proc-macro attribute, or a string path such as serde's `with`."""
    DOC = "doc"
    """A link in a doc comment."""
    TOKEN = "token"
    """A path among macro tokens that do not parse as expressions, types or items."""
    FORMAT = "format"
    """An inline capture of a format string: `{name}`."""


@frozen
class Segment:
    name: str
    start: int
    end: int


@frozen
class Occurrence:
    """One written path and what each of its prefixes denotes.

    `denotes[i]` holds what `segments[0..=i]` denotes: for prefixes at most one definition (type namespace), for the
    last segment all definitions of all namespaces that the use admits (a `use` leaf may bind a type, a value and a
    macro at once; cfg twins give several). Empty = not resolved; then `reason` says why.
    `start..end` covers the whole path as written, turbofish of inner segments included, a trailing one not.
    """

    role: Role
    segments: tuple[Segment, ...]
    start: int
    end: int
    absolute: bool
    """Written with a leading `::`."""
    module: Definition
    """The module the path is resolved in. Code of a doc test has the root of a crate of its own, whose key ends in `#doctest`."""
    item: int
    """Index of the innermost enclosing item in the file's facts, -1 at file level."""
    denotes: tuple[tuple[Definition, ...], ...]
    confidence: Confidence = Confidence.EXACT
    reason: str = ""
    namespaces: tuple[Namespace, ...] = ()
    """The namespaces the last segment is looked up in."""
    in_macro: str = ""
    """Name of the macro whose invocation (or whose definition, `macro_rules`) holds the tokens, else empty."""
    shorthand: bool = False
    """A struct field in shorthand: the name is both field and value (`S { on_tick }`, `S { x }` pattern)."""
    via: tuple[str, int] | None = None
    """`(file, index)` of the UseFact through which the first segment came into scope, where it came through an import."""
    based: bool = False
    """The path stands behind a type (`<T as Trait>::x`): its first segment is an item of that type, in no scope."""

    @property
    def target(self) -> tuple[Definition, ...]:
        return self.denotes[-1] if self.denotes else ()
