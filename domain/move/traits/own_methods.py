"""Calls that mean a method of a standard type itself: they go on meaning it whatever traits are in scope.

`write!(f, …)` in a `Display` impl calls `Formatter::write_fmt`, not a method of `fmt::Write`. Only where the type before
the dot is plain to see; everything else may need the trait.
"""

import re

from m1nd.domain.rust.crate_names import STANDARD_CRATES
from m1nd.domain.rust.names import Definition, DefinitionKind
from m1nd.domain.rust.workspace import Workspace

OWN: dict[tuple[str, ...], frozenset[str]] = {
    ("fmt", "Formatter"): frozenset(("write_str", "write_fmt")),
    ("fmt", "DebugStruct"): frozenset(("finish",)),
    ("fmt", "DebugTuple"): frozenset(("finish",)),
    ("fmt", "DebugList"): frozenset(("finish",)),
    ("fmt", "DebugSet"): frozenset(("finish",)),
    ("fmt", "DebugMap"): frozenset(("finish",)),
    ("fs", "OpenOptions"): frozenset(("read", "write")),
    ("string", "String"): frozenset(("bytes", "lines", "split", "as_bytes")),
    ("str",): frozenset(("bytes", "lines", "split", "as_bytes")),
}
"""Methods that a standard type has itself and that a standard trait has too, by the type's path."""
NAMES = frozenset(name for names in OWN.values() for name in names)
FIRST_ARGUMENT = re.compile(rb"\s*!\s*[({\[]\s*")
WORD = re.compile(rb"(?:&mut\s+)?(\w+)")
COMMA = re.compile(rb"\s*,")


def is_own_method(workspace: Workspace, path: str, start: int, name: str) -> bool:
    """The method name at `start` is called on a standard type that has the method itself."""
    return name in NAMES and _has(workspace.type_before(path, start), name)


def writes_to_a_formatter(workspace: Workspace, path: str, end: int) -> bool:
    """The `write!` whose name ends at `end` writes to a plain name, and that is a `Formatter` or the like."""
    return _has(type_written_to(workspace, path, end), "write_fmt")


def type_written_to(workspace: Workspace, path: str, end: int) -> Definition | None:
    """The type of the plain name that the `write!` whose name ends at `end` writes to."""
    source = workspace.sources[path]
    opening = FIRST_ARGUMENT.match(source, end)
    word = WORD.match(source, opening.end()) if opening is not None else None
    if word is None or not COMMA.match(source, word.end()):
        return None
    return workspace.type_before(path, word.start(1))


def _has(of: Definition | None, name: str) -> bool:
    if of is None or of.kind not in (DefinitionKind.EXTERNAL, DefinitionKind.BUILTIN):
        return False
    if of.kind is DefinitionKind.EXTERNAL and of.crate not in STANDARD_CRATES:
        return False
    return name in OWN.get(of.path, ())
