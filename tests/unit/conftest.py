"""Fixtures of the unit tests."""

from pathlib import Path

import pytest
from tests.support.before_after import Check, Planned
from tests.support.compiled import HAS_CARGO, Compiled

CARGO = (pytest.mark.cargo, pytest.mark.skipif(not HAS_CARGO, reason="cargo is not on the path"))


@pytest.fixture(params=["plan", pytest.param("cargo", marks=CARGO)])
def check(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Check:
    """States a move and what must come of it: once for the plan, once for the compiler."""
    if request.param == "plan":
        return Planned()
    shared: Path = tmp_path_factory.getbasetemp() / "target"
    return Compiled(tmp_path_factory.mktemp("rule"), shared)
