"""The command line as a test uses it: one line in, exit status and envelope out; and the demo's crate to use it on."""

import json
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from tests.support.stamps import give

from m1nd.adapters.bootstrap import open_brain
from m1nd.adapters.cli.context import Call
from m1nd.adapters.cli.program import run
from m1nd.adapters.demo.crate_copy import unpack


@frozen
class Door:
    """Runs command lines on one repository, in this process."""

    root: Path
    capsys: pytest.CaptureFixture[str]
    environment: dict[str, str]

    def ask(self, *line: str) -> tuple[int, dict[str, Any]]:
        """`--json`: exit status and envelope. Nothing may be on stderr."""
        self.capsys.readouterr()
        status = run([f"--root={self.root}", "--json", *line], Call(environment=dict(self.environment)))
        streams = self.capsys.readouterr()
        assert streams.err == ""
        answer = json.loads(streams.out)
        assert isinstance(answer, dict)
        return status, answer

    def say(self, *line: str) -> tuple[int, str, str]:
        """For people: exit status, stdout, stderr."""
        self.capsys.readouterr()
        status = run([f"--root={self.root}", *line], Call(environment=dict(self.environment)))
        streams = self.capsys.readouterr()
        return status, streams.out, streams.err

    def stamp(self, challenge: str) -> None:
        """The human gives this stamp; what they see on a terminal is tested in tests/process."""
        brain = open_brain(str(self.root.resolve()), environment=self.environment)
        give(brain, challenge)
        brain.close()

    def tree(self) -> dict[str, bytes]:
        """Every file of the repository but m1nd's own state and build results."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and not {".m1nd", "target"} & set(path.relative_to(self.root).parts)
        }


def harbour(tmp_path: Path, capsys: pytest.CaptureFixture[str], environment: dict[str, str]) -> Door:
    """A door to a fresh copy of the demo's crate; caches stay below `tmp_path`."""
    root = tmp_path / "harbour"
    unpack(root)
    kept = {key: value for key, value in environment.items() if not key.startswith("M1ND_")}
    return Door(root, capsys, {**kept, "XDG_CACHE_HOME": str(tmp_path / "cache"), "NO_COLOR": "1"})
