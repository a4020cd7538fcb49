"""`antibody_create|enable|disable|delete|list|scan`: patterns that somebody warns of, and where they are found now.

A scan is a read: it appends nothing, counts nothing, and answers the same twice (D42).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen
from pydantic import ValidationError

from m1nd.application.brain import Brain
from m1nd.application.memory_views import AntibodyRow
from m1nd.application.ports import Progress
from m1nd.application.use_cases.describing import Described, Teller, open_graph
from m1nd.application.use_cases.requests import answered, new_command
from m1nd.application.use_cases.tagging import Tags
from m1nd.domain.graph import GRAPH_ID, Graph
from m1nd.domain.index.lookup import by_symbol_id
from m1nd.domain.memory.antibodies import (
    MOST_ANTIBODIES,
    SEVERITIES,
    TOO_ALIKE,
    AntibodyFields,
    pattern_of,
)
from m1nd.domain.memory.claim_state import plain_text
from m1nd.domain.memory.scan import Eyes, find
from m1nd.domain.path_law import normalise
from m1nd.domain.refusal import refuse

MOST_MATCHES, MATCHES = 100, 50
PAGE = 1000


@frozen
class Match:
    """Where a pattern is found: its items by their role."""

    antibody: AntibodyRow
    nodes: tuple[tuple[str, Described], ...]


@frozen
class Scanned:
    """`exhausted` names antibodies of which there may be more than is shown; `unplaced` those whose item is gone."""

    matches: tuple[Match, ...]
    scanned: int
    exhausted: tuple[str, ...]
    unplaced: tuple[str, ...]
    graph_rev: int


@frozen
class ScanRequest:
    """`since_rev`: only items of files that changed after that generation (-1: all). `severity` is the lowest that counts."""

    severity: str = "info"
    path: str = ""
    since_rev: int = -1
    antibody_ids: tuple[str, ...] = ()
    limit: int = MATCHES


def create(brain: Brain, request: Mapping[str, Any]) -> AntibodyRow:
    """Keep a pattern: `{name, pattern, severity?, description?}`; it is looked for from now on.

    Raises Refused(bad_pattern | antibody_vague | antibody_duplicate | antibody_limit | read_only).
    """
    brain.deny_if_read_only("antibody_create")
    return answered(brain, "antibody_create", request, lambda: _create(brain, request))


def _create(brain: Brain, request: Mapping[str, Any]) -> AntibodyRow:
    if unknown := set(request) - {"name", "pattern", "severity", "description"}:
        refuse("bad_pattern", f"an antibody has no `{min(unknown)}`", field=min(unknown))
    pattern = pattern_of(request.get("pattern"))
    kept = brain.views.antibodies()
    if len(kept) >= MOST_ANTIBODIES:
        refuse("antibody_limit", f"there are {len(kept)} antibodies, and {MOST_ANTIBODIES} may be")
    for other in kept:
        if pattern.likeness(other.pattern) >= TOO_ALIKE:
            refuse(
                "antibody_duplicate",
                f"{other.antibody_id} ({other.name}) looks for nearly the same",
                antibody_id=other.antibody_id,
            )
    try:
        fields = AntibodyFields(
            antibody_id=f"anb_{brain.ids.hex(12)}",
            name=_plain(request.get("name", "")),
            description=_plain(request.get("description", "")),
            severity=request.get("severity", "warning"),
            pattern=pattern,
            specificity=pattern.specificity,
            created_by=brain.actor.id,
        )
    except ValidationError as invalid:
        first = invalid.errors()[0]
        field = ".".join(map(str, first["loc"]))
        refuse("bad_pattern", f"`{field}`: {first['msg'].lower()}", field=field)
    brain.app.record_antibody(fields, new_command(brain, "antibody_create", request))
    return _row(brain, fields.antibody_id)


def _plain(text: Any) -> Any:
    """Text without secrets; what is no text is left for the check of the fields."""
    return plain_text(text) if isinstance(text, str) else text


def enable(brain: Brain, antibody_id: str) -> AntibodyRow:
    """Raises Refused(antibody_unknown | read_only)."""
    brain.deny_if_read_only("antibody_enable")
    arguments = {"antibody_id": antibody_id}
    brain.app.enable_antibody(antibody_id, new_command(brain, "antibody_enable", arguments))
    return _row(brain, antibody_id)


def disable(brain: Brain, antibody_id: str) -> AntibodyRow:
    """Raises Refused(antibody_unknown | read_only)."""
    brain.deny_if_read_only("antibody_disable")
    arguments = {"antibody_id": antibody_id}
    brain.app.disable_antibody(antibody_id, new_command(brain, "antibody_disable", arguments))
    return _row(brain, antibody_id)


def delete(brain: Brain, antibody_id: str) -> str:
    """Raises Refused(antibody_unknown | read_only)."""
    brain.deny_if_read_only("antibody_delete")
    brain.app.delete_antibody(
        antibody_id, new_command(brain, "antibody_delete", {"antibody_id": antibody_id})
    )
    return antibody_id


def listed(brain: Brain) -> Sequence[AntibodyRow]:
    """All that were not deleted, oldest first."""
    return brain.views.antibodies()


def _row(brain: Brain, antibody_id: str) -> AntibodyRow:
    found = [row for row in brain.views.antibodies() if row.antibody_id == antibody_id]
    if not found:
        refuse("antibody_unknown", f"there is no antibody {antibody_id}", antibody_id=antibody_id)
    return found[0]


def scan(brain: Brain, request: ScanRequest, progress: Progress | None = None) -> Scanned:
    """Where the enabled patterns are found. Raises Refused(usage | antibody_unknown)."""
    if request.severity not in SEVERITIES:
        refuse(
            "usage",
            f"{request.severity!r} is no severity; there are {', '.join(SEVERITIES)}",
            "m1nd antibody scan",
        )
    if not 1 <= request.limit <= MOST_MATCHES:
        refuse("usage", f"a scan shows 1 to {MOST_MATCHES} places of each pattern", "m1nd antibody scan")
    teller, generation = open_graph(brain, progress)
    rows = _asked_for(brain, request)
    files = _files(brain, request)
    eyes = eyes_of(teller)
    matches: list[Match] = []
    exhausted: list[str] = []
    for row in rows:
        found = find(teller.graph, row.pattern, eyes, MOST_MATCHES)
        shown = [match for match in found.matches if files is None or files(teller.graph.path_of(match[0]))]
        if found.exhausted or len(shown) > request.limit:
            exhausted.append(row.antibody_id)
        roles = [row.pattern.nodes[number].role for number in row.pattern.present]
        for match in shown[: request.limit]:
            described = (teller.describe(node) for node in match)
            matches.append(Match(row, tuple(zip(roles, described, strict=True))))
    unplaced = tuple(
        row.antibody_id
        for row in rows
        if any(node.symbol_id and eyes.place(node.symbol_id) is None for node in row.pattern.nodes)
    )
    return Scanned(tuple(matches), len(rows), tuple(exhausted), unplaced, generation)


def _asked_for(brain: Brain, request: ScanRequest) -> list[AntibodyRow]:
    lowest = SEVERITIES.index(request.severity)
    rows = [row for row in brain.views.antibodies() if SEVERITIES.index(row.severity) >= lowest]
    if not request.antibody_ids:
        return [row for row in rows if row.enabled]
    return [_row(brain, id) for id in request.antibody_ids]


def _files(brain: Brain, request: ScanRequest) -> Callable[[str], bool] | None:
    """The test of a match's file, or None where every file counts."""
    if not request.path and request.since_rev < 0:
        return None
    prefix = normalise(request.path) if request.path else "."
    changed = changed_files(brain, request.since_rev) if request.since_rev >= 0 else None

    def counts(path: str) -> bool:
        inside = prefix == "." or path == prefix or path.startswith(f"{prefix}/")
        return inside and (changed is None or path in changed)

    return counts


