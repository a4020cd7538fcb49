"""Identity of items across moves: the rule that makes a `symbol_id`, and the fold that keeps it (D30).

An address says where an item is now; a `symbol_id` says which item it is. An id is made from the address at first sight.
When the item leaves, the address is free again, and a newcomer there gets an id of its own.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from hashlib import sha256
from typing import Self

from attrs import field, frozen
from pydantic import Field

from m1nd.domain.values import Value


class Address(Value):
    """Where an item is: its kind (`fn`, `struct`, …), module path (`crate_name::a::b`), name, and ordinal among equals."""

    kind: str
    module: str
    name: str
    ordinal: int = Field(default=0, ge=0)

    def __str__(self) -> str:
        twin = f"#{self.ordinal}" if self.ordinal else ""
        return f"{self.kind} {self.module}::{self.name}{twin}"


def first_sight_id(address: Address, departures: int = 0) -> str:
    """The id of an item first seen at `address`, after `departures` earlier items of that address went away."""
    parts = [address.kind, address.module, address.name, str(address.ordinal)]
    if departures:
        parts.append(str(departures))
    return f"sym_{sha256(chr(0).join(parts).encode()).hexdigest()[:12]}"


class Change(StrEnum):
    MOVED = "moved"
    REMATCHED = "rematched"
    LOST = "lost"


@frozen
class SymbolStep:
    """One recorded step of one symbol; `target` is None when it was lost."""

    change: Change
    symbol_id: str
    source: Address
    target: Address | None


class SymbolMove(Value):
    """One item that a move (or its undo) carries from one address to another."""

    symbol_id: str = Field(pattern=r"^sym_[0-9a-f]{12}$")
    source: Address
    target: Address


@frozen
class SymbolTable:
    """The fold of all steps. `arrived` holds addresses whose item came from elsewhere, `departures` counts natives gone."""

    arrived: Mapping[Address, str] = field(factory=dict)
    departures: Mapping[Address, int] = field(factory=dict)
    homes: Mapping[str, Address | None] = field(factory=dict)
    """Last known address of every symbol that ever moved; None when it was lost."""

    @classmethod
    def fold(cls, steps: Iterable[SymbolStep]) -> Self:
        """The table after all `steps`, in the order of the log.

        Each step is applied as departures first, then arrival. Steps of one move may form a cycle (two items that
        change places); recorded one after the other they still fold right, because an arrival overwrites.
        """
        arrived: dict[Address, str] = {}
        departures: dict[Address, int] = {}
        homes: dict[str, Address | None] = {}
        for step in steps:
            if arrived.get(step.source) == step.symbol_id:
                del arrived[step.source]
            elif first_sight_id(step.source, departures.get(step.source, 0)) == step.symbol_id:
                departures[step.source] = departures.get(step.source, 0) + 1
            if step.target is not None:
                arrived[step.target] = step.symbol_id
            homes[step.symbol_id] = step.target
        return cls(arrived, departures, homes)

    def id_at(self, address: Address) -> str:
        """The id of the item that stands at `address` now."""
        return self.arrived.get(address) or first_sight_id(address, self.departures.get(address, 0))

    def home_of(self, symbol_id: str) -> Address | None:
        """Where a symbol that has moved is now; None for one that never moved or was lost."""
        return self.homes.get(symbol_id)
