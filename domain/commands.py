"""Who asks for a change, and with what request: the part of every event's envelope that comes from outside.

Apart from `base`, so that a read, which has an actor but records nothing, does not load the event-sourcing library.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, Protocol, Self

from attrs import evolve, frozen
from pydantic import Field

from m1nd.domain.digests import sha256
from m1nd.domain.values import Value

ActorKind = Literal["owner", "agent", "runner", "ci", "system"]


class Actor(Value):
    """Who acts (BLOCKS.md, envelope)."""

    kind: ActorKind
    id: str = Field(max_length=200)
    session: str = Field(default="", max_length=200)


class Caused(Protocol):
    """What another event can follow from: a recorded event."""

    @property
    def event_id(self) -> str: ...


@frozen
class Command:
    """One request to change something: the part of the envelope that comes from outside.

    `id` is the idempotency key. The same id with the same digest answers the earlier result, with another digest it is
    refused (BLOCKS.md). `at` is the recorded time, read from the clock port by the use case.
    """

    id: str
    digest: str
    at: datetime
    actor: Actor
    causation_id: str = ""

    @classmethod
    def of(
        cls,
        verb: str,
        arguments: Mapping[str, Any],
        *,
        id: str,
        at: datetime,
        actor: Actor,
        causation_id: str = "",
    ) -> Self:
        """A command whose digest is that of the verb and its arguments (JSON values, in any order)."""
        return cls(id, request_digest(verb, arguments), at, actor, causation_id)

    def caused_by(self, cause: Caused) -> "Command":
        """The same command, for events that follow from `cause` in the same append."""
        return self.following(cause.event_id)

    def following(self, event_id: str) -> "Command":
        """As `caused_by`, where the cause is not recorded yet (`Aggregate.upcoming_id`)."""
        return evolve(self, causation_id=event_id)


def request_digest(verb: str, arguments: Mapping[str, Any]) -> str:
    """sha256 over the verb and its arguments in canonical JSON; what `command_digest` and refusals carry."""
    text = json.dumps(
        [verb, arguments], sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str
    )
    return sha256(text.encode())
