"""A read at the command line starts without what only a server or a tray needs (PORTS.md)."""

import subprocess
import sys
from pathlib import Path

from tests.support.agent import harbour_root

READS = (
    ["ingest"],
    ["north", "moor", "a", "vessel"],
    ["card"],
    ["search", "clearance"],
    ["context", "crate::berth::clearance"],
    ["impact", "crate::berth::clearance"],
    ["stats"],
    ["status"],
    ["log"],
    ["tray", "--list"],
    ["memory", "list"],
    ["blocks", "show"],
    ["transplant", "list"],
    ["owner", "status"],
    ["setup", "cursor", "--print"],
)


def test_reads_import_neither_the_protocol_nor_the_terminal_interface(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from m1nd.adapters.cli.program import run\n"
        f"for line in {READS!r}:\n"
        f"    assert run(['--root', {str(harbour_root(tmp_path))!r}, '--json', *line]) in (0, 1), line\n"
        "heavy = {'mcp', 'mcp_types', 'textual', 'uvicorn', 'starlette', 'anyio', 'jsonschema', 'tomlkit'}\n"
        "loaded = heavy & {name.partition('.')[0] for name in sys.modules}\n"
        "assert not loaded, loaded\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env={"PYTHONPATH": str(Path(__file__).resolve().parents[2] / "src"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
