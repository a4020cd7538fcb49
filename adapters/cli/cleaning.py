"""`m1nd clean` and `m1nd forget`: what m1nd keeps of a repository, thrown away in part or whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.adapters.cli.stamps import with_stamp
from m1nd.domain.refusal import refuse

if TYPE_CHECKING:
    from rich.console import Console


def register(group: click.Group) -> None:
    for command in (clean, forget):
        group.add_command(command)


@click.command("clean")
@click.option("--keep-undo", is_flag=True, help="Leave the bytes with which earlier writes can be undone.")
@click.option("--yes", is_flag=True, help="Confirm that earlier writes can no longer be undone.")
@verb("clean")
def clean(call: Call, keep_undo: bool, yes: bool) -> Answer:
    """Throw away caches, views, the shadow and the journal of ended writes; the log stays."""
    from m1nd.application.use_cases.cleaning import clean_all, clean_caches

    brain = call.brain()
    _require_no_owner(call)
    if not keep_undo and brain.remains.kept_writes():
        call.confirm(
            yes, "giving up the undo of earlier writes", "m1nd clean --yes, or: m1nd clean --keep-undo"
        )
    freed = (clean_caches if keep_undo else clean_all)(brain).freed

    def show(console: Console) -> None:
        from m1nd.adapters.cli.render import facts

        console.print(facts([(kind, f"{size:,} bytes") for kind, size in freed.items()]))

    return Answer({"freed": freed, "bytes": sum(freed.values())}, show)


@click.command("forget")
@verb("forget")
def forget(call: Call) -> Answer:
    """Throw away everything that m1nd keeps of this repository, with your stamp; its own files stay."""
    from m1nd.application.use_cases import cleaning
    from m1nd.infrastructure.settings import LOG_URL

    if call.environment.get(LOG_URL):
        refuse(
            "usage", f"the log lies on a server ({LOG_URL}); it goes where its schema is dropped, not here"
        )
    brain = call.brain()
    _require_no_owner(call)
    gone = with_stamp(call, lambda: cleaning.forget(brain))
    call.opened = None  # closed by the use case; opening it again would make what was just removed

    def show(console: Console) -> None:
        console.print(f"{gone.events:,} events are forgotten; m1nd keeps nothing of this repository")

    return Answer({"events": gone.events, "head": gone.head}, show)


def _require_no_owner(call: Call) -> None:
    """Raise Refused(busy) while a process serves this repository to agents."""
    from m1nd.adapters.mcp.asking import ask_owner

    if ask_owner(call.root(), call.environment, "status"):
        refuse("busy", "an owner serves this repository to agents", "m1nd owner stop")
