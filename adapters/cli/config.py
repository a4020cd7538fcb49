"""`m1nd config`: the settings that are in force, and `config set` for those that the log keeps."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.adapters.cli.topics import SETTINGS, SETTINGS_OF_LOG
from m1nd.infrastructure.roots import state_dir

if TYPE_CHECKING:
    from rich.console import Console


def register(group: click.Group) -> None:
    group.add_command(config)


@click.group("config", invoke_without_command=True)
@click.pass_context
def config(context: click.Context) -> int:
    """Show the repository, where its state lives, and every setting that m1nd reads."""
    return _shown_config() if context.invoked_subcommand is None else 0


@verb("config")
def _shown_config(call: Call) -> Answer:
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
        ]
        + [
            {"name": key, "value": call.brain().app.setting(key), "source": "log", "meaning": meaning}
            for key, meaning in SETTINGS_OF_LOG.items()
        ],
    }
    return Answer(data, lambda console: _show(console, data))


config.callback.wire_name = "config"  # type: ignore[union-attr]
config.callback.answers = _shown_config.answers  # type: ignore[union-attr, attr-defined]


@config.command("set")
@click.argument("key")
@click.argument("value")
@verb("config_set")
def config_set(call: Call, key: str, value: str) -> Answer:
    """Set something for this repository: `verify.agents none` keeps agents from starting the compiler here."""
    from attrs import asdict

    from m1nd.application.use_cases.settings import config_set as use_case

    data = asdict(use_case(call.brain(), key, value))
    told = "is" if data["changed"] else "was already"
    return Answer(data, lambda console: console.print(f"{key} {told} {value}"))


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
