"""Members of moved types: private fields and methods that stay in use outside the new home rise with the least region.

The mirror of `members.py`: there the moved text looks back at what stays, here what stays looks at what moved (cases
214, 226). A member nobody outside uses stays as private as it was (cases 212, 228).
"""

from collections.abc import Iterator

from m1nd.domain.move.compose import written
from m1nd.domain.move.fields import fields_in
from m1nd.domain.move.macros.needs import fields_named, methods_called
from m1nd.domain.move.members import field_definition, takes_rest
from m1nd.domain.move.near_types import Reach
from m1nd.domain.move.reach import MODIFIER, Raised, common_module, visibility_text
from m1nd.domain.move.world import Move, occurrences_in
from m1nd.domain.rust.facts import ItemFact, ItemKind
from m1nd.domain.rust.names import Definition, Occurrence, Role
from m1nd.domain.rust.visibility import is_inside
from m1nd.domain.rust.workspace import Workspace

AS_WRITTEN = ("pub", "pub(crate)")
WITH_FIELDS = (ItemKind.STRUCT, ItemKind.UNION)
CONSTRUCTS = (Role.CALL, Role.EXPRESSION, Role.PATTERN)


def members_raised(move: Move) -> tuple[Raised, ...]:
    """Members of moved types that get a wider modifier; the changes lie inside the moved text."""
    members = list(member_modifiers(move, *AS_WRITTEN))
    if not members:
        return ()
    viewers = viewers_of(move, {definition for definition, _, _ in members}, move.source.definition)
    found = (
        _raised(move, start, before, definition, viewers.get(definition, set()))
        for definition, start, before in members
    )
    return tuple(r for r in found if r is not None)


def member_modifiers(move: Move, *but: str) -> Iterator[tuple[Definition, int, str]]:
    """`(definition, where its modifier stands, modifier)` of each member of a moved type whose modifier is none of `but`."""
    workspace, facts = move.workspace, move.facts
    for index, item in enumerate(facts.items):
        if index in move.items and item.kind in WITH_FIELDS and item.has_body:
            owner = workspace.definition(move.source.definition, index)
            for field in fields_in(workspace, move.source_file, item.body_start, item.body_end):
                if field.visibility not in but:
                    yield field_definition(owner, field.name), field.start, field.visibility
        elif _is_inherent_member(move, item) and item.visibility not in but:
            yield workspace.definition(move.source.definition, index), item.start, item.visibility


def _is_inherent_member(move: Move, item: ItemFact) -> bool:
    """A named item of an inherent impl that moves (those of trait impls bear no modifier)."""
    if item.parent not in move.items or not item.name:
        return False
    around = move.facts.items[item.parent]
    return around.kind is ItemKind.IMPL and " for " not in around.detail.split(" where ")[0]


def viewers_of(move: Move, members: set[Definition], below: Definition) -> dict[Definition, set[Definition]]:
    """The modules that use each member: outside the moved text, in files of `below` and of the modules under it.

    Where the type is unknown, a name that fits counts; that of a tuple's field does where such a value may be in hand.
    """
    found: dict[Definition, set[Definition]] = {}
    by_name: dict[str, list[Definition]] = {}
    for member in members:
        by_name.setdefault(member.name, []).append(member)
    bodies = _Bodies(move.workspace)
    reach = Reach(move.workspace, move.source.definition.crate)
    for path in sorted(_files_below(move.workspace, below)):
        handlers = _Handlers(move, path, reach)
        for occurrence in occurrences_in(move.workspace, path):
            if move.moves(path, occurrence.start) or occurrence.role is Role.DOC:
                continue
            for name in bodies.behind_a_dot(occurrence) & by_name.keys():
                for member in by_name[name]:
                    found.setdefault(member, set()).add(occurrence.module)
            for member in (
                *_used(move, occurrence, members, by_name, handlers),
                *_rest(move, path, occurrence, members),
            ):
                found.setdefault(member, set()).add(occurrence.module)
    return found


