"""From places to modules: which module of a file is meant, also by the path before a symbol's name (frontier 2e).

A symbol with a path (`inner::f`, `crate::a::inner::f`) leads from the source to a module inside it.
"""

import re
from collections.abc import Iterator
from typing import Never

from attrs import evolve

from m1nd.domain.move.frontiers import frontier
from m1nd.domain.move.request import MoveRequest
from m1nd.domain.move.text import line_number
from m1nd.domain.places import Place, place_at
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import FileFacts, ItemFact, ItemKind
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.visibility import is_inside
from m1nd.domain.rust.workspace import Workspace

LINE = re.compile(r"^(?P<path>.+\.rs):(?P<line>\d+)$")


def located(request: MoveRequest) -> MoveRequest:
    """The request with both places taken apart. Raises Refused(usage | outside_root)."""
    if ".rs::" not in request.source_file + request.dest_file:
        return request
    source, dest = place_at(request.source_file), place_at(request.dest_file)
    return evolve(
        request,
        source_file=source.file,
        source_inner=(*source.inner, *request.source_inner),
        dest_file=dest.file,
        dest_inner=(*dest.inner, *request.dest_inner),
    )


def place_of(workspace: Workspace, module: Module) -> str:
    """How a caller spells the module's place."""
    depth, around = 0, module
    while around.inline and around.parent is not None:
        depth, around = depth + 1, workspace.modules[around.parent]
    return str(Place(module.file, module.definition.path[len(module.definition.path) - depth :]))


def inner_module(workspace: Workspace, mount: Module, inner: tuple[str, ...]) -> Module:
    """The inline module of a mounted file at the end of a way.

    Raises Refused: module_not_found, ambiguous_symbol (conditions choose among several), module_nested.
    """
    found = mount
    for name in inner:
        found = _child(workspace, found, name)
    return found


def source_module(workspace: Workspace, mount: Module, request: MoveRequest) -> Module:
    """The module that holds what is asked for: the source's place, and from there the way that the symbol spells.

    Raises Refused as `inner_module` does, and symbol_elsewhere.
    """
    place = inner_module(workspace, mount, request.source_inner)
    facts, source = workspace.facts[mount.file], workspace.sources[mount.file]
    if request.index is not None:
        found = workspace.forest.module_of_item(mount, _scope_of(facts, request.index))
        return _below(workspace, place, found, request)
    if LINE.match(request.symbol):
        here = items_at(facts, source, request.symbol)
        scope = facts.items[here[-1]].parent if here else place.scope_item
        return _below(workspace, place, workspace.forest.module_of_item(mount, scope), request)
    *way, _ = (part.strip().removeprefix("r#") for part in request.symbol.split("::"))
    return _at_end_of(workspace, place, tuple(way)) if way else place


def _below(workspace: Workspace, place: Module, found: Module, request: MoveRequest) -> Module:
    """What an identity or a line names stands in the place that was named with it, or deeper. Raises Refused(symbol_elsewhere)."""
    if is_inside(found.definition, place.definition):
        return found
    home, dest = place_of(workspace, found), Place(request.dest_file, request.dest_inner)
    refuse(
        "symbol_elsewhere",
        f"`{request.symbol}` does not stand in {place_of(workspace, place)}; it stands in {home}",
        hint=f"m1nd transplant preview {request.symbol} {home} {dest}",
        homes=[home],
    )


def spells_a_way(request: MoveRequest) -> bool:
    """The symbol may name an item of a module inside the source's place."""
    return request.index is not None or "::" in request.symbol or LINE.match(request.symbol) is not None


def items_at(facts: FileFacts, source: bytes, symbol: str) -> list[int]:
    """The items on a line (`path:line`) that stand directly in a module, the innermost last."""
    found = LINE.match(symbol)
    line = int(found["line"]) if found else 0
    return [
        i
        for i, item in enumerate(facts.items)
        if is_in_a_module(facts, item)
        and line_number(source, item.extent_start) <= line <= line_number(source, item.end)
    ]


def modules_in(workspace: Workspace, path: str) -> Iterator[Module]:
    """Every module of a file: its mounts, and those that stand inline in it."""
    return (m for m in workspace.modules.values() if m.file == path)


def is_in_a_module(facts: FileFacts, item: ItemFact) -> bool:
    while item.parent >= 0:
        item = facts.items[item.parent]
        if item.kind is not ItemKind.MOD:
            return False
    return True


def _scope_of(facts: FileFacts, index: int) -> int:
    """The `mod` item around an item; -1 for the file."""
    around = facts.items[index].parent
    while around >= 0 and facts.items[around].kind is not ItemKind.MOD:
        around = facts.items[around].parent
    return around


