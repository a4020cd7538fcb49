"""`m1nd why-state BLOCK`: the chain of causes behind a block's colour, as a story and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.adapters.cli.times import time_in_utc

if TYPE_CHECKING:
    from rich.console import Console

    from m1nd.application.use_cases.why_state import Told, TypeStory, WhyState


def register(group: click.Group) -> None:
    group.add_command(why_state)


@click.command("why-state")
@click.argument("block_id", metavar="BLOCK")
@click.option("--as-of", default="", metavar="TIME", help="As it was at that time (UTC).")
@verb("why_state")
def why_state(call: Call, block_id: str, as_of: str) -> Answer:
    """Why a block stands as it does: its evidence, and what each piece of it came to by whom."""
    from m1nd.application.use_cases.why_state import why_state as tell

    found = tell(call.brain(), block_id, time_in_utc(as_of))
    return Answer(_data(found), lambda console: _show(console, found))


def _data(found: WhyState) -> dict[str, Any]:
    rolled = found.roll_up
    return {
        "block_id": found.block.block_id,
        "name": found.block.name,
        "as_of": found.as_of.isoformat(),
        "position": found.position,
        "lifecycle": found.block.lifecycle.value,
        "boundary_version": found.block.boundary_version,
        "contract_version": found.block.contract_version,
        "standing": rolled.standing.value,
        "have": rolled.have,
        "need": rolled.need,
        "reasons": list(rolled.reasons),
        "types": [_type(story) for story in found.types],
        "story": [_told(told) for told in found.story],
    }


def _type(story: TypeStory) -> dict[str, Any]:
    return {
        "type": story.type,
        "required": story.required,
        "receipt_id": story.receipt_id,
        "outcome": story.outcome,
        "counts": story.counts,
        "reason": story.reason,
        "chain": [_told(told) for told in story.chain],
    }


def _told(told: Told) -> dict[str, Any]:
    return {
        "position": told.position,
        "event_id": told.event_id,
        "at": told.at.isoformat(),
        "topic": told.topic,
        "actor": told.actor,
        "says": told.says,
        "cause": told.cause,
    }


def _show(console: Console, found: WhyState) -> None:
    from m1nd.adapters.cli.render import one_line, table

    rolled, block = found.roll_up, found.block
    count = f", receipts {rolled.have}/{rolled.need}" if rolled.need else ""
    console.print(
        f"{one_line(block.name)} ({block.block_id}), {block.lifecycle.value}: "
        f"{rolled.standing.value.replace('_', '-')}{count}, as of {found.as_of:%Y-%m-%d %H:%M:%S} UTC "
        f"(event {found.position:,})",
        style="name",
        soft_wrap=True,
    )
    for reason in rolled.reasons:
        console.print(f"  {one_line(reason)}", style="bad", soft_wrap=True)
    for story in found.types:
        _show_type(console, story)
    console.print("\nwhat happened", style="key")
    shown = table("#", "at (UTC)", "what", "by", right=(0,))
    for told in found.story:
        shown.add_row(
            str(told.position), f"{told.at:%m-%d %H:%M:%S}", one_line(told.says), one_line(told.actor)
        )
    console.print(shown)


def _show_type(console: Console, story: TypeStory) -> None:
    from m1nd.adapters.cli.render import one_line

    asked = "required" if story.required else "not required"
    if story.counts:
        word = f"counts ({story.outcome})"
    elif story.receipt_id:
        word = f"does not count: {story.reason}"
    else:
        word = story.reason
    console.print(f"\n  {story.type}, {asked}: {word}", soft_wrap=True)
    for index, told in enumerate(story.chain):
        lead = "because " if index else ""
        by = f"event {told.position}, {told.at:%Y-%m-%d %H:%M:%S}, {told.actor}"
        console.print(f"    {lead}{one_line(told.says)} ({one_line(by)})", soft_wrap=True)
