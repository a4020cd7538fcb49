"""An ingest that is stopped at any moment, or whose helper dies, leaves a cache that serves and a log that agrees."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.support.index import MANIFEST

from m1nd.infrastructure.graph_cache import CachedGraph
from m1nd.infrastructure.rust_source import batch

FILES = 300
FUNCTIONS = 30
COMMAND = [sys.executable, "-c", "import sys; from m1nd.adapters.cli import main; raise SystemExit(main())"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """About 4 MB of Rust, enough for a second process."""
    folder = tmp_path / "repo"
    (folder / "src").mkdir(parents=True)
    (folder / "Cargo.toml").write_text(MANIFEST)
    (folder / "src/lib.rs").write_text("".join(f"mod m{n};\n" for n in range(FILES)))
    for number in range(FILES):
        body = "".join(
            f'pub fn f{n}(x: u8) -> u8 {{ let y = crate::m{(number + 1) % FILES}::f{n}(x); y + helper_{n}("{"x" * 60}") }}\n'
            for n in range(FUNCTIONS)
        )
        (folder / f"src/m{number}.rs").write_text(body)
    return folder


def ingest(root: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, "--root", str(root), "--json", "ingest"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "M1ND_ROOT": ""},
        start_new_session=True,
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_ingest_leaves_a_state_that_serves(root: Path, number: int) -> None:
    whole = ingest(root)
    begun = time.monotonic()
    expected = json.loads(whole.communicate(timeout=120)[0])["data"]
    took = time.monotonic() - begun
    assert expected["items"] == FILES * (FUNCTIONS + 1)
    for path in (root / ".m1nd").glob("graph*"):
        path.unlink()
    for share in (0.4, 0.75):
        process = ingest(root)
        time.sleep(took * share)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        assert "Traceback" not in err
        if process.returncode == 0:
            continue  # it was faster than the signal
        assert (
            process.returncode
            == {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGKILL: -9}[signal.Signals(number)]
        )
        if number is not signal.SIGKILL:
            answer = json.loads(out)  # whole, also when the signal came after it
            assert answer["ok"] or answer["error"]["code"] == "interrupted"
    after = json.loads(ingest(root).communicate(timeout=120)[0])
    assert {k: after["data"][k] for k in ("files", "modules", "items", "edges", "unresolved")} == {
        k: expected[k] for k in ("files", "modules", "items", "edges", "unresolved")
    }
    assert after["graph_rev"] == 1
    assert not list((root / ".m1nd").glob("graph.snapshot.*"))


def test_what_was_read_before_the_interrupt_is_not_read_again(root: Path, tmp_path: Path) -> None:
    graph = CachedGraph(str(root), str(tmp_path / "state"), workers=1)

    def stop(stage: str, done: int, total: int) -> None:
        if done == 200:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        graph.refresh(stop)
    kept = len(graph._store.known_facts(graph._facts.keys()))
    assert kept >= 190
    assert graph.file_changes() == {"added": [], "removed": [], "changed": []}
    assert graph.refresh().items == FILES * (FUNCTIONS + 1)
    graph.close()


def test_a_helper_that_dies_costs_time_and_no_file(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Dying(batch._Helper):
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments)  # type: ignore[arg-type]
            self._process.kill()

    monkeypatch.setattr(batch, "_Helper", Dying)
    graph = CachedGraph(str(root), str(tmp_path / "state"), workers=2)
    report = graph.refresh()
    assert (report.files, report.items) == (FILES + 2, FILES * (FUNCTIONS + 1))
    graph.close()


def test_two_ingests_at_once_agree(root: Path) -> None:
    pair = [ingest(root), ingest(root)]
    answers = [json.loads(p.communicate(timeout=120)[0]) for p in pair]
    assert [a["ok"] for a in answers] == [True, True]
    assert {a["data"]["items"] for a in answers} == {FILES * (FUNCTIONS + 1)}
    last = json.loads(ingest(root).communicate(timeout=120)[0])
    assert (last["data"]["added"], last["data"]["changed"]) == (0, 0)
    assert last["graph_rev"] == max(a["graph_rev"] for a in answers)


def test_a_full_disk_is_said_and_the_answer_is_right(root: Path, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(small)],
        check=False,
        capture_output=True,
        text=True,
    )
    if mounted.returncode != 0:
        pytest.skip(f"no small disk can be mounted here: {mounted.stderr.strip()}")
    try:
        graph = CachedGraph(str(root), str(small / "state"), workers=1)
        report = graph.refresh()
        assert report.items == FILES * (FUNCTIONS + 1)
        assert any("cannot be kept here" in reason for _, reason in report.notes)
        assert graph.refresh().changed == 0
        graph.close()
    finally:
        subprocess.run(["umount", "-l", str(small)], check=True)
