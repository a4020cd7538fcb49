"""What a stamp is bound to, and the text that the human sees before giving it (D24, D44). Values only."""

from collections.abc import Iterable
from enum import StrEnum

from attrs import frozen
from pydantic import Field

from m1nd.domain.digests import sha256
from m1nd.domain.values import Value

TYPED_DIGITS = 8
"""So many digits of the digest the human types (D44)."""

SHOWN_BYTES = 64 << 10
"""More of a change is not kept in the log; what was left out is said, and its digest stands."""


class StampStage(StrEnum):
    """How far one gesture came."""

    NEW = "new"
    WAITING = "waiting"
    GIVEN = "given"
    CONSUMED = "consumed"
    EXPIRED = "expired"


class Gesture(Value):
    """One act that needs a human: `action` on `target`, whose content has this `digest`."""

    action: str = Field(pattern=r"^[a-z][a-z_]{0,39}$")
    target: str = Field(min_length=1, max_length=300)
    digest: str = Field(pattern=r"^[0-9a-f]{64}$")

    @property
    def challenge_id(self) -> str:
        """Names the gesture on the command line; the same on every machine."""
        return "stp_" + sha256(f"{self.action}\0{self.target}\0{self.digest}".encode())[:16]

    @property
    def words(self) -> str:
        return self.action.replace("_", " ")

    @property
    def typed(self) -> str:
        """What the human has to type."""
        return self.digest[:TYPED_DIGITS]


def stream_name(challenge_id: str) -> str:
    return f"stamp:{challenge_id.removeprefix('stp_')}"


@frozen
class Shown:
    """What a human is shown of a change, line by line; `omitted` lines did not fit."""

    lines: tuple[str, ...]
    omitted: int = 0


@frozen
class Typed:
    """What a human typed under a page, on which terminal; `seen` is what that page showed."""

    seen: Shown
    text: str
    terminal: str


def shown(lines: Iterable[str], most: int = SHOWN_BYTES) -> Shown:
    """The first lines that fit into `most` bytes, whole lines only. Deterministic: equal changes are shown equally."""
    every = tuple(lines)
    room = most
    for index, line in enumerate(every):
        room -= len(line.encode("utf-8", "surrogatepass")) + 1
        if room < 0:
            return Shown(every[:index], len(every) - index)
    return Shown(every)
