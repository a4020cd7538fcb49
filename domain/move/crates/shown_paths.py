"""A path for another crate to what a private module holds: `pub use` in the nearest module that the other crate can name.

It shows the one item; opening the module would show all that is public in it.
"""

from collections.abc import Iterator, Sequence

from attrs import evolve

from m1nd.domain.move.compose import Change, written
from m1nd.domain.move.crates.publicity import Published
from m1nd.domain.move.crates.unpublished import Shown
from m1nd.domain.move.gates import is_conditional
from m1nd.domain.move.imports.statements import remove_leaves
from m1nd.domain.move.raw_names import raw_name
from m1nd.domain.move.reach import MODIFIER, nameable, parent_of
from m1nd.domain.move.text import indentation, newline_of
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import ItemFact, ItemKind, UseFact
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Definition, DefinitionKind
from m1nd.domain.rust.scope import Binding
from m1nd.domain.rust.workspace import Workspace

STEP = "pub use"


def shown_on(workspace: Workspace, shown: Shown) -> Iterator[Published]:
    """The imports that lead from a module that the viewer can name to the item, one where a private module is in the way.

    Raises Refused(not_movable) where the name is taken on the way, or the way is compiled under a condition.
    """
    at, viewer = shown.module, shown.viewer
    while not nameable(workspace, at, viewer):
        above = parent_of(at)
        while not nameable(workspace, above, viewer) and _sees(workspace, parent_of(above), at):
            above = parent_of(above)
        way = (*at.path[len(above.path) :], shown.name)
        yield _import(workspace, shown, workspace.modules[above], way)
        at = above


def _sees(workspace: Workspace, module: Definition, below: Definition) -> bool:
    """`module` may spell the declared path of a module below it."""
    chain = (evolve(below, path=below.path[:n]) for n in range(len(module.path) + 1, len(below.path) + 1))
    return all(workspace.can_see(module, workspace.modules[m].visibility) for m in chain)


def _import(workspace: Workspace, shown: Shown, above: Module, way: tuple[str, ...]) -> Published:
    """`pub use` of the item in one module: a new import, or the private one that is there already."""
    _check_conditions(workspace, shown, above)
    name, place = shown.name, above.file
    source, facts = workspace.sources[place], workspace.facts[place]
    taken = [b for b in workspace.scope(above.definition).spelled(name) if b.origin != "glob"]
    new = _new_import(workspace, above, way, shown.gates)
    if not taken:
        return Published(_named(above, name), place, new.start, "", STEP, (new,))
    leaf = _leaf_of(workspace, shown, above, taken)
    item = facts.items[facts.uses[leaf].item]
    before = f"{item.visibility} use" if item.visibility else ""
    removal = remove_leaves(workspace.parser, place, source, facts, {leaf})
    if not removal.emptied:
        return Published(_named(above, name), place, new.start, before, STEP, (*removal.changes, new))
    modifier = MODIFIER.match(source, item.start) if item.visibility else None
    word = written(place, item.start, modifier.end() if modifier else item.start, b"pub ")
    return Published(_named(above, name), place, item.start, before, STEP, (word,))


def _check_conditions(workspace: Workspace, shown: Shown, above: Module) -> None:
    held = workspace.modules[shown.module]
    if set(held.cfg) != set(above.cfg):
        refuse(
            "cfg_mismatch",
            f"{held.file} is compiled under other conditions than {above.file}, which would have to show `{shown.name}`",
            hint=f"make a public path to {held.file} first, or choose another destination",
            name=shown.name,
        )


def _new_import(workspace: Workspace, above: Module, way: tuple[str, ...], gates: tuple[str, ...]) -> Change:
    """Behind the last unconditional import of the module, else before its first item."""
    source, facts = workspace.sources[above.file], workspace.facts[above.file]
    inside = [facts.items[i] for i in facts.children(above.scope_item)]
    uses = [i for i in inside if i.kind is ItemKind.USE and not is_conditional(i)]
    newline = newline_of(source)
    text = f"pub use self::{'::'.join(map(raw_name, way))};".encode()
    for gate in gates:
        text = f"#[{gate}]".encode() + newline + text
    if uses:
        position = uses[-1].end
        text = newline + indentation(source, uses[-1].start) + text
    else:
        position = inside[0].extent_start
        text = text + newline + indentation(source, position)
    return written(above.file, position, position, text)


def _named(above: Module, name: str) -> Definition:
    return Definition(DefinitionKind.ITEM, above.definition.crate, (*above.definition.path, name), "use")


def _leaf_of(workspace: Workspace, shown: Shown, above: Module, taken: Sequence[Binding]) -> int:
    """The import leaf that binds the name to the item already, for the module itself. Raises Refused(not_movable)."""
    wanted = {b.definition for b in workspace.scope(shown.module).spelled(shown.name) if not shown.arrives}
    vias = {b.via for b in taken}
    via = next(iter(vias)) if len(vias) == 1 else None
    if via is not None and via[0] == above.file and {b.definition for b in taken} <= wanted:
        use = workspace.facts[above.file].uses[via[1]]
        plain = not use.alias and not use.glob and not is_conditional(_item(workspace, above, use))
        if plain and _item(workspace, above, use).parent == above.scope_item:
            return via[1]
    refuse(
        "not_movable",
        f"no path leads from another crate to `{'::'.join((*shown.module.path, shown.name))}`, and {above.file}, which would "
        f"have to show it, knows something by the name of `{shown.name}`",
        hint=f"make a public path to {workspace.modules[shown.module].file} first, or choose another destination",
        name=shown.name,
    )


def _item(workspace: Workspace, above: Module, use: UseFact) -> ItemFact:
    return workspace.facts[above.file].items[use.item]
