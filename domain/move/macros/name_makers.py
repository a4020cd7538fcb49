"""Which modules may hold names that no text declares: those with macro calls, with macros on types, or with globs that may bring such."""

import re
from collections.abc import Callable

from m1nd.domain.move.imports.chains import glob_target
from m1nd.domain.move.world import Move, own_uses
from m1nd.domain.rust.facts import ItemFact, ItemKind
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Definition, DefinitionKind
from m1nd.domain.rust.prelude import BUILTIN_ATTRIBUTES, TOOL_ATTRIBUTES
from m1nd.domain.rust.workspace import Workspace

STANDARD = frozenset(["Clone", "Copy", "Debug", "Default", "Eq", "PartialEq", "Ord", "PartialOrd", "Hash"])
DERIVE = re.compile(r"\bderive\s*\(([^)]*)\)")
BEARERS = (ItemKind.STRUCT, ItemKind.ENUM, ItemKind.UNION)
OPAQUE = (ItemKind.MACRO_CALL, ItemKind.UNPARSED)


def modules_behind(workspace: Workspace, module: Module) -> tuple[list[Module], bool]:
    """The module and those of the workspace that its globs lead to, one behind another; whether some glob leads elsewhere."""
    found: dict[Definition, Module] = {}
    todo, closed = [module], True
    while todo:
        here = todo.pop()
        if here.definition in found:
            continue
        found[here.definition] = here
        for index in (i for i, use in own_uses(workspace, here) if use.glob):
            target = glob_target(workspace, here.file, index)
            if target is not None and target in workspace.modules:
                todo.append(workspace.modules[target])
            elif target is None or target.kind is not DefinitionKind.ITEM:  # not the variants of an enum
                closed = False
    return list(found.values()), closed


def may_be_made(move: Move) -> Callable[[str], bool]:
    """Whether a name that nobody declares may be known in the old module all the same.

    Something there, or in a module that its globs lead to, may declare names and stays; a glob may bring what an import there
    names and nobody knows; so may one from outside.
    """
    workspace = move.workspace
    modules, closed = modules_behind(workspace, move.source)
    made = not closed
    for here in modules:
        facts = workspace.facts[here.file]
        stay = (i for i in facts.children(here.scope_item) if here != move.source or i not in move.items)
        made = made or any(_may_make_names(facts.items[i]) for i in stay)
    imported = {use.bound_name for m in modules if m != move.source for _, use in own_uses(workspace, m)}
    return lambda name: made or name in imported


def has_foreign_macro(item: ItemFact) -> bool:
    """A type with a derive that is not the standard library's, or an attribute that is not the language's."""
    if item.kind not in BEARERS:
        return False
    for attribute in item.attributes:
        derived = {
            n.strip().rpartition("::")[2] for names in DERIVE.findall(attribute) for n in names.split(",")
        }
        head = re.split(r"[\s(=:]", attribute, maxsplit=1)[0]
        if derived - STANDARD - {""} or head not in BUILTIN_ATTRIBUTES | TOOL_ATTRIBUTES:
            return True
    return False


def _may_make_names(item: ItemFact) -> bool:
    return item.kind in OPAQUE or has_foreign_macro(item)
