"""Words in macros that may name a moved item, and that nothing here can resolve: reported with the reason (D31)."""

import re

from m1nd.domain.move.macros.order import MACRO_BODY
from m1nd.domain.move.reference_notes import Notes
from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move, is_doctest
from m1nd.domain.rust.names import Confidence, Occurrence, Role
from m1nd.domain.rust.paths import EXTERNAL_GLOB
from m1nd.domain.rust.workspace import Workspace

COMPLETED = frozenset((Role.TOKEN, Role.EXPRESSION, Role.CALL, Role.TYPE, Role.PATTERN))
"""Roles in which a macro's argument may be a name that the macro puts a path before."""

TEMPLATES = frozenset(("quote", "quote_spanned", "parse_quote", "parse_quote_spanned"))
"""Macros of the `quote` and `syn` crates, whose tokens become the output of a procedural macro."""

GOES_ON = re.compile(rb"\s*::")
LEADS_ON = re.compile(rb"(?:::|[{,]|\buse)\s*\Z")
ENDS_A_LEAF = re.compile(rb"\s*(?:[;,}]|as\b)")


def suspect(notes: Notes, path: str, occurrence: Occurrence, names: frozenset[str]) -> None:
    """A name in a macro that is a moved one's and resolves to nothing may be a reference that only the macro completes (D31)."""
    import_of_a_body = occurrence.role is Role.USE and occurrence.in_macro == MACRO_BODY
    if occurrence.role not in COMPLETED and not import_of_a_body:
        return
    if not occurrence.in_macro or is_doctest(occurrence):
        return
    if occurrence.confidence is Confidence.EXACT or _is_generated_elsewhere(notes.move, occurrence):
        return
    unknown = not occurrence.target or occurrence.reason == EXTERNAL_GLOB
    spelled = {occurrence.segments[-1].name}
    if notes.move.files:
        ends = _may_end_in_a_module(notes.move.workspace.sources[path], occurrence)
        spelled = {s.name for s in occurrence.segments[: None if ends else -1]}
    named = not spelled.isdisjoint(names) and _may_be_seen(notes, occurrence, spelled)
    if named and unknown and not _is_of_a_type(notes.move.workspace, occurrence):
        source = notes.move.workspace.sources[path]
        notes.unresolved.append(
            {
                "file": path,
                "line": line_number(source, occurrence.start),
                "text": source[occurrence.start : occurrence.end].decode("utf-8", "replace"),
                "reason": f"a token of the macro `{occurrence.in_macro}!` that may name the moved item",
            }
        )


def _may_end_in_a_module(source: bytes, occurrence: Occurrence) -> bool:
    """The path goes on with what is no word yet (`sse2::memchr::$finder`), or it is a leaf of an import."""
    if occurrence.role is Role.USE or GOES_ON.match(source, occurrence.end):
        return True
    in_a_path = len(occurrence.segments) > 1 or LEADS_ON.search(source, 0, occurrence.start) is not None
    return in_a_path and ENDS_A_LEAF.match(source, occurrence.end) is not None


def _may_be_seen(notes: Notes, occurrence: Occurrence, spelled: set[str]) -> bool:
    """A moved item of that name is visible where the macro is called: what a `macro_rules` makes sees no more than its caller.

    A macro's body is called from anywhere, a template is compiled anywhere, and the order of the text shows a macro without
    regard to visibility.
    """
    workspace = notes.move.workspace
    elsewhere = occurrence.in_macro in (MACRO_BODY, *TEMPLATES)
    outside = occurrence.module.crate != notes.move.source.definition.crate
    return (
        elsewhere
        or outside
        or any(
            d.item_kind == "macro_rules" or workspace.can_see(occurrence.module, workspace.visibility_of(d))
            for d in notes.moved_top
            if d.name in spelled
        )
    )


def _is_generated_elsewhere(move: Move, occurrence: Occurrence) -> bool:
    """A template of the moved item's own crate of procedural macros: what it becomes is compiled in other crates."""
    crate = move.source.definition.crate
    mine = occurrence.module.crate == crate and move.workspace.target(crate).proc_macro
    return mine and occurrence.in_macro in TEMPLATES


def _is_of_a_type(workspace: Workspace, occurrence: Occurrence) -> bool:
    """`S::Error`: what the name hangs on is spelled like a type and like no module, so it is no item of a module."""
    around = occurrence.segments[-2].name if len(occurrence.segments) > 1 else ""
    return around[:1].isupper() and not any(around in module.path for module in workspace.modules)
