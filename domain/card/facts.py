"""What a card is made of: measured fields and strings that were composed elsewhere. It never holds a word of its own."""

from enum import StrEnum

from attrs import frozen


class State(StrEnum):
    """`human_view.state` (D8)."""

    CLEAN = "clean"
    BELL = "bell"
    COHERENCE = "coherence"
    MISMATCH = "mismatch"
    NEEDS_INGEST = "needs_ingest"
    DEGRADED = "degraded"
    GAP = "gap"


class Coherence(StrEnum):
    """The signature's part `coh`; `none` where there is no store of blocks (D9)."""

    OK = "ok"
    SICK = "sick"
    NONE = "none"


class Reception(StrEnum):
    """The signature's part `recv`."""

    MATCH = "match"
    MISMATCH = "mismatch"
    UNKNOWN = "unknown"


SIGNALS: dict[str, State] = {
    "reception": State.MISMATCH,
    "graph_empty": State.NEEDS_INGEST,
    "binding": State.DEGRADED,
    "bell": State.BELL,
    "coherence": State.COHERENCE,
    "block_stale": State.COHERENCE,
    "collision": State.GAP,
    "graph_stale": State.GAP,
    "focus_empty": State.GAP,
    "memory_unmatched": State.GAP,
    "memory_empty": State.GAP,
}
"""Gap codes that a card can carry, in their priority (seed 000 §2, D8), and the state that each makes."""

DEEP_ONLY = frozenset(("collision",))
"""Advice between agents: the deep form shows it, the compact card never (D8 does not list it)."""


@frozen
class Signal:
    """One gap as the packet says it: its code and its verbatim text."""

    code: str
    text: str


@frozen
class CardFacts:
    """`trust` is the trust mode's wire name; counts are those of the packet. `bound` and `yours` are the two roots of a
    mismatch, sanitised. `signals` are in any order."""

    trust: str
    nodes: int
    memories: int
    maps: int
    bell: int
    coherence: Coherence
    reception: Reception
    signals: tuple[Signal, ...]
    next_move: str
    bound: str = ""
    yours: str = ""

    @property
    def ranked(self) -> tuple[Signal, ...]:
        """The signals, the most urgent first."""
        order = list(SIGNALS)
        return tuple(sorted(self.signals, key=lambda signal: order.index(signal.code)))

    @property
    def top(self) -> Signal | None:
        """The one signal that the compact card carries."""
        return next((signal for signal in self.ranked if signal.code not in DEEP_ONLY), None)

    @property
    def state(self) -> State:
        return State.CLEAN if self.top is None else SIGNALS[self.top.code]

    @property
    def signature(self) -> str:
        """`<trust>|bell:<n>|coh:<…>|recv:<…>`; under mismatch no statistic of the other brain is in it (D9)."""
        foreign = self.reception is Reception.MISMATCH
        bell, coherence = ("-", "-") if foreign else (str(self.bell), self.coherence.value)
        return f"{self.trust}|bell:{bell}|coh:{coherence}|recv:{self.reception.value}"
