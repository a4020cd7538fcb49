"""`m1nd config`: the settings that are in force. Shows values, sets none: every setting is an environment variable today."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.adapters.cli.topics import SETTINGS
from m1nd.infrastructure.roots import state_dir

if TYPE_CHECKING:
    from rich.console import Console


def register(group: click.Group) -> None:
    group.add_command(config)


@click.command("config")
@verb("config")
def config(call: Call) -> Answer:
    """Show the repository, where its state lives, and every setting that m1nd reads."""
    root = call.root()
    data = {
        "root": root,
        "state": _spelled(root, state_dir(root, call.environment)),
        "settings": [
            {
                "name": name,
                "value": _shown(name, call.environment.get(name, "")),
                "source": "environment" if call.environment.get(name) else "not set",
                "meaning": meaning,
            }
            for name, meaning in SETTINGS.items()
        ],
    }
    return Answer(data, lambda console: _show(console, data))


def _shown(name: str, value: str) -> str:
    """A value that may be seen by whoever reads the answer: a token never, a password in a URL neither."""
    from m1nd.domain.receipts.redaction import MARK, redact

    return MARK.format("m1nd_token") if value and name == "M1ND_TOKEN" else redact(value)


def _spelled(root: str, folder: str) -> str:
    """The state folder without a foreign absolute path in it: relative to the root, or below $M1ND_HOME."""
    if os.path.commonpath([root, folder]) == root:
        return os.path.relpath(folder, root)
    return os.path.join("$M1ND_HOME", os.path.basename(folder))


def _show(console: Console, data: dict[str, Any]) -> None:
    from m1nd.adapters.cli.render import facts, table

    console.print(facts([("root", data["root"]), ("state", data["state"])]))
    console.print()
    rows = table("setting", "value", "meaning")
    for setting in data["settings"]:
        rows.add_row(setting["name"], setting["value"] or "-", setting["meaning"])
    console.print(rows)
