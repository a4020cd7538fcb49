"""server.json, which tells a registry of servers how m1nd is started: true to the package."""

import json
import tomllib
from pathlib import Path

from m1nd import __version__
from m1nd.adapters.cli.topics import SETTINGS
from m1nd.adapters.mcp.relay import wanted

REPOSITORY = Path(__file__).resolve().parents[2]


def test_it_names_this_version_and_starts_what_there_is() -> None:
    found = json.loads((REPOSITORY / "server.json").read_text())
    (package,) = found["packages"]
    assert found["version"] == package["version"] == __version__
    assert len(found["description"]) <= 100
    assert (
        found["description"]
        == tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]["description"]
    )
    assert wanted([argument["value"] for argument in package["packageArguments"]]) == {}
    assert {variable["name"] for variable in package["environmentVariables"]} <= set(SETTINGS)


def test_the_readme_proves_that_the_name_is_ours() -> None:
    name = json.loads((REPOSITORY / "server.json").read_text())["name"]
    assert f"mcp-name: {name}" in (REPOSITORY / "README.md").read_text()
