"""Several processes on one log: no lost event, no error, whatever is killed and whenever they start."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.support.log import command, ingest, opened

from m1nd.application.app import M1nd
from m1nd.application.audit import replay, require_sound_file, verify
from m1nd.domain.graph import Graph
from m1nd.infrastructure.views import open_views

REPOSITORY = Path(__file__).resolve().parents[2]


def writer(folder: Path, name: str, count: int) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-m", "tests.support.log_child", str(folder), name, str(count)]
    return subprocess.Popen(
        arguments, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def finish(writers: Sequence[subprocess.Popen[str]]) -> list[list[tuple[int, int]]]:
    """What each writer was answered: `(its number, the generation)`."""
    answers = []
    for process in writers:
        out, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, "")
        answers.append([(int(a), int(b)) for a, b in (line.split() for line in out.splitlines())])
    return answers


def check_whole(app: M1nd) -> list[str]:
    """The log holds, folds, and numbers its changes without a gap; the command ids in its order."""
    require_sound_file(app.log)
    assert verify(app.log).holds
    assert replay(app).events == app.log_head().count
    commands, generations, position = [], [], 0
    while rows := app.log.rows(after=position):
        for row in rows:
            event = app.event_of(row)
            if isinstance(event, Graph.GraphChanged):
                commands.append(event.command_id)
                generations.append(event.generation)
        position = rows[-1].position
    assert generations == list(range(1, len(generations) + 1))
    return commands


def test_four_processes_append_side_by_side(tmp_path: Path) -> None:
    each = 60
    answers = finish([writer(tmp_path, name, each) for name in "abcd"])
    with opened(tmp_path) as app:
        commands = check_whole(app)
        assert sorted(commands) == sorted(f"{name}-{n}" for name in "abcd" for n in range(1, each + 1))
        for name, answered in zip("abcd", answers, strict=True):
            assert [commands[generation - 1] for _, generation in answered] == [
                f"{name}-{n}" for n in range(1, each + 1)
            ]


def test_many_processes_may_start_on_no_log_at_once(tmp_path: Path) -> None:
    for round in range(3):
        folder = tmp_path / str(round)
        finish([writer(folder, f"p{n}", 1) for n in range(6)])
        with opened(folder) as app:
            assert len(check_whole(app)) == 6


def test_readers_are_never_disturbed_by_a_writer(tmp_path: Path) -> None:
    process = writer(tmp_path, "w", 150)
    with opened(tmp_path) as app, opened(tmp_path, read_only=True) as looker:
        views = open_views(str(tmp_path), app)
        last = 0
        while process.poll() is None:
            generation = app.generation()
            assert generation >= last
            last = generation
            assert looker.log_head().count >= generation
            views.catch_up()
        views.catch_up()
        assert len(views.graph_changes(limit=1000)) == 150
        assert views.check() == ()
        views.close()
    finish([process])


def test_two_processes_may_keep_the_views(tmp_path: Path) -> None:
    process = writer(tmp_path, "w", 120)
    with opened(tmp_path) as one, opened(tmp_path) as two:
        left, right = open_views(str(tmp_path), one), open_views(str(tmp_path), two)
        while process.poll() is None:
            left.catch_up()
            right.catch_up()
        assert left.catch_up() == right.catch_up() == one.log_head().count
        assert left.check() == ()
        assert left.digests() == right.digests()
        left.close()
        right.close()
    finish([process])


@pytest.mark.parametrize("seed", range(6))
def test_a_killed_writer_leaves_a_whole_log_with_every_answered_event(tmp_path: Path, seed: int) -> None:
    """SIGKILL at a random moment; what was answered is there, at most one more event is, and others go on."""
    process = writer(tmp_path, "victim", 0)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(random.Random(seed).uniform(0, 0.08))
    process.kill()
    out = process.stdout.read()  # not communicate(), which forgets what readline() had read ahead
    process.communicate(timeout=60)
    answered = 1 + len([line for line in out.splitlines() if line.count(" ") == 1 and line.split()[1]])
    with opened(tmp_path) as app:
        commands = check_whole(app)
        assert answered <= len(commands) <= answered + 1
        assert commands == [f"victim-{n}" for n in range(1, len(commands) + 1)]
        assert app.record_graph_change(ingest("after.rs"), command(1)) == len(commands) + 1


def test_a_killed_holder_of_the_gate_does_not_keep_it(tmp_path: Path) -> None:
    script = (
        "import sys, time\n"
        "from m1nd.infrastructure.log.gate import Gate\n"
        "with Gate(sys.argv[1]).writing():\n"
        "    print('held', flush=True)\n"
        "    time.sleep(60)\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "log.db.lock")], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    holder.kill()
    holder.wait(timeout=10)
    holder.stdout.close()
    with opened(tmp_path) as app:
        assert app.record_graph_change(ingest("a.rs"), command(1)) == 1


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_read_and_not_written(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        app.record_graph_change(ingest("a.rs"), command(1))
    tmp_path.chmod(0o500)
    try:
        with opened(tmp_path) as app:
            views = open_views(str(tmp_path), app)
            assert app.generation() == 1
            assert len(views.graph_changes()) == 1
            assert "memory" in views.notes[0]
            views.close()
    finally:
        tmp_path.chmod(0o700)
