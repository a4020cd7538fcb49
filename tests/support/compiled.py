"""Cargo's word on a move: the workspace builds before and after, every target of it, and nobody is warned of more."""

import json
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.before_after import DEST, NOTHING, SOURCE, SYMBOL, files_of, with_root
from tests.support.moves import encoded

HAS_CARGO = shutil.which("cargo") is not None


class Compiled:
    """Checks the texts of a rule (`Check`): what a test says must come of a move is given to `cargo check`."""

    def __init__(self, root: Path, target: Path) -> None:
        """`root`: an empty folder; `target`: Cargo's output, shared between tests."""
        self.root = root
        self.target = target

    def __call__(
        self,
        before: str,
        after: str,
        symbol: str = SYMBOL,
        source: str = SOURCE,
        dest: str = DEST,
        edition: int = 2021,
        receipt: Mapping[str, Any] = NOTHING,
        publish: bool = False,
    ) -> None:
        del symbol, source, dest, receipt, publish
        files = with_root(files_of(before))
        warned = self.diagnostics(encoded(files, edition))
        more = self.diagnostics(encoded({**files, **files_of(after)}, edition)) - warned
        assert not more

    def refused(
        self,
        before: str,
        code: str,
        *words: str,
        symbol: str = SYMBOL,
        source: str = SOURCE,
        dest: str = DEST,
        builds: bool = True,
        publish: bool = False,
    ) -> None:
        del code, words, symbol, source, dest, publish
        if builds:
            self.diagnostics(encoded(with_root(files_of(before))))

    def diagnostics(self, files: Mapping[str, bytes]) -> Counter[tuple[str, str]]:
        """The warnings of a workspace as `(lint, message)`; fails where it does not build."""
        return check_tree(self.root, self.target, files)


def check_tree(root: Path, target: Path, files: Mapping[str, bytes]) -> Counter[tuple[str, str]]:
    """Write the files, run `cargo check --all-targets`; the warnings as `(lint, message)`. Fails on an error."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text)
    done = subprocess.run(
        ["cargo", "check", "--workspace", "--all-targets", "--offline", "--quiet", "--message-format=json"],
        cwd=root,
        env={**os.environ, "CARGO_TARGET_DIR": str(target), "CARGO_INCREMENTAL": "0"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    messages = [json.loads(line).get("message") for line in done.stdout.splitlines() if line.startswith("{")]
    found = [m for m in messages if m]
    errors = [m["rendered"] for m in found if m["level"] == "error"]
    assert done.returncode == 0, "\n".join(errors) or done.stderr
    return Counter((m["code"]["code"] if m["code"] else "", m["message"]) for m in found)


def unused_imports(warnings: Mapping[tuple[str, str], int]) -> int:
    """How many names imports bring for nobody, over all targets."""
    return sum(n * text.count("`") // 2 for (lint, text), n in warnings.items() if lint == "unused_imports")