def changed_files(brain: Brain, since_rev: int) -> frozenset[str]:
    """Paths that the log says changed after a generation. An event that left files out counts all files in."""
    changed: set[str] = set()
    position = 0
    while rows := brain.app.log.stream_rows(GRAPH_ID, position, PAGE):
        for row in rows:
            event = brain.app.event_of(row)
            if isinstance(event, Graph.GraphChanged) and event.generation > since_rev:
                if event.files.omitted:
                    return frozenset(brain.graph.hashes())
                changed |= {file.path for file in (*event.files.added, *event.files.changed)}
        position = rows[-1].position
    return frozenset(changed)


def eyes_of(teller: Teller) -> Eyes:
    """What patterns ask of an item, answered from paint, files and identities; each looked up once."""
    places: dict[str, int | None] = {}
    tags = Tags(teller)

    def place(symbol_id: str) -> int | None:
        if symbol_id not in places:
            found = by_symbol_id(teller.graph, teller.table, symbol_id)
            places[symbol_id] = found[0] if found else None
        return places[symbol_id]

    def text(node: int) -> bytes:
        graph = teller.graph
        source = teller.text(graph.path_of(node))
        if node >= graph.item_count:
            return source
        _, start, end = graph.span_of(node)
        return source[start:end]

    return Eyes(tags.of, text, place)


def found_by(teller: Teller, rows: Iterable[AntibodyRow]) -> dict[int, str]:
    """Items in which one of these patterns is found, with its name."""
    eyes = eyes_of(teller)
    found: dict[int, str] = {}
    for row in rows:
        for match in find(teller.graph, row.pattern, eyes, 10_000).matches:
            for node in match[:1]:
                found.setdefault(node, row.name)
    return found
