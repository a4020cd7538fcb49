"""Printing an answer. Imports no renderer by itself, so that `--json` does not pay for one."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from m1nd.adapters.cli.envelope import success
from m1nd.adapters.cli.text import clean

if TYPE_CHECKING:
    from m1nd.adapters.cli.context import Answer, Call


def print_answer(call: Call, answer: Answer) -> int:
    """Print an answer on stdout and its warnings on stderr; its exit status."""
    call.clear_progress()
    if call.json:
        write_json(success(call, answer))
    else:
        print_warnings(call, answer.warnings)
        answer.show(call.out)
    sys.stdout.flush()
    return int(answer.exit)


def print_warnings(call: Call, warnings: tuple[str, ...]) -> None:
    if call.flags.quiet:
        return
    for warning in warnings:
        call.err.print(f"warning: {clean(warning)}", style="warn", soft_wrap=True)


def write_json(envelope: Mapping[str, Any]) -> None:
    """One JSON object on stdout: pretty on a terminal, one line in a pipe; ASCII, so that no terminal is misled by it."""
    sys.stdout.write(json.dumps(envelope, indent=2 if sys.stdout.isatty() else None) + "\n")
