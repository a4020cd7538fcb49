"""Cargo as the demo's judge: runs one of its commands in the crate, offline, and says how it ended."""

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

TESTS = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed", re.MULTILINE)
LIMIT_SECONDS = 300


@frozen
class Verdict:
    ok: bool
    says: str
    """One line for the reader, or cargo's own words where it failed."""


def present(environment: Mapping[str, str]) -> bool:
    """Whether cargo can really be started (a shim without a toolchain cannot)."""
    if shutil.which("cargo", path=environment.get("PATH")) is None:
        return False
    try:
        done = subprocess.run(
            ["cargo", "--version"], check=False, capture_output=True, env=dict(environment), timeout=30
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def check(root: Path, environment: Mapping[str, str]) -> Verdict:
    done = _cargo(root, environment, "check", "--all-targets")
    if done.returncode:
        return Verdict(False, done.stderr)
    warned = done.stderr.count("\nwarning: ") + done.stderr.startswith("warning: ")
    return Verdict(warned == 0, "no error, no warning" if warned == 0 else done.stderr)


def test(root: Path, environment: Mapping[str, str]) -> Verdict:
    done = _cargo(root, environment, "test")
    if done.returncode:
        return Verdict(False, done.stdout + done.stderr)
    passed = sum(int(match[1]) for match in TESTS.finditer(done.stdout))
    return Verdict(passed > 0, f"{passed} tests pass")


def _cargo(root: Path, environment: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    own = {"CARGO_TARGET_DIR": str(root / "target"), "CARGO_TERM_COLOR": "never", "CARGO_NET_OFFLINE": "true"}
    kept = {
        key: value for key, value in environment.items() if key not in ("RUSTFLAGS", "CARGO_BUILD_TARGET")
    }
    return subprocess.run(
        ["cargo", *arguments, "--offline"],
        check=False,
        cwd=root,
        capture_output=True,
        text=True,
        env={**kept, **own},
        stdin=subprocess.DEVNULL,
        timeout=LIMIT_SECONDS,
    )
