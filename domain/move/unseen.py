"""References that no file of the repository spells: what build scripts and macros make, files that yield no facts (D31).

They are reported with the reason; an unverified commit refuses them.
"""

import re
from collections.abc import Iterator, Mapping

from m1nd.domain.move.macros.derived_names import made_by_derives
from m1nd.domain.move.macros.name_makers import may_be_made
from m1nd.domain.move.needs import moved_occurrences
from m1nd.domain.move.request import Unreadable
from m1nd.domain.move.stray_files import may_be_compiled
from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move, is_doctest, own_uses
from m1nd.domain.rust.cargo import TargetKind
from m1nd.domain.rust.names import DefinitionKind, Namespace, Occurrence, Role
from m1nd.domain.rust.prelude import STD_MACROS

OUT_DIR = b"OUT_DIR"
TEMPLATE = b"quote"
"""In a build script: it may write what is no string."""
STRING = re.compile(rb'//[^\n]*|r(#+)".*?"\1|"(?:\\.|[^"\\])*"', re.DOTALL)
THREAD_LOCAL = re.compile(rb"\bthread_local!\s*[({\[]")
STATIC = re.compile(rb"\bstatic\s+(\w+)")
SPELLED = frozenset((Role.EXPRESSION, Role.CALL, Role.TYPE, Role.STRUCT, Role.PATTERN))
"""Roles that look a name up where it is written."""


def unseen_references(
    move: Move, unreadable: Mapping[str, Unreadable], bound: frozenset[str]
) -> Iterator[dict[str, object]]:
    """`{file, line, text, reason}` per place that may name the moved item where nothing can be resolved.

    `bound`: names that home's new imports bind, also for the macros that the moved text calls.
    """
    names = b"|".join(re.escape(move.facts.items[i].name.encode()) for i in move.roots)
    yield from _named_elsewhere(move, unreadable, re.compile(rb"(?<!\w)(?:" + names + rb")(?!\w)"))
    yield from made_by_derives(move)
    yield from _made_by_macros(move)
    yield from _meant_by_macros(move, bound)


def unseen_of_module(move: Move, unreadable: Mapping[str, Unreadable]) -> Iterator[dict[str, object]]:
    """As `unseen_references`, for a module that moves: paths through it, names of its files, code that its files include."""
    name = re.escape(move.root_item.name.encode())
    path = rb"(?<!\w)(?:r#)?" + name + rb"\s*::|::\s*(?:\{[^{}]*(?<!\w))?(?:r#)?" + name + rb"(?!\w)"
    yield from _named_elsewhere(move, unreadable, re.compile(path))
    yield from _files_named(move)
    crate = move.source.definition.crate
    for file in move.files:
        source = move.workspace.sources[file]
        for call in move.workspace.occurrences(file, crate) if b"include" in source else ():
            if call.role is Role.MACRO and call.segments[-1].name == "include":
                yield {
                    "file": file,
                    "line": line_number(source, call.start),
                    "text": "include!",
                    "reason": "the code that it includes may name what is around the module",
                }


def _files_named(move: Move) -> Iterator[dict[str, object]]:
    """Texts in code that end in the path of a moved file: whoever opens it will not find it there."""
    leaving = [old for old, new in move.files.items() if old != new]
    tails = [re.escape("/".join(f.split("/")[-2:]).encode()) for f in leaving]
    if not tails:
        return
    text = re.compile(rb'"[^"\n]*(?:' + b"|".join(tails) + rb')"')
    for file in move.workspace.facts:
        source = move.workspace.sources[file]
        found = text.search(source)
        if found:
            yield _entry(file, source, found, "a text that may be the path of a file that moves")


def _named_elsewhere(
    move: Move, unreadable: Mapping[str, Unreadable], word: "re.Pattern[bytes]"
) -> Iterator[dict[str, object]]:
    """What build scripts write, files that no crate reaches, and files without facts."""
    if _includes_generated(move):
        for path in sorted(_build_files(move)):
            text = move.workspace.sources[path]
            found = word.search(text if TEMPLATE in text else _strings_only(text))
            if found:
                yield _entry(path, text, found, "the build script writes code that may name it")
    sources = move.workspace.sources
    strays = [p for p in move.workspace.orphans() if word.search(sources[p]) and _may_see(move, p)]
    for path in may_be_compiled(move.workspace, strays):
        found = word.search(sources[path])
        assert found is not None
        yield _entry(path, sources[path], found, "no crate reaches the file, and it may name it")
    for path, file in sorted(unreadable.items()):
        found = word.search(file.text)
        if found:
            yield _entry(path, file.text, found, f"the file yields no facts ({file.reason})")


def _meant_by_macros(move: Move, bound: frozenset[str]) -> Iterator[dict[str, object]]:
    """Macros of the moved text whose body names what is around their use: at the new home something else is."""
    told: set[tuple[str, int]] = set()
    for call in moved_occurrences(move):
        if call.role is not Role.MACRO:
            continue
        for definition in call.target:
            place = move.workspace.locate(definition) if definition.item_kind == "macro_rules" else None
            if place is None or move.moves(place[0], move.workspace.facts[place[0]].items[place[1]].start):
                continue
            item = move.workspace.facts[place[0]].items[place[1]]
            for inner in move.workspace.occurrences_between(place[0], item.start, item.end, definition.crate):
                if (place[0], inner.start) not in told and _means_its_surroundings(move, inner, bound):
                    told.add((place[0], inner.start))
                    source = move.workspace.sources[place[0]]
                    yield {
                        "file": place[0],
                        "line": line_number(source, inner.start),
                        "text": source[inner.start : inner.end].decode("utf-8", "replace"),
                        "reason": f"`{call.segments[-1].name}!`, which the moved text uses, means by it what is around its use",
                    }


