"""The auditor's verbs over the log: verify, seal, topics, replay, export, import. Written against ports only.

Verification needs no domain code: it reads stored bytes and the chain. Replay needs it all: every event is decoded and
every aggregate folded.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Never
from uuid import UUID

import orjson
from attrs import frozen
from eventsourcing.persistence import IntegrityError

from m1nd.application.app import M1nd
from m1nd.application.event_log import RESTORE, EventLog, LogHead, LogRow
from m1nd.application.tampering import Finding, explain
from m1nd.domain.base import CreatedEvent, Event
from m1nd.domain.chain import GENESIS, link
from m1nd.domain.events import EVENT_KINDS, UNCLAIMED_KINDS
from m1nd.domain.refusal import refuse
from m1nd.domain.streams import stream_id

PAGE = 1000
FORMAT = "m1nd-log/1"


@frozen
class Verification:
    """`checked` events up to position `count` were compared; `finding` is the first thing wrong, if any."""

    count: int
    head: str
    checked: int
    since: int
    finding: Finding | None = None

    @property
    def holds(self) -> bool:
        return self.finding is None


def verify(log: EventLog, since: int = 0, head: str = "") -> Verification:
    """Check the chain from the first event, or from the published head `(since, head)` on.

    A flipped byte, a removed, an inserted, a swapped event is found and named. A cut-off tail is found only against a
    published head: give the newest one known. Raises Refused(store_damaged) where the file itself cannot be read.
    """
    previous = GENESIS
    if since > 0:
        found = log.rows(after=since - 1, limit=1, until=since)
        end = log.head()
        if not found:
            finding = Finding(
                end.count + 1,
                "cut",
                f"the log ends at event {end.count}; a head was published at event {since}",
            )
            return Verification(end.count, end.head, 0, since, finding)
        previous = bytes.fromhex(head) if head else found[0].chain
        if found[0].chain != previous:
            finding = Finding(
                since,
                "rewritten",
                f"the head at event {since} is {found[0].chain.hex()}, not the published one",
            )
            return Verification(end.count, end.head, 0, since, finding)
    position = since
    while rows := log.rows(after=position, limit=PAGE):
        for row in rows:
            position += 1
            number, stream, version, topic, state, chain = row
            if number != position or chain != link(previous, number, stream, version, topic, state):
                finding = explain(log, position, previous, row)
                return Verification(position - 1, previous.hex(), position - 1 - since, since, finding)
            previous = chain
    return Verification(position, previous.hex(), position - since, since)


def require_sound_file(log: EventLog) -> None:
    """Let the store read all of its file. Raises Refused(store_damaged) naming the first fault."""
    if faults := log.faults():
        refuse(
            "store_damaged",
            f"log.db is damaged: {faults[0]}",
            RESTORE,
            file="log.db",
            faults=faults,
        )


@frozen
class TopicCount:
    """A name of an event: how often the log holds it, and whether this m1nd can read it."""

    topic: str
    events: int
    known: bool


def topics(log: EventLog) -> tuple[TopicCount, ...]:
    """Every name that this m1nd knows or the log holds, sorted."""
    counts = log.topic_counts()
    names = sorted({*EVENT_KINDS, *counts})
    return tuple(TopicCount(name, counts.get(name, 0), name in EVENT_KINDS) for name in names)


@frozen
class Replay:
    """What a fold of the log up to `position` found."""

    position: int
    events: int
    streams: int


def replay(app: M1nd, to: int | None = None) -> Replay:
    """Decode every event and fold every aggregate through its own methods, up to log position `to`.

    Shows what the chain cannot: an event that does not read, a version out of turn, a stream under another name.
    Raises Refused(unknown_topic | store_damaged).
    """
    aggregates: dict[UUID, Any] = {}
    position = 0
    end = app.log.head().count if to is None else min(to, app.log.head().count)
    while position < end and (rows := app.log.rows(after=position, limit=PAGE, until=end)):
        for row in rows:
            event = app.event_of(row)
            _fold(aggregates, event, row.position)
        position = rows[-1].position
    return Replay(position, position, len(aggregates))


def _fold(aggregates: dict[UUID, Any], event: Event, position: int) -> None:
    stream = event.originator_id
    standing = aggregates.get(stream)
    wrong = ""
    if isinstance(event, CreatedEvent):
        if standing is not None or event.originator_version != 0:
            wrong = "begins a stream that has begun"
        elif stream_id(event.stream) != stream:
            wrong = f"says that its stream is {event.stream!r}, which has another id"
    elif standing is None:
        wrong = "stands in a stream that has not begun"
    elif event.originator_version != standing.version + 1:
        wrong = f"has version {event.originator_version} in its stream, after version {standing.version}"
    if wrong:
        refuse(
            "store_damaged",
            f"`{event.TOPIC}` at position {position} {wrong}",
            RESTORE,
            file="log.db",
            position=position,
        )
    aggregates[stream] = event.mutate(standing)


# Moving a log: one JSON line an event, after a head line.


def export(log: EventLog) -> Iterator[bytes]:
    """The whole log as lines: first `{format, count, head}`, then each row with its chain.

    `state` is the stored JSON; where re-encoding it would not give the stored bytes, `state_text` holds them instead.
    """
    end = log.head()
    yield orjson.dumps({"format": FORMAT, "count": end.count, "head": end.head})
    position = 0
    while position < end.count:
        rows = log.rows(after=position, limit=PAGE, until=end.count)
        if not rows:
            return
        for row in rows:
            yield line_of(row)
        position = rows[-1].position


def line_of(row: LogRow) -> bytes:
    """One row as a line of JSON."""
    line = {"position": row.position, "stream": row.stream, "version": row.version, "topic": row.topic}
    try:
        state = orjson.loads(row.state)
        exact = orjson.dumps(state) == row.state
    except orjson.JSONDecodeError:
        exact = False
    if exact:
        return orjson.dumps({**line, "state": state, "chain": row.chain.hex()})
    return orjson.dumps({**line, "state_text": row.state.decode("latin-1"), "chain": row.chain.hex()})


def import_lines(log: EventLog, lines: Iterable[bytes]) -> LogHead:
    """Put an exported log into an empty one, after checking its chain line by line; all or nothing.

    Raises Refused(usage) for lines of another form, Refused(chain_broken) where the chain, the count or the head do not
    hold, Refused(log_not_empty).
    """
    if log.head().count:
        _refuse_not_empty()
    source = iter(lines)
    incoming = _Incoming(source, _head_line(next(source, b"")))
    try:
        log.store_rows(incoming.rows(), incoming.commands())
    except IntegrityError:
        _refuse_not_empty()
    return incoming.promised


def _refuse_not_empty() -> Never:
    refuse("log_not_empty", "this repository's log has events already")


class _Incoming:
    """Exported lines as checked rows, then the commands that they claim; raising in between stores nothing."""

    def __init__(self, lines: Iterator[bytes], promised: LogHead) -> None:
        self.promised = promised
        self._lines = lines
        self._commands: dict[str, tuple[str, int, int]] = {}

    def rows(self) -> Iterator[LogRow]:
        position, previous = 0, GENESIS
        for text in self._lines:
            if not text.strip():
                continue
            position += 1
            row = _row(text, position)
            if row.position != position or row.chain != link(previous, position, *row[1:5]):
                refuse(
                    "chain_broken",
                    f"the chain does not hold at event {position} of the export",
                    position=position,
                )
            previous = row.chain
            self._note_command(row)
            yield row
        got = LogHead(position, previous.hex())
        if got != self.promised:
            refuse(
                "chain_broken",
                f"the export promises {self.promised.count} events and has {got.count}: it was cut or joined",
                "export the log again",
                position=position,
            )

    def commands(self) -> Iterator[tuple[str, str, int, int]]:
        for id, (digest, first, last) in sorted(self._commands.items()):
            yield id, digest, first, last

    def _note_command(self, row: LogRow) -> None:
        if EVENT_KINDS.get(row.topic) in UNCLAIMED_KINDS:
            return
        state = orjson.loads(row.state)
        id, digest = state.get("command_id", ""), state.get("command_digest", "")
        if id:
            first = self._commands[id][1] if id in self._commands else row.position
            self._commands[id] = (digest, first, row.position)


def is_export(first_line: bytes) -> bool:
    """Whether a file that begins with this line is an export of some log."""
    return _read_head(first_line) is not None


def _read_head(text: bytes) -> LogHead | None:
    try:
        head = orjson.loads(text)
        if head["format"] == FORMAT:
            return LogHead(int(head["count"]), str(head["head"]))
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        return None
    return None


def _head_line(text: bytes) -> LogHead:
    if (head := _read_head(text)) is not None:
        return head
    refuse(
        "usage", f"this is not an export of a log (its first line must say {FORMAT})", "m1nd log export FILE"
    )


def _row(text: bytes, position: int) -> LogRow:
    try:
        line = orjson.loads(text)
        state = orjson.dumps(line["state"]) if "state" in line else line["state_text"].encode("latin-1")
        return LogRow(
            int(line["position"]),
            str(line["stream"]),
            int(line["version"]),
            str(line["topic"]),
            state,
            bytes.fromhex(line["chain"]),
        )
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError):
        refuse(
            "usage",
            f"line {position + 1} of the export is not an event",
            "export the log again",
            line=position + 1,
        )
