"""Signals end a command with its own status and a word about it, and run the clean-ups on the way (PORTS.md)."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

SLEEPER = """
import sys, time, types
import click
from m1nd.adapters.cli import menu, program
from m1nd.adapters.cli.context import Answer, verb

def register(group):
    @group.command("sleep")
    @click.argument("mark")
    @verb("sleep")
    def sleep(call, mark):
        try:
            open(mark + ".begun", "w").close()
            time.sleep(60)
        finally:
            open(mark + ".cleaned", "w").close()
        return Answer({}, lambda console: None)

module = types.ModuleType("sleeper")
module.register = register
sys.modules["sleeper"] = module
menu.COMMANDS["sleep"] = menu.Entry("sleeper", "Probe", "for tests")
raise SystemExit(program.main(sys.argv[1:]))
"""


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_a_signal_ends_a_command_cleanly(
    number: signal.Signals, status: int, flags: list[str], tmp_path: Path
) -> None:
    mark = tmp_path / "mark"
    with subprocess.Popen(
        [sys.executable, "-c", SLEEPER, "sleep", str(mark), *flags],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    ) as process:
        deadline = 200
        while not mark.with_suffix(".begun").exists():
            deadline -= 1
            assert deadline, "the command never began"
            try:
                process.wait(0.05)
            except subprocess.TimeoutExpired:
                continue
            pytest.fail(process.communicate()[1])
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
    assert process.returncode == status
    assert mark.with_suffix(".cleaned").exists()
    if flags:
        answer = json.loads(out)
        assert (answer["ok"], answer["error"]["code"], answer["error"]["retryable"]) == (
            False,
            "interrupted",
            True,
        )
    else:
        assert out == ""
        assert err.startswith("stopped: ")
