"""Lint levels that a move would trip under deny or forbid: met where that is possible, refused by name where not.

TRANSPLANT.md plan 7. Only lints whose trip can be told from text and visibility are judged here; the compiler has the
last word on all others.
"""

import re
from collections.abc import Iterator

from m1nd.domain.move.standing import Standing
from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.cargo import TargetKind
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace
from m1nd.domain.rust.syntax import SyntaxNode
from m1nd.domain.rust.workspace import Workspace

LEVEL = re.compile(r"\b(allow|expect|warn|deny|forbid)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
GROUPS = {
    "unused": (
        "unused_imports",
        "dead_code",
        "unused_variables",
        "unused_mut",
        "unused_macros",
        "unused_unsafe",
    ),
    "warnings": (
        "unused_imports",
        "dead_code",
        "unused_variables",
        "unused_mut",
        "unused_macros",
        "private_interfaces",
    ),
    "nonstandard_style": ("non_snake_case", "non_camel_case_types", "non_upper_case_globals"),
    "bad_style": ("non_snake_case", "non_camel_case_types", "non_upper_case_globals"),
}
DENIED = ("deny", "forbid")
UNSAFE_WORDS = (b"unsafe", b"no_mangle", b"export_name", b"link_section")
UNSAFE = re.compile(rb"\b(" + b"|".join(UNSAFE_WORDS) + rb")\b")
CARRIED = (
    "dead_code",
    "non_snake_case",
    "unused_variables",
    "unused_mut",
    "deprecated",
    "unused_unsafe",
    "unsafe_code",
    "unused",
)
"""Lints whose module-level `allow` at the source a moved item may rest on."""


def level_of(workspace: Workspace, module: Module, lint: str) -> str:
    """The level of a lint in a module: the innermost attribute that names it or its group, then `[lints]`, then `warn`."""
    here: Module | None = module
    while here is not None:
        texts = _attributes(workspace, here)
        found = _last_level(texts, lint)
        if found:
            return found
        here = workspace.modules.get(here.parent) if here.parent is not None else None
    package = workspace.cargo.package_at(workspace.target(module.definition.crate).package)
    for name, level in package.lints if package is not None else ():
        if name.removeprefix("rust.") in _names(lint):
            return level
    return "warn" if lint not in ("missing_docs", "unreachable_pub", "unsafe_code") else "allow"


def _names(lint: str) -> tuple[str, ...]:
    return (lint, *(g for g, members in GROUPS.items() if lint in members))


def _attributes(workspace: Workspace, module: Module) -> list[str]:
    texts: list[str] = []
    if module.declared_in is not None:
        file, index = module.declared_in
        texts += workspace.facts[file].items[index].attributes
    if not module.inline:
        texts += workspace.facts[module.file].inner_attributes
    return texts


def _last_level(texts: list[str], lint: str) -> str:
    level = ""
    for text in texts:
        if text.startswith("cfg_attr") and "test" in text.split(",")[0]:
            continue
        for match in LEVEL.finditer(text):
            listed = {part.strip() for part in match[2].split(",")}
            if listed & set(_names(lint)):
                level = match[1]
    return level


def check_lints(move: Move, standing: Standing, arrival: Workspace, used: bool) -> tuple[str, ...]:
    """Refuse what a denied lint would refuse; answer attribute texts (`allow(dead_code)`) the moved item must carry.

    `used`: somebody in the crate refers to the moved item. Raises Refused(not_movable), naming the lint.
    """
    workspace, source, home = move.workspace, move.source, move.home
    if (
        _denied(workspace, home, "unsafe_code")
        and not _denied(workspace, source, "unsafe_code")
        and _is_unsafe(move)
    ):
        _refuse(move, "unsafe_code", f"{move.dest_file} forbids unsafe code and the moved text holds it")
    if standing.after == "pub":
        _check_reach(move, arrival, used)
    carried: list[str] = []
    for lint in CARRIED:
        allowed = level_of(workspace, source, lint) in ("allow", "expect") and lint != "unsafe_code"
        if allowed and _denied(workspace, home, lint):
            carried.append(f"allow({lint})")
    return tuple(carried)


def _check_reach(move: Move, arrival: Workspace, used: bool) -> None:
    """A `pub` item that enters or leaves the crate's public surface meets other lints there."""
    workspace, home = move.workspace, move.home
    before = is_public(workspace, workspace.definition(move.source.definition, move.root))
    after = is_public(arrival, move.renamed[workspace.definition(move.source.definition, move.root)])
    if after and not before and _denied(workspace, home, "missing_docs") and not _documented(move):
        _refuse(move, "missing_docs", f"in {move.dest_file} the item becomes public and has no documentation")
    if before and not after and _denied(workspace, home, "unreachable_pub"):
        _refuse(
            move, "unreachable_pub", f"in {move.dest_file} the item is `pub` but unreachable from outside"
        )
    if before and not after and not used and _denied(workspace, home, "dead_code"):
        _refuse(
            move,
            "dead_code",
            f"in {move.dest_file} nobody can reach the item and nobody in the crate uses it",
        )


def is_public(workspace: Workspace, definition: Definition) -> bool:
    """Some path of public modules and re-exports leads to the item from outside the crate."""
    if workspace.target(definition.crate).kind is not TargetKind.LIB:
        return False
    root = Definition(DefinitionKind.MODULE, definition.crate, ())
    todo, seen = [root], {root}
    while todo:
        module = todo.pop()
        for (namespace, _), bindings in workspace.scope(module).names.items():
            for binding in bindings:
                if not binding.visibility.public:
                    continue
                if binding.definition == definition:
                    return True
                child = binding.definition
                if namespace is Namespace.TYPE and child.kind is DefinitionKind.MODULE and child not in seen:
                    seen.add(child)
                    if child.crate == definition.crate:
                        todo.append(child)
    return False


def _denied(workspace: Workspace, module: Module, lint: str) -> bool:
    return level_of(workspace, module, lint) in DENIED


def _is_unsafe(move: Move) -> bool:
    """The moved text holds the keyword, or an attribute that the lint counts; texts and comments do not matter."""
    text = move.workspace.sources[move.source_file]
    for extent in move.extents:
        mine = text[extent.start : extent.end]
        if UNSAFE.search(mine) and any(
            mine[leaf.start_byte : leaf.end_byte] in UNSAFE_WORDS
            for leaf in _leaves(move.workspace.parser.parse(mine))
        ):
            return True
    return False


def _leaves(root: SyntaxNode) -> Iterator[SyntaxNode]:
    """The leaves of a tree but comments and contents of literals."""
    todo = [root]
    while todo:
        node = todo.pop()
        if "comment" in node.type or "content" in node.type:
            continue
        if node.children:
            todo += node.children
        else:
            yield node


def _documented(move: Move) -> bool:
    source = move.workspace.sources[move.source_file]
    head = source[move.root_item.extent_start : move.root_item.start]
    return b"///" in head or b"/**" in head or b"#[doc" in head


def _refuse(move: Move, lint: str, why: str) -> None:
    line = line_number(move.workspace.sources[move.source_file], move.root_item.start)
    refuse(
        "not_movable",
        f"the lint `{lint}` is denied: {why} ({move.source_file}:{line})",
        hint=f"change the level of `{lint}` there, or choose another destination",
        lint=lint,
    )
