"""What the moved text is bound to its crate by, when it leaves that for another one (frontier 2c).

Within one crate all of this goes along unseen: features, the environment of the build, macros, private items of the
crate, dependencies. In another crate each would mean something else or nothing, so each is met or refused by name.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Never

from m1nd.domain.move.crates.crossing import OPEN_KINDS, is_plain, may_name, refuse_crossing, refuse_unnamed
from m1nd.domain.move.crates.exhaustive import check_exhaustive
from m1nd.domain.move.crates.macros import bodies_called, is_made_for_all, is_of_the_workspace
from m1nd.domain.move.crates.unpublished import path_wanted, refuse_unpublished
from m1nd.domain.move.crates.without_std import check_std
from m1nd.domain.move.gates import TEST, conditions_of
from m1nd.domain.move.imports.statements import UseStatement
from m1nd.domain.move.needs import ANCHORS, moved_occurrences
from m1nd.domain.move.reach import module_of
from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move, is_doctest
from m1nd.domain.refusal import refuse
from m1nd.domain.rust import crate_names
from m1nd.domain.rust.bodies.documentation import DOCTEST
from m1nd.domain.rust.cargo import Dependency
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace, Occurrence, Role
from m1nd.domain.rust.occurrences import HELPER
from m1nd.domain.rust.prelude import STD_MACROS, SYSROOT_CRATES
from m1nd.domain.rust.workspace import Workspace

SAID = ("line_comment", "block_comment", "string_literal", "raw_string_literal", "char_literal")
"""Nodes whose text is no code."""
BOUND_MACRO = re.compile(rb"\b(env|option_env|include|include_str|include_bytes|module_path|macro_rules)\s*!")
BOUND_WORD = re.compile(rb"(\$crate\b|\bextern\s+crate\b)")
BOUND_ATTRIBUTE = re.compile(
    rb"#\s*\[\s*(?:unsafe\s*\(\s*)?(no_mangle|export_name|link_section|linkage|link|used|global_allocator|panic_handler|"
    rb"alloc_error_handler|macro_export|macro_use|fundamental|rustc_\w+)\b"
)
CONDITION = re.compile(rb"\bcfg(?:_attr)?\s*!?\s*\(")
ANYWHERE = re.compile(
    r"(?:allow|warn|expect|inline|cold|track_caller|ignore|must_use|deprecated|doc)\b(?!\s*=\s*include)"
)
"""Attributes that mean the same in every crate and name nothing."""
NOT_LOOKED_UP = (Role.METHOD, Role.FIELD, Role.DOC, Role.TOKEN, Role.FORMAT, Role.VISIBILITY)
SPELLING = frozenset(Role) - {Role.METHOD, Role.FIELD, Role.DOC, Role.VISIBILITY}
OURS = (DefinitionKind.ITEM, DefinitionKind.MODULE)


def check_moved_text(move: Move) -> None:
    """Refuse what cannot cross; what the language or the manifests forbid comes before what is not done here.

    Raises Refused: `cfg_mismatch`, `dependency_missing`, `dependency_cycle`, `target_unnameable`, `non_exhaustive`, `cross_crate`, `other_target`,
    `not_movable`.
    """
    _check_kinds(move)
    for extent in move.extents:
        _check_conditions(move, extent.start, extent.end)
    read = [o for o in moved_occurrences(move) if o.segments and o.role is not Role.DOC and not is_doctest(o)]
    for occurrence in read:
        _check_dependencies(move, occurrence)
    check_exhaustive(move)
    for extent in move.extents:
        _check_words(move, extent.start, extent.end)
    for occurrence in read:
        _check_macro(move, occurrence)
        _check_known(move, occurrence)
    check_std(move)
    unseen: dict[Definition, str] = {}
    for_tests = _is_for_tests(move)
    for occurrence in read:
        for definition in (d for ds in occurrence.denotes for d in ds):
            if for_tests:
                _check_built_without_tests(move, definition, occurrence)
            if is_unseen(move, definition):
                unseen.setdefault(definition, _place(move, occurrence.start))
    refuse_unseen(move, unseen)


def _check_kinds(move: Move) -> None:
    for index in move.items:
        item = move.facts.items[index]
        if item.kind.value not in OPEN_KINDS:
            kind = item.kind.value.replace("_", " ")
            _closed(move, item.start, f"the {kind} `{item.name}` does not cross crates yet")


def _check_words(move: Move, start: int, end: int) -> None:
    """What text alone tells: the environment of the build, names that the linker reads."""
    source = move.workspace.sources[move.source_file]
    text = _code(move, source[start:end])
    for pattern, what in (
        (BOUND_MACRO, "`{}!` tells of the crate that it stands in"),
        (BOUND_WORD, "`{}` names the crate that it stands in"),
        (BOUND_ATTRIBUTE, "`#[{}]` is a matter of the crate that it stands in"),
    ):
        found = pattern.search(text)
        if found:
            _closed(move, start + found.start(), what.format(found[1].decode()))


def _check_conditions(move: Move, start: int, end: int) -> None:
    """Refuse with `cfg_mismatch` a condition in the moved text that each crate answers for itself."""
    source = move.workspace.sources[move.source_file]
    text = _code(move, source[start:end])
    for found in CONDITION.finditer(text):
        condition = source[start + found.start() : start + _closing(text, found.end() - 1)].decode(
            "utf-8", "replace"
        )
        if not is_plain(_predicate(condition.replace("!", ""))):
            _refuse_condition(move, f"`{condition}` ({_place(move, start + found.start())})")


def _predicate(condition: str) -> str:
    """What a `cfg_attr` asks, where all that it then says are attributes without names of the crate; else the whole of it."""
    asked, comma, said = condition.removeprefix("cfg_attr").strip()[1:-1].partition(",")
    if not condition.startswith("cfg_attr") or not comma:
        return condition
    while asked.count("(") > asked.count(")") and said:
        more, comma, said = said.partition(",")
        asked += "," + more
    plain = all(ANYWHERE.match(one.strip()) for one in _parts(said))
    return f"cfg({asked})" if plain else condition


def _parts(listed: str) -> Iterator[str]:
    """The parts between the commas that stand in no parentheses."""
    depth, part = 0, ""
    for letter in listed:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            yield part
            part = ""
        else:
            part += letter
    if part.strip():
        yield part


def _refuse_condition(move: Move, told: str) -> Never:
    """A condition that each crate answers for itself: features, and `test`."""
    refuse(
        "cfg_mismatch",
        f"{told} asks what each crate answers for itself, and the two answers may differ",
        hint=f"lift the condition first, or name a destination in the crate of {move.source_file}",
        path=move.source_file,
    )


def _code(move: Move, text: bytes) -> bytes:
    """The text with blanks for all that is no code."""
    code = bytearray(text)
    todo = [move.workspace.parser.parse(text)]
    while todo:
        node = todo.pop()
        if node.type in SAID:
            code[node.start_byte : node.end_byte] = b" " * (node.end_byte - node.start_byte)
        else:
            todo += node.children
    return bytes(code)


def _closing(text: bytes, opening: int) -> int:
    """The offset behind the parenthesis that closes the one at `opening`."""
    depth = 0
    for position in range(opening, len(text)):
        depth += {b"(": 1, b")": -1}.get(text[position : position + 1], 0)
        if depth == 0:
            return position + 1
    return len(text)


def _check_macro(move: Move, occurrence: Occurrence) -> None:
    """A macro of the crate itself, a derive of the workspace's own, and a path that only a macro reads, stay behind."""
    if occurrence.role in (Role.MACRO, Role.ATTRIBUTE):
        for definition in occurrence.target:
            if is_of_the_workspace(move, definition) and not is_made_for_all(move, definition):
                _closed(move, occurrence.start, f"the macro `{definition.name}` is of the workspace's own")
    elif _is_in_foreign_macro(occurrence) and _is_read_by_the_macro_alone(move, occurrence):
        why = f"`{_spelled(occurrence)}` stands in the macro `{occurrence.in_macro}!`, which may carry it anywhere"
        _closed(move, occurrence.start, why)


