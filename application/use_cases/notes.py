"""`light_import`, `light_export`: claims from notes in the L1GHT form, and claims as such notes.

An import is one append, or nothing. Evidence is anchored on today's graph; what it names and the graph does not have is
kept as a file that is gone, so that nothing that somebody wrote down is lost.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import frozen
from pydantic import ValidationError

from m1nd.application.brain import Brain
from m1nd.application.ports import Progress
from m1nd.application.use_cases.anchoring import anchor, file_anchor, freshness, item_of
from m1nd.application.use_cases.describing import Teller, open_graph
from m1nd.application.use_cases.requests import answered, new_command
from m1nd.domain.memory.anchors import Anchor
from m1nd.domain.memory.claim_state import ClaimFields, Marker, label_of, plain_text
from m1nd.domain.memory.light import Note, names, read, write
from m1nd.domain.path_law import normalise
from m1nd.domain.refusal import Refused, refuse

MOST_NOTES = 1000
_LINE = re.compile(r"^(?P<path>.+?)(?::\d+)+$")


@frozen
class NoteFile:
    """A note as a file: its name and its text."""

    name: str
    text: str


@frozen
class Imported:
    """`claims` are the ids of what was new; `known` counts claims that stand already, `unanchored` evidence that names nothing here."""

    claims: tuple[str, ...]
    known: int
    unanchored: tuple[str, ...]
    graph_rev: int


@frozen
class Exported:
    notes: tuple[NoteFile, ...]
    graph_rev: int


def light_import(brain: Brain, files: Sequence[NoteFile], progress: Progress | None = None) -> Imported:
    """Keep the claims of these notes. Raises Refused(usage | light_unreadable | read_only); then none is kept."""
    brain.deny_if_read_only("light_import")
    arguments = {"notes": [{"name": file.name, "text": file.text} for file in files]}
    return answered(brain, "light_import", arguments, lambda: _import(brain, files, arguments, progress))


def _import(
    brain: Brain, files: Sequence[NoteFile], arguments: dict[str, Any], progress: Progress | None
) -> Imported:
    notes = [(file.name, note) for file in files for note in read(file.text, file.name)]
    if not notes or len(notes) > MOST_NOTES:
        refuse(
            "usage",
            f"an import brings 1 to {MOST_NOTES:,} claims; here are {len(notes):,}",
            "m1nd memory import PATH",
        )
    teller, generation = open_graph(brain, progress)
    standing = {(row.label, row.claim, row.state, row.confidence) for row in brain.views.live_claims()}
    claims: list[ClaimFields] = []
    unanchored: list[str] = []
    for name, note in notes:
        key = (note.label, note.claim, note.state, note.confidence)
        if key in standing:
            continue
        standing.add(key)
        fields, unfound = _fields(teller, name, note)
        claims.append(fields)
        unanchored += unfound
    command = new_command(brain, "light_import", arguments)
    kept = brain.app.record_claims(claims, command) if claims else ()
    return Imported(kept, len(notes) - len(claims), tuple(dict.fromkeys(unanchored)), generation)


def _fields(teller: Teller, name: str, note: Note) -> tuple[ClaimFields, list[str]]:
    anchors: dict[str, Anchor] = {}
    markers = [mark.model_copy(update={"value": plain_text(mark.value)}) for mark in note.markers]
    unfound: list[str] = []
    for written in note.evidence:
        found = _anchor(teller, written)
        if found is None:
            markers.append(Marker(glyph="𝔻", kind="evidence_elsewhere", value=written[:1000]))
            unfound.append(written)
            continue
        anchors[found.name] = found
        if not found.sha256:
            unfound.append(written)
    if note.supersedes:
        markers.append(Marker(glyph="⟁", kind="supersedes", value=note.supersedes[:1000]))
    brain = teller.brain
    try:
        fields = ClaimFields(
            claim_id=f"clm_{brain.ids.hex(12)}",
            label=plain_text(note.label) or label_of(note.claim),
            claim=note.claim,
            state=note.state,
            confidence=note.confidence,
            evidence=tuple(anchors.values()),
            markers=tuple(markers),
            source_agent=note.source_agent or brain.actor.id,
            origin="light",
            created_at=note.created_at,
        )
    except ValidationError as invalid:
        first = invalid.errors()[0]
        field = ".".join(map(str, first["loc"]))
        refuse(
            "light_unreadable",
            f"{name}: `{field}` of a claim: {first['msg'].lower()}",
            file=name,
            field=field,
        )
    return fields, unfound


def _anchor(teller: Teller, written: str) -> Anchor | None:
    """What a note's evidence names: an item at `path:line` or by name, else a file, gone or not; None for no path of ours."""
    try:
        return anchor(teller, written)
    except Refused:
        pass
    line = _LINE.match(written)
    try:
        return file_anchor(teller, normalise(line["path"] if line else written))
    except Refused:
        return None


def light_export(brain: Brain, claim_ids: Iterable[str] = (), progress: Progress | None = None) -> Exported:
    """Live claims, or the named ones, as notes; evidence by where it stands now. Raises Refused(claim_unknown)."""
    teller, generation = open_graph(brain, progress)
    live = brain.views.live_claims()
    wanted = tuple(claim_ids)
    rows = list(live)
    if wanted:
        rows = [row for id in wanted if (row := brain.views.claim(id)) is not None]
        if missing := [id for id in wanted if id not in {row.claim_id for row in rows}]:
            refuse("claim_unknown", f"there is no claim {missing[0]}", claim_id=missing[0])
    files = names([row.label for row in rows], [row.claim_id for row in rows])
    return Exported(
        tuple(
            NoteFile(
                name,
                write(
                    Note(
                        row.label,
                        row.claim,
                        row.state,
                        row.confidence,
                        tuple(_written(teller, a) for a in row.evidence),
                        row.markers,
                        row.source_agent,
                        row.created_at,
                        row.supersedes,
                    ),
                    _slug_of(brain),
                ),
            )
            for name, row in zip(files, rows, strict=True)
        ),
        generation,
    )


def _written(teller: Teller, anchored: Anchor) -> str:
    """`path:line` of an item as it stands now, the path of a file; the old path of what is gone."""
    item = item_of(teller, anchored)
    if item is not None:
        described = teller.describe(item)
        return f"{described.path}:{described.line}"
    _, sight = freshness(teller, anchored)
    return anchored.path if sight is None else sight.path


def _slug_of(brain: Brain) -> str:
    return brain.root.rpartition("/")[2]
