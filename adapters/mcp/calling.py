"""One tool call, from checked arguments to the envelope: the gates that every verb passes, and every error as an answer.

Runs in a lane's thread (`lanes.py`), never in the event loop.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, evolve

from m1nd.adapters.answering import answering
from m1nd.adapters.caller_root import check_caller_root
from m1nd.adapters.cli.context import Call, Flags
from m1nd.adapters.cli.envelope import failure, success
from m1nd.adapters.cli.errors import refusal_of
from m1nd.adapters.mcp.client import Client
from m1nd.adapters.mcp.next_call import next_call
from m1nd.adapters.mcp.tools import SINCE, checked
from m1nd.adapters.verb_shape import Verb
from m1nd.application.brain import Brain
from m1nd.application.ports import Progress
from m1nd.domain.refusal import Refusal, Refused, refuse
from m1nd.infrastructure.roots import candidates


class Stopped(BaseException):
    """The caller cancelled; raised by the progress of the work, which is never called between a rename and its append."""


NOWHERE = "this m1nd serves no repository: none encloses the folder that it was started in"
HOME = "m1nd --root . …"
"""The command line for a caller of another repository: it works there, and where this server was started tells it nothing."""
START = "start it as `m1nd mcp --root DIR`, or in a repository"


def no_progress(stage: str, done: int, total: int) -> None:
    """Tells nobody."""


@define
class ToolCall(Call):
    """A `Call` that an agent made: it prints nothing, and its progress goes to the client."""

    report: Progress = no_progress
    candidates: tuple[str, ...] = ()
    """Repositories below the folder of a server that serves none."""

    def root(self) -> str:
        if self.opened is None:
            refuse("no_project", NOWHERE, START, candidates=list(self.candidates))
        return self.opened.root

    def progress(self, title: str = "") -> Progress:
        return self.report

    def confirm(self, yes: bool, what: str, again: str) -> None:
        if not yes:
            refuse(
                "confirm_required", f"{what} needs confirm to be true", f"call {self.verb} with confirm: true"
            )


def nowhere(verb: Verb, folder: str) -> dict[str, Any]:
    """What every call gets from a server that has no repository: the protocol works, the project does not (U4)."""
    below = tuple(candidates(folder)) if folder else ()
    call = ToolCall(verb=verb.name, silent=True, candidates=below)
    return failure(call, Refusal("no_project", NOWHERE, START, {"candidates": list(below)}))


ORIENTING = frozenset({"north"})
"""Verbs that never ingest themselves; whoever holds the graph does it for them, as an act of its own (D14, D41)."""


def _freshen(brain: Brain, report: Progress) -> None:
    """Bring the graph up to date, once there has been a first ingest."""
    if brain.log.generation():
        from m1nd.application.use_cases.refreshing import bring_up_to_date
        from m1nd.domain.commands import Actor

        make = evolve(brain.make, actor=lambda: Actor(kind="system", id="owner"))
        bring_up_to_date(evolve(brain, make=make), report)


def _check_caller(verb: Verb, brain: Brain, client: Client) -> None:
    """Raise Refused(root_mismatch) with the card that says so (PORTS.md: "with the S3 lines")."""
    try:
        check_caller_root(verb.name, brain.root, client.caller_root, HOME)
    except Refused as refused:
        from m1nd.application.use_cases.north import NorthRequest, card

        asked = NorthRequest("", occasion="write", caller_root=client.caller_root)
        shown = card(evolve(brain, read_only=True), asked).data["human_view"]
        details = {
            **refused.refusal.details,
            "human_view": {"state": shown["state"], "lines": shown["lines"]},
        }
        raise Refused(evolve(refused.refusal, details=details)) from refused


def brain_for(brain: Brain, client: Client) -> Brain:
    """The same repository, log and graph, on behalf of one client."""
    make = evolve(brain.make, actor=lambda: client.actor)
    return evolve(brain, make=make, read_only=brain.read_only or client.read_only)


def answer(
    brain: Brain,
    client: Client,
    verb: Verb,
    arguments: Mapping[str, Any],
    environment: Mapping[str, str],
    report: Progress = no_progress,
) -> dict[str, Any]:
    """The envelope of one call; raises nothing but Stopped. `environment` is that of the server."""
    mine = brain_for(brain, client)
    call = ToolCall(
        flags=Flags(root=brain.root, caller_root=client.caller_root, read_only=mine.read_only),
        environment=environment,
        verb=verb.name,
        opened=mine,
        silent=True,
        report=report,
    )
    try:
        given = checked(verb, arguments)
        call.deny_if_read_only()
        _check_caller(verb, mine, client)
        if verb.name in ORIENTING and not mine.read_only:
            _freshen(brain, report)
        since = given.pop(SINCE, None) if SINCE not in verb.argument_schema["properties"] else None
        envelope = success(call, answering(verb)(call, given))
        if since is not None:
            from m1nd.application.use_cases.changes import changes_since

            envelope["changes"] = changes_since(mine, since)
        return envelope
    except Exception as error:  # noqa: BLE001 (outermost port)
        return _with_next_call(failure(call, refusal_of(error)))


def _with_next_call(envelope: dict[str, Any]) -> dict[str, Any]:
    """The envelope; where its hint is a command line that is also a tool call, the details hold that call."""
    call = next_call(envelope["error"]["hint"])
    if call is not None:
        envelope["error"]["details"] = {**envelope["error"]["details"], "next_call": call}
    return envelope