def _is_read_by_the_macro_alone(move: Move, occurrence: Occurrence) -> bool:
    """A path from an anchor in tokens that do not parse as code or lead nowhere, or that a macro from outside may carry off."""
    if occurrence.segments[0].name not in ANCHORS:
        return False
    known = occurrence.role is not Role.TOKEN and any(occurrence.denotes)
    return (
        not known or bodies_called(move.workspace, move.source.definition.crate, occurrence.in_macro) is None
    )


def _is_in_foreign_macro(occurrence: Occurrence) -> bool:
    return bool(occurrence.in_macro) and occurrence.in_macro not in (*STD_MACROS, DOCTEST)


def _check_known(move: Move, occurrence: Occurrence) -> None:
    """A name that nothing explains may be made by a macro, a build script or a prelude of the old crate."""
    if occurrence.role in NOT_LOOKED_UP or occurrence.based or occurrence.reason == HELPER:
        return
    if _is_in_foreign_macro(occurrence):
        return
    if not any(occurrence.denotes):
        _closed(move, occurrence.start, f"nobody here can tell where `{_spelled(occurrence)}` comes from")


def _check_dependencies(move: Move, occurrence: Occurrence) -> None:
    """The crates that the path leads to must be those of the new home as well."""
    if occurrence.role not in SPELLING:
        return
    deepest = next((ds for ds in reversed(occurrence.denotes) if ds), ())
    for definition in deepest:
        if definition.kind is DefinitionKind.EXTERNAL:
            check_outside(move, definition.crate, _place(move, occurrence.start))
        elif definition.kind in OURS and definition not in move.renamed:
            _check_named(move, definition, occurrence)


