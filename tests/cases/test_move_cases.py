"""Every move case: the plan (or the refusal) as written down, and cargo's word on each planned tree.

A case is one JSON file under `move/`: a small workspace, one move, what must come of it. `refusal` is the code,
empty for a move that is carried out.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.support.moves import encoded, workspace_of

from m1nd.domain.move.plan import MovePlan, plan_move
from m1nd.domain.move.request import MoveRequest
from m1nd.domain.places import place_at
from m1nd.domain.refusal import Refused

CASES = sorted((Path(__file__).parent / "move").glob("*.json"))
TEST_LINE = re.compile(r"^test (\S+) (?:- should panic )?\.\.\. (\w+)", re.MULTILINE)
needs_cargo = pytest.mark.skipif(shutil.which("cargo") is None, reason="cargo is not on the path")


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def sources_of(case: dict[str, Any]) -> dict[str, bytes]:
    return encoded(case["files"])


def outcome(case: dict[str, Any]) -> MovePlan | str:
    """The plan, or the code of the refusal (unproven references refuse an unverified commit)."""
    sources = sources_of(case)
    request = MoveRequest(
        case["symbol"], str(place_at(case["source_file"])), str(place_at(case["dest_file"])), create_dest=True
    )
    try:
        plan = plan_move(request, workspace_of(sources), frozenset(sources), {})
    except Refused as refused:
        return refused.refusal.code
    return "unresolved_references" if plan.receipt["refs_unresolved"] else plan


def check(case: dict[str, Any], found: MovePlan | str, code: str) -> None:
    if code:
        assert found == code
        return
    assert isinstance(found, MovePlan), f"refused: {found}"
    after = {**sources_of(case), **{f.path: f.after or b"" for f in found.files}}
    for path, texts in case["after_must_contain"].items():
        for text in texts:
            assert text in after[path].decode(), f"{path} lacks {text!r}"
    for path, texts in case["after_must_not_contain"].items():
        for text in texts:
            assert text not in after[path].decode(), f"{path} still holds {text!r}"


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_a_case_ends_as_written_down(path: Path) -> None:
    case = read(path)
    check(case, outcome(case), case["refusal"])


@needs_cargo
@pytest.mark.cargo
@pytest.mark.parametrize("path", [p for p in CASES if not read(p)["refusal"]], ids=lambda p: p.stem)
def test_the_planned_tree_builds_and_its_tests_pass(path: Path, tmp_path: Path) -> None:
    case = read(path)
    plan = outcome(case)
    assert isinstance(plan, MovePlan)
    before = run_commands(tmp_path, {**sources_of(case)}, case["commands"])
    changed = {file.path: file.after for file in plan.files}
    after = run_commands(tmp_path, changed, case["commands"])
    assert {k.rsplit("::", 1)[-1]: v for k, v in before.items()} == {
        k.rsplit("::", 1)[-1]: v for k, v in after.items()
    }


def run_commands(root: Path, files: dict[str, bytes | None], commands: list[str]) -> dict[str, str]:
    """Write the files (None: remove), run the cargo commands; the results of all tests by name."""
    for path, text in files.items():
        if text is None:
            (root / path).unlink()
            continue
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text)
    results: dict[str, str] = {}
    for command in commands:
        done = subprocess.run(
            ["cargo", *command.split(), "--offline"],
            cwd=root,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, f"cargo {command}: {done.stderr[-2000:]}"
        results.update(TEST_LINE.findall(done.stdout))
    return results
