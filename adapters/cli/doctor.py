"""`m1nd doctor`: shows the checks of the use case."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.domain.codes import Exit

if TYPE_CHECKING:
    from rich.console import Console

    from m1nd.application.use_cases.doctor import Check

STYLES = {"ok": "good", "warn": "warn", "fail": "bad"}


def register(group: click.Group) -> None:
    group.add_command(doctor)


@click.command("doctor")
@verb("doctor")
def doctor(call: Call) -> Answer:
    """Check tools, folders and the log; say what works, what does not, and what to do about it."""
    from m1nd.adapters.host_checks import host_checks
    from m1nd.application.use_cases.doctor import State
    from m1nd.application.use_cases.doctor import doctor as examine

    brain = call.brain()
    checks = (*examine(brain), *host_checks(brain.root, call.environment))
    ok = all(check.state is not State.FAIL for check in checks)
    data = {
        "ok": ok,
        "checks": [{"name": c.name, "state": c.state.value, "says": c.says, "hint": c.hint} for c in checks],
    }
    return Answer(data, lambda console: _show(console, checks), Exit.DONE if ok else Exit.NO)


def _show(console: Console, checks: tuple[Check, ...]) -> None:
    from rich.text import Text

    from m1nd.adapters.cli.render import CleanTable

    table = CleanTable(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(style="key", no_wrap=True)
    table.add_column(overflow="fold")
    for check in checks:
        says = Text(check.says)
        if check.hint:
            says.append(f"\n{check.hint}", "quiet")
        table.add_row(Text(check.state.value, STYLES[check.state.value]), check.name, says)
    console.print(table)
