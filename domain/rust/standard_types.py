"""What a few methods of the standard library give: enough to follow a chain of calls on a builder.

`f.debug_struct("S").field("a", &self.a).finish()`: `finish` is the builder's own, whatever trait has a `finish` too.
"""

MADE: dict[tuple[tuple[str, ...], str], tuple[str, ...]] = {
    (("fmt", "Formatter"), "debug_struct"): ("fmt", "DebugStruct"),
    (("fmt", "Formatter"), "debug_tuple"): ("fmt", "DebugTuple"),
    (("fmt", "Formatter"), "debug_list"): ("fmt", "DebugList"),
    (("fmt", "Formatter"), "debug_set"): ("fmt", "DebugSet"),
    (("fmt", "Formatter"), "debug_map"): ("fmt", "DebugMap"),
}
"""`(type, method)` to the type of its result, by their paths."""
OF_ITSELF: dict[tuple[str, ...], frozenset[str]] = {
    ("fmt", "DebugStruct"): frozenset(("field",)),
    ("fmt", "DebugTuple"): frozenset(("field",)),
    ("fmt", "DebugList"): frozenset(("entry", "entries")),
    ("fmt", "DebugSet"): frozenset(("entry", "entries")),
    ("fmt", "DebugMap"): frozenset(("entry", "entries", "key", "value")),
    ("fs", "OpenOptions"): frozenset(
        ("read", "write", "append", "truncate", "create", "create_new", "mode", "custom_flags")
    ),
}
"""Methods that give the builder that they are called on."""


def result(of: tuple[str, ...], method: str) -> tuple[str, ...] | None:
    """The path of the type that a method of a standard type gives; None where nothing is known of it."""
    return of if method in OF_ITSELF.get(of, ()) else MADE.get((of, method))
