"""The Antibody aggregate: a pattern of items and edges that somebody warns of, and whether it is looked for.

created (enabled) ↔ disabled → deleted. A pattern has no regular expressions: literals, kinds, tags and edges only, so
that no pattern can make a scan run away.
"""

import re
from collections.abc import Iterator
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, ValidationError

from m1nd.domain.base import Aggregate, Command, CreatedEvent, Event, Value, event
from m1nd.domain.index.codes import Edge
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import ItemKind

MOST_NODES, MOST_EDGES, MOST_ANTIBODIES = 12, 20, 500
LEAST_SPECIFIC = 0.15
"""A pattern that says less than this is found everywhere."""
TOO_ALIKE = 0.9
SEVERITIES = ("info", "warning", "critical")
RELATIONS = frozenset(edge.name.lower() for edge in Edge)
KINDS = frozenset({kind.value for kind in ItemKind} | {"module"})

Severity = Literal["info", "warning", "critical"]
_ID = re.compile(r"anb_[0-9a-f]{8,32}")


class PatternNode(Value):
    """One item of a pattern: what it must be. Empty fields ask for nothing; `symbol_id` means one item, wherever it goes."""

    role: str = Field(min_length=1, max_length=40)
    node_type: str = ""
    label: str = Field(default="", max_length=200)
    label_contains: str = Field(default="", max_length=200)
    text_contains: str = Field(default="", max_length=200)
    required_tags: tuple[str, ...] = Field(default=(), max_length=8)
    symbol_id: str = Field(default="", pattern=r"^(sym_[0-9a-f]{12})?$")

    def says(self) -> Iterator[tuple[str, str]]:
        """Its constraints, one by one."""
        for name in ("node_type", "label", "label_contains", "text_contains", "symbol_id"):
            if value := getattr(self, name):
                yield name, value
        for tag in self.required_tags:
            yield "tag", tag


class PatternEdge(Value):
    """An edge from node to node, by their numbers; an empty relation means any."""

    source_idx: int = Field(ge=0)
    target_idx: int = Field(ge=0)
    relation: str = ""


class Pattern(Value):
    """What is looked for. An item that only negative edges name must not be there at all.

    A scan answers the items of the other nodes; these hang together over `edges`.
    """

    nodes: tuple[PatternNode, ...] = Field(min_length=1, max_length=MOST_NODES)
    edges: tuple[PatternEdge, ...] = Field(default=(), max_length=MOST_EDGES)
    negative_edges: tuple[PatternEdge, ...] = Field(default=(), max_length=MOST_EDGES)

    @property
    def present(self) -> tuple[int, ...]:
        """Numbers of the nodes that must be there."""
        positive = {end for edge in self.edges for end in (edge.source_idx, edge.target_idx)}
        denied = {end for edge in self.negative_edges for end in (edge.source_idx, edge.target_idx)}
        return tuple(n for n in range(len(self.nodes)) if n in positive or n not in denied or n == 0)

    @property
    def specificity(self) -> float:
        """How much it says, 0 to 1."""
        said = sum(_WEIGHTS[name] for node in self.nodes for name, _ in node.says())
        edges = sum(0.1 if edge.relation else 0.05 for edge in (*self.edges, *self.negative_edges))
        return round(min(1.0, said + edges), 2)

    def constraints(self) -> frozenset[tuple[str, ...]]:
        """Everything it says, without its order and roles, to compare patterns by."""
        words = {n: "&".join(sorted(f"{a}={b}" for a, b in node.says())) for n, node in enumerate(self.nodes)}
        signed = [("+", edge) for edge in self.edges] + [("-", edge) for edge in self.negative_edges]
        return frozenset(("node", word) for word in words.values()) | frozenset(
            (sign, words[edge.source_idx], edge.relation, words[edge.target_idx]) for sign, edge in signed
        )

    def likeness(self, other: "Pattern") -> float:
        """What two patterns share of all that they say, 0 to 1."""
        mine, theirs = self.constraints(), other.constraints()
        return len(mine & theirs) / len(mine | theirs)


_WEIGHTS = {
    "node_type": 0.1,
    "label": 0.5,
    "label_contains": 0.25,
    "text_contains": 0.25,
    "tag": 0.2,
    "symbol_id": 1.0,
}


