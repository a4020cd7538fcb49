"""What this machine offers: tools, versions, the state folder. Starts `TOOL --version` and nothing else; writes nothing."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import stat
import subprocess
from collections.abc import Mapping

from m1nd.application.machine import StateFolder

LIMIT_SECONDS = 20


class SystemMachine:
    """`m1nd.application.machine.Machine` over the real system."""

    def __init__(self, root: str, state_dir: str, environment: Mapping[str, str]) -> None:
        self._root = root
        self._state_dir = state_dir
        self._environment = dict(environment)

    def python(self) -> tuple[int, int, int]:
        major, minor, micro = (int(part.rstrip("+")) for part in platform.python_version_tuple())
        return major, minor, micro

    def sqlite(self) -> tuple[int, int, int]:
        return sqlite3.sqlite_version_info

    def has(self, tool: str) -> bool:
        return shutil.which(tool, path=self._environment.get("PATH")) is not None

    def version(self, tool: str) -> str | None:
        """The first line of `TOOL --version`; None where it is missing or cannot run (a shim without a toolchain)."""
        if not self.has(tool):
            return None
        try:
            done = subprocess.run(
                [tool, "--version"],
                check=False,
                capture_output=True,
                text=True,
                errors="replace",
                cwd=self._root,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                timeout=LIMIT_SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.strip().partition("\n")[0] if done.returncode == 0 else None

    def in_git(self) -> bool:
        return os.path.exists(os.path.join(self._root, ".git"))

    def has_manifest(self) -> bool:
        return os.path.isfile(os.path.join(self._root, "Cargo.toml"))

    def state_folder(self) -> StateFolder:
        path = self._state_dir
        exists = os.path.isdir(path)
        nearest = path
        while not os.path.isdir(nearest) and os.path.dirname(nearest) != nearest:
            nearest = os.path.dirname(nearest)
        return StateFolder(
            inside_root=os.path.commonpath([self._root, path]) == self._root,
            exists=exists,
            private=not exists or stat.S_IMODE(os.stat(path).st_mode) & 0o077 == 0,
            writable=os.access(nearest, os.W_OK | os.X_OK),
            free_bytes=shutil.disk_usage(nearest).free,
        )
