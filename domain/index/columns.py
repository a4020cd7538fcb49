"""All items of all files in parallel columns, numbered through: the common ground of the linker's steps.

An item's number is the number of its file's first item plus its place in that file. Item columns never change while the
shapes of the files stay the same.
"""

from array import array
from collections.abc import Mapping, Sequence

from m1nd.domain.index.packed import SPAN, PackedFacts


class Columns:
    """Items of the files `paths` (sorted), which are keys of `facts`."""

    __slots__ = (
        "attributes",
        "details",
        "facts",
        "file",
        "first",
        "kinds",
        "names",
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
        self.kinds = "".join(kinds)
        self.spans = spans

    def __len__(self) -> int:
        return len(self.names)

    def replace_positions(self, number: int, packed: PackedFacts) -> None:
        """Take the new byte ranges and tokens of a file whose shape is the same."""
        start = self.first[number] * SPAN
        self.spans[start : start + len(packed.spans)] = array("I", packed.spans)
        self.facts[number] = packed