def pattern_of(given: Any) -> Pattern:
    """A pattern from its JSON value. Raises Refused(bad_pattern | antibody_vague)."""
    try:
        pattern = Pattern.model_validate(given)
    except ValidationError as invalid:
        first = invalid.errors()[0]
        where = ".".join(map(str, first["loc"])) or "pattern"
        refuse("bad_pattern", f"`{where}`: {first['msg'].lower()}", field=where)
    for node in pattern.nodes:
        if node.node_type and node.node_type not in KINDS:
            refuse(
                "bad_pattern", f"{node.node_type!r} is no kind of item; there are {', '.join(sorted(KINDS))}"
            )
    for edge in (*pattern.edges, *pattern.negative_edges):
        if max(edge.source_idx, edge.target_idx) >= len(pattern.nodes):
            refuse(
                "bad_pattern",
                f"an edge names node {max(edge.source_idx, edge.target_idx)}, which is not there",
            )
        if edge.relation and edge.relation not in RELATIONS:
            refuse(
                "bad_pattern", f"{edge.relation!r} is no relation; there are {', '.join(sorted(RELATIONS))}"
            )
    _require_whole(pattern)
    if pattern.specificity < LEAST_SPECIFIC:
        refuse(
            "antibody_vague",
            f"the pattern says too little ({pattern.specificity:g} of 1, {LEAST_SPECIFIC:g} at least)",
            specificity=pattern.specificity,
        )
    return pattern


def _require_whole(pattern: Pattern) -> None:
    """Every item hangs together with the first; else a match would be any pair of anything."""
    present = set(pattern.present)
    if any(
        edge.source_idx not in present and edge.target_idx not in present for edge in pattern.negative_edges
    ):
        refuse("bad_pattern", "a negative edge needs one end that is there")
    reached, frontier = {0}, [0]
    while frontier:
        here = frontier.pop()
        for edge in pattern.edges:
            ends = (edge.source_idx, edge.target_idx)
            if here in ends:
                new = [end for end in ends if end not in reached]
                reached.update(new)
                frontier += new
    if missing := sorted(present - reached):
        refuse("bad_pattern", f"node {missing[0]} hangs together with no other: name an edge to it")


class AntibodyFields(Value):
    antibody_id: str = Field(pattern=r"^anb_[0-9a-f]{8,32}$")
    name: str = Field(min_length=1, max_length=120)
    description: str = Field(default="", max_length=2000)
    severity: Severity = "warning"
    pattern: Pattern
    specificity: float
    created_by: str = Field(max_length=200)


def stream_name(antibody_id: str) -> str:
    """The stream of an antibody. Raises Refused(antibody_unknown) for an id of another form."""
    if _ID.fullmatch(antibody_id) is None:
        refuse("antibody_unknown", f"{antibody_id!r} is the id of no antibody", antibody_id=antibody_id)
    return f"antibody:{antibody_id.removeprefix('anb_')}"


class Antibody(Aggregate):
    TOPIC = "antibody"

    class AntibodyCreated(CreatedEvent):
        TOPIC: ClassVar[str] = "antibody_created"
        antibody_id: str
        name: str
        description: str
        severity: Severity
        pattern: Pattern
        specificity: float
        created_by: str

    class AntibodyEnabled(Event):
        TOPIC: ClassVar[str] = "antibody_enabled"
        antibody_id: str

    class AntibodyDisabled(Event):
        TOPIC: ClassVar[str] = "antibody_disabled"
        antibody_id: str

    class AntibodyDeleted(Event):
        TOPIC: ClassVar[str] = "antibody_deleted"
        antibody_id: str

    @event(AntibodyCreated)
    def __init__(
        self,
        antibody_id: str,
        name: str,
        description: str,
        severity: Severity,
        pattern: Pattern,
        specificity: float,
        created_by: str,
    ) -> None:
        self.antibody_id = antibody_id
        self.enabled = True
        self.deleted = False

    @classmethod
    def create(cls, fields: AntibodyFields, command: Command) -> Self:
        return cls._begin(cls.AntibodyCreated, command, stream_name(fields.antibody_id), **dict(fields))

    def enable(self, command: Command) -> None:
        """Look for it again; one that is looked for records nothing. Raises Refused(antibody_unknown)."""
        self._require_there()
        if not self.enabled:
            self._record(Antibody.AntibodyEnabled, command, antibody_id=self.antibody_id)

    def disable(self, command: Command) -> None:
        """Look for it no more, and keep it. Raises Refused(antibody_unknown)."""
        self._require_there()
        if self.enabled:
            self._record(Antibody.AntibodyDisabled, command, antibody_id=self.antibody_id)

    def delete(self, command: Command) -> None:
        """Raises Refused(antibody_unknown)."""
        self._require_there()
        self._record(Antibody.AntibodyDeleted, command, antibody_id=self.antibody_id)

    def _require_there(self) -> None:
        if self.deleted:
            refuse(
                "antibody_unknown", f"antibody {self.antibody_id} was deleted", antibody_id=self.antibody_id
            )

    @event(AntibodyEnabled)
    def _enabled(self) -> None:
        self.enabled = True

    @event(AntibodyDisabled)
    def _disabled(self) -> None:
        self.enabled = False

    @event(AntibodyDeleted)
    def _deleted(self) -> None:
        self.deleted = True
