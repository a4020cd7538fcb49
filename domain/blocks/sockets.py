"""Sockets: what a block takes from others, gives to others, and touches outside (seed 001 §9, BLOCKS.md).

An external socket names a class or an alias (`package_registry`), never a host, a value of the environment or a credential.
"""

import re
from typing import Any

from pydantic import ConfigDict, Field

from m1nd.domain.refusal import refuse
from m1nd.domain.values import Value

ALIAS = re.compile(r"[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*")
LONGEST_ALIAS = 48
SECRET = re.compile(r"(?i)^(?:sk|pk|ghp|gho|xox[abp]|akia|eyj|glpat|pat)[_-]?[a-z0-9_-]{12,}$|[0-9a-f]{24,}")


def check_alias(text: str, what: str, block_id: str) -> None:
    """Raises Refused(socket_leak) for a text that is no class and no alias; the text itself is not repeated."""
    if not ALIAS.fullmatch(text) or len(text) > LONGEST_ALIAS or SECRET.search(text):
        refuse(
            "socket_leak",
            f"{what} of {block_id} is not a plain lower-case name",
            block_id=block_id,
            field=what,
        )


class Socket(Value):
    """Wire `{to?, type?, alias?, class?}`; `to` is a block's id."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    to: str = Field(default="", max_length=200)
    type: str = Field(default="", max_length=200)
    alias: str = Field(default="", max_length=200)
    klass: str = Field(default="", alias="class", max_length=200)

    def wire(self) -> dict[str, Any]:
        return self.model_dump(by_alias=True, exclude_defaults=True)


class Sockets(Value):
    inputs: tuple[Socket, ...] = ()
    outputs: tuple[Socket, ...] = ()
    external: tuple[Socket, ...] = ()

    def wire(self) -> dict[str, Any]:
        lists = {"inputs": self.inputs, "outputs": self.outputs, "external": self.external}
        return {name: [socket.wire() for socket in sockets] for name, sockets in lists.items()}

    @property
    def targets(self) -> tuple[str, ...]:
        """Ids of the blocks that the inputs and outputs lead to, sorted."""
        return tuple(sorted({s.to for s in (*self.inputs, *self.outputs) if s.to}))

    def check(self, block_id: str) -> None:
        """Raises Refused(socket_leak) for an external socket that is no class or alias."""
        for socket in self.external:
            if not (socket.alias or socket.klass) or socket.to:
                refuse(
                    "socket_leak",
                    f"an external socket of {block_id} names neither a class nor an alias",
                    block_id=block_id,
                )
            for name, value in socket.wire().items():
                check_alias(value, f"the {name} of an external socket", block_id)