def _means_its_surroundings(move: Move, inner: Occurrence, bound: frozenset[str]) -> bool:
    """A path from `self` or `super`, or a name that the source knows and the new home does not know as the same."""
    if inner.role is not Role.TOKEN or not inner.segments:
        return False
    first = inner.segments[0].name
    if first in ("self", "super"):
        return len(inner.segments) > 1 and not _is_the_same_there(move, [s.name for s in inner.segments])
    if len(inner.segments) > 1 or inner.target or first in bound:
        return False
    here = {b.definition for b in move.workspace.scope(move.source.definition).spelled(first)}
    there = {b.definition for b in move.workspace.scope(move.home.definition).spelled(first)}
    return bool(here) and not here <= there


def _is_the_same_there(move: Move, names: list[str]) -> bool:
    """A path from `self` or `super` leads to the same thing from both places, and the new home may go all the way."""
    workspace, home = move.workspace, move.home.definition
    here = workspace.resolve(move.source.definition, names, tuple(Namespace))
    there = workspace.resolve(home, names, tuple(Namespace))
    return bool(here and here[-1] and there and here[-1] == there[-1]) and all(
        workspace.can_see(home, workspace.visibility_of(d))
        for definitions in there
        for d in definitions
        if d.kind in (DefinitionKind.ITEM, DefinitionKind.MODULE)
    )


def _declared_in_calls(move: Move) -> Iterator[str]:
    """The statics that `thread_local!(static NAME: …)` in the moved text makes: they move along."""
    text = move.workspace.sources[move.source_file]
    for extent in move.extents:
        for call in THREAD_LOCAL.finditer(text, extent.start, extent.end):
            end = text.find(b";", call.end(), extent.end)
            found = STATIC.search(text, call.end(), end if end >= 0 else extent.end)
            if found is not None:
                yield found[1].decode("utf-8", "replace")


def _made_by_macros(move: Move) -> Iterator[dict[str, object]]:
    """Names in the moved text that nobody declares, where macro calls or globs may have made them: not at the new home.

    An import that names one is carried as it is written (`imports/twins.py`).
    """
    may_exist = may_be_made(move)
    imported = {use.bound_name for _, use in own_uses(move.workspace, move.source)}
    made = frozenset(_declared_in_calls(move))
    for occurrence in moved_occurrences(move):
        unknown = bool(occurrence.segments) and not any(occurrence.denotes)
        unknown = unknown and occurrence.segments[0].name not in imported | made
        unknown = unknown and may_exist(occurrence.segments[0].name)
        if unknown and occurrence.role in SPELLED and _is_plain(occurrence) and not is_doctest(occurrence):
            source = move.workspace.sources[move.source_file]
            yield {
                "file": move.source_file,
                "line": line_number(source, occurrence.start),
                "text": source[occurrence.start : occurrence.end].decode("utf-8", "replace"),
                "reason": "nobody declares this name; a macro call or a glob of the module may make it, and it would not move along",
            }


def _strings_only(text: bytes) -> bytes:
    """The text with everything blanked that stands in no string; positions stay."""
    kept = bytearray(b" " * len(text))
    for found in STRING.finditer(text):
        if not found[0].startswith(b"//"):
            kept[found.start() : found.end()] = found[0]
    return bytes(kept)


def _is_plain(occurrence: Occurrence) -> bool:
    """It stands in no macro call, or in one that takes its arguments for what they are (`assert!`)."""
    return not occurrence.in_macro or occurrence.in_macro in STD_MACROS


def _may_see(move: Move, path: str) -> bool:
    """An orphan that spells the crate, the source module, or a path to a parent: included, or compiled by a test."""
    target = move.workspace.target(move.source.definition.crate)
    inside = target.package == "." or path.startswith(f"{target.package}/")
    telling = {target.name, move.source.definition.name, "super"}
    included = path.rsplit("/", 1)[-1].encode()
    return inside and (
        move.workspace.spells(path, telling)
        or any(b"include!" in text and included in text for text in _crate_texts(move))
    )


def _crate_texts(move: Move) -> Iterator[bytes]:
    crate = move.source.definition.crate
    for path in {m.file for m in move.workspace.modules.values() if m.definition.crate == crate}:
        yield move.workspace.sources[path]


def _entry(path: str, text: bytes, found: "re.Match[bytes]", reason: str) -> dict[str, object]:
    return {
        "file": path,
        "line": line_number(text, found.start()),
        "text": found[0].decode("utf-8", "replace"),
        "reason": reason,
    }


def _includes_generated(move: Move) -> bool:
    """Some file of the crate includes what the build writes."""
    return any(OUT_DIR in text for text in _crate_texts(move))


def _build_files(move: Move) -> set[str]:
    """The files of the package's build script."""
    package = move.workspace.target(move.source.definition.crate).package
    scripts = {t.key for t in move.workspace.crates if t.kind is TargetKind.BUILD and t.package == package}
    return {m.file for m in move.workspace.modules.values() if m.definition.crate in scripts}
