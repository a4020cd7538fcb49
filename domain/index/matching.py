"""Which items of a file's new text are those of its old text, for a change that reaches no further than their names.

Plain items and imports come and go; whatever else says what names mean (`mod`, macros, traits, headers of impls, what such
a thing stands in) must be as it was. An item that stays keeps its number; an import stays only as it is written.
"""

from array import array
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any

from attrs import frozen

from m1nd.domain.index.headers import is_test
from m1nd.domain.index.packed import SPAN, PackedFacts

FRAME = frozenset("mxrloipt")
"""Kinds that decide what names mean beyond their own."""
UNNAMED = frozenset("uliop")
"""Kinds that define no name of their own."""


@frozen
class Matched:
    """What became of a file's items.

    `items` are the numbers of the new text's items, `was` their places in the old text (-1 for a new one); `fresh` are places,
    `gone` and `moved` numbers: those that are not there any more, and those that changed their order among the others.
    """

    items: "array[int]"
    was: Sequence[int]
    fresh: Sequence[int] = ()
    gone: Sequence[int] = ()
    moved: frozenset[int] = frozenset()
    named: frozenset[str] = frozenset()
    """Names that mean something else in a scope of the file."""
    members: frozenset[str] = frozenset()
    """Names that mean something else behind a type."""
    tested: frozenset[str] = frozenset()
    """Names of functions that became tests or ceased to be."""
    altered: frozenset[int] = frozenset()
    """Places of items that stayed, with other attributes or another visibility."""


class Text:
    """Facts of one text, with what is sparse by place."""

    def __init__(self, packed: PackedFacts) -> None:
        self.packed = packed
        self.attributes = {row[0]: tuple(row[1:]) for row in packed.attributes}
        self.details = {row[0]: row[1] for row in packed.details}
        self.uses: dict[int, list[tuple[object, ...]]] = {}
        for use in packed.uses:
            self.uses.setdefault(use[0], []).append((use[1], use[4], *use[7]))

    def __len__(self) -> int:
        return len(self.packed.kinds)

    def row(self, place: int) -> tuple[object, ...]:
        """Everything about an item but where it stands and what it mentions."""
        packed = self.packed
        code = packed.kinds[place]
        return (
            code,
            packed.names[place],
            packed.visibility[place],
            self.attributes.get(place),
            self.details.get(place),
            code == "m" and packed.spans[SPAN * place + 6] > 0,
            tuple(self.uses[place]) if place in self.uses else (),
        )

    def sparse(self) -> tuple[list[list[Any]], ...]:
        """What few items have, as rows that begin with the place: attributes, details, whether a `mod` has a body, imports."""
        packed = self.packed
        bodies = [
            [place, packed.spans[SPAN * place + 6] > 0]
            for place, code in enumerate(packed.kinds)
            if code == "m"
        ]
        uses = [[place, *self.uses[place]] for place in sorted(self.uses)]
        return packed.attributes, packed.details, bodies, uses

    def is_frame(self, place: int) -> bool:
        """Whether an item decides what names mean: by its kind, or as an item of a trait."""
        return self.packed.kinds[place] in FRAME or self.holder(place) == "t"

    def holder(self, place: int) -> str:
        """Kind of what an item stands in, macro calls left out; empty for the file."""
        packed = self.packed
        above = packed.parents[place]
        while above >= 0 and packed.kinds[above] == "l":
            above = packed.parents[above]
        return packed.kinds[above] if above >= 0 else ""

    def is_test(self, place: int) -> bool:
        texts = self.attributes.get(place)
        return texts is not None and self.packed.kinds[place] == "f" and is_test(texts)


def matched(old: PackedFacts, items: Sequence[int], new: PackedFacts, next_number: int) -> Matched | None:
    """`items` are the numbers of the old text's items; new items get `next_number` and those after it. None where the change
    reaches further than names of plain items."""
    if old.inner != new.inner:
        return None
    was, now = Text(old), Text(new)
    start = _same_head(was, now)
    tail = _same_tail(was, now, start)
    work = _Matching(was, items, now, next_number, start, tail)
    if not work.run() or not _same_uses(old, items, new, work.items):
        return None
    return work.result()


def _same_head(was: Text, now: Text) -> int:
    """How many items at the beginning are as they were."""
    old, new = was.packed, now.packed
    columns = (
        (old.kinds, new.kinds),
        (old.names, new.names),
        (old.visibility, new.visibility),
        (old.parents, new.parents),
    )
    agreed = min(_agreement(left, right) for left, right in columns)
    for left, right in zip(was.sparse(), now.sparse(), strict=True):
        for a, b in zip_longest(left, right):
            if a != b:
                agreed = min(agreed, *(row[0] for row in (a, b) if row is not None))
                break
    return agreed


def _same_tail(was: Text, now: Text, start: int) -> int:
    """How many items at the end are as they were, and stand in such, or in those before `start`."""
    old, new = was.packed, now.packed
    longer = len(now) - len(was)
    most = min(len(was), len(now)) - start
    parents = [above + longer if above >= start else above for above in reversed(old.parents)]
    columns = (
        (reversed(old.kinds), reversed(new.kinds)),
        (reversed(old.names), reversed(new.names)),
        (reversed(old.visibility), reversed(new.visibility)),
        (parents, reversed(new.parents)),
    )
    agreed = min(most, *(_agreement(left, right) for left, right in columns))
    for left, right in zip(was.sparse(), now.sparse(), strict=True):
        for a, b in zip_longest(reversed(left), reversed(right)):
            if a is None or b is None or a[0] + longer != b[0] or a[1:] != b[1:]:
                behind = [len(was) - 1 - a[0]] if a is not None else []
                behind += [len(now) - 1 - b[0]] if b is not None else []
                agreed = min(agreed, *behind)
                break
    first = len(was) - agreed
    for place in range(first, len(was)):
        if start <= old.parents[place] < first:
            first = place + 1
    return len(was) - first


