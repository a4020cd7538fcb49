"""The `mod name;` line of a new module file: its visibility and its place, as the parent's own lines have them (frontier 3)."""

from collections import Counter
from collections.abc import Sequence

from attrs import frozen

from m1nd.domain.move.gates import is_conditional
from m1nd.domain.move.lint_levels import level_of
from m1nd.domain.move.raw_names import raw_name
from m1nd.domain.move.text import head_end, line_end, line_start, newline_of, only_blank
from m1nd.domain.rust.facts import FileFacts, ItemFact, ItemKind
from m1nd.domain.rust.module_tree import Module, has_macro_use
from m1nd.domain.rust.workspace import Workspace


@frozen
class ModLine:
    """Text to insert into the parent's file at `position`."""

    position: int
    text: bytes


def mod_line(workspace: Workspace, parent: Module, name: str) -> ModLine:
    """The line that declares `name` in `parent`, without the blanks before it; an inline `parent` has items.

    Among the plain `mod` lines that are there: in their order where they are sorted, else behind the last; with the
    visibility that most of them have (private in a tie). Without any: before the first item, private.
    """
    source, facts = workspace.sources[parent.file], workspace.facts[parent.file]
    siblings = [facts.items[i] for i in facts.children(parent.scope_item) if _is_sibling(facts.items[i])]
    newline = newline_of(source)
    line = f"{_visibility(workspace, parent, siblings)}mod {raw_name(name)};".encode()
    if not siblings:
        return _at_head(source, facts, parent, line)
    plain = [s for s in siblings if not has_macro_use(s.attributes)]
    after = _follower(plain, name)
    if after is not None and _alone_on_line(source, after.extent_start):
        return ModLine(line_start(source, after.extent_start), line + newline)
    end = line_end(source, siblings[-1].end)
    if only_blank(source[siblings[-1].end : end]) and source[:end].endswith(b"\n"):
        return ModLine(end, line + newline)
    return ModLine(siblings[-1].end, newline + line)


def _is_sibling(item: ItemFact) -> bool:
    return item.kind is ItemKind.MOD and not item.has_body and not is_conditional(item)


def _visibility(workspace: Workspace, parent: Module, siblings: Sequence[ItemFact]) -> str:
    """As most siblings have it; never a public module without documentation where the crate asks for it."""
    counted = Counter(s.visibility for s in siblings)
    found = max(counted, key=lambda v: (counted[v], v == ""), default="")
    if found == "pub" and level_of(workspace, parent, "missing_docs") != "allow":
        found = "pub(crate)"
    return f"{found} " if found else ""


def _follower(siblings: Sequence[ItemFact], name: str) -> ItemFact | None:
    """The sibling before which `name` belongs, where their names are sorted."""
    names = [s.name for s in siblings]
    if names != sorted(names):
        return None
    return next((s for s in siblings if s.name > name), None)


def _alone_on_line(source: bytes, position: int) -> bool:
    return only_blank(source[line_start(source, position) : position])


def _at_head(source: bytes, facts: FileFacts, parent: Module, line: bytes) -> ModLine:
    """Before the first item that is no `extern crate`, as a paragraph of its own; in an empty file at its end."""
    newline = newline_of(source)
    for index in facts.children(parent.scope_item):
        item = facts.items[index]
        if item.kind not in (ItemKind.EXTERN_CRATE, ItemKind.UNPARSED):
            if _alone_on_line(source, item.extent_start):
                return ModLine(line_start(source, item.extent_start), line + newline * 2)
            return ModLine(item.extent_start, line + b" ")
    if only_blank(source[head_end(source) :]):
        return ModLine(len(source), line + newline)
    gap = newline if source.endswith(b"\n") else newline * 2
    return ModLine(len(source), gap + line + newline)
