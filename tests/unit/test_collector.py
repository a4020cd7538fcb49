"""The collector is quiet while a plan is made, and is what it was afterwards."""

import gc

import pytest

from m1nd.application.collector import collector_off


@pytest.fixture(autouse=True)
def collector() -> object:
    was_on = gc.isenabled()
    yield
    (gc.enable if was_on else gc.disable)()


@pytest.mark.parametrize("on", [True, False])
def test_the_collector_is_off_inside_and_as_before_afterwards(on: bool) -> None:
    (gc.enable if on else gc.disable)()
    with collector_off():
        assert not gc.isenabled()
    assert gc.isenabled() == on


def test_the_collector_comes_back_after_an_error() -> None:
    gc.enable()
    with pytest.raises(ValueError), collector_off():
        raise ValueError
    assert gc.isenabled()
