"""Every event is one class, the one that is written down (D39)."""

import pytest

from m1nd.domain.base import Aggregate, event
from m1nd.domain.events import EVENT_KINDS


def test_no_event_is_made_again_below_itself() -> None:
    ours = {
        kind.__name__: below
        for kind in EVENT_KINDS.values()
        if (below := [c for c in kind.__subclasses__() if c.__module__.startswith("m1nd.")])
    }
    assert ours == {}


def test_a_method_makes_no_event_of_its_own() -> None:
    with pytest.raises(TypeError, match="no event class with a wire name"):

        class Loose(Aggregate):
            @event("Moved")
            def move(self, where: str) -> None:
                self.where = where
