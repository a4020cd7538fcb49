"""The L1GHT form of a note (`.light.md`): front matter, prose, and markers in brackets; read and written (D30).

Read: notes as they were written elsewhere, with any number of claims. Written: one claim a file, so that the state in
the front matter is that claim's. `read(write(note)) == note` for every note that this module can hold.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from attrs import field, frozen

from m1nd.domain.memory.claim_state import Marker, State, plain_text
from m1nd.domain.refusal import refuse

PROTOCOL = "L1GHT/1.0"
SUFFIX = ".light.md"
DECLARATIONS = ("⍂", "⍐", "⍌")
"""Glyphs of entity, state and event: each begins a claim; the others speak of the claim before them."""

_MARK = re.compile(r"(?<!\\)\[(⍂|⍐|⍌|𝔻|⟁|RED|AMBER)\s+([a-z_]+):[ \t]?((?:\\.|[^\]\\\n])*)\]")
_FRONT = re.compile(r"\A---\n(.*?\n)?---\n", re.DOTALL)
_ESCAPE = re.compile(r"\\([\\\[\]])|^\\(?=#|Protocol:)", re.MULTILINE)
_SLUG = re.compile(r"[^a-z0-9]+")


@frozen
class Note:
    """One claim as a note tells it. `evidence` is as written (`src/a.rs:12`), `created_at` None where it was not said."""

    label: str
    claim: str
    state: State = State.AUTHORED
    confidence: float | None = None
    evidence: tuple[str, ...] = ()
    markers: tuple[Marker, ...] = ()
    source_agent: str = ""
    created_at: datetime | None = None
    supersedes: str = ""


@frozen
class _Block:
    """A declaration with the prose before it and the qualifiers behind it."""

    prose: str
    marks: list[Marker] = field(factory=list)


def slug(label: str) -> str:
    """The file name of a label, without its ending: lower-case, each run of other signs one hyphen."""
    return _SLUG.sub("-", label.lower()).strip("-") or "claim"


def read(text: str, name: str) -> tuple[Note, ...]:
    """The claims of a note; `name` is its file's, for a note without a title.

    Recognised by the protocol's line, or by two kinds of markers. Raises Refused(light_unreadable).
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    front = _FRONT.match(text)
    facts = _facts((front[1] or "") if front else text)
    body = text[front.end() :] if front else text
    kinds = {(m[1], m[2]) for m in _MARK.finditer(body)}
    if not facts.get("protocol", "").startswith("L1GHT/") and len(kinds) < 2:
        refuse(
            "light_unreadable", f"{name} has neither the line `Protocol: {PROTOCOL}` nor two kinds of markers"
        )
    label = facts.get("node") or name.removesuffix(SUFFIX)
    return tuple(_note(block, label, facts) for block in _blocks(body))


