"""What publishing may not do: open a sealed trait, change what a method call elsewhere means, or meet a denied lint unarmed."""

from collections.abc import Iterable, Iterator

from attrs import evolve

from m1nd.domain.move.compose import Change, written
from m1nd.domain.move.crates.crossing import may_name
from m1nd.domain.move.crates.publicity import Published
from m1nd.domain.move.crates.unpublished import Shown
from m1nd.domain.move.lint_levels import is_denied, level_of
from m1nd.domain.move.reach import anchor_of, module_of
from m1nd.domain.move.standing import TYPES
from m1nd.domain.move.text import indentation, line_number, newline_of
from m1nd.domain.move.world import Move, occurrences_called
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.crate_names import crate_of_text, depends_on
from m1nd.domain.rust.facts import ItemFact, ItemKind
from m1nd.domain.rust.names import Definition, Role
from m1nd.domain.rust.workspace import Workspace

DOCUMENTED = "missing_docs"
UNMET = ("missing_debug_implementations", "missing_copy_implementations")
DEREF = ("Deref", "DerefMut")


def check_published(move: Move, told: Iterable[Published], named: Iterable[Shown]) -> list[Published]:
    """What becomes public, with the attributes that denied lints call for. Raises Refused(not_movable)."""
    workspace = move.workspace
    found = [_documented(move, one) for one in told]
    for one in found:
        _check_written(workspace, one)
        _check_seal(workspace, one.definition)
        _check_lints(workspace, one.definition)
        _check_calls(move, one.definition)
    for shown in named:
        for binding in () if shown.arrives else workspace.scope(shown.module).spelled(shown.name):
            _check_seal(workspace, binding.definition)
    return found


def _check_written(workspace: Workspace, one: Published) -> None:
    """What stands in the call of a macro may be written anywhere, and under any condition, or not at all."""
    place = workspace.locate(one.definition)
    items = workspace.facts[one.path].items
    index = place[1] if place is not None else -1
    while index >= 0:
        if items[index].kind is ItemKind.MACRO_CALL:
            refuse(
                "not_movable",
                f"`{one.definition.name}` stands in the call of `{items[index].name}!` ({one.path}), which may write it under a condition",
                hint=f"write `{one.definition.name}` outside of the macro first, then preview again",
                name="::".join(one.definition.path),
            )
        index = items[index].parent


def _check_seal(workspace: Workspace, trait: Definition) -> None:
    """A trait that a public one asks for and that nobody outside can name keeps others from implementing that one."""
    if trait.item_kind != "trait":
        return
    for path in workspace.files_around(trait.crate):
        for occurrence in occurrences_called(workspace, path, frozenset((trait.name,))):
            item = workspace.facts[path].items[occurrence.item] if occurrence.item >= 0 else None
            asks = item is not None and item.kind is ItemKind.TRAIT and occurrence.start < item.body_start
            if asks and item is not None and item.visibility == "pub" and trait in occurrence.target:
                refuse(
                    "not_movable",
                    f"`{trait.name}` seals the trait `{item.name}` ({path}): to publish it would let others implement that",
                    hint="move what needs it too (--also), or choose another destination",
                    name="::".join(trait.path),
                )


def _check_lints(workspace: Workspace, definition: Definition) -> None:
    if definition.item_kind not in TYPES:
        return
    module = workspace.modules[module_of(workspace, definition)]
    for lint in UNMET:
        if is_denied(workspace, module, lint):
            _refuse_lint(definition, module.file, lint)


def _refuse_lint(definition: Definition, path: str, lint: str) -> None:
    refuse(
        "not_movable",
        f"the lint `{lint}` is denied in {path}, where `{definition.name}` would become public",
        hint=f"meet `{lint}` for `{definition.name}` first, then preview again",
        lint=lint,
    )


def _check_calls(move: Move, member: Definition) -> None:
    """A private method is passed over for a trait's, or for that of what the type derefs to; a public one is not."""
    workspace = move.workspace
    owner = anchor_of(workspace, member, len(module_of(workspace, member).path) + 1)
    if owner == member or owner.item_kind == "trait" or not workspace.visibility_of(owner).public:
        return  # nobody outside has had a value of a type that was not public
    calls = list(_calls_from_outside(move, member))
    if not calls:
        return
    by_trait = member.item_kind != "field" and any(_traits_with(workspace, member.name))
    if not by_trait and not _derefs(workspace, member):
        return
    path, start = calls[0]
    line = line_number(workspace.sources[path], start)
    refuse(
        "not_movable",
        f"were `{'::'.join(member.path)}` public, `.{member.name}` at {path}:{line} could mean that",
        hint=f"write `{member.name}` at {path}:{line} with the type's path first, or choose another destination",
        name="::".join(member.path),
    )


