"""What every verb that appends or writes does around its work: its command, the record of a refusal, the refresh after.

It holds no rule of any verb.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from m1nd.application.brain import Brain
from m1nd.domain.commands import Command, request_digest
from m1nd.domain.refusal import Refused

T = TypeVar("T")


def new_command(brain: Brain, verb: str, arguments: Mapping[str, Any]) -> Command:
    """A command of its own id, at the clock's time, by the brain's actor."""
    id = f"cmd_{brain.ids.hex(16)}"
    return Command.of(verb, arguments, id=id, at=brain.clock.now(), actor=brain.actor)


def answered(brain: Brain, verb: str, arguments: Mapping[str, Any], work: Callable[[], T]) -> T:
    """Do the work; a refusal is recorded as a fact of its own, without its content, and goes on (D34)."""
    try:
        return work()
    except Refused as refused:
        if not brain.read_only:
            brain.app.record_refusal(
                refused.refusal,
                verb=verb,
                request_digest=request_digest(verb, arguments),
                command=new_command(brain, verb, arguments),
            )
        raise


def end_due_previews(brain: Brain) -> None:
    """Record the end of previews whose time is over (D28), and drop the planned bytes that edits had kept."""
    now = brain.clock.now()
    due = brain.views.due_previews(now)
    if due:
        brain.app.expire(due, now, new_command(brain, "previews_expire", {"preview_ids": list(due)}))
        brain.plans.drop(id for id in due if id.startswith("edp_"))


def refresh_after_write(brain: Brain) -> tuple[str, ...]:
    """Bring the graph's cache up to date; a failure here is a warning, the cache is derived (D45, seed 002 §7.6)."""
    try:
        brain.graph.refresh()
    except (Refused, OSError) as error:
        why = error.refusal.message if isinstance(error, Refused) else error.strerror or type(error).__name__
        return (f"the graph could not be refreshed after the write: {why}",)
    return ()