def marked(text: str) -> list[tuple[int, str, str]]:
    """`(line, kind, value)` of every marker of a note."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return [
        (text.count("\n", 0, mark.start()) + 1, mark[2], _unescaped(mark[3]).strip())
        for mark in _MARK.finditer(text)
    ]


def _facts(front: str) -> dict[str, str]:
    """`Key: value` lines, keys in lower case; those before the first blank line or heading where there is no fence."""
    facts: dict[str, str] = {}
    for line in front.split("\n"):
        key, colon, value = line.partition(":")
        if not colon or not re.fullmatch(r"[A-Za-z-]+", key):
            break
        facts[key.lower()] = value.strip()
    return facts


def _blocks(body: str) -> list[_Block]:
    blocks: list[_Block] = []
    last = 0
    for mark in _MARK.finditer(body):
        prose = _prose(body[last : mark.start()])
        last = mark.end()
        marker = Marker(glyph=mark[1], kind=mark[2][:40], value=_unescaped(mark[3])[:1000])
        begins = mark[1] in DECLARATIONS and (bool(prose) or not blocks)
        if begins or not blocks:
            blocks.append(_Block(prose))
        blocks[-1].marks.append(marker)
    return blocks


def _prose(text: str) -> str:
    """The text of a claim: what stands behind the last heading, its escapes taken back."""
    lines = text.split("\n")
    headings = [
        at for at, line in enumerate(lines) if re.match(r"#{1,6}\s", line) or line.startswith("Protocol:")
    ]
    kept = lines[headings[-1] + 1 :] if headings else lines
    return plain_text(_unescaped("\n".join(kept)))


def _note(block: _Block, label: str, facts: Mapping[str, str]) -> Note:
    state = _state(facts.get("state", ""))
    confidence: float | None = None
    evidence: list[str] = []
    rest: list[Marker] = []
    for mark in block.marks:
        said = (mark.glyph, mark.kind)
        if said == ("𝔻", "evidence") and mark.value.strip():
            evidence.append(mark.value.strip())
        elif said == ("𝔻", "confidence") and (number := _number(mark.value)) is not None:
            confidence = number
        elif said == ("⍐", "state") and mark.value.lower() in list(State):
            state = State(mark.value.lower())
        elif said == ("⍂", "entity") and mark is block.marks[0]:
            label = " ".join(mark.value.split()) or label
        else:
            rest.append(mark)
    claim = block.prose or block.marks[0].value
    return Note(
        label=label,
        claim=plain_text(claim) or label,
        state=state,
        confidence=confidence,
        evidence=tuple(dict.fromkeys(evidence)),
        markers=tuple(rest),
        source_agent=facts.get("source-agent", ""),
        created_at=_time(facts.get("created", "")),
        supersedes=facts.get("supersedes", ""),
    )


def _state(text: str) -> State:
    """A word that is no state of ours is the author's own and says no more than `authored`."""
    return State(text.lower()) if text.lower() in list(State) else State.AUTHORED


def _number(text: str) -> float | None:
    """A confidence as a number from 0 to 1, or in per cent; None for words."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?(?:e-\d+)?)\s*(%?)", text.strip())
    if match is None:
        return None
    number = float(match[1]) / (100 if match[2] else 1)
    return number if 0 <= number <= 1 else None


def _time(text: str) -> datetime | None:
    """Milliseconds since 1970, or an ISO time."""
    try:
        if text.isdigit():
            return datetime.fromtimestamp(int(text) / 1000, UTC)
        made = datetime.fromisoformat(text)
    except (ValueError, OverflowError, OSError):
        return None
    return made if made.tzinfo is not None else made.replace(tzinfo=UTC)


def write(note: Note, brain: str) -> str:
    """The note as a `.light.md` file; `brain` names the repository it comes from."""
    front = [
        ("Protocol", PROTOCOL),
        ("Node", " ".join(note.label.split())),
        ("State", note.state.value),
        ("Created", str(round(note.created_at.timestamp() * 1000)) if note.created_at else ""),
        ("Source-Agent", note.source_agent),
        ("Origin-Brain", brain),
        ("Supersedes", note.supersedes),
    ]
    lines = ["---", *(f"{key}: {value}" for key, value in front if value), "---", ""]
    lines += [f"# {note.label}", "", "## Claim", "", _escaped_prose(note.claim), ""]
    lines.append(_mark("⍂", "entity", note.label))
    if note.confidence is not None:
        lines.append(_mark("𝔻", "confidence", repr(note.confidence)))
    lines += [_mark("𝔻", "evidence", path) for path in note.evidence]
    lines += [_mark(mark.glyph, mark.kind, mark.value) for mark in note.markers]
    return "\n".join(lines) + "\n"


def _mark(glyph: str, kind: str, value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("]", "\\]")
    return f"[{glyph} {kind}: {escaped}]"


def _escaped_prose(text: str) -> str:
    """The text with a backslash before every backslash, before what would be a marker, a heading or a protocol's line."""
    text = text.replace("\\", "\\\\").replace("[", "\\[")
    return re.sub(r"^(?=#|Protocol:)", r"\\", text, flags=re.MULTILINE)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda match: match[1] or "", text)


def names(labels: Iterable[str], ids: Sequence[str]) -> list[str]:
    """A file name for each claim: its label's slug, with its id's digits where two would share one."""
    slugs = [slug(label)[:80] for label in labels]
    return [
        f"{one}{SUFFIX}" if slugs.count(one) == 1 else f"{one}-{id.removeprefix('clm_')}{SUFFIX}"
        for one, id in zip(slugs, ids, strict=True)
    ]