class _Bodies:
    """What the bodies of macros name behind a dot; each macro is read once."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.known: dict[Definition, frozenset[str]] = {}

    def behind_a_dot(self, call: Occurrence) -> frozenset[str]:
        """The fields and methods that the macros of a call may ask of what they are given."""
        found: frozenset[str] = frozenset()
        for macro in call.target if call.role is Role.MACRO else ():
            if macro not in self.known:
                self.known[macro] = fields_named(self.workspace, macro) | methods_called(
                    self.workspace, macro
                )
            found |= self.known[macro]
        return found


def _files_below(workspace: Workspace, module: Definition) -> set[str]:
    """Files of a module and its descendants. Nobody but the source's could see a private member."""
    return {m.file for m in workspace.modules.values() if is_inside(m.definition, module)}


class _Handlers:
    """The items of a file that may have a moved type in their hands: they mention it, or what leads to it."""

    def __init__(self, move: Move, path: str, reach: Reach) -> None:
        self.move = move
        self.reach = reach
        self.path = path
        self.known: dict[int, bool] = {}
        self.spoken: dict[int, list[Definition]] | None = None

    def __contains__(self, item: int) -> bool:
        if item not in self.known:
            self.known[item] = not self.move.renamed.keys().isdisjoint(self.reach.of(self._mentioned(item)))
        return self.known[item]

    def _mentioned(self, item: int) -> Iterator[Definition]:
        """What the text of an item mentions, and of the blocks around it (the type that it is a member of)."""
        items = self.move.workspace.facts[self.path].items
        around = {item}
        while item >= 0 and items[item].kind is not ItemKind.MOD:
            around.add(item)
            item = items[item].parent
        for index in around:
            yield from self._spoken().get(index, ())

    def _spoken(self) -> dict[int, list[Definition]]:
        """What the text of each item mentions that stays; the file is read for it once, and only where somebody asks."""
        if self.spoken is None:
            self.spoken = {}
            for occurrence in occurrences_in(self.move.workspace, self.path):
                if not self.move.moves(self.path, occurrence.start):
                    mentioned = (d for ds in occurrence.denotes for d in ds)
                    self.spoken.setdefault(occurrence.item, []).extend(mentioned)
        return self.spoken


def _rest(move: Move, path: str, occurrence: Occurrence, members: set[Definition]) -> Iterator[Definition]:
    """`Moved { a, ..base }`: a functional update takes every field."""
    structs = [d for d in occurrence.target if d.item_kind == "struct" and d in move.renamed]
    if structs and takes_rest(move, path, occurrence):
        yield from (
            m for m in members if any(m.path[:-1] == d.path for d in structs) and m.item_kind == "field"
        )


def _used(
    move: Move,
    occurrence: Occurrence,
    members: set[Definition],
    by_name: dict[str, list[Definition]],
    handlers: _Handlers,
) -> Iterator[Definition]:
    if occurrence.role in (Role.METHOD, Role.FIELD):
        if occurrence.target:
            yield from (d for d in occurrence.target if d in members)
        elif occurrence.segments:
            name = occurrence.segments[-1].name
            if name in by_name and (not name.isdigit() or occurrence.item in handlers):
                is_field = occurrence.role is Role.FIELD
                yield from (m for m in by_name.get(name, ()) if (m.item_kind == "field") == is_field)
        return
    if occurrence.in_macro and not occurrence.target and len(occurrence.segments) == 1:
        yield from by_name.get(
            occurrence.segments[0].name, ()
        )  # `parse!(self, name)`: what a macro puts a dot before
    for definition in occurrence.target:
        if definition in members:
            yield definition
        if definition.item_kind == "struct" and definition in move.renamed and occurrence.role in CONSTRUCTS:
            yield from (m for m in members if m.path[:-1] == definition.path and m.name.isdigit())


def _raised(
    move: Move, start: int, before: str, member: Definition, viewers: set[Definition]
) -> Raised | None:
    home = move.home.definition
    inside = {v for v in viewers if v.crate == home.crate}
    region = common_module([home, *inside])
    scope = move.workspace.visibility_of(member).scope
    if before not in ("", "pub(self)") and scope is not None and scope.crate == home.crate:
        region = common_module((region, scope))
    after = visibility_text(home, region)
    if after == before or (not after and before in ("", "pub(self)")):
        return None
    found = MODIFIER.match(move.workspace.sources[move.source_file], start) if before else None
    end = found.end() if found else start
    change = written(move.source_file, start, end, f"{after} ".encode() if after else b"")
    return Raised(member, member.name, before, after or "private", change)
