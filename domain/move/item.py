"""Which item is meant: exactly one parsed top-level item, or a refusal that teaches the retry.

Seed 002 §2.3, W8, W9, D46. Never by text: only parsed items of the source file count.
"""

import difflib
import re
from collections.abc import Sequence
from typing import Never

from m1nd.domain.move.frontiers import frontier
from m1nd.domain.move.inline_modules import LINE, is_in_a_module, items_at, place_of
from m1nd.domain.move.request import MoveRequest
from m1nd.domain.move.text import line_number
from m1nd.domain.places import Place
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.cargo import TargetKind
from m1nd.domain.rust.facts import FileFacts, ItemFact, ItemKind
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.workspace import Workspace

MOVABLE = (
    ItemKind.FN,
    ItemKind.STRUCT,
    ItemKind.ENUM,
    ItemKind.UNION,
    ItemKind.TRAIT,
    ItemKind.TYPE,
    ItemKind.CONST,
    ItemKind.STATIC,
    ItemKind.MACRO_RULES,
    ItemKind.MOD,
)
"""Kinds whose cycle is open; the first that matches wins where several items share a name."""
NAMED = MOVABLE
ENTRY_ATTRIBUTES = ("proc_macro", "proc_macro_derive", "proc_macro_attribute")


def find_item(workspace: Workspace, request: MoveRequest, module: Module) -> int:
    """Index of the item to move in the source file's facts: one that stands directly in `module`.

    Raises Refused with a code of group "symbol".
    """
    facts = workspace.facts[request.source_file]
    source = workspace.sources[request.source_file]
    name, candidates = _candidates(request, facts, source, module.scope_item)
    if not candidates:
        _refuse_missing(workspace, request, module, name)
    chosen = next((c for kind in MOVABLE for c in _of_kind(facts, candidates, kind)), None)
    if chosen is None:
        _refuse_kind(facts, candidates[0])
    twins = _of_kind(facts, candidates, facts.items[chosen].kind)
    if len(twins) > 1:
        lines = [line_number(source, facts.items[t].start) for t in twins]
        refuse(
            "ambiguous_symbol",
            f"{place_of(workspace, module)} defines `{name}` {len(twins)} times, at lines {', '.join(map(str, lines))}; moving one of "
            "them would change what the others' conditions see",
            hint="make them one item first, or move all of them by hand",
            lines=lines,
        )
    _refuse_entry_point(workspace, module, facts.items[chosen])
    return chosen


def _candidates(
    request: MoveRequest, facts: FileFacts, source: bytes, scope_item: int
) -> tuple[str, list[int]]:
    if request.index is not None:
        return facts.items[request.index].name, [request.index]
    if LINE.match(request.symbol):
        here = [i for i in items_at(facts, source, request.symbol) if facts.items[i].parent == scope_item]
        name = facts.items[here[0]].name if here else request.symbol
        return name, here
    name = request.symbol.rsplit("::", 1)[-1].removeprefix("r#").strip()
    return name, [
        i
        for i, item in enumerate(facts.items)
        if item.parent == scope_item and item.name == name and item.kind in NAMED
    ]


def _of_kind(facts: FileFacts, candidates: Sequence[int], kind: ItemKind) -> list[int]:
    return [c for c in candidates if facts.items[c].kind is kind]


def _refuse_kind(facts: FileFacts, index: int) -> Never:
    item = facts.items[index]
    refuse(
        "not_top_level_fn",
        f"{_called(item)} is no item that moves by itself. {frontier('not_top_level_fn').says}",
        kind=item.kind.value,
        owner="",
    )


def _called(item: ItemFact) -> str:
    """An item as a refusal speaks of it: by kind and name, an impl by its head, what has no name by its kind."""
    kind = "mod" if item.kind is ItemKind.MOD else item.kind.value.replace("_", " ")
    name = f"impl {item.detail}" if item.kind is ItemKind.IMPL else item.name
    return f"`{name}` ({kind})" if name else f"the {kind}"


