"""A moved `macro_rules!` that is out of some user's sight gets a path at its new home: `pub(super) use name;` below it.

The mirror of `macros/shared.py`, where the macro stays. Where it can have no path, the import that needs one leads nowhere
and `imports/new.py` refuses.
"""

from collections.abc import Iterable, Iterator

from m1nd.domain.move.compose import written
from m1nd.domain.move.gates import conditions_of
from m1nd.domain.move.imports.statements import UseStatement
from m1nd.domain.move.macros.textual import is_at_the_root
from m1nd.domain.move.reach import Raised, least_region, visibility_text
from m1nd.domain.move.reference_notes import Requalified
from m1nd.domain.move.text import indentation, newline_of
from m1nd.domain.move.world import Move
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.names import Definition, Namespace
from m1nd.domain.rust.prelude import BUILTIN_ATTRIBUTES

MAYBE = "external_glob"
"""Origin of a name that a glob of another crate may bring; a path of our own comes before it."""


def paths_of_moved(move: Move, requalified: Requalified) -> Iterator[Raised]:
    """The imports to write below moved macros; they lie inside the moved text."""
    source = move.workspace.sources[move.source_file]
    home, newline = move.home.definition, newline_of(source)
    for index in move.items:
        item = move.facts.items[index]
        if item.kind is not ItemKind.MACRO_RULES:
            continue
        macro = move.workspace.definition(move.source.definition, index)
        viewers = requalified.viewers.get(macro)
        if not viewers or not _can_have_a_path(move, macro):
            continue
        visibility = visibility_text(home, least_region(move.workspace, home, viewers))
        gates = dict.fromkeys((*conditions_of(item), *_of_all_viewers(move, requalified, macro, viewers)))
        path = UseStatement((macro.name,), visibility=visibility, gates=tuple(gates))
        indent = indentation(source, item.start) if move.source.inline else b""
        text = newline + path.text(newline, indent).removesuffix(newline)
        change = written(move.source_file, item.end, item.end, text)
        yield Raised(macro, macro.name, "", visibility or "private", change)


def _of_all_viewers(
    move: Move, requalified: Requalified, macro: Definition, viewers: Iterable[Definition]
) -> list[str]:
    """The conditions that everybody who comes by the path stands under, beyond those of the new home: tests alone, as a rule."""
    modules = move.workspace.modules
    said = {
        module.definition: statement.gates
        for module, statement in requalified.heads
        if statement.path[-1] == macro.name
    }
    each = [{*modules[v].cfg, *said.get(v, ())} if v in modules else set[str]() for v in viewers]
    shared = set.intersection(*each).difference(move.home.cfg)
    return sorted(g for g in shared if g.startswith("cfg("))


def _can_have_a_path(move: Move, macro: Definition) -> bool:
    """It has none yet, and its name means nothing else at home (nor a built-in attribute, E0659)."""
    if is_at_the_root(move, macro) or move.workspace.edition(macro.crate) < 2018:
        return False
    others = (Namespace.TYPE, Namespace.VALUE)
    taken = (b for n in others for b in move.workspace.lookup(move.home.definition, macro.name, n))
    return all(b.origin == MAYBE for b in taken) and macro.name not in BUILTIN_ATTRIBUTES
