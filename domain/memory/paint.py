"""The Paint aggregate: tags on items, by whom and why, in numbered commits (`xray_paint`, `xray_retag`).

One stream a repository. Its guard needs the version alone, which stands in every event, so that it is resumed from the
last one. The tags themselves are folded by the view; they are keyed by `symbol_id`, so that a move carries them (D30).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import ClassVar, Literal, Self

from attrs import frozen
from pydantic import Field

from m1nd.domain.base import Aggregate, Command, CreatedEvent, Event, Value, event
from m1nd.domain.refusal import refuse
from m1nd.domain.streams import stream_id
from m1nd.domain.symbols import Address

STREAM = "paint"
PAINT_ID = stream_id(STREAM)
NODES_AN_EVENT = 1000
"""One commit may be several events, all of one version."""

_TAG = re.compile(r"[a-z0-9][a-z0-9:_.-]{0,63}")
STATE = "xray:state:"


class PaintState(StrEnum):
    """What paint says of an item (reference, X-ray); an item without one is unpainted, a state of its own."""

    BEDROCK = "xray:state:bedrock"
    """A test reaches it, or a verified claim rests on it and still stands."""
    OVERGROWTH = "xray:state:overgrowth"
    """Nothing refers to it."""
    UNPROVEN = "xray:state:unproven"
    EROSION = "xray:state:erosion-candidate"
    """A pattern that somebody warns of is found there."""


Operation = Literal["add", "remove", "set"]


class PaintedNode(Value):
    """An item and the state it gets; `place` is where it stood."""

    symbol_id: str
    place: Address
    tag: PaintState
    reason: str


class TaggedNode(Value):
    symbol_id: str
    place: Address


@frozen
class Survey:
    """A painting before it is committed: what was looked at, and what of it changes."""

    scope: str
    scanned: int
    counts: Mapping[str, int]
    changes: tuple[PaintedNode, ...]

    @property
    def coverage(self) -> float:
        """`proof_coverage`: bedrock over scanned, 0 where nothing was scanned."""
        return round(self.counts.get(PaintState.BEDROCK, 0) / self.scanned, 4) if self.scanned else 0.0


class PaintEvent(Event):
    """What every event of the stream but the first carries: the version after it."""

    version: int = Field(ge=0)


class Paint(Aggregate):
    TOPIC = "paint"

    class PaintOpened(CreatedEvent):
        TOPIC: ClassVar[str] = "paint_opened"
        version: int = 0

    class NodePainted(PaintEvent):
        """Items get their state; `counts` are of all that was scanned, `nodes` those whose state changed."""

        TOPIC: ClassVar[str] = "node_painted"
        scope: str
        scanned: int
        counts: dict[str, int]
        proof_coverage: float
        nodes: tuple[PaintedNode, ...]

    class NodeRetagged(PaintEvent):
        """Tags are added to items, removed from them, or set instead of all that they had."""

        TOPIC: ClassVar[str] = "node_retagged"
        operation: Operation
        tags: tuple[str, ...]
        selector: str
        nodes: tuple[TaggedNode, ...]

    @event(PaintOpened)
    def __init__(self, version: int) -> None:
        self.paint_version = version

    @classmethod
    def open(cls, command: Command) -> Self:
        return cls._begin(cls.PaintOpened, command, STREAM, version=0)

    @classmethod
    def resume(cls, last: Event) -> Self:
        """The aggregate as it stands after `last`, the newest event of its stream."""
        paint = cls._resumed(last)
        assert isinstance(last, PaintEvent | cls.PaintOpened)
        paint.paint_version = last.version
        return paint

    def paint(self, survey: Survey, expected: int, command: Command) -> int:
        """Record a survey; answers the version after it. A survey that changes nothing is recorded too: it was looked.

        Raises Refused(paint_conflict).
        """
        self._require(expected)
        version = self.paint_version + 1
        for nodes in _pages(survey.changes):
            self._record(
                Paint.NodePainted,
                command,
                version=version,
                scope=survey.scope,
                scanned=survey.scanned,
                counts=dict(survey.counts),
                proof_coverage=survey.coverage,
                nodes=nodes,
            )
        return version

    def retag(
        self,
        operation: Operation,
        tags: tuple[str, ...],
        selector: str,
        nodes: Iterable[TaggedNode],
        expected: int,
        command: Command,
    ) -> int:
        """Record new tags; answers the version after it. Raises Refused(paint_conflict)."""
        self._require(expected)
        version = self.paint_version + 1
        for page in _pages(tuple(nodes)):
            self._record(
                Paint.NodeRetagged,
                command,
                version=version,
                operation=operation,
                tags=tags,
                selector=selector,
                nodes=page,
            )
        return version

    def _require(self, expected: int) -> None:
        if expected != self.paint_version:
            refuse(
                "paint_conflict",
                f"the paint has version {self.paint_version}, not {expected}",
                expected=expected,
                version=self.paint_version,
            )

    @event(NodePainted)
    def _painted(self, version: int) -> None:
        self.paint_version = version

    @event(NodeRetagged)
    def _retagged(self, version: int) -> None:
        self.paint_version = version


def _pages(nodes: tuple[Value, ...]) -> Iterator[tuple[Value, ...]]:
    """At least one page, so that a commit without changes leaves its event."""
    for start in range(0, max(len(nodes), 1), NODES_AN_EVENT):
        yield nodes[start : start + NODES_AN_EVENT]


def checked_tags(operation: str, tags: Sequence[str]) -> tuple[str, ...]:
    """The tags of a retag, each once. Raises Refused(usage) for one of another form, or two states at once."""
    if not tags and operation != "set":
        refuse("usage", f"`{operation}` needs a tag", "m1nd paint retag add TAG --symbol SYMBOL")
    for tag in tags:
        if _TAG.fullmatch(tag) is None:
            refuse("usage", f"{tag!r} is no tag: lower-case letters, digits and `:_.-`, 64 at most", tag=tag)
        if tag.startswith(STATE) and tag not in list(PaintState):
            refuse("usage", f"{tag!r} is no state; the states are {', '.join(PaintState)}", tag=tag)
    if operation != "remove" and sum(tag.startswith(STATE) for tag in tags) > 1:
        refuse("usage", "an item is in one state at a time", "name one xray:state: tag")
    return tuple(dict.fromkeys(tags))


def retagged(operation: Operation, had: frozenset[str], tags: Sequence[str]) -> frozenset[str]:
    """What an item's tags are after a retag; a new state takes the old one's place."""
    if operation == "remove":
        return had - set(tags)
    if operation == "set":
        return frozenset(tags)
    if any(tag.startswith(STATE) for tag in tags):
        had = frozenset(tag for tag in had if not tag.startswith(STATE))
    return had | set(tags)