def _calls_from_outside(move: Move, member: Definition) -> Iterator[tuple[str, int]]:
    """Uses of a member's name, on who knows what, in crates that may have a value of its type in hand."""
    workspace, names = move.workspace, frozenset((member.name,))
    role = Role.FIELD if member.item_kind == "field" else Role.METHOD
    for path in workspace.files_around(member.crate):
        for occurrence in occurrences_called(workspace, path, names):
            unknown = occurrence.role is role and not occurrence.target
            if unknown and _may_hold_values(workspace, crate_of_text(occurrence.module.crate), member.crate):
                yield path, occurrence.start


def _may_hold_values(workspace: Workspace, crate: str, of: str) -> bool:
    """Another crate that depends on the one with the type, directly or not."""
    mine, theirs = workspace.target(crate), workspace.target(of)
    depends = depends_on(workspace.cargo, mine.package, theirs.package)
    return crate != of and (depends or mine.package == theirs.package or may_name(workspace, crate, of))


def _traits_with(workspace: Workspace, name: str) -> Iterator[str]:
    """Traits of the workspace with a member of that name, and impls of any trait that write one."""
    for path, facts in workspace.facts.items():
        if name in workspace.names_in(path):
            for item in facts.items:
                if item.name == name and item.parent >= 0:
                    around = facts.items[item.parent]
                    if around.kind is ItemKind.TRAIT or (
                        around.kind is ItemKind.IMPL and " for " in around.detail.split(" where ")[0]
                    ):
                        yield around.name or around.detail


def _derefs(workspace: Workspace, member: Definition) -> bool:
    owner = evolve(member, path=member.path[:-1])
    return any(
        trait in item.detail and item.detail.rstrip().endswith(owner.path[-1])
        for path in workspace.files_around(member.crate)
        for item in workspace.facts[path].items
        if item.kind is ItemKind.IMPL
        for trait in DEREF
    )


def _documented(move: Move, one: Published) -> Published:
    """With `#[allow(missing_docs)]` where the lint is denied and nothing is said, at its place or at the new home."""
    workspace, definition = move.workspace, one.definition
    module = workspace.modules[module_of(workspace, definition)]
    homes = [module, move.home] if move.moves(one.path, one.start) else [module]
    denied = [m for m in homes if is_denied(workspace, m, DOCUMENTED)]
    if not denied:
        return one
    extra = [
        change
        for path, start, end in _undocumented(workspace, one)
        for change in (_allowed(workspace, path, start, end),)
    ]
    if extra and any(level_of(workspace, m, DOCUMENTED) == "forbid" for m in denied):
        _refuse_lint(definition, module.file, DOCUMENTED)
    mine = [c for c in extra if c.start == one.start and c.path == one.path]
    others = tuple(c for c in extra if c not in mine)
    if not mine:
        return evolve(one, changes=(*one.changes, *others))
    (word,) = one.changes
    merged = evolve(word, pieces=(*mine[0].pieces, *word.pieces))
    return evolve(one, changes=(merged, *others))


def _allowed(workspace: Workspace, path: str, start: int, end: int) -> Change:
    source = workspace.sources[path]
    gap = newline_of(source) + indentation(source, start)
    return written(path, start, end, b"#[allow(missing_docs)]" + gap)


def _undocumented(workspace: Workspace, one: Published) -> Iterator[tuple[str, int, int]]:
    """Where the attribute stands: before the item itself, which covers its fields and variants, and before its public methods."""
    definition, source = one.definition, workspace.sources[one.path]
    if definition.item_kind == "field":
        head = source[: one.start].rstrip()
        line = head[head.rfind(b"\n") + 1 :].strip()
        if (
            not definition.name.isdigit()
            and not line.startswith((b"///", b"#[doc"))
            and not line.endswith(b"*/")
        ):
            yield one.path, one.start, one.start
        return
    place = workspace.locate(definition)
    if place is None:
        return
    item = workspace.facts[place[0]].items[place[1]]
    if not _is_told(source, item) or item.kind in (
        ItemKind.STRUCT,
        ItemKind.ENUM,
        ItemKind.UNION,
        ItemKind.TRAIT,
    ):
        yield one.path, one.start, one.start
    if definition.item_kind in TYPES:
        for module, block in workspace.impls_of(definition):
            path = workspace.modules[module].file
            for member in workspace.facts[path].items:
                shown = member.parent == block and member.visibility == "pub"
                if shown and not _is_told(workspace.sources[path], member):
                    yield path, member.start, member.start


def _is_told(source: bytes, item: ItemFact) -> bool:
    head = source[item.extent_start : item.start]
    return b"///" in head or b"/**" in head or b"#[doc" in head
