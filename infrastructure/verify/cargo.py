"""One run of `cargo check` over the shadow, and what it said. It compares nothing and decides nothing."""

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import asdict, field, frozen

from m1nd.domain.digests import sha256
from m1nd.infrastructure.child_process import Ended, run_lines
from m1nd.infrastructure.verify.diagnostics import Diagnostic, read_diagnostic

EXPLAINED = re.compile(
    r"error: (could not compile .* due to (\d+ |one )?previous errors?|aborting due to|build failed)"
)
"""Lines of cargo's own that only repeat what the compiler's messages already say."""

ABSOLUTE = re.compile(r"(?<![\w.…/])/(?:[^\s/`'\"()]+/)+")
"""The folders of an absolute path inside cargo's words."""


@frozen
class Outcome:
    """What the compiler says about one tree. `reason` is empty when its messages explain cargo's exit status."""

    errors: tuple[Diagnostic, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    reason: str = ""
    units: int = 0
    toolchain: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> "Outcome":
        return cls(
            tuple(Diagnostic(**d) for d in row["errors"]),
            tuple(Diagnostic(**d) for d in row["warnings"]),
            row["reason"],
            row["units"],
            row["toolchain"],
        )

    def and_also(self, other: "Outcome") -> "Outcome":
        """Both runs as one: the same message at the same place counts once."""
        return Outcome(
            tuple(sorted({*self.errors, *other.errors})),
            tuple(sorted({*self.warnings, *other.warnings})),
            self.reason or other.reason,
            self.units + other.units,
            other.toolchain,
        )


@frozen
class Cargo:
    """How cargo is run for one shadow. Features: the default ones of every package (v1)."""

    program: str
    shadow: Path
    target: Path
    environment: Mapping[str, str]
    limit: float
    real_name: Callable[[str], str] = field(eq=False)
    """Turns an absolute path (of the shadow or from elsewhere) into what an answer may show."""

    def check(self, workspace: str, on_unit: Callable[[int], None]) -> Outcome:
        """Check every target of every package of one workspace, named by its folder (relative to the shadow).

        Raises OSError where cargo cannot be started.
        """
        folder = self._folder(workspace)
        # One target folder per workspace: cargo tells packages apart by their path *inside* the workspace, so that two
        # workspaces with a package of one name would take each other's results for fresh.
        target = self.target / sha256(workspace.encode())[:8]
        listener = Listener(folder, self.real_name, on_unit)
        ended = run_lines(
            [
                self.program, "check", "--manifest-path", str(folder / "Cargo.toml"), "--workspace", "--all-targets",
                "--message-format=json", "--offline", "--keep-going",
            ],
            folder,
            {**self.environment, "CARGO_TARGET_DIR": str(target), "CARGO_BUILD_BUILD_DIR": str(target)},
            self.limit,
            listener.hear,
            lambda: on_unit(listener.units),
        )  # fmt: skip
        return Outcome(
            tuple(sorted(listener.errors)),
            tuple(sorted(listener.warnings)),
            _unexplained(ended, listener, self.limit, self.shadow),
            listener.units,
            _toolchain(target),
        )

    def workspace_of(self, package: str) -> str:
        """The folder of the workspace that holds the package in folder `package`, both relative to the shadow.

        Where cargo cannot tell (a broken manifest), the package itself: the check will say why. Raises OSError.
        """
        folder = self._folder(package)
        lines: list[bytes] = []
        ended = run_lines(
            [
                self.program, "locate-project", "--workspace", "--message-format=plain", "--offline",
                "--manifest-path", str(folder / "Cargo.toml"),
            ],
            folder,
            self.environment,
            self.limit,
            lambda line: lines.append(line) or False,  # type: ignore[func-returns-value]
        )  # fmt: skip
        if ended.status != 0 or not lines:
            return package
        return os.path.relpath(os.path.dirname(os.fsdecode(lines[0].strip())), self.shadow)

    def _folder(self, relative: str) -> Path:
        return Path(os.path.normpath(self.shadow / relative))


def _toolchain(target: Path) -> str:
    """Cargo's own mark of the compiler that it ran."""
    try:
        return str(json.loads((target / ".rustc_info.json").read_bytes())["rustc_fingerprint"])
    except (OSError, ValueError, KeyError):
        return ""


class Listener:
    """Collects cargo's messages line by line."""

    def __init__(self, folder: Path, real_name: Callable[[str], str], on_unit: Callable[[int], None]) -> None:
        self._folder = folder
        self._real_name = real_name
        self._on_unit = on_unit
        self.errors: set[Diagnostic] = set()
        self.warnings: set[Diagnostic] = set()
        self.units = 0
        self.success: bool | None = None
        self.crashed = False

    def hear(self, line: bytes) -> bool:
        """True when cargo has said its last word."""
        if not line.startswith(b"{"):
            return False  # a proc macro or build script that prints
        try:
            said = json.loads(line)
        except ValueError:
            return False
        if not isinstance(said, dict):
            return False
        match said.get("reason"):
            case "compiler-message":
                self._hear_compiler(said)
            case "compiler-artifact":
                self.units += 1
                self._on_unit(self.units)
            case "build-finished":
                self.success = bool(said["success"])
                return True
        return False

    def _hear_compiler(self, said: Mapping[str, Any]) -> None:
        message = said["message"]
        level = message["level"]
        if level.startswith("error: internal"):
            self.crashed = True
        heap = {"error": self.errors, "warning": self.warnings}.get(level)
        if heap is None:
            return
        diagnostic = read_diagnostic(message, self._file, said["target"]["src_path"])
        if diagnostic is not None:
            heap.add(diagnostic)

    def _file(self, name: str) -> str:
        """rustc names files relative to the folder of the workspace, or by an absolute path."""
        return self._real_name(str(self._folder / name))


def _unexplained(ended: Ended, listener: Listener, limit: float, shadow: Path) -> str:
    """Why cargo's exit status is not explained by the compiler's messages; empty when it is (D32)."""
    if ended.timed_out:
        return f"cargo check took longer than {limit:g} s"
    if listener.crashed:
        return "the compiler crashed"
    others = [
        line for line in ended.stderr.splitlines() if line.startswith("error") and not EXPLAINED.match(line)
    ]
    if others:
        return "cargo: " + _sentence(ended.stderr, others[0], shadow)
    if ended.status == 0 and listener.success:
        return "" if not listener.errors else "cargo reports errors and success at once"
    if ended.status > 0 and listener.success is False and listener.errors:
        return ""
    return f"cargo ended with status {ended.status} and no message that explains it"


def _sentence(stderr: str, line: str, shadow: Path) -> str:
    """The line and the first of its causes, without any absolute path."""
    rest = stderr[stderr.index(line) :].splitlines()
    cause = next((rest[i + 1].strip() for i in range(len(rest) - 1) if rest[i].startswith("Caused by")), "")
    text = line.removeprefix("error: ") + (f" ({cause})" if cause else "")
    return ABSOLUTE.sub("…/", text.replace(f"{shadow}/", "").replace(str(shadow), "."))[:400]


def nearest_packages(shadow: Path, paths: Sequence[str]) -> list[str]:
    """For each path the nearest folder at or above it with a `Cargo.toml`, inside the shadow; each once, in order."""
    found: dict[str, None] = {}
    for path in paths:
        parts = path.split("/")[:-1]
        for end in range(len(parts), -1, -1):
            if (shadow.joinpath(*parts[:end]) / "Cargo.toml").is_file():
                found["/".join(parts[:end]) or "."] = None
                break
    return list(found)
