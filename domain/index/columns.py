"""All items of all files in parallel columns, numbered through: the common ground of the linker's steps.

An item's number is the number of its file's first item plus its place in that file, as long as nothing was followed
(`follow.py`). A file that changed keeps the numbers of the items that stayed; a new item gets a number after those of
the modules, and the number of one that is gone is not used again.
"""

from array import array
from collections.abc import Mapping, Sequence

from m1nd.domain.index.packed import PackedFacts


class Columns:
    """Items of the files `paths` (sorted), which are keys of `facts`."""

    __slots__ = (
        "attributes",
        "base",
        "details",
        "facts",
        "file",
        "first",
        "kinds",
        "names",
        "orders",
        "parent",
        "paths",
        "spans",
        "visibility",
    )

    def __init__(self, facts: Mapping[str, PackedFacts]) -> None:
        self.paths: list[str] = sorted(facts)
        self.facts: list[PackedFacts] = [facts[path] for path in self.paths]
        self.first = array("I")
        self.file = array("I")
        self.parent = array("i")
        self.names: list[str] = []
        self.visibility: list[str] = []
        self.attributes: dict[int, Sequence[str]] = {}
        self.details: dict[int, str] = {}
        kinds: list[str] = []
        spans = array("I")
        base = 0
        for number, packed in enumerate(self.facts):
            count = len(packed.kinds)
            self.first.append(base)
            kinds.append(packed.kinds)
            self.names += packed.names
            self.visibility += packed.visibility
            self.file.extend([number] * count)
            self.parent.extend([p + base if p >= 0 else -1 for p in packed.parents])
            spans.extend(packed.spans)
            for row in packed.attributes:
                self.attributes[base + row[0]] = row[1:]
            for row in packed.details:
                self.details[base + row[0]] = row[1]
            base += count
        self.first.append(base)
        self.kinds: Sequence[str] = "".join(kinds)
        self.spans = spans
        self.base = base
        """Number of items when the columns were made; the modules are numbered from here."""
        self.orders: dict[int, array[int]] = {}
        """The items of the files that were followed, in the order of their text."""

    def __len__(self) -> int:
        return len(self.names)

    def items_of(self, number: int) -> Sequence[int]:
        """The items of a file in the order of its text."""
        order = self.orders.get(number)
        return range(self.first[number], self.first[number + 1]) if order is None else order
