"""`doctor`: what is said about each thing that can be missing."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from attrs import evolve, frozen

from m1nd.application.brain import Brain, Makers
from m1nd.application.event_log import LogHead, LogRow
from m1nd.application.machine import StateFolder
from m1nd.application.use_cases.doctor import Check, State, doctor
from m1nd.domain.chain import GENESIS, link
from m1nd.domain.refusal import Refusal, Refused

WELL = StateFolder(inside_root=True, exists=True, private=True, writable=True, free_bytes=1 << 40)


@frozen
class FakeMachine:
    """A machine on which everything works."""

    python_version: tuple[int, int, int] = (3, 12, 1)
    sqlite_version: tuple[int, int, int] = (3, 45, 0)
    missing: frozenset[str] = frozenset()
    broken: frozenset[str] = frozenset()
    git: bool = False
    manifest: bool = True
    folder: StateFolder = WELL

    def python(self) -> tuple[int, int, int]:
        return self.python_version

    def sqlite(self) -> tuple[int, int, int]:
        return self.sqlite_version

    def has(self, tool: str) -> bool:
        return tool not in self.missing

    def version(self, tool: str) -> str | None:
        return None if tool in self.missing | self.broken else f"{tool} version 1.2.3"

    def in_git(self) -> bool:
        return self.git

    def has_manifest(self) -> bool:
        return self.manifest

    def state_folder(self) -> StateFolder:
        return self.folder


class FakeLog:
    """A log of some chained rows, or one that cannot be read."""

    def __init__(
        self, count: int = 12, *, problem: Refused | None = None, faults: tuple[str, ...] = ()
    ) -> None:
        self.problem = problem
        self.found = list(faults)
        self.all: list[LogRow] = []
        for position in range(1, count + 1):
            before = self.all[-1].chain if self.all else GENESIS
            chain = link(before, position, "00", 0, "probed", b"{}")
            self.all.append(LogRow(position, "00", 0, "probed", b"{}", chain))

    def faults(self) -> list[str]:
        return self.found

    def head(self) -> LogHead:
        if self.problem is not None:
            raise self.problem
        return LogHead(len(self.all), self.all[-1].chain.hex() if self.all else "0" * 64)

    def rows(self, after: int = 0, limit: int = 1000, until: int | None = None) -> list[LogRow]:
        return self.all[after:until][:limit]


def checks(machine: FakeMachine, log: FakeLog | None = None) -> dict[str, Check]:
    makers = cast("Any", dict.fromkeys(field.name for field in Makers.__attrs_attrs__))
    makers |= {"machine": lambda: machine, "app": lambda: SimpleNamespace(log=log or FakeLog())}
    brain = Brain("/r", "/r/.m1nd", cast("Any", None), cast("Any", None), Makers(**makers))
    return {check.name: check for check in doctor(brain)}


def test_where_everything_works_nothing_is_said_against_it() -> None:
    found = checks(FakeMachine())
    assert {check.state for check in found.values()} == {State.OK}
    assert found["git"].says == "1.2.3"
    assert found["log"].says == f"12 events, head {FakeLog().head().head[:12]}; the last 12 hold"


@pytest.mark.parametrize(
    ("machine", "name", "state", "says"),
    [
        (FakeMachine(python_version=(3, 10, 9)), "python", State.FAIL, "3.10.9 is older than 3.11"),
        (FakeMachine(sqlite_version=(3, 31, 1)), "sqlite", State.FAIL, "3.31.1 is older than 3.37"),
        (
            FakeMachine(missing=frozenset({"cargo"})),
            "cargo",
            State.WARN,
            "is not installed; a commit cannot be",
        ),
        (FakeMachine(broken=frozenset({"rustfmt"})), "rustfmt", State.WARN, "is installed but does not run"),
        (FakeMachine(manifest=False), "project", State.WARN, "no Cargo.toml at the root"),
        (FakeMachine(git=True), "git clean", State.WARN, "`git clean -fdx` deletes .m1nd"),
    ],
)
def test_each_thing_that_is_missing_is_named_with_a_next_step(
    machine: FakeMachine, name: str, state: State, says: str
) -> None:
    check = checks(machine)[name]
    assert (check.state, check.says[: len(says)]) == (state, says)
    assert check.hint


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"writable": False}, "cannot be written"),
        ({"private": False}, "other users can read it"),
        ({"free_bytes": 5 << 20}, "only 5 MiB are free"),
    ],
)
def test_the_state_folder(change: dict[str, Any], says: str) -> None:
    machine = FakeMachine(folder=evolve(FakeMachine().folder, **change))
    assert checks(machine)["state folder"].says.startswith(says)


def test_git_clean_is_no_danger_to_state_that_lives_elsewhere() -> None:
    machine = FakeMachine(git=True, folder=evolve(FakeMachine().folder, inside_root=False))
    assert "git clean" not in checks(machine)


def test_a_log_that_cannot_be_read_fails_with_its_own_words() -> None:
    damaged = Refused(Refusal("store_damaged", "log.db is not a log"))
    assert checks(FakeMachine(), FakeLog(problem=damaged))["log"] == Check(
        "log", State.FAIL, "log.db is not a log", "m1nd audit verify"
    )
    torn = checks(FakeMachine(), FakeLog(faults=("page 3 is torn",)))["log"]
    assert (torn.state, torn.says) == (State.FAIL, "log.db is damaged: page 3 is torn")


def test_a_broken_chain_fails() -> None:
    log = FakeLog()
    log.all[4] = log.all[4]._replace(state=b'{"forged": 1}')
    broken = checks(FakeMachine(), log)["log"]
    assert (broken.state, broken.hint) == (State.FAIL, "m1nd audit verify")
    assert "5" in broken.says


def test_an_empty_log_is_well() -> None:
    assert checks(FakeMachine(), FakeLog(count=0))["log"] == Check("log", State.OK, "empty")