def _check_named(move: Move, definition: Definition, occurrence: Occurrence) -> None:
    home = move.home.definition.crate
    inside = any(d in move.renamed for ds in occurrence.denotes for d in ds)
    if definition.crate == home or inside or may_name(move.workspace, home, definition.crate):
        return
    name = "::".join(definition.path) or move.workspace.target(definition.crate).name
    refuse_unnamed(
        move.workspace,
        home,
        definition.crate,
        f"the moved text needs `{name}` ({_place(move, occurrence.start)})",
    )


def check_outside(move: Move, name: str, place: str) -> None:
    """The crate that the source calls `name` is, under that name, an unconditional dependency of the new home too.

    The same version as written, with every feature that the source asks for; features that others turn on are not seen.
    """
    if name in SYSROOT_CRATES:
        return
    mine, theirs = (_dependency(move, m.definition.crate, name) for m in (move.source, move.home))
    workspace = move.workspace
    here, there = (workspace.target(m.definition.crate) for m in (move.source, move.home))
    kinds = crate_names.KINDS[there.kind]
    if theirs is None or theirs.kind not in kinds or theirs.conditional:
        why = f"`{there.name}` does not depend on `{name}` in every build of it"
    elif mine is None or (mine.package_name, mine.origin) != (theirs.package_name, theirs.origin):
        why = f"`{here.name}` and `{there.name}` do not ask for the same `{name}`"
    elif not set(mine.features) <= set(theirs.features):
        lacking = sorted(set(mine.features) - set(theirs.features))
        why = f"`{there.name}` does not ask for the feature `{lacking[0]}` of `{name}`"
    else:
        return
    flag = {"dev": " --dev", "build": " --build"}.get(kinds[-1], "")
    package = workspace.cargo.package_at(there.package)
    refuse(
        "dependency_missing",
        f"the moved text needs the crate `{name}` ({place}), and {why}",
        hint=f"cargo add {mine.package_name if mine else name} --package {package.name if package else there.name}{flag}, as "
        f"{here.package}/Cargo.toml has it, then preview again".replace("./Cargo.toml", "Cargo.toml"),
        needs=there.name,
        needed=name,
    )


def _dependency(move: Move, crate: str, name: str) -> Dependency | None:
    target = move.workspace.target(crate)
    return crate_names.named(move.workspace.cargo.package_at(target.package), name, target)


def is_unseen(move: Move, definition: Definition) -> bool:
    """The new home does not see this item of another crate. Modules are judged by the paths written."""
    home = move.home.definition
    if definition.kind is not DefinitionKind.ITEM or definition.crate == home.crate:
        return False
    if move.after(definition) != definition:
        return False
    return not move.workspace.can_see(home, move.workspace.visibility_of(definition))