def _agreement(left: Iterable[object], right: Iterable[object]) -> int:
    """How many values at the beginning are equal."""
    count = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        count += 1
    return count


def _same_uses(old: PackedFacts, items: Sequence[int], new: PackedFacts, numbers: Sequence[int]) -> bool:
    """Whether the imports that stay are in the same order: where several bind one name, the first does."""
    before = [items[use[0]] for use in old.uses]
    after = [numbers[use[0]] for use in new.uses]
    both = {*before} & {*after}
    return [i for i in before if i in both] == [i for i in after if i in both]


class _Matching:
    """The items between an equal head and an equal tail."""

    def __init__(
        self, was: Text, items: Sequence[int], now: Text, next_number: int, start: int, tail: int
    ) -> None:
        self.old, self.new = was, now
        self.before = items
        self.middle = range(start, len(was) - tail)
        """Places of the old text that are in doubt."""
        self.places = range(start, len(now) - tail)
        """Places of the new text that are in doubt."""
        self.items = array("I", items[:start])
        self.was = list(range(start))
        self.fresh: list[int] = []
        self.next = next_number
        self.tail = tail

    def run(self) -> bool:
        """Number the new items; false where the frame is not as it was."""
        old, new = self.old, self.new
        frames = deque(place for place in self.middle if old.is_frame(place))
        plain: dict[tuple[int, str, object], deque[int]] = defaultdict(deque)
        for place in self.middle:
            if not old.is_frame(place):
                plain[self._key(old, self.before, place)].append(place)
        for place in self.places:
            key = self._key(new, self.items, place)
            if new.is_frame(place):
                if not frames or old.row(frames[0]) != new.row(place):
                    return False
                found: int | None = frames.popleft()
                if found is not None and self._key(old, self.before, found) != key:
                    return False
            else:
                found = plain[key].popleft() if plain[key] else None
            self._take(place, found)
        last = len(old) - self.tail
        self.items.extend(self.before[last:])
        self.was.extend(range(last, len(old)))
        return not frames

    def _key(self, text: Text, numbers: Sequence[int], place: int) -> tuple[int, str, object]:
        above, code = text.packed.parents[place], text.packed.kinds[place]
        name = text.row(place) if code == "u" else text.packed.names[place]
        return numbers[above] if above >= 0 else -1, code, name

    def _take(self, place: int, found: int | None) -> None:
        if found is None:
            self.items.append(self.next)
            self.was.append(-1)
            self.fresh.append(place)
            self.next += 1
        else:
            self.items.append(self.before[found])
            self.was.append(found)

    def result(self) -> Matched:
        kept = [self.was[place] for place in self.places if self.was[place] >= 0]
        still = set(kept)
        steady = _longest_rise(kept)
        old_names = self._bearers(self.old, self.before, self.middle)
        new_names = self._bearers(self.new, self.items, self.places)
        changed = [key for key in {*old_names, *new_names} if old_names.get(key) != new_names.get(key)]
        return Matched(
            items=self.items,
            was=self.was,
            fresh=self.fresh,
            gone=[self.before[place] for place in self.middle if place not in still],
            moved=frozenset(self.before[place] for place in kept if place not in steady),
            named=frozenset(name for name, is_member in changed if not is_member),
            members=frozenset(name for name, is_member in changed if is_member),
            tested=frozenset(
                self.new.packed.names[place]
                for place in self.places
                if self.was[place] >= 0 and self.old.is_test(self.was[place]) != self.new.is_test(place)
            ),
            altered=frozenset(
                place
                for place in self.places
                if self.was[place] >= 0 and self.old.row(self.was[place]) != self.new.row(place)
            ),
        )

    def _bearers(
        self, text: Text, numbers: Sequence[int], places: Iterable[int]
    ) -> dict[tuple[str, bool], list[tuple[object, ...]]]:
        """Who bears a name in the file's scopes, and behind types: in order, with all that matters to whoever names it."""
        found: dict[tuple[str, bool], list[tuple[object, ...]]] = defaultdict(list)
        packed = text.packed
        for place in places:
            code, name = packed.kinds[place], packed.names[place]
            if code in UNNAMED:
                continue
            bearer = (numbers[place], not packed.visibility[place], text.is_test(place))
            above = packed.parents[place]
            # A variant is a name of every scope that imports its enum whole.
            if above < 0 or packed.kinds[above] not in "it":
                found[name, False].append(bearer)
            holder = text.holder(place)
            if holder and holder in "ite":
                found[name, True].append(bearer)
        return found


def _longest_rise(numbers: Sequence[int]) -> set[int]:
    """The most of these different numbers that stand in rising order."""
    ends: list[int] = []
    at: list[int] = []
    before: list[int] = []
    for place, number in enumerate(numbers):
        length = bisect_left(ends, number)
        before.append(at[length - 1] if length else -1)
        if length == len(ends):
            ends.append(number)
            at.append(place)
        else:
            ends[length] = number
            at[length] = place
    rise: set[int] = set()
    place = at[-1] if at else -1
    while place >= 0:
        rise.add(numbers[place])
        place = before[place]
    return rise
