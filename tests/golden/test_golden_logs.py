"""Every version reads every log that was ever written: topics, chain, fold and views of the committed logs.

`python scripts/golden_log.py` writes the files of the present version anew.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.log import opened

from m1nd import __version__
from m1nd.application.audit import export, import_lines, replay, verify
from m1nd.domain.events import EVENT_KINDS
from m1nd.infrastructure.views import open_views

REPOSITORY = Path(__file__).resolve().parents[2]
LOGS = sorted((REPOSITORY / "seeds" / "logs").glob("*.jsonl"))


def test_no_name_of_an_event_was_lost() -> None:
    golden = (REPOSITORY / "tests" / "golden" / "topics.txt").read_text(encoding="utf-8").split()
    assert list(EVENT_KINDS) == golden, "a new name? run scripts/golden_log.py; a lost one? give it an alias"


def test_there_is_a_log_of_this_version_with_every_event() -> None:
    lines = (REPOSITORY / "seeds" / "logs" / f"v{__version__}.jsonl").read_bytes().splitlines()[1:]
    assert {json.loads(line)["topic"] for line in lines} == set(EVENT_KINDS)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_an_old_log_is_read_folded_and_seen_as_it_was(path: Path, tmp_path: Path) -> None:
    text = path.read_bytes()
    expected = json.loads(path.with_suffix(".views.json").read_text(encoding="utf-8"))
    with opened(tmp_path) as app:
        head = import_lines(app.log, text.splitlines())
        assert verify(app.log, head.count, head.head).holds
        assert verify(app.log).checked == head.count
        assert replay(app).events == head.count
        assert b"".join(line + b"\n" for line in export(app.log)) == text
        views = open_views(str(tmp_path), app)
        for _ in range(2):
            found = {f"{d.view}.{d.table}": {"rows": d.rows, "sha256": d.digest} for d in views.digests()}
            assert found == expected
            views.rebuild()
        assert views.check() == ()
        views.close()


def test_the_update_command_gives_the_committed_files(tmp_path: Path) -> None:
    script = REPOSITORY / "scripts" / "golden_log.py"
    subprocess.run([sys.executable, str(script), "--into", str(tmp_path)], check=True, capture_output=True)
    for name in (
        "tests/golden/topics.txt",
        f"seeds/logs/v{__version__}.jsonl",
        f"seeds/logs/v{__version__}.views.json",
    ):
        assert (tmp_path / name).read_bytes() == (REPOSITORY / name).read_bytes(), name
