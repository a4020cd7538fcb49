"""Where a document and the code have come apart: names that are bound to nothing, to two things, or to what moved away.

A document's binding is a path or a Rust path in it that can only mean this repository. Rules only: what is there now is
asked of `Known`, which the use case makes from the graph and the log.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from posixpath import dirname, join, normpath

from attrs import field, frozen


class Finding(StrEnum):
    UNBACKED = "doc_claim_unbacked"
    """A claim of a note with neither evidence nor a binding."""
    MISSING = "binding_missing"
    AMBIGUOUS = "binding_ambiguous"
    MOVED = "binding_moved"
    UNREFLECTED = "code_change_unreflected"
    """The code changed after the document did; whether that matters only a reader can tell."""


@frozen
class Mention:
    """Something a document says at a line (from 1): `code` in back-ticks, a `link`'s target, or a note's `marker`."""

    line: int
    kind: str
    text: str


@frozen
class Known:
    """What a binding is held against. `files` are the graph's; `items` answers full paths that a Rust path may mean."""

    files: frozenset[str]
    items: Callable[[str], Sequence[str]]
    crates: frozenset[str]
    named: Callable[[str], Sequence[str]]
    """Full paths of the items of that bare name."""
    moved: Mapping[str, str]
    """Full path of what moved or was renamed, to where it is now; empty where it was lost."""
    file_of: Callable[[str], str]
    """The file of an item's full path; empty for none."""
    _by_name: dict[str, list[str]] = field(factory=dict, init=False)

    def files_called(self, name: str) -> Sequence[str]:
        if not self._by_name:
            for path in sorted(self.files):
                self._by_name.setdefault(path.rpartition("/")[2], []).append(path)
        return self._by_name.get(name, ())


@frozen
class Drift:
    """One finding. `target` is where the binding leads, or most likely led to; `confidence` 0 to 1."""

    finding: Finding
    document: str
    line: int
    binding: str
    target: str
    message: str
    confidence: float
    heuristic: bool


@frozen
class Bound:
    """A binding that leads to one thing: the file that holds it."""

    mention: Mention
    file: str


_FILE = re.compile(r"(?P<path>(?:\.{1,2}/)*[\w@+.-]+(?:/[\w@+.-]+)*/?)(?::\d+(?:-\d+)?)?(?:#.*)?")
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}$")
_RUST = re.compile(r"(?P<path>(?:r#)?[A-Za-z_]\w*(?:::(?:r#)?[A-Za-z_]\w*)+)!?(?:\(\))?")


def bindings(mentions: Iterable[Mention], document: str, known: Known) -> Iterator[Bound | Drift]:
    """Each binding of a document: what it leads to, or how it drifted. What binds nothing is left out."""
    for mention in mentions:
        text = mention.text.strip()
        rust = _RUST.fullmatch(text)
        if rust is not None and mention.kind != "link":
            found = _symbol(mention, rust["path"].replace("r#", ""), document, known)
        elif (path := _path_in(text, mention.kind)) is not None:
            found = _file(mention, path, document, known)
        else:
            found = None
        if found is not None:
            yield found


def _path_in(text: str, kind: str) -> str | None:
    """The path that a mention names; None where it is no path of a repository."""
    if kind == "link" and (re.match(r"[a-z][a-z0-9+.-]*:", text) or text.startswith(("#", "/"))):
        return None
    match = _FILE.fullmatch(text)
    if match is None:
        return None
    path = match["path"]
    if kind != "link" and "/" not in path:
        return None
    return path


def _file(mention: Mention, path: str, document: str, known: Known) -> Bound | Drift | None:
    plain = normpath(path)
    beside = normpath(join(dirname(document), path))
    for candidate in (beside, plain) if mention.kind == "link" else (plain, beside):
        if candidate in known.files or any(file.startswith(f"{candidate}/") for file in known.files):
            return Bound(mention, candidate if candidate in known.files else "")
    name = plain.rpartition("/")[2]
    ending = [file for file in known.files_called(name) if file.endswith(f"/{plain}")]
    if len(ending) == 1 and mention.kind != "link":
        return Bound(mention, ending[0])
    if len(ending) > 1 and mention.kind != "link":
        return _drift(Finding.AMBIGUOUS, mention, document, "", f"{len(ending)} files end so", 0.8, True)
    folders = {file.partition("/")[0] for file in known.files if "/" in file}
    ours = mention.kind in ("link", "marker") or plain.partition("/")[0] in folders
    if not ours or not (_EXTENSION.search(name) or mention.kind == "link"):
        return None
    same = known.files_called(name)
    if len(same) == 1:
        return _drift(Finding.MOVED, mention, document, same[0], f"there is {same[0]}", 0.7, True)
    return _drift(Finding.MISSING, mention, document, "", "no such file", 0.9, False)


def _symbol(mention: Mention, path: str, document: str, known: Known) -> Bound | Drift | None:
    found = sorted(set(known.items(path)))
    if len(found) == 1:
        return Bound(mention, known.file_of(found[0]))
    if found:
        few = ", ".join(found[:3])
        return _drift(Finding.AMBIGUOUS, mention, document, "", f"it may be {few}", 0.8, False)
    went = _went(path, known.moved)
    if went is not None:
        said = f"it is {went} now" if went else "it is gone"
        return _drift(Finding.MOVED if went else Finding.MISSING, mention, document, went, said, 0.95, False)
    first, name = path.partition("::")[0], path.rpartition("::")[2]
    if first != "crate" and first not in known.crates:
        return None
    same = known.named(name)
    if len(same) == 1:
        return _drift(Finding.MOVED, mention, document, same[0], f"there is {same[0]}", 0.6, True)
    return _drift(Finding.MISSING, mention, document, "", "no such item", 0.9, False)


def _went(path: str, moved: Mapping[str, str]) -> str | None:
    """Where what bore that path went; empty where it was lost, None where nothing bore it."""
    ending = path.removeprefix("crate::")
    sources = [source for source in moved if source == path or source.endswith(f"::{ending}")]
    return moved[sources[0]] if len(sources) == 1 else None


def unreflected(bound: Iterable[Bound], document: str, changed: Mapping[str, int]) -> Iterator[Drift]:
    """Files that changed after the document did, once each; `changed` is the generation of each file's last change."""
    mine = changed.get(document)
    if mine is None:
        return
    seen: set[str] = set()
    for one in bound:
        theirs = changed.get(one.file)
        if one.file != document and one.file not in seen and theirs is not None and theirs > mine:
            seen.add(one.file)
            said = f"{one.file} changed at {theirs}, this document at {mine}"
            yield _drift(Finding.UNREFLECTED, one.mention, document, one.file, said, 0.5, True)


def unbacked(document: str, line: int, claim: str) -> Drift:
    """A note's claim that rests on nothing."""
    mention = Mention(line, "claim", claim if len(claim) <= 80 else f"{claim[:79]}…")
    return _drift(Finding.UNBACKED, mention, document, "", "neither evidence nor a binding", 0.9, False)


def _drift(
    finding: Finding,
    mention: Mention,
    document: str,
    target: str,
    message: str,
    confidence: float,
    heuristic: bool,
) -> Drift:
    return Drift(finding, document, mention.line, mention.text, target, message, confidence, heuristic)