def _refuse_missing(workspace: Workspace, request: MoveRequest, module: Module, name: str) -> Never:
    facts, source = workspace.facts[request.source_file], workspace.sources[request.source_file]
    scope, place = module.scope_item, place_of(workspace, module)
    dest = Place(request.dest_file, request.dest_inner)
    inner = next((i for i in facts.items if i.name == name and i.parent != scope and i.kind in NAMED), None)
    if inner is not None:
        _refuse_inner(facts, inner, request.source_file, place, str(dest))
    if request.already_moved:
        home, transplant = request.already_moved
        refuse(
            "already_moved",
            f"`{name}` was already moved from {place} to {home}",
            hint=f"m1nd transplant show {transplant}",
            home=home,
            transplant_id=transplant,
        )
    spelled = re.compile(rb"(?<![\w])" + re.escape(name.encode()) + rb"(?![\w])")
    for item in facts.items:
        if item.kind is ItemKind.MACRO_CALL and spelled.search(source, item.start, item.end):
            refuse(
                "macro_generated",
                f"`{name}` is made by the macro call `{item.name}!` at line {line_number(source, item.start)}",
                hint=f"move the call at {request.source_file}:{line_number(source, item.start)} by hand",
                line=line_number(source, item.start),
            )
        if item.kind is ItemKind.UNPARSED and spelled.search(source, item.start, item.end):
            refuse(
                "unparsed_item",
                f"`{name}` stands in text that does not parse, at line {line_number(source, item.start)}",
                hint=f"mend the syntax error at {request.source_file}:{line_number(source, item.start)}, then try again",
                line=line_number(source, item.start),
            )
    homes = sorted(
        path
        for path, other in workspace.facts.items()
        if path != request.source_file
        and any(i.parent == -1 and i.name == name and i.kind in NAMED for i in other.items)
    )
    if homes:
        others = [home for home in homes if home != request.dest_file]
        refuse(
            "symbol_elsewhere",
            f"`{name}` is not defined in {place}; it lives in {', '.join(homes[:5])}",
            hint=f"m1nd transplant preview {name} {others[0]} {dest}" if others else f"m1nd context {name}",
            homes=homes[:20],
        )
    real = [i.name for i in facts.items if i.parent == scope and i.kind in MOVABLE]
    near = difflib.get_close_matches(name, real, n=8, cutoff=0.4)
    listed = near + [r for r in real if r not in near]
    refuse(
        "symbol_not_found",
        f"{place} defines no `{name}`; its items are: {', '.join(listed[:12]) or 'none'}",
        hint=f"m1nd transplant preview {near[0]} {place} {dest}" if near else f"m1nd search {name}",
        items=listed[:50],
    )


def _refuse_inner(facts: FileFacts, inner: ItemFact, file: str, place: str, dest: str) -> Never:
    """The file holds the item in another module, or inside another item; the hint names it where it can move from there."""
    owner = _owner(facts, inner)
    called = f"{owner}{inner.name}"
    movable = is_in_a_module(facts, inner) and inner.kind in MOVABLE
    hint = f"m1nd transplant preview {called} {file} {dest}" if movable else ""
    if inner.parent < 0:
        refuse(
            "symbol_elsewhere",
            f"`{called}` is not defined in {place}; it stands in {file} itself",
            hint=hint,
            homes=[file],
        )
    refuse(
        "not_top_level_fn",
        f"`{called}` is not a top-level item: it stands inside `{owner.removesuffix('::')}`",
        hint=hint,
        kind=inner.kind.value,
        owner=called,
    )


def _owner(facts: FileFacts, item: ItemFact) -> str:
    names: list[str] = []
    parent = item.parent
    while parent >= 0:
        enclosing = facts.items[parent]
        text = enclosing.name
        if enclosing.kind is ItemKind.IMPL:
            text = enclosing.detail.rsplit(" for ", 1)[-1].split(" where ")[0].strip()
        names.append(text or enclosing.kind.value)
        parent = enclosing.parent
    return "".join(f"{n}::" for n in reversed(names))


def _refuse_entry_point(workspace: Workspace, module: Module, item: ItemFact) -> None:
    target = workspace.target(module.definition.crate)
    names = (a.split("(")[0].strip() for a in item.attributes)
    attribute = next((n for n in names if n in ENTRY_ATTRIBUTES), None)
    is_main = item.name == "main" and module.parent is None and target.kind is not TargetKind.LIB
    if attribute or is_main:
        what = f"carries #[{attribute}]" if attribute else "is the program's `main`"
        refuse("entry_point", f"`{item.name}` {what}: the compiler looks for it in the crate root")
