"""Macros of the workspace that the moved text calls: which of them mean the same where another crate calls them."""

import re
from collections.abc import Iterable

from m1nd.domain.move.macros.needs import CALLED, QUIET, body_of
from m1nd.domain.move.reach import root_of
from m1nd.domain.move.surface import is_public
from m1nd.domain.move.world import Move
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.macros import is_exported
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace
from m1nd.domain.rust.prelude import STD_MACROS
from m1nd.domain.rust.workspace import Workspace

BARE_CRATE = re.compile(rb"(?<!\$)\bcrate::")
OWN_PATH = re.compile(rb"\$crate((?:::\w+)+)")
MAKES = re.compile(rb"\bimpl\b|\bderive\b|\$\w+\s*!")
"""What the body of a macro makes an impl with, or may: `impl`, a derive, a macro that it is given."""
ANOTHER_CALL = re.compile(rb"\w\s*!\s*[\[({]")


def is_of_the_workspace(move: Move, definition: Definition) -> bool:
    """A `macro_rules!`, or the function behind a procedural macro, of the workspace."""
    if definition.kind is not DefinitionKind.ITEM:
        return False
    return definition.item_kind == "macro_rules" or move.workspace.target(definition.crate).proc_macro


def is_made_for_all(move: Move, macro: Definition) -> bool:
    """An exported macro whose body names its own crate by `$crate` alone.

    One of the old crate may never have been called from outside: it calls no other macro, and all that it names is public.
    """
    item = move.workspace.item(macro)
    if item is None or not is_exported(item):
        return False
    body = body_of(move.workspace, macro)
    if BARE_CRATE.search(body):
        return False
    if macro.crate != move.source.definition.crate:
        return True
    return not ANOTHER_CALL.search(body) and all(_is_shown(move, path[1]) for path in OWN_PATH.finditer(body))


def _is_shown(move: Move, spelled: bytes) -> bool:
    """The path below the root of the old crate leads to an item that its library shows."""
    root = root_of(move.source.definition)
    names = ("crate", *(n.decode() for n in spelled.split(b"::") if n))
    found = move.workspace.resolve_import(root, names, tuple(Namespace), False)
    items = [d for ds in found for d in ds if d.kind is DefinitionKind.ITEM]
    return bool(items) and all(is_public(move.workspace, d) for d in items[:1])


def bodies_called(workspace: Workspace, crate: str, name: str) -> tuple[bytes, ...] | None:
    """The bodies of the macros of that name around the crate, and of all that they call; None where one is unknown."""
    todo, seen = [name], set[str]()
    found: list[bytes] = []
    while todo:
        current = todo.pop()
        if current in seen or current in STD_MACROS:
            continue
        seen.add(current)
        bodies = [
            QUIET.sub(b"", workspace.sources[path][item.name_end : item.end])
            for path in workspace.files_around(crate)
            for item in workspace.facts[path].items
            if item.kind is ItemKind.MACRO_RULES and item.name == current
        ]
        if not bodies:
            return None
        found += bodies
        todo += [call.decode() for body in bodies for call in CALLED.findall(body)]
    return tuple(found)


def makes_impls(bodies: Iterable[bytes] | None) -> bool:
    """One of them writes an impl or a derive, or calls a macro that it is given; or nobody here knows."""
    return bodies is None or any(MAKES.search(body) for body in bodies)


def may_use(bodies: Iterable[bytes], members: Iterable[Definition]) -> list[Definition]:
    """The members that the bodies may name on a type: those they spell, and fields without a name or behind `..`."""
    texts = b"\n".join(bodies)
    words = {word.decode("utf-8", "replace") for word in re.findall(rb"\w+", texts)}
    whole = b".." in texts
    return [m for m in members if m.name in words or m.name.isdigit() or (whole and m.item_kind == "field")]
