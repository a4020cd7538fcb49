"""Identity of items across moves: the rule that makes a `symbol_id`, and the fold that keeps it (D30).

An address says where an item is now; a `symbol_id` says which item it is. An id is made from the address at first sight.
When the item leaves, the address is free again, and a newcomer there gets an id of its own.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Self

from attrs import field, frozen

if TYPE_CHECKING:
    from pydantic_core import CoreSchema


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where an item is: its kind (`fn`, `struct`, …), module path (`crate_name::a::b`), name, and ordinal among equals.

    No `Value`, because every read of the graph makes addresses and need not load pydantic; inside events it is checked
    and stored as one, which pydantic can do for a dataclass of the standard library alone.
    """

    kind: str
    module: str
    name: str
    ordinal: int = 0

    def __str__(self) -> str:
        twin = f"#{self.ordinal}" if self.ordinal else ""
        return f"{self.kind} {self.module}::{self.name}{twin}"

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> "CoreSchema":
        """How pydantic reads and writes an address: every field checked, no other one taken."""
        from pydantic_core import core_schema as schema

        text = schema.str_schema()
        number = schema.with_default_schema(schema.int_schema(ge=0), default=0)
        kinds = {"kind": text, "module": text, "name": text, "ordinal": number}
        fields = [schema.dataclass_field(name, kind, kw_only=True) for name, kind in kinds.items()]
        return schema.dataclass_schema(
            cls,
            schema.dataclass_args_schema(cls.__name__, fields),
            list(kinds),
            slots=True,
            frozen=True,
            config=schema.CoreConfig(extra_fields_behavior="forbid"),
        )


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
