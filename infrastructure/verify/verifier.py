"""The reverse gate: today's tree and the planned tree, both through `cargo check` in the shadow, compared (D29, D32).

It writes only under its own home folder, which lies outside the repository and outside every Cargo workspace.
"""

import json
import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from m1nd.application.ports import Progress, Verification
from m1nd.domain.digests import sha256
from m1nd.domain.edits import FilePlan
from m1nd.infrastructure.child_process import cut_environment
from m1nd.infrastructure.folder_lock import locked
from m1nd.infrastructure.verify.cargo import Cargo, Outcome, nearest_packages
from m1nd.infrastructure.verify.diagnostics import Diagnostic, added
from m1nd.infrastructure.verify.homes import remove_orphans
from m1nd.infrastructure.verify.memory import Memory
from m1nd.infrastructure.verify.shadow import Shadow, ShadowBroken
from m1nd.infrastructure.verify.surroundings import mirror, shadow_folder

SHOWN = 100


class CargoVerifier:
    """`m1nd.application.ports.Verifier` for the repository at `root`.

    `home` is this repository's own folder for the shadow, its target folder and its memory; it is made when first
    needed. `environment` is the caller's, and is cut to a list before cargo sees it.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        home: str | os.PathLike[str],
        environment: Mapping[str, str],
        *,
        limit: float = 600.0,
        lock_timeout: float = 600.0,
    ) -> None:
        self._root = Path(os.path.realpath(root))
        self._home = Path(os.path.abspath(home))
        self._path = environment.get("PATH", os.defpath)
        self._target = self._home / "target"
        self._environment = cut_environment(
            environment,
            CARGO_TERM_COLOR="never",
            CARGO_TERM_PROGRESS_WHEN="never",
        )
        self._limit = limit
        self._lock_timeout = lock_timeout

    def available(self) -> bool:
        """Whether there is a cargo to run on the caller's PATH."""
        return shutil.which("cargo", path=self._path) is not None

    def check(self, plans: Sequence[FilePlan], progress: Progress | None = None) -> Verification:
        """See `Verifier.check`. Whatever keeps the compiler from judging ends as `verified: false` with the reason.

        Raises Refused(busy) when another process verifies the same repository for too long.
        """
        started = time.monotonic()
        try:
            before, after = self._outcomes(plans, progress or _silent)
        except (ShadowBroken, OSError) as error:
            reason = str(error) if isinstance(error, ShadowBroken) else f"no shadow: {error.strerror}"
            return Verification("check", False, 0, 0, 0, _since(started), reason)
        planned = {plan.path for plan in plans}
        new = added(before.errors, after.errors, planned)
        reason = after.reason or before.reason
        if new:
            reason = reason or f"{len(new)} new error(s)"
        return Verification(
            mode="check",
            verified=not reason,
            errors_before=len(before.errors),
            errors_after=len(after.errors),
            warnings_added=len(added(before.warnings, after.warnings, planned)),
            ms=_since(started),
            reason=reason,
            new_errors=tuple(_shown(diagnostic) for diagnostic in new[:SHOWN]),
        )

    def _outcomes(self, plans: Sequence[FilePlan], progress: Progress) -> tuple[Outcome, Outcome]:
        """What the compiler says of today's tree and of the planned one. Raises OSError, ShadowBroken, Refused(busy)."""
        program = shutil.which("cargo", path=self._path)
        if program is None:
            raise ShadowBroken("there is no cargo on the PATH")
        self._check_home()
        if not self._home.is_dir():
            remove_orphans(str(self._home.parent))
            self._home.mkdir(mode=0o700, parents=True, exist_ok=True)
        with locked(self._home / "lock", self._lock_timeout, "the shadow of this repository"):
            (self._home / "root").write_text(str(self._root))
            folder = shadow_folder(self._home, self._root)
            shadow = Shadow(self._root, folder, self._home / "index.json", (self._home,))
            progress("shadow", 0, 1)
            shadow.refresh(time.time_ns())
            manifests = [folder / path for path in shadow.paths() if path.rsplit("/", 1)[-1] == "Cargo.toml"]
            mirror(self._home, self._root, manifests)
            cargo = Cargo(program, folder, self._target, self._environment, self._limit, self._real_name)
            return self._compare(shadow, cargo, plans, progress)

    def _compare(
        self, shadow: Shadow, cargo: Cargo, plans: Sequence[FilePlan], progress: Progress
    ) -> tuple[Outcome, Outcome]:
        memory = Memory(
            self._home / "outcomes.json", sha256(json.dumps(sorted(self._environment.items())).encode())
        )
        workspaces = self._workspaces(shadow, cargo, memory, plans)
        today = shadow.digest()
        before = memory.find(today, workspaces)
        remembered = before is not None
        if before is None:
            before = _run(cargo, workspaces, "cargo check of today's tree", progress, memory.units())
            memory.keep(today, workspaces, before)
        planned = shadow.put(plans)
        after = _run(cargo, workspaces, "cargo check of the plan", progress, before.units)
        if remembered and (
            after.toolchain != before.toolchain
            or added(before.errors, after.errors, [plan.path for plan in plans])
        ):
            # Before a refusal rests on a remembered outcome, look again: what lies outside of the root may have changed.
            shadow.refresh(time.time_ns())
            before = _run(cargo, workspaces, "cargo check of today's tree", progress, before.units)
            memory.keep(shadow.digest(), workspaces, before)
        else:
            memory.keep(shadow.digest(planned), workspaces, after)
        return before, after

    def _workspaces(
        self, shadow: Shadow, cargo: Cargo, memory: Memory, plans: Sequence[FilePlan]
    ) -> tuple[str, ...]:
        """The workspaces that hold the planned files, in order. Raises OSError, ShadowBroken where there is none."""
        packages = nearest_packages(shadow.folder, [plan.path for plan in plans])
        if not packages:
            raise ShadowBroken("no Cargo package holds the planned files")
        manifests = shadow.digest_of(lambda path: path.rsplit("/", 1)[-1] == "Cargo.toml")
        known = memory.workspaces(manifests)
        missing = {package: cargo.workspace_of(package) for package in packages if package not in known}
        if missing:
            memory.keep_workspaces(manifests, known | missing)
        return tuple(sorted({(known | missing)[package] for package in packages}))

    def _check_home(self) -> None:
        """Raises ShadowBroken where a shadow would not stand alone."""
        if self._root == self._home or self._root in self._home.parents:
            raise ShadowBroken("the folder for the shadow lies inside the repository")
        around = next((f for f in self._home.parents if (f / "Cargo.toml").is_file()), None)
        if around is not None:
            raise ShadowBroken("the folder for the shadow lies inside a Cargo workspace")

    def _real_name(self, path: str) -> str:
        """A path of the shadow as the real one, relative to the root; anything else by its last parts only."""
        normal = os.path.normpath(path)
        fs = str(self._home / "fs")
        if normal.startswith(fs + os.sep):
            return os.path.relpath(normal, shadow_folder(self._home, self._root))
        return "…/" + "/".join(Path(normal).parts[-3:]) if os.path.isabs(normal) else normal


def _run(cargo: Cargo, workspaces: Sequence[str], stage: str, progress: Progress, expected: int) -> Outcome:
    """Check one workspace after the other. Raises OSError."""
    outcome = Outcome()
    progress(stage, 0, expected)
    for workspace in workspaces:
        on_unit = _counting(progress, stage, outcome.units, expected)
        outcome = outcome.and_also(cargo.check(workspace, on_unit))
    return outcome


def _counting(progress: Progress, stage: str, done: int, expected: int) -> Callable[[int], None]:
    return lambda units: progress(stage, done + units, max(expected, done + units))


def _shown(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "file": diagnostic.file,
        "line": diagnostic.line,
        "code": diagnostic.code,
        "message": diagnostic.message,
    }


def _since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)


def _silent(stage: str, done: int, total: int) -> None:
    """Nobody watches."""
