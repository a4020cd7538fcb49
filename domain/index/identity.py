"""What became of items when files were edited outside: the same, recognised elsewhere, or lost (D30).

Matched by kind, name and module, then by what the body says. A match that is not certain is no match: the old symbol
is lost, the new one is new.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from attrs import frozen

from m1nd.domain.symbols import Address

TELLING = 3
"""Fewer distinct tokens than this say too little about a body to recognise it under another name."""


@frozen
class Sighting:
    """One item at one moment. `body` is `body_print` of it; `telling` whether that alone may identify it."""

    address: Address
    body: str
    telling: bool = True
    member: bool = False
    """It stands inside another item: a variant, or in an impl or a trait."""


@frozen
class Fates:
    """`rematched`: old address, new address, evidence (`name_and_body`, `body`, `holder`); `lost`: old address, reason."""

    rematched: tuple[tuple[Address, Address, str], ...] = ()
    lost: tuple[tuple[Address, str], ...] = ()

    @property
    def is_empty(self) -> bool:
        return not self.rematched and not self.lost


def body_print(tokens: str, length: int) -> tuple[str, bool]:
    """Digest of a body as the cache knows it: its distinct tokens and its length after the name; and whether it tells enough."""
    distinct = sorted(tokens.split(" ")) if tokens else []
    text = f"{length}\0{' '.join(distinct)}"
    return hashlib.sha256(text.encode()).hexdigest()[:16], len(distinct) >= TELLING


def fates(before: Iterable[Sighting], after: Iterable[Sighting]) -> Fates:
    """What became of the items of `before`, which together with `after` are all sightings in the files that changed."""
    old, new, rematched = _without_the_same(list(before), list(after))
    old, new, pairs = _recognised(old, new, members=False)
    rematched += pairs
    old, new, pairs = _with_their_holders(old, new, rematched)
    rematched += pairs
    old, new, pairs = _recognised(old, new, members=True)
    rematched += pairs
    names = {(s.address.kind, s.address.name) for s in new}
    lost = tuple(
        (s.address, "doubtful" if (s.address.kind, s.address.name) in names else "vanished") for s in old
    )
    return Fates(tuple(rematched), lost)


Pairs = list[tuple[Address, Address, str]]


def _recognised(
    old: list[Sighting], new: list[Sighting], members: bool
) -> tuple[list[Sighting], list[Sighting], Pairs]:
    """Those of one sort that `KEYS` recognise, and who is left of both sorts."""
    found: Pairs = []
    for key, evidence in KEYS:
        was, now = ([s for s in side if s.member is members] for side in (old, new))
        pairs = _unique_pairs(was, now, key)
        found += [(a.address, b.address, evidence) for a, b in pairs]
        old, new = _rest(old, [a for a, _ in pairs]), _rest(new, [b for _, b in pairs])
    return old, new, found


def _with_their_holders(
    old: list[Sighting], new: list[Sighting], holders: Pairs
) -> tuple[list[Sighting], list[Sighting], Pairs]:
    """Members of one name that stand in a holder which was recognised elsewhere."""
    homes = {f"{a.module}::{a.name}": f"{b.module}::{b.name}" for a, b, _ in holders}
    here = {s.address: s for s in new if s.member}
    pairs: list[tuple[Sighting, Sighting]] = []
    for sighting in old:
        home = homes.get(sighting.address.module) if sighting.member else None
        if home is not None:
            there = here.get(replace(sighting.address, module=home))
            if there is not None:
                pairs.append((sighting, there))
    found = [(a.address, b.address, "holder") for a, b in pairs]
    return _rest(old, [a for a, _ in pairs]), _rest(new, [b for _, b in pairs]), found


def _rest(sightings: list[Sighting], gone: Sequence[Sighting]) -> list[Sighting]:
    away = {id(sighting) for sighting in gone}
    return [sighting for sighting in sightings if id(sighting) not in away]


def _without_the_same(
    old: list[Sighting], new: list[Sighting]
) -> tuple[list[Sighting], list[Sighting], list[tuple[Address, Address, str]]]:
    """Leave out items that stand where they stood; twins whose number among the twins changed are recognised by body."""
    places: dict[tuple[str, str, str], tuple[list[Sighting], list[Sighting]]] = defaultdict(lambda: ([], []))
    for side, sightings in enumerate((old, new)):
        for sighting in sightings:
            a = sighting.address
            places[a.kind, a.module, a.name][side].append(sighting)
    left_old: list[Sighting] = []
    left_new: list[Sighting] = []
    shifted: list[tuple[Address, Address, str]] = []
    for was, now in places.values():
        if len(was) == len(now):
            continue
        pairs = _unique_pairs(was, now, lambda s: s.body)
        shifted += [(a.address, b.address, "name_and_body") for a, b in pairs if a.address != b.address]
        was = [s for s in was if all(s is not a for a, _ in pairs)]
        now = [s for s in now if all(s is not b for _, b in pairs)]
        here = {s.address for s in was} & {s.address for s in now}
        left_old += [s for s in was if s.address not in here]
        left_new += [s for s in now if s.address not in here]
    return left_old, left_new, shifted


def _unique_pairs(
    old: Sequence[Sighting], new: Sequence[Sighting], key: Callable[[Sighting], object]
) -> list[tuple[Sighting, Sighting]]:
    """Pairs whose key is borne by exactly one sighting on either side; a key of None is borne by nobody."""
    sides: dict[object, tuple[list[Sighting], list[Sighting]]] = defaultdict(lambda: ([], []))
    for side, sightings in enumerate((old, new)):
        for sighting in sightings:
            value = key(sighting)
            if value is not None:
                sides[value][side].append(sighting)
    return [(a[0], b[0]) for a, b in sides.values() if len(a) == 1 and len(b) == 1]


KEYS: tuple[tuple[Callable[[Sighting], object], str], ...] = (
    (lambda s: (s.address.kind, s.address.name, s.body), "name_and_body"),
    (lambda s: (s.address.kind, s.address.module, s.body) if s.telling else None, "body"),
    (lambda s: (s.address.kind, s.body) if s.telling else None, "body"),
)
"""By what an item is recognised elsewhere, best first."""