def _at_end_of(workspace: Workspace, place: Module, way: tuple[str, ...]) -> Module:
    """The module that the path before a symbol's name leads to: from the place, or by the end of the place's own path.

    What names no module but an item of the file (`Counter::bump`) stays at the place: the item's own rules answer.
    """
    path = place.definition.path
    if way[0] in ("self", "crate"):
        whole, way = way[0] == "crate", way[1:]
        rest = way[len(path) :] if way[: len(path)] == path else None
        steps = [rest if whole else way]
    else:
        steps = [way, *(way[k:] for k in range(1, len(way) + 1) if path[-k:] == way[:k])]
        crate = workspace.target(place.definition.crate).name.replace("-", "_")
        if way[0] == crate and way[1 : len(path) + 1] == path:
            steps.append(way[len(path) + 1 :])
    for step in steps:
        found = _reached(workspace, place, step) if step is not None else None
        if found is not None:
            return found
    others = {i.name for i in workspace.facts[place.file].items if i.kind is not ItemKind.MOD}
    if way and way[-1] in others:
        return place
    if steps[0]:
        return inner_module(workspace, place, steps[0])
    _refuse_missing(workspace, place, "::".join(way))


def _reached(workspace: Workspace, module: Module, way: tuple[str, ...]) -> Module | None:
    found: Module | None = module
    for name in way:
        named = _inline_children(workspace, found, name) if found is not None else []
        found = named[0] if len(named) == 1 and not _is_made(workspace, named[0]) else None
    return found


def _inline_children(workspace: Workspace, module: Module, name: str) -> list[Module]:
    path = (*module.definition.path, name)
    return [
        m
        for m in workspace.modules.values()
        if m.parent == module.definition and m.inline and m.definition.path == path
    ]


def _child(workspace: Workspace, module: Module, name: str) -> Module:
    found = _inline_children(workspace, module, name)
    if not found:
        _refuse_missing(workspace, module, name)
    if len(found) > 1:
        lines = [_line(workspace, m) for m in found]
        refuse(
            "ambiguous_symbol",
            f"{place_of(workspace, module)} holds `mod {name}` {len(found)} times, at lines {', '.join(map(str, lines))}; "
            "conditions choose among them",
            hint="make them one module first, or move by hand",
            lines=lines,
        )
    if _is_made(workspace, found[0]):
        _refuse_nested(module.file, name, "stands in the braces of a macro call")
    return found[0]


def _is_made(workspace: Workspace, module: Module) -> bool:
    """A macro call stands between the module and the one around it."""
    items = workspace.facts[module.file].items
    parent = items[module.item].parent
    return parent >= 0 and items[parent].kind is not ItemKind.MOD


def _line(workspace: Workspace, module: Module) -> int:
    return line_number(workspace.sources[module.file], workspace.facts[module.file].items[module.item].start)


def _refuse_missing(workspace: Workspace, module: Module, name: str) -> Never:
    """No such module: it has a file of its own, stands where none is reached, or is not there at all."""
    place, facts = place_of(workspace, module), workspace.facts[module.file]
    own = [
        m
        for m in workspace.modules.values()
        if m.parent == module.definition and m.definition.name == name and not m.inline
    ]
    if own:
        refuse(
            "module_not_found",
            f"`{name}` does not stand inline in {place}: it has a file of its own, {own[0].file}",
            hint=f"name {own[0].file}",
            path=module.file,
            module=name,
        )
    for item in facts.items:
        if item.kind is ItemKind.MOD and item.name == name and not is_in_a_module(facts, item):
            _refuse_nested(module.file, name, "stands in the body of another item")
    declares = re.compile(rb"\bmod\s+(?:r#)?" + re.escape(name.encode()) + rb"\b")
    for item in facts.items:
        if item.kind is ItemKind.MACRO_CALL and declares.search(
            workspace.sources[module.file], item.start, item.end
        ):
            _refuse_nested(module.file, name, f"is made by the macro call `{item.name}!`")
    inline = (m for m in modules_in(workspace, module.file) if m.inline)
    real = sorted(place_of(workspace, m) for m in inline if is_in_a_module(facts, facts.items[m.item]))
    refuse(
        "module_not_found",
        f"{place} holds no `mod {name} {{ … }}`; the modules inline in {module.file} are: {', '.join(real[:12]) or 'none'}",
        hint=f"name {real[0]}" if real else f"name {module.file} itself",
        path=module.file,
        module=name,
        modules=real[:50],
    )


def _refuse_nested(file: str, name: str, why: str) -> Never:
    refuse(
        "module_nested",
        f"`{name}` of {file} {why}. {frontier('module_nested').says}",
        path=file,
        module=name,
    )
