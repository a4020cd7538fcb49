"""One step of one item, as a move plans it and events carry it."""

from pydantic import Field

from m1nd.domain.symbols import Address
from m1nd.domain.values import Value


class SymbolMove(Value):
    """One item that a move (or its undo) carries from one address to another."""

    symbol_id: str = Field(pattern=r"^sym_[0-9a-f]{12}$")
    source: Address
    target: Address
