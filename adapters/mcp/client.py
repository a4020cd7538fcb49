"""Who is at the other end of one connection, and what that end may do. Labels only: a name is never an authority (D24)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from m1nd.domain.commands import Actor

CORE, ALL = "core", "all"
PROFILES = (CORE, ALL)


@frozen
class Client:
    """One connected agent. `caller_root` is the folder in which it works, absolute, or empty where nobody said so."""

    agent: str
    """Whose previews and marks these are (D28, D43); the same for as long as one host runs."""
    session: str = ""
    caller_root: str = ""
    read_only: bool = False
    profile: str = CORE
    """Which tools are listed; every tool can be called."""

    @property
    def actor(self) -> Actor:
        from m1nd.domain.commands import Actor

        return Actor(kind="agent", id=self.agent[:200], session=self.session[:200])
