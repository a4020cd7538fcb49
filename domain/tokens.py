"""The Token aggregate: a right that the owner gives to a machine, once and for one purpose (D25).

Only the hash of its secret is kept. The secret has 160 random bits, so a plain sha256 of it is enough.
"""

import hmac
import re
from enum import StrEnum
from typing import ClassVar, Self

from attrs import frozen

from m1nd.domain.base import Aggregate, Command, CreatedEvent, Event, event
from m1nd.domain.digests import sha256
from m1nd.domain.refusal import refuse

_FORM = re.compile(r"m1nd_([a-z]+)_([0-9a-f]{8})_([0-9a-f]{40})")


class Purpose(StrEnum):
    CI = "ci"
    """Import `test` receipts."""


@frozen
class Presented:
    """A token as somebody presents it."""

    purpose: str
    id: str
    secret: str

    @classmethod
    def read(cls, text: str) -> Self | None:
        """None for a text of another form."""
        match = _FORM.fullmatch(text.strip())
        return None if match is None else cls(match[1], match[2], match[3])

    @property
    def text(self) -> str:
        return f"m1nd_{self.purpose}_{self.id}_{self.secret}"

    @property
    def digest(self) -> str:
        return secret_digest(self.secret)


def secret_digest(secret: str) -> str:
    return sha256(secret.encode())


def stream_name(id: str) -> str:
    return f"token:{id}"


@frozen
class TokenState:
    id: str
    purpose: Purpose
    label: str
    secret_digest: str
    revoked: bool

    def admits(self, presented: Presented, purpose: Purpose) -> bool:
        """Whether this is the presented token, good for that purpose, and not revoked."""
        return (
            not self.revoked
            and self.purpose is purpose
            and presented.purpose == purpose
            and hmac.compare_digest(self.secret_digest, presented.digest)
        )


class Token(Aggregate):
    TOPIC = "token"

    class TokenCreated(CreatedEvent):
        """The owner gave a machine a right; the secret itself was shown once and is nowhere."""

        TOPIC: ClassVar[str] = "token_created"
        token_id: str
        purpose: Purpose
        label: str
        secret_digest: str

    class TokenRevoked(Event):
        TOPIC: ClassVar[str] = "token_revoked"
        token_id: str

    @event(TokenCreated)
    def __init__(self, token_id: str, purpose: Purpose, label: str, secret_digest: str) -> None:
        self.state = TokenState(token_id, Purpose(purpose), label, secret_digest, revoked=False)

    @classmethod
    def create(cls, presented: Presented, label: str, command: Command) -> Self:
        return cls._begin(
            cls.TokenCreated,
            command,
            stream_name(presented.id),
            token_id=presented.id,
            purpose=Purpose(presented.purpose),
            label=label,
            secret_digest=presented.digest,
        )

    def revoke(self, command: Command) -> None:
        """Raises Refused(not_found) for a token that was revoked already."""
        if self.state.revoked:
            refuse("not_found", f"the token {self.state.id} was revoked already", "m1nd token list")
        self._record(Token.TokenRevoked, command, token_id=self.state.id)

    @event(TokenRevoked)
    def _revoked(self) -> None:
        state = self.state
        self.state = TokenState(state.id, state.purpose, state.label, state.secret_digest, revoked=True)
