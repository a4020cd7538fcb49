"""What cargo said of the trees that were checked lately, so that a tree is not checked twice.

Derived: a damaged or missing file is an empty memory.
"""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from m1nd.infrastructure.verify.cargo import Outcome

REMEMBERED = 4
"""How many outcomes stay: today's tree, the plan that becomes it, and a little history for undo."""


class Memory:
    """Outcomes by digest of the tree and the workspaces that were checked, for one environment; and which package belongs
    to which workspace, for one state of the manifests."""

    def __init__(self, path: Path, environment: str) -> None:
        self._path = path
        self._environment = environment
        self._rows: list[dict[str, Any]] = []
        self._manifests = ""
        self._workspaces: dict[str, str] = {}
        try:
            state = json.loads(path.read_bytes())
            if state["environment"] == environment:
                for row in state["rows"]:
                    Outcome.from_json(row["outcome"])
                self._rows = list(state["rows"])
                self._manifests = str(state["manifests"])
                self._workspaces = dict(state["workspaces"])
        except (OSError, ValueError, KeyError, TypeError):
            self._rows = []

    def find(self, digest: str, workspaces: Sequence[str]) -> Outcome | None:
        """The outcome of exactly these workspaces in that tree, if it is remembered."""
        for row in self._rows:
            if row["digest"] == digest and row["workspaces"] == list(workspaces):
                return Outcome.from_json(row["outcome"])
        return None

    def units(self) -> int:
        """How many units the last check had: what a new one may expect."""
        return int(self._rows[0]["outcome"]["units"]) if self._rows else 0

    def keep(self, digest: str, workspaces: Sequence[str], outcome: Outcome) -> None:
        """Remember an outcome that cargo's messages explain; the newest first. Raises OSError."""
        if outcome.reason:
            return
        row = {"digest": digest, "workspaces": list(workspaces), "outcome": outcome.to_json()}
        others = [r for r in self._rows if (r["digest"], r["workspaces"]) != (digest, row["workspaces"])]
        self._rows = [row, *others][:REMEMBERED]
        self._save()

    def workspaces(self, manifests: str) -> dict[str, str]:
        """The workspace of each package that was asked for while the manifests had this digest."""
        return dict(self._workspaces) if self._manifests == manifests else {}

    def keep_workspaces(self, manifests: str, workspaces: Mapping[str, str]) -> None:
        """Raises OSError."""
        self._manifests, self._workspaces = manifests, dict(workspaces)
        self._save()

    def _save(self) -> None:
        state = {
            "environment": self._environment,
            "rows": self._rows,
            "manifests": self._manifests,
            "workspaces": self._workspaces,
        }
        temporary = self._path.with_suffix(".tmp")
        temporary.write_text(json.dumps(state))
        os.replace(temporary, self._path)
