"""The tray as a person uses it: keys in, what is on an 80 by 24 screen out; the same acts in the plain form."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.log import command
from tests.support.missions import (
    BLOCK,
    MISSION,
    PACKET,
    ratified_block,
    waiting_mission,
)
from tests.support.stamps import Human
from textual.pilot import Pilot

from m1nd.adapters.bootstrap import open_brain
from m1nd.adapters.tray.app import TrayApp
from m1nd.adapters.tray.desk import Desk
from m1nd.adapters.tray.plain import walk
from m1nd.application.brain import Brain
from m1nd.application.use_cases import stamping
from m1nd.domain.missions.runners import MissionPolicy
from m1nd.domain.missions.states import State
from m1nd.domain.refusal import Refused

OTHER = "msn_ffffffffffff"
HOSTILE = "Round \x1b[31mthe\u202e heights.\n[bold]not markup[/bold]\nand more"


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    made = open_brain(str(tmp_path), environment={"USER": "ada"})
    ratified_block(made.app, command(1))
    yield made
    made.close()


def desk(brain: Brain, human: Human | None = None, plain: bool = False) -> Desk:
    """A desk whose stamps that human gives; nobody does where there is none."""

    def ceremony(act: Callable[[], str]) -> str:
        try:
            return act()
        except Refused as refused:
            if human is None or refused.refusal.code != "human_gesture_required":
                raise
            stamping.give(brain, refused.refusal.details["challenge"], human)
        return act()

    return Desk(brain, ceremony, plain)


def drive(
    app: TrayApp, steps: Callable[[Pilot[None]], Awaitable[None]], size: tuple[int, int] = (80, 24)
) -> None:
    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await steps(pilot)

    asyncio.run(run())


def screen(app: TrayApp) -> list[str]:
    """What is on the screen, line by line."""
    width, height = app.size
    lines = app.screen._compositor.render_strips()
    assert len(lines) == height
    text = ["".join(segment.text for segment in strip) for strip in lines]
    assert all(len(line) <= width for line in text)
    return [line.rstrip() for line in text]


def test_the_exact_candidate_is_on_the_screen_and_a_stamp_lands_it(brain: Brain) -> None:
    waiting_mission(brain.app)
    human = Human()
    app = TrayApp(desk(brain, human))

    async def steps(pilot: Pilot[None]) -> None:
        seen = screen(app)
        assert seen[0] == "m1nd tray: 1 wait for you, 1 in all"
        assert MISSION in seen[1]
        assert "gate green - receipt not landed" in seen[1]
        for line in ("command    cargo test", "exit       0", f"mission    {MISSION}, iteration 1"):
            assert line in seen, seen
        assert any(line.startswith("--- lines 1 to ") and ", more below ---" in line for line in seen), seen
        assert "stamp" in seen[-1]
        await pilot.press("s")
        await pilot.pause()
        seen = screen(app)
        assert seen[0] == "the tray is empty"
        assert any(line.startswith(f"{MISSION} landed: rcp_") for line in seen), seen

    drive(app, steps)
    assert len(human.pages) == 1
    assert brain.app.require_mission(MISSION).state is State.LANDED


def test_a_stamp_that_is_not_given_lands_nothing_and_says_so(brain: Brain) -> None:
    waiting_mission(brain.app)
    app = TrayApp(desk(brain, Human(types="no\n")))

    async def steps(pilot: Pilot[None]) -> None:
        await pilot.press("s")
        await pilot.pause()
        assert any("[stamp_mismatch]" in line for line in screen(app)), screen(app)
        assert MISSION in screen(app)[1]

    drive(app, steps)
    assert brain.app.require_mission(MISSION).state is State.MERGE_WAIT


def test_archive_skip_and_the_arrows_need_no_mouse(brain: Brain) -> None:
    waiting_mission(brain.app)
    waiting_mission(brain.app, OTHER)
    app = TrayApp(desk(brain, Human()))

    async def steps(pilot: Pilot[None]) -> None:
        assert app.chosen == OTHER
        await pilot.press("n")
        await pilot.pause()
        assert app.chosen == MISSION
        assert f"mission    {MISSION}, iteration 1" in screen(app)
        await pilot.press("n")
        await pilot.pause()
        assert app.chosen == OTHER
        await pilot.press("down")
        await pilot.pause()
        assert app.chosen == MISSION
        await pilot.press("a")
        await pilot.pause()
        assert app.chosen == OTHER
        await pilot.press("q")

    drive(app, steps)
    assert brain.app.require_mission(MISSION).state is State.ARCHIVED
    assert brain.app.require_mission(OTHER).state is State.MERGE_WAIT


def test_a_moved_scope_is_shown_and_refused(brain: Brain) -> None:
    waiting_mission(brain.app)
    block = brain.app._block(BLOCK)
    block.bump_boundary("transplant", block.state.baseline, command(40), touched=("src/tide.rs",))
    brain.app.save(block)
    app = TrayApp(desk(brain, Human()))

    async def steps(pilot: Pilot[None]) -> None:
        assert "scope moved (boundary): cannot land" in screen(app)[1]
        for _ in range(3):
            await pilot.press("pagedown")
        await pilot.pause()
        shown = screen(app)
        assert any(" of 21 ---" in line and "more below" not in line for line in shown), shown
        assert any("boundary 1 > 2 by transplant: ~src/tide.rs" in line for line in shown), shown
        await pilot.press("s")
        await pilot.pause()
        assert any("[scope_moved]" in line for line in screen(app)), screen(app)

    drive(app, steps)
    assert brain.views.receipts() == []


def test_what_an_agent_wrote_is_never_obeyed(brain: Brain) -> None:
    packet = PACKET.model_copy(update={"message": HOSTILE})
    agent = command(2, actor=command(2).actor.model_copy(update={"kind": "agent", "id": "drafter"}))
    brain.app.open_mission(MISSION, packet, MissionPolicy(), "harbour", "", agent)
    app = TrayApp(desk(brain))

    async def steps(pilot: Pilot[None]) -> None:
        seen = screen(app)
        assert "  Round <U+001B>[31mthe<U+202E> heights." in seen, seen
        assert "  [bold]not markup[/bold]" in seen
        assert not any("\x1b" in line or "\u202e" in line for line in seen)

    drive(app, steps)


@pytest.mark.parametrize("size", [(80, 24), (40, 12), (200, 60)])
def test_every_size_of_a_terminal_shows_the_list_the_page_and_the_keys(
    brain: Brain, size: tuple[int, int]
) -> None:
    waiting_mission(brain.app)
    app = TrayApp(desk(brain))

    async def steps(pilot: Pilot[None]) -> None:
        seen = screen(app)
        assert MISSION in seen[1]
        assert any(line.startswith("mission ") for line in seen), seen
        assert seen[-1].startswith("s stamp  a archive  n skip  q quit")

    drive(app, steps, size)


def test_the_empty_tray_says_so(brain: Brain) -> None:
    app = TrayApp(desk(brain))

    async def steps(pilot: Pilot[None]) -> None:
        assert screen(app)[0] == "the tray is empty"
        for key in ("s", "a", "n", "r"):
            await pilot.press(key)
        assert screen(app)[0] == "the tray is empty"

    drive(app, steps)


def test_a_mission_that_comes_to_wait_is_there_after_a_refresh(brain: Brain) -> None:
    app = TrayApp(desk(brain))

    async def steps(pilot: Pilot[None]) -> None:
        waiting_mission(brain.app)
        await pilot.press("r")
        await pilot.pause()
        assert screen(app)[0] == "m1nd tray: 1 wait for you, 1 in all"

    drive(app, steps)


# The plain form


def walked(desk_: Desk, *answers: str) -> tuple[int, list[str]]:
    shown: list[str] = []
    given = iter(answers)

    def ask(question: str) -> str:
        shown.append(question)
        try:
            return next(given)
        except StopIteration:
            raise EOFError from None

    return walk(desk_, shown.append, ask), shown


def test_the_plain_tray_shows_the_same_page_and_takes_the_same_gestures(brain: Brain) -> None:
    waiting_mission(brain.app)
    waiting_mission(brain.app, OTHER)
    human = Human()
    done, shown = walked(desk(brain, human), "k\n", "s\n")
    assert done == 1
    assert shown[0] == "1 of 2"
    assert f"mission    {OTHER}, iteration 1" in shown
    assert "command    cargo test" in shown
    assert any(line.startswith(f"{MISSION} landed: ") for line in shown)
    assert brain.app.require_mission(OTHER).state is State.MERGE_WAIT
    assert brain.app.require_mission(MISSION).state is State.LANDED


@pytest.mark.parametrize("answers", [("q\n",), ("\n",), ()])
def test_leaving_the_plain_tray_changes_nothing(brain: Brain, answers: tuple[str, ...]) -> None:
    waiting_mission(brain.app)
    assert walked(desk(brain, Human()), *answers)[0] == 0
    assert brain.app.require_mission(MISSION).state is State.MERGE_WAIT


def test_the_plain_tray_says_what_was_refused_and_archives(brain: Brain) -> None:
    waiting_mission(brain.app)
    done, shown = walked(desk(brain), "s\n")
    assert (done, shown[-1].endswith("[human_gesture_required]")) == (0, True)
    assert walked(desk(brain, Human()), "a\n")[0] == 1
    assert walked(desk(brain, Human()))[1] == ["nothing waits for you"]


def test_the_ascii_tray_has_ascii_only(brain: Brain) -> None:
    waiting_mission(brain.app)
    lines: Any = walked(desk(brain, plain=True), "q\n")[1]
    assert all(line.isascii() for line in lines)


def test_reading_the_tray_loads_no_screen_library(brain: Brain) -> None:
    program = (
        "import sys; from m1nd.adapters.cli.program import run; "
        "code = run(['--root', sys.argv[1], '--json', 'tray', '--list']); "
        "sys.exit(code or ('textual' in sys.modules) or ('mcp' in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, brain.root], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
