"""Macros of the workspace that the moved text calls: which of them mean the same where another crate calls them."""

import re

from m1nd.domain.move.macro_needs import body_of
from m1nd.domain.move.reach import root_of
from m1nd.domain.move.surface import is_public
from m1nd.domain.move.world import Move
from m1nd.domain.rust.macros import is_exported
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace

BARE_CRATE = re.compile(rb"(?<!\$)\bcrate::")
OWN_PATH = re.compile(rb"\$crate((?:::\w+)+)")
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
