"""A mapping with some entries replaced or taken away, at the cost of those: what lies below is shared, not copied."""

from collections.abc import Iterator, Mapping, MutableMapping
from typing import TypeVar

V = TypeVar("V")


class Overlay(Mapping[str, V]):
    """`below` with `changed` over it; None takes an entry away. What changed comes last, in its own order."""

    def __init__(self, below: Mapping[str, V], changed: Mapping[str, V | None]) -> None:
        self._below = below
        self._changed = dict(changed)

    def __getitem__(self, key: str) -> V:
        if key not in self._changed:
            return self._below[key]
        found = self._changed[key]
        if found is None:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        return self._changed[key] is not None if key in self._changed else key in self._below

    def __iter__(self) -> Iterator[str]:
        yield from (key for key in self._below if key not in self._changed)
        yield from (key for key, value in self._changed.items() if value is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Layer(MutableMapping[str, V]):
    """A table that keeps the entries of its `own` keys to itself and shares all others with the one `below`."""

    def __init__(self, below: MutableMapping[str, V], own: frozenset[str]) -> None:
        self._below = below
        self._own = own
        self._entries: dict[str, V] = {}

    def _table(self, key: str) -> MutableMapping[str, V]:
        return self._entries if key in self._own else self._below

    def __getitem__(self, key: str) -> V:
        return self._table(key)[key]

    def __setitem__(self, key: str, value: V) -> None:
        self._table(key)[key] = value

    def __delitem__(self, key: str) -> None:
        del self._table(key)[key]

    def __iter__(self) -> Iterator[str]:
        yield from (key for key in self._below if key not in self._own)
        yield from self._entries

    def __len__(self) -> int:
        return sum(1 for _ in self)
