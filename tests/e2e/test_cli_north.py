"""`north` and `card` at the command line: what is printed, in which skin, in which colours, and what is noted of it."""

import os
from pathlib import Path
from typing import Any

import pytest
from tests.support.door import Door, harbour

from m1nd.domain.card.skins import ascii_skin

TASK = ("north", "clearance", "of", "a", "berth")


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    return harbour(tmp_path, capsys, dict(os.environ))


def card_of(door: Door, *line: str) -> dict[str, Any]:
    status, answer = door.ask("card", *line)
    assert status == 0
    return dict(answer["data"])


def events(door: Door, topic: str) -> int:
    return len(door.ask("log", "--topic", topic, "--limit", "100")[1]["data"]["events"])


def test_the_card_is_printed_line_by_line_as_the_packet_has_it(door: Door) -> None:
    door.ask("ingest")
    lines = card_of(door)["lines"]
    assert door.say("card")[:2] == (0, "\n".join(lines) + "\n")
    assert door.say(*TASK)[1].splitlines()[: len(lines)] == lines


def test_the_other_skin_comes_by_flag_by_variable_and_changes_no_width(door: Door) -> None:
    plain = [ascii_skin(line) for line in card_of(door)["lines"]]
    assert door.say("card", "--ascii")[1].splitlines() == plain
    door.environment["NO_UNICODE"] = "1"
    assert door.say("card")[1].splitlines() == plain
    assert "".join(plain).isascii()


def test_a_narrow_terminal_folds_no_line_of_the_card(door: Door) -> None:
    lines = card_of(door)["lines"]
    door.environment["COLUMNS"] = "40"
    assert door.say("card")[1].splitlines() == lines


def test_colour_is_on_the_spine_and_on_a_mismatch_only(door: Door, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    del door.environment["NO_COLOR"]
    calm = door.say("card", "--color", "always")[1].splitlines()
    assert calm[0] == "\x1b[38;5;245mm1nd │\x1b[0m needs_ingest · 0 nodes"
    foreign = door.say("card", "--color", "always", "--caller-root", str(elsewhere))[1].splitlines()
    assert (
        foreign[0] == "\x1b[38;5;245mm1nd │\x1b[0m\x1b[38;5;167m this graph does NOT cover your repo\x1b[0m"
    )
    assert all(line.startswith("\x1b[38;5;245m     │\x1b[0m ") for line in (*calm[1:], *foreign[1:]))
    assert "\x1b[38;5;167m" not in "".join(foreign[1:])
    door.environment["NO_COLOR"] = "1"
    assert "\x1b" not in door.say("card")[1]


def test_a_card_that_was_printed_in_a_session_is_noted_and_not_due_again(door: Door) -> None:
    door.ask("ingest")
    assert card_of(door, "--session", "s-1")["render"] is True
    assert events(door, "card_shown") == 0, "a packet is no card"
    door.say(*TASK, "--session", "s-1")
    assert events(door, "card_shown") == 1
    assert card_of(door, "--session", "s-1")["render_reason"] == "already_shown"
    door.say("card")
    assert events(door, "card_shown") == 1, "into a pipe, for nobody"
    door.say("card", "--session", "s-2", "--read-only")
    assert events(door, "card_shown") == 1


def test_a_foreign_card_is_noted_nowhere(door: Door, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    door.ask("ingest")
    status, shown, _ = door.say("card", "--session", "s-1", "--caller-root", str(elsewhere))
    assert (status, shown.splitlines()[0]) == (0, "m1nd │ this graph does NOT cover your repo")
    assert events(door, "card_shown") == 0


def test_the_first_option_of_a_mismatch_can_be_run_as_it_stands(door: Door, tmp_path: Path) -> None:
    other = harbour(tmp_path / "second", door.capsys, door.environment)
    door.ask("ingest")
    data = door.ask(*TASK, "--caller-root", str(other.root))[1]["data"]
    option = data["reception"]["options"][0]
    assert data["next_move"] == option["call"] == f"ingest project_root={other.root}"
    status, answer = door.ask(*option["call"].split(" "))
    assert (status, answer["data"]["modules"]) == (0, 24)
    assert other.ask("card")[1]["data"]["lines"][0] == "m1nd │ full trust · 143 nodes"
    bound = data["reception"]["options"][1]
    assert bound["call"] == f"north caller_root={door.root} clearance of a berth"
    again = door.ask(*bound["call"].split(" "))[1]["data"]
    assert (again["task"], again["reception"]) == ("clearance of a berth", {"match": "match"})


def test_the_literal_repair_of_a_foreign_scope_can_be_run(door: Door, tmp_path: Path) -> None:
    door.ask("ingest")
    data = door.ask(*TASK, "--scope", str(tmp_path))[1]["data"]
    assert data["binding"]["trust_mode"] == "wrong_workspace_binding"
    call = data["recovery_playbook"]["call"]
    assert call == "north scope=. clearance of a berth"
    assert door.ask(*call.split(" "))[1]["data"]["binding"]["trust_mode"] == "full_trust"


def test_the_long_form_goes_through_the_same_door(door: Door) -> None:
    door.ask("ingest")
    _, shown, _ = door.say("card", "--deep")
    lines = shown.splitlines()
    assert lines[0] == "m1nd │ full trust · 143 nodes"
    assert lines[1] == "     │"
    assert lines[-2:] == [
        "     │ next: No focus nodes activated — refine the task text or ingest the",
        "     │   relevant area, then call north again.",
    ]


@pytest.mark.parametrize(
    "line",
    [
        ("north",),
        ("north", "x", "--as-of", "yesterday"),
        ("north", "x", "--as-of", "2026-01-01T00:00:00"),
        ("north", "x", "--top-k", "0"),
        ("card", "--occasion", "bored"),
        ("card-shown", "s-1", "clean"),
    ],
)
def test_a_line_of_another_form_is_a_usage_error(door: Door, line: tuple[str, ...]) -> None:
    status, answer = door.ask(*line)
    assert (status, answer["error"]["code"]) == (2, "usage")
    assert answer["error"]["hint"]


def test_a_moment_can_be_named(door: Door) -> None:
    door.ask("ingest")
    moment = ("--as-of", "2026-01-31T12:00:00Z")
    assert door.ask(*TASK, *moment) == door.ask(*TASK, *moment)
