"""Which module a `mod` item declares, which files move with it, and where each goes (frontier 1f).

The line leaves the old parent and arrives in the new one, a file or a module inline in one. The files keep their style (`name.rs` or
`name/mod.rs`) and their places among each other, below the folder where the new parent keeps its children. A module that
a `#[path]` of its own mounts keeps its files; the attribute is written anew.
"""

from collections.abc import Iterator, Mapping
from typing import Never

from attrs import evolve

from m1nd.domain.move.boundaries import check_one_mount
from m1nd.domain.move.extent import extent_of
from m1nd.domain.move.frontiers import frontier
from m1nd.domain.move.inline_modules import place_of
from m1nd.domain.move.modules.folders import folders_of
from m1nd.domain.move.request import MoveRequest
from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.module_tree import Module, join
from m1nd.domain.rust.names import Definition, Namespace
from m1nd.domain.rust.visibility import is_inside
from m1nd.domain.rust.workspace import Workspace

WITHOUT_NAME = (ItemKind.USE, ItemKind.IMPL, ItemKind.MACRO_CALL, ItemKind.UNPARSED)


def module_move(
    workspace: Workspace, request: MoveRequest, source: Module, home: Module, roots: tuple[int, ...]
) -> Move:
    """The move of the module that item `roots[0]` of the source file declares.

    Raises Refused: `not_top_level_fn` for a module without a file of its own and for one beside other items, `not_movable`,
    `bad_destination`, `multiple_mounts`, `ambiguous_symbol`.
    """
    if len(roots) > 1:
        refuse(
            "not_top_level_fn",
            "a whole module moves alone: no other item can be in its plan",
            hint="move the module first, then the other items",
            kind="mod",
            owner="",
        )
    _check_crate(workspace, source, home)
    module = _declared(workspace, source, roots[0])
    if is_inside(home.definition, module.definition):
        refuse(
            "bad_destination",
            f"{home.file} is a part of the module `{module.definition.name}` itself",
            hint="name the file of a module outside of it",
            path=home.file,
        )
    inside = [m for m in workspace.modules.values() if is_inside(m.definition, module.definition)]
    for file in sorted({m.file for m in inside}):
        check_one_mount(workspace, file)
    facts, text = workspace.facts[source.file], workspace.sources[source.file]
    return Move(
        workspace,
        request,
        source,
        home,
        roots,
        roots,
        (extent_of(text, roots[0], facts.items[roots[0]]),),
        _renamed(workspace, source, home, inside),
        _files(workspace, module, source, home),
    )


def _check_crate(workspace: Workspace, source: Module, home: Module) -> None:
    """The crate that the module is a part of does not change."""
    if source.definition.crate != home.definition.crate:
        refuse(
            "cross_crate",
            f"a whole module stays in its crate; {place_of(workspace, home)} is a part of another one",
            hint="name a module of the same crate, or move the module's items one by one",
        )


def _declared(workspace: Workspace, source: Module, index: int) -> Module:
    """The one file module that a `mod` item declares."""
    item = workspace.facts[source.file].items[index]
    if item.has_body:
        refuse(
            "not_top_level_fn",
            f"`{item.name}` (mod) stands inline in {source.file}. {frontier('not_top_level_fn').says}",
            hint=f"give `{item.name}` a file of its own first, or move its items one by one",
            kind="mod",
            owner="",
        )
    found = workspace.forest.definitions(source.definition, index)
    known = [workspace.modules[d] for d in found if d in workspace.modules]
    line = line_number(workspace.sources[source.file], item.start)
    if len(known) != 1:
        what = "no file" if not known else f"several files ({', '.join(m.file for m in known)})"
        refuse(
            "not_movable",
            f"`mod {item.name};` at {source.file}:{line} leads to {what}",
            hint=f"give `{item.name}` one file first",
            name=item.name,
        )
    module = known[0]
    twins = [m.file for m in workspace.modules.values() if _is_twin(m, module)]
    for binding in workspace.scope(source.definition).get(Namespace.TYPE, module.definition.name):
        if binding.definition != module.definition and binding.origin in ("import", "extern_crate"):
            twins.append(f"`{'::'.join((binding.definition.crate, *binding.definition.path))}` by an import")
    if twins:
        refuse(
            "ambiguous_symbol",
            f"`{'::'.join(('crate', *module.definition.path))}` is {module.file} and {', '.join(twins)}, under different conditions",
            hint="make them one module first, or move all of them by hand",
            lines=[line],
        )
    if module.path_attribute and not any(a.startswith("path") for a in item.attributes):
        refuse(
            "not_movable",
            f"a condition decides by which path `mod {item.name};` at {source.file}:{line} finds its file",
            hint="give the module one path first",
            name=item.name,
        )
    return module


def _is_twin(other: Module, module: Module) -> bool:
    mine, theirs = module.definition, other.definition
    return theirs != mine and (theirs.crate, theirs.path) == (mine.crate, mine.path)


def _renamed(
    workspace: Workspace, source: Module, home: Module, inside: list[Module]
) -> Mapping[Definition, Definition]:
    """Today's definition of the module and of all that stands in it to that at the new home."""
    depth = len(source.definition.path)

    def after(definition: Definition) -> Definition:
        return evolve(definition, path=(*home.definition.path, *definition.path[depth:]))

    table: dict[Definition, Definition] = {}
    for module in inside:
        table[module.definition] = after(module.definition)
        for definition in workspace.forest.table(module.definition).values():
            if definition.item_kind not in WITHOUT_NAME:
                table[definition] = after(definition)
    return table


def _files(workspace: Workspace, module: Module, source: Module, home: Module) -> Mapping[str, str]:
    """Today's path of each file of the module to the planned one."""
    inside = (m for m in workspace.modules.values() if is_inside(m.definition, module.definition))
    files = dict.fromkeys(m.file for m in inside)
    if module.path_attribute:
        return {file: file for file in files}
    old, new = folders_of(workspace, source).children, folders_of(workspace, home).children
    top = join(old, f"{module.definition.name}.rs")
    below = join(old, module.definition.name) + "/"
    moved = {}
    for file in files:
        if file != top and not file.startswith(below):
            _refuse_path(module, file, below)
        moved[file] = join(new, file[len(old) :].lstrip("/"))
    return moved


def _refuse_path(module: Module, file: str, below: str) -> Never:
    refuse(
        "not_movable",
        f"{file} is a part of `{module.definition.name}` by a `#[path]` that leads out of {below}",
        hint=f"move {file} below {below} first",
        file=file,
    )


def planned_modules(move: Move) -> Iterator[tuple[Module, Definition, str]]:
    """`(module of today, its definition after the move, its planned file)` of every module that moves."""
    for module in move.workspace.modules.values():
        if module.definition in move.renamed:
            yield module, move.renamed[module.definition], move.files[module.file]
