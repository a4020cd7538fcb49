"""Commands that need no repository: version, completion, help on a topic."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from m1nd import __version__
from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.adapters.cli.topics import TOPICS, topic_text
from m1nd.domain.codes import CODES
from m1nd.domain.refusal import refuse

if TYPE_CHECKING:
    from rich.console import Console

SHELLS = ("bash", "zsh", "fish")


def version_answer() -> Answer:
    return Answer({"version": __version__}, _plain(f"m1nd {__version__}"))


def _plain(text: str) -> Callable[[Console], None]:
    def show(console: Console) -> None:
        console.print(text, soft_wrap=True)

    return show


def register(group: click.Group) -> None:
    group.add_command(completion)
    group.add_command(help_topic)


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
@verb("completion")
def completion(call: Call, shell: str) -> Answer:
    """Print the completion script for SHELL; the first comment line says where it goes."""
    from click.shell_completion import get_completion_class

    from m1nd.adapters.cli.program import COMPLETE, program

    kind = get_completion_class(shell)
    if kind is None:
        refuse("usage", f"no completion for {shell}")
    script = kind(program(), {}, "m1nd", COMPLETE).source()
    return Answer({"shell": shell, "script": script}, _plain(script))


@click.command("help")
@click.argument("topic", default="")
@verb("help")
def help_topic(call: Call, topic: str) -> Answer:
    """Explain a TOPIC: codes, exits, settings, output, symbols, edits, blocks, receipts; or one error code by its name."""
    from m1nd.adapters.cli.menu import front_page

    if not topic:
        return Answer({"topic": "", "text": front_page()}, _plain(front_page().rstrip("\n")))
    if topic not in TOPICS and topic not in CODES:
        refuse(
            "not_found",
            f"no topic `{topic}`; there are: {', '.join(TOPICS)}, and every error code",
            "m1nd help codes",
        )
    text = topic_text(topic)
    return Answer({"topic": topic, "text": text}, _plain(text.rstrip("\n")))