def refuse_unseen(move: Move, unseen: Mapping[Definition, str]) -> None:
    """Refuse with `not_movable` items that the new home would have to see, each with the place that needs it."""
    for definition, place in unseen.items():
        name, home = "::".join(definition.path), move.workspace.target(move.home.definition.crate).name
        refuse_unpublished(
            f"the moved text needs `{name}` ({place}), which is not public, and `{home}` is another crate",
            hint=f"move `{definition.name}` too (--also), make it `pub` first",
            seen=unseen,
            name=name,
        )


def check_statements(move: Move, arrival: Workspace, statements: Iterable[UseStatement]) -> None:
    """The imports that the new home gets: of crates that it may name, under conditions that mean the same there."""
    home = move.home.definition.crate
    for statement in statements:
        told = f"the new import `{statement.text(b'').decode().strip()}`"
        for gate in statement.gates:
            if gate.startswith("cfg") and not is_plain(gate) and not (gate == TEST and _is_for_tests(move)):
                _refuse_condition(move, f"{told}, `{gate}`,")
        roots = _roots(move, arrival, statement)
        if not roots:
            _closed(move, move.root_item.start, f"nothing in the new crate explains {told}")
        for definition in roots:
            if definition.kind is DefinitionKind.EXTERNAL:
                check_outside(move, definition.crate, told)
            elif definition.kind in OURS and not may_name(move.workspace, home, definition.crate):
                refuse_unnamed(move.workspace, home, definition.crate, f"{told} is needed")


def _check_built_without_tests(move: Move, definition: Definition, occurrence: Occurrence) -> None:
    """For another crate the old one is built without its tests, and without what only they have."""
    workspace = move.workspace
    place = workspace.locate(definition) if definition.kind is DefinitionKind.ITEM else None
    if place is None or definition in move.renamed or definition.crate == move.home.definition.crate:
        return
    items, index = workspace.facts[place[0]].items, place[1]
    conditions = list(workspace.modules[module_of(workspace, definition)].cfg)
    while index >= 0:
        conditions += conditions_of(items[index])
        index = items[index].parent
    if any(re.search(r"\btest\b", c) for c in conditions):
        name = "::".join(definition.path)
        _refuse_condition(
            move, f"`{name}` ({_place(move, occurrence.start)}) is there for tests alone, which"
        )


def _is_for_tests(move: Move) -> bool:
    """Everything that moves is compiled for tests alone, as its imports then are."""
    return all(TEST in conditions_of(move.facts.items[i]) for i in move.items)


def _roots(move: Move, arrival: Workspace, statement: UseStatement) -> tuple[Definition, ...]:
    """What the first name of an import denotes at the new home."""
    if statement.extern:
        return (Definition(DefinitionKind.EXTERNAL, statement.path[0], ()),)
    names = [n for n in statement.path if n][:1]
    absolute = not statement.path[0]
    found = arrival.resolve_import(move.home.definition, names, (Namespace.TYPE,), absolute)
    return found[-1] if found else ()


def check_trait(move: Move, trait: Definition) -> None:
    """A trait whose methods the moved text may call, and that no path leads to from another crate, stays out of reach."""
    home = move.home.definition.crate
    if not move.crosses or trait.kind is not DefinitionKind.ITEM:
        return
    why = f"the moved text may call methods of the trait `{trait.name}`"
    if trait.crate != home and not may_name(move.workspace, home, trait.crate):
        refuse_unnamed(move.workspace, home, trait.crate, why)
    refuse_unpublished(
        f"{why}, and no public path leads to it from {move.dest_file}",
        hint=f"make a public path to `{trait.name}` first, choose another destination",
        named=(path_wanted(move, trait),),
        name="::".join(trait.path),
    )


def _spelled(occurrence: Occurrence) -> str:
    return "::".join(s.name for s in occurrence.segments)


def _place(move: Move, position: int) -> str:
    return f"{move.source_file}:{line_number(move.workspace.sources[move.source_file], position)}"


def _closed(move: Move, position: int, why: str) -> Never:
    refuse_crossing(
        move.workspace,
        move.source.definition.crate,
        move.home.definition.crate,
        f"{why} ({_place(move, position)})",
        hint=f"rewrite {_place(move, position)} first, or name a destination in the crate of {move.source_file}",
    )
