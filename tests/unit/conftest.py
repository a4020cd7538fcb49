"""Fixtures of the unit tests."""

import attrs
import pytest
from tests.support.before_after import Check, Planned

from m1nd.domain.move import frontiers
from m1nd.domain.move.frontiers import State

PLACES = ("module_nested", "stem_reserved")


@pytest.fixture
def check() -> Check:
    """States a move and what must come of it (`tests/support/before_after.py`)."""
    return Planned()


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """The frontiers of module placement, opened: the rules behind them are right already."""
    rows = (attrs.evolve(f, state=State.OPEN) if f.code in PLACES else f for f in frontiers.FRONTIERS)
    monkeypatch.setattr(frontiers, "FRONTIERS", tuple(rows))
