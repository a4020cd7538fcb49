"""docs/scenarios.md names only tests that there are, and no scenario twice."""

import re
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| (\d+) \|.*\| `([\w/]+\.py)::(\w+)` \|$")


def rows() -> list[tuple[int, str, str]]:
    text = (REPOSITORY / "docs" / "scenarios.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if re.match(r"^\| \d+ ", line)]
    found = [ROW.match(line) for line in lines]
    assert all(found), [line for line, match in zip(lines, found, strict=True) if match is None]
    return [(int(match[1]), match[2], match[3]) for match in found if match is not None]


def test_every_named_test_exists() -> None:
    for number, file, name in rows():
        text = (REPOSITORY / file).read_text(encoding="utf-8")
        assert re.search(rf"^def {name}\(", text, re.MULTILINE), (number, file, name)


def test_no_scenario_stands_twice() -> None:
    numbers = [number for number, _, _ in rows()]
    assert len(numbers) == len(set(numbers)) > 25
