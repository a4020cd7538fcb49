"""`doctor`: what works here and what does not, each with the step that mends it. Changes nothing."""

from collections.abc import Iterator
from enum import StrEnum

from attrs import frozen

from m1nd.application import audit
from m1nd.application.brain import Brain
from m1nd.application.machine import Machine
from m1nd.domain.refusal import Refused

OLDEST_PYTHON = (3, 11, 0)
OLDEST_SQLITE = (3, 37, 0)
"""The first version with STRICT tables, which the log is made of."""
NEWEST = 20_000
"""How many events of the chain are looked at; `m1nd audit verify` looks at all."""
LITTLE_SPACE = 64 * 1024 * 1024


class State(StrEnum):
    OK = "ok"
    WARN = "warn"
    """Something does less than it could; what it cannot do is said."""
    FAIL = "fail"
    """Something that every command needs does not work."""


@frozen
class Check:
    name: str
    state: State
    says: str
    hint: str = ""


def doctor(brain: Brain) -> tuple[Check, ...]:
    """Every check, in the order in which a user would mend them."""
    machine = brain.machine
    return (
        _version("python", machine.python(), OLDEST_PYTHON, "install Python 3.11 or later"),
        _version("sqlite", machine.sqlite(), OLDEST_SQLITE, "use a Python that brings SQLite 3.37 or later"),
        *_tools(machine),
        _project(machine),
        *_state_folder(machine),
        _log(brain),
    )


def _version(name: str, found: tuple[int, int, int], oldest: tuple[int, int, int], hint: str) -> Check:
    text = ".".join(map(str, found))
    if found >= oldest:
        return Check(name, State.OK, text)
    return Check(name, State.FAIL, f"{text} is older than {'.'.join(map(str, oldest[:2]))}", hint)


TOOLS = {
    "git": ("the files are listed by walking the folder and its .gitignore files instead", "install git"),
    "cargo": (
        "a commit cannot be verified by the compiler; its receipt says verified: false",
        "install a Rust toolchain",
    ),
    "rustfmt": ("moved code keeps the layout that it had", "rustup component add rustfmt"),
}
"""Tool → what is lost without it, and how to get it."""


def _tools(machine: Machine) -> Iterator[Check]:
    for tool, (loss, hint) in TOOLS.items():
        version = machine.version(tool)
        if version is not None:
            yield Check(tool, State.OK, version.removeprefix(f"{tool} ").removeprefix("version "))
        elif machine.has(tool):
            yield Check(tool, State.WARN, f"is installed but does not run; {loss}", hint)
        else:
            yield Check(tool, State.WARN, f"is not installed; {loss}", hint)


def _project(machine: Machine) -> Check:
    if machine.has_manifest():
        return Check("project", State.OK, "a Cargo.toml at the root")
    return Check(
        "project",
        State.WARN,
        "no Cargo.toml at the root; crates in folders below it are found, a folder without any has no modules",
        "name the folder of the workspace with --root",
    )


def _state_folder(machine: Machine) -> Iterator[Check]:
    folder = machine.state_folder()
    if not folder.writable:
        yield Check(
            "state folder",
            State.WARN,
            "cannot be written: nothing can be appended, only read",
            "make it writable, or set M1ND_HOME to a folder that is",
        )
    elif not folder.private:
        yield Check("state folder", State.WARN, "other users can read it", "chmod 700 the state folder")
    elif folder.free_bytes < LITTLE_SPACE:
        space = folder.free_bytes // (1024 * 1024)
        yield Check("state folder", State.WARN, f"only {space} MiB are free on its disk", "free some space")
    else:
        says = "private and writable" if folder.exists else "not made yet; the first ingest makes it"
        yield Check("state folder", State.OK, says)
    if folder.inside_root and machine.in_git():
        yield Check(
            "git clean",
            State.WARN,
            "`git clean -fdx` deletes .m1nd and the log in it, for good",
            "use `git clean -fdx -e .m1nd`, or set M1ND_HOME to keep the state elsewhere",
        )


def _log(brain: Brain) -> Check:
    """The file's own faults, then the chain of the newest events."""
    log = brain.app.log
    try:
        count = log.head().count
        if count == 0:
            return Check("log", State.OK, "empty")
        audit.require_sound_file(log)
        found = audit.verify(log, since=max(0, count - NEWEST))
    except Refused as refused:
        return Check("log", State.FAIL, refused.refusal.message, refused.refusal.next_step)
    if found.finding is not None:
        return Check("log", State.FAIL, found.finding.message, "m1nd audit verify")
    return Check(
        "log", State.OK, f"{count:,} events, head {found.head[:12]}; the last {found.checked:,} hold"
    )
