"""Which modules may hold names that no text declares: those with macro calls, with macros on types, or with globs that may bring such."""

import re

from m1nd.domain.move.import_chains import glob_target
from m1nd.domain.move.world import Move, own_uses
from m1nd.domain.rust.facts import ItemFact, ItemKind
from m1nd.domain.rust.names import Definition, DefinitionKind
from m1nd.domain.rust.prelude import BUILTIN_ATTRIBUTES, TOOL_ATTRIBUTES

STANDARD = frozenset(["Clone", "Copy", "Debug", "Default", "Eq", "PartialEq", "Ord", "PartialOrd", "Hash"])
DERIVE = re.compile(r"\bderive\s*\(([^)]*)\)")
BEARERS = (ItemKind.STRUCT, ItemKind.ENUM, ItemKind.UNION)
OPAQUE = (ItemKind.MACRO_CALL, ItemKind.UNPARSED)


def holds_made_names(move: Move) -> bool:
    """Something in the old module, or in one that its globs lead to, may declare a name and stays; so does what a glob brings from outside."""
    workspace = move.workspace
    seen: set[Definition] = set()
    todo = [move.source]
    while todo:
        here = todo.pop()
        if here.definition in seen:
            continue
        seen.add(here.definition)
        facts = workspace.facts[here.file]
        stay = (i for i in facts.children(here.scope_item) if here != move.source or i not in move.items)
        if any(_may_make_names(facts.items[i]) for i in stay):
            return True
        for index in (i for i, use in own_uses(workspace, here) if use.glob):
            target = glob_target(workspace, here.file, index)
            if target is not None and target.kind is DefinitionKind.ITEM:
                continue  # the variants of an enum
            if target is None or target not in workspace.modules:
                return True
            todo.append(workspace.modules[target])
    return False


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
