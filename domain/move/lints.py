"""Lint levels that a move would trip under deny or forbid: met where that is possible, refused by name where not.

TRANSPLANT.md plan 7. Only lints whose trip can be told from text and visibility are judged here; the compiler has the
last word on all others.
"""

import re
from collections.abc import Iterator

from m1nd.domain.move.crates.lints import allowances_across
from m1nd.domain.move.lint_levels import is_denied, level_of
from m1nd.domain.move.standing import Standing, is_documented, is_re_exported
from m1nd.domain.move.surface import is_public, keeps_public_path
from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.syntax import SyntaxNode
from m1nd.domain.rust.workspace import Workspace

CONSTANTS = (ItemKind.CONST, ItemKind.STATIC)
UNSAFE_WORDS = (b"unsafe", b"no_mangle", b"export_name", b"link_section")
UNSAFE = re.compile(rb"\b(" + b"|".join(UNSAFE_WORDS) + rb")\b")
CARRIED = (
    "dead_code",
    "non_snake_case",
    "non_camel_case_types",
    "non_upper_case_globals",
    "unused_variables",
    "unused_mut",
    "deprecated",
    "unused_unsafe",
    "unsafe_code",
    "unused",
)
"""Lints whose module-level `allow` at the source a moved item may rest on."""


def check_lints(move: Move, root: int, standing: Standing, arrival: Workspace, used: bool) -> tuple[str, ...]:
    """Refuse what a denied lint would refuse; answer attribute texts (`allow(dead_code)`) the moved item `root` must carry.

    `used`: somebody in the crate refers to the moved item. Raises Refused(not_movable), naming the lint.
    """
    workspace, source, home = move.workspace, move.source, move.home
    if (
        is_denied(workspace, home, "unsafe_code")
        and not is_denied(workspace, source, "unsafe_code")
        and _is_unsafe(move)
    ):
        _refuse(move, "unsafe_code", f"{move.dest_place} forbids unsafe code and the moved text holds it")
    if standing.after == "pub":
        _check_reach(move, root, arrival, used)
    carried: list[str] = []
    for lint in CARRIED:
        allowed = level_of(workspace, source, lint) in ("allow", "expect") and lint != "unsafe_code"
        if allowed and (is_denied(workspace, home, lint) or _is_met(move, root, lint)):
            carried.append(f"allow({lint})")
    if move.crosses:
        carried += allowances_across(move, root, standing)
    elif (
        standing.after == "pub"
        and is_denied(workspace, home, "missing_docs")
        and not is_documented(move, root)
    ):
        if _is_hidden(workspace, source):
            carried.append("doc(hidden)")
        elif not is_denied(workspace, source, "missing_docs"):
            carried.append("allow(missing_docs)")
    return tuple(carried)


def _is_met(move: Move, root: int, lint: str) -> bool:
    """The item's own name trips the lint at home, which warns of it: a constant that is not written in capitals."""
    item = move.facts.items[root]
    small = item.kind in CONSTANTS and any(c.islower() for c in item.name)
    small = small and not any(lint in attribute for attribute in item.attributes)
    return small and lint == "non_upper_case_globals" and level_of(move.workspace, move.home, lint) == "warn"


def _is_hidden(workspace: Workspace, module: Module) -> bool:
    """The module, or one around it, is `#[doc(hidden)]`: nobody asks for documentation there."""
    here: Module | None = module
    while here is not None and here.declared_in is not None:
        file, index = here.declared_in
        if any(a.replace(" ", "") == "doc(hidden)" for a in workspace.facts[file].items[index].attributes):
            return True
        here = workspace.modules.get(here.parent) if here.parent is not None else None
    return False


def _check_reach(move: Move, root: int, arrival: Workspace, used: bool) -> None:
    """A `pub` item that enters or leaves the crate's public surface meets other lints there."""
    workspace, home = move.workspace, move.home
    before = is_public(workspace, workspace.definition(move.source.definition, root))
    moved = move.renamed[workspace.definition(move.source.definition, root)]
    after = keeps_public_path(move, root) or is_re_exported(move, root) or is_public(arrival, moved)
    if before and not after and is_denied(workspace, home, "unreachable_pub"):
        _refuse(
            move, "unreachable_pub", f"in {move.dest_place} the item is `pub` but unreachable from outside"
        )
    if before and not after and not used and is_denied(workspace, home, "dead_code"):
        _refuse(
            move,
            "dead_code",
            f"in {move.dest_place} nobody can reach the item and nobody in the crate uses it",
        )


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


def _refuse(move: Move, lint: str, why: str) -> None:
    line = line_number(move.workspace.sources[move.source_file], move.root_item.start)
    refuse(
        "not_movable",
        f"the lint `{lint}` is denied: {why} ({move.source_file}:{line})",
        hint=f"change the level of `{lint}` there, or choose another destination",
        lint=lint,
    )
