"""Fixtures of the unit tests."""

from pathlib import Path

import attrs
import pytest
from tests.support.before_after import Check, Planned
from tests.support.compiled import HAS_CARGO, Compiled

from m1nd.domain.move import frontiers
from m1nd.domain.move.frontiers import State

PLACES = ("module_nested", "stem_reserved")
CARGO = (pytest.mark.cargo, pytest.mark.skipif(not HAS_CARGO, reason="cargo is not on the path"))


@pytest.fixture(params=["plan", pytest.param("cargo", marks=CARGO)])
def check(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Check:
    """States a move and what must come of it: once for the plan, once for the compiler."""
    if request.param == "plan":
        return Planned()
    shared: Path = tmp_path_factory.getbasetemp() / "target"
    return Compiled(tmp_path_factory.mktemp("rule"), shared)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """The frontiers of module placement, opened: the rules behind them are right already."""
    rows = (attrs.evolve(f, state=State.OPEN) if f.code in PLACES else f for f in frontiers.FRONTIERS)
    monkeypatch.setattr(frontiers, "FRONTIERS", tuple(rows))
