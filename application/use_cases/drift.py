"""`document_drift`: which names in documents lead to nothing, to two things, or to what moved away. A read."""

from collections import Counter
from collections.abc import Sequence

from attrs import frozen

from m1nd.application.brain import Brain
from m1nd.application.ports import Progress
from m1nd.application.use_cases.describing import Teller, open_graph
from m1nd.domain.index import lookup
from m1nd.domain.index.addresses import full_path
from m1nd.domain.memory import light
from m1nd.domain.memory.drift import Bound, Drift, Finding, Known, Mention, bindings, unbacked, unreflected
from m1nd.domain.path_law import normalise
from m1nd.domain.refusal import Refused, refuse
from m1nd.domain.symbols import Address

ENDINGS = (".md", ".markdown")
SOFT = frozenset({Finding.UNREFLECTED})
"""Findings that only a reader can judge; they do not make the answer a no."""
BACKED = frozenset({"evidence", "binds_to", "tests", "depends_on"})


@frozen
class Drifted:
    """`bindings` counts what was held against the code; `unread` documents that are no text."""

    documents: int
    bindings: int
    findings: tuple[Drift, ...]
    counts: dict[str, int]
    unread: tuple[str, ...]
    graph_rev: int

    @property
    def is_sound(self) -> bool:
        return all(drift.finding in SOFT for drift in self.findings)


def document_drift(brain: Brain, paths: Sequence[str] = (), progress: Progress | None = None) -> Drifted:
    """Hold documents (files, or all Markdown in folders; all of the repository without one) against the code.

    Raises Refused(usage | outside_root).
    """
    teller, generation = open_graph(brain, progress)
    documents = _documents(brain, paths)
    known = _known(teller)
    changed = brain.views.file_generations()
    findings: list[Drift] = []
    unread: list[str] = []
    count = 0
    for document in documents:
        try:
            text = teller.text(document).decode("utf-8")
        except UnicodeDecodeError:
            unread.append(document)
            continue
        mentions = (*brain.documents.mentions(text), *_marked(text, document))
        found = list(bindings(mentions, document, known))
        bound = [one for one in found if isinstance(one, Bound)]
        count += len(found)
        findings += [one for one in found if isinstance(one, Drift)]
        findings += unreflected(bound, document, changed)
        findings += _unbacked(text, document)
    order = sorted(findings, key=lambda drift: (drift.document, drift.line, drift.finding, drift.binding))
    counts = Counter(drift.finding.value for drift in order)
    return Drifted(
        len(documents),
        count,
        tuple(order),
        {f.value: counts[f.value] for f in Finding},
        tuple(unread),
        generation,
    )


def _documents(brain: Brain, paths: Sequence[str]) -> list[str]:
    files = sorted(brain.graph.hashes())
    if not paths:
        return [file for file in files if file.endswith(ENDINGS)]
    chosen: list[str] = []
    for path in map(normalise, paths):
        inside = [file for file in files if path == "." or file.startswith(f"{path}/")]
        here = [path] if path in files else [file for file in inside if file.endswith(ENDINGS)]
        if not here:
            refuse("usage", f"there is no document `{path}`", "m1nd memory drift PATH", path=path)
        chosen += here
    return list(dict.fromkeys(chosen))


def _known(teller: Teller) -> Known:
    graph = teller.graph

    def items(path: str) -> list[str]:
        return [full_path(graph, node) for node in lookup.by_name(graph, path)]

    def named(name: str) -> list[str]:
        return sorted({full_path(graph, i) for i in graph.items_named(name) if graph.kinds[i] not in "umi"})

    def file_of(path: str) -> str:
        found = [node for node in lookup.by_name(graph, path) if full_path(graph, node) == path]
        return graph.path_of(found[0]) if found else ""

    crates = frozenset(name.partition("::")[0] for name in graph.module_names)
    moved = {
        _spelled(source): _spelled(home) if home is not None else ""
        for source, home in teller.brain.views.departures()
    }
    return Known(frozenset(teller.brain.graph.hashes()), items, crates, named, moved, file_of)


def _spelled(address: Address) -> str:
    return f"{address.module}::{address.name}"


def _marked(text: str, document: str) -> list[Mention]:
    """Evidence and bindings of a note's markers."""
    if not document.endswith(light.SUFFIX):
        return []
    return [
        Mention(line, "marker", value)
        for line, kind, value in light.marked(text)
        if kind in ("evidence", "binds_to", "tests")
    ]


def _unbacked(text: str, document: str) -> list[Drift]:
    if not document.endswith(light.SUFFIX):
        return []
    try:
        notes = light.read(text, document.rpartition("/")[2])
    except Refused:
        return []
    lines = text.split("\n")
    return [
        unbacked(document, _line_of(note.claim.split("\n")[0], lines), note.claim.split("\n")[0])
        for note in notes
        if not note.evidence and not any(mark.kind in BACKED for mark in note.markers)
    ]


def _line_of(words: str, lines: Sequence[str]) -> int:
    return next((number for number, line in enumerate(lines, 1) if words in line), 1)
