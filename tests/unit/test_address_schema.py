"""An address inside an event is checked and stored like every other value, though it is none for pydantic's sake."""

import pytest
from pydantic import TypeAdapter, ValidationError

from m1nd.domain.symbol_move import SymbolMove
from m1nd.domain.symbols import Address

QUAY = Address(kind="fn", module="harbour::quay", name="height")
STORED = b'{"symbol_id":"sym_0123456789ab","source":{"kind":"fn","module":"harbour::quay","name":"height","ordinal":0},"target":{"kind":"fn","module":"harbour::tide","name":"height","ordinal":2}}'


def test_it_is_stored_as_an_object_of_its_four_fields_and_read_back() -> None:
    target = Address(kind="fn", module="harbour::tide", name="height", ordinal=2)
    move = SymbolMove(symbol_id="sym_0123456789ab", source=QUAY, target=target)
    assert move.model_dump_json().encode() == STORED
    assert SymbolMove.model_validate_json(STORED) == move
    assert SymbolMove.model_validate(move.model_dump()) == move
    assert hash(SymbolMove.model_validate_json(STORED).target) == hash(target)


@pytest.mark.parametrize(
    "stored",
    [
        {"kind": "fn", "module": "a"},
        {"kind": "fn", "module": "a", "name": "b", "ordinal": -1},
        {"kind": "fn", "module": "a", "name": 3},
        {"kind": "fn", "module": "a", "name": "b", "line": 1},
        ["fn", "a", "b", 0],
    ],
)
def test_what_is_no_address_is_refused(stored: object) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Address).validate_python(stored)


def test_it_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        QUAY.name = "depth"  # type: ignore[misc]
