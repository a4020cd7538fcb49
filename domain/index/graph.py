"""The graph as the questions see it: columns of items and modules, edges compressed both ways.

Made from linked facts, or mapped from a snapshot; both are read the same way. Node numbers: items first, then modules.
"""

from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import overload

from attrs import field, frozen

from m1nd.domain.index.codes import Edge
from m1nd.domain.index.edges import Linked, OpenColumns, OpenReferences, Side, compressed
from m1nd.domain.index.packed import KIND_OF, SPAN

Numbers = Sequence[int]
PUBLIC, TEST = 1, 2
UNIT_KINDS = {"f": "fn", "m": "mod"}


class Parents(Sequence[int]):
    """The item around each item, -1 for none. `above` has how many items before it that one stands, 0 for none: it stays
    as it is when items come or go in other files."""

    __slots__ = ("above",)

    def __init__(self, above: "array[int] | memoryview") -> None:
        self.above = above

    def __len__(self) -> int:
        return len(self.above)

    @overload
    def __getitem__(self, item: int) -> int: ...

    @overload
    def __getitem__(self, item: slice) -> list[int]: ...

    def __getitem__(self, item: int | slice) -> int | list[int]:
        if isinstance(item, slice):
            return [self[at] for at in range(*item.indices(len(self.above)))]
        above = self.above[item]
        return item - above if above else -1


@frozen(eq=False)
class IndexGraph:
    """All columns. `kinds` holds one letter per item, `flags` PUBLIC and TEST bits; `module` the module an item stands in.
    `names` has the type's name for an impl.

    `spans` has seven numbers per item (packed.SPAN); `open` are the references that found nothing.
    """

    paths: Sequence[str]
    first: Numbers
    kinds: str
    names: Sequence[str]
    parent: "Parents"
    spans: Numbers
    module: Numbers
    flags: bytes | memoryview
    module_names: Sequence[str]
    """Path of each module with its crate's name in front; the file's path for a file outside every crate."""
    module_items: Numbers
    """The `mod` item that declares each module, plus one; 0 for a root."""
    module_files: Numbers
    out: Side
    into: Side
    open: OpenReferences
    orphans: Numbers
    counts: Mapping[str, int]
    _by_name: dict[str, list[int]] = field(factory=dict, init=False)

    @property
    def item_count(self) -> int:
        return len(self.parent)

    @property
    def node_count(self) -> int:
        return len(self.parent) + len(self.module_names)

    @property
    def open_items(self) -> Numbers:
        """The nodes of the references that found nothing, in item order per file."""
        return self.open.whole().nodes

    @property
    def open_reasons(self) -> bytes | memoryview:
        return self.open.whole().reasons

    @property
    def open_texts(self) -> Sequence[str]:
        return self.open.whole().texts

    def file_of(self, item: int) -> int:
        return bisect_right(self.first, item) - 1

    def items_named(self, name: str) -> Sequence[int]:
        """Items that bear exactly this name."""
        if not self._by_name:
            table = self._by_name
            for item, own in enumerate(self.names):
                if own:
                    table.setdefault(own, []).append(item)
        return self._by_name.get(name, ())

    def kind_of(self, node: int) -> str:
        """`fn`, `struct`, …; `module` for a module node."""
        return "module" if node >= self.item_count else KIND_OF[self.kinds[node]].value

    def name_of(self, node: int) -> str:
        if node >= self.item_count:
            return self.module_names[node - self.item_count]
        return self.names[node] or self.kind_of(node)

    def path_of(self, node: int) -> str:
        """The file that a node's text is in."""
        if node >= self.item_count:
            return self.paths[self.module_files[node - self.item_count]]
        return self.paths[self.file_of(node)]

    def span_of(self, item: int) -> tuple[int, int, int]:
        """Extent start (trivia included), start of the item proper, end."""
        at = item * SPAN
        return self.spans[at], self.spans[at + 1], self.spans[at + 2]

    def holders(self, item: int) -> list[int]:
        """The items around an item inside its module, innermost first."""
        found: list[int] = []
        above = self.parent[item]
        while above >= 0 and self.kinds[above] != "m":
            found.append(above)
            above = self.parent[above]
        return found

    def children(self, item: int) -> list[int]:
        """Items directly inside an item."""
        file = self.file_of(item)
        return [i for i in range(item + 1, self.first[file + 1]) if self.parent[i] == item]


def build_graph(linked: Linked) -> IndexGraph:
    """The graph of linked facts that were not followed since."""
    columns = linked.columns
    modules = linked.modules
    edges = linked.edges
    home_scope = linked.names.scope_of
    module = array("I", (scope.module if scope is not None else 0 for scope in home_scope))
    flags = bytearray(1 if visibility.startswith("pub") else 0 for visibility in columns.visibility)
    for item in linked.tests:
        flags[item] |= TEST
    names = list(columns.names)
    for item, label in linked.impl_labels.items():
        names[item] = label
    return IndexGraph(
        paths=columns.paths,
        first=columns.first,
        kinds="".join(columns.kinds),
        names=names,
        parent=Parents(above(columns.parent)),
        spans=columns.spans,
        module=module,
        flags=bytes(flags),
        module_names=module_names(linked),
        module_items=array("I", (item + 1 for item in modules.items)),
        module_files=array("I", modules.files),
        out=compressed(linked.node_count, edges.sources, edges.targets, edges.kinds),
        into=compressed(linked.node_count, edges.targets, edges.sources, edges.kinds),
        open=OpenColumns(edges.open_items, bytes(edges.open_reasons), edges.open_texts),
        orphans=array("I", modules.orphans),
        counts=counts(linked),
    )


def above(parents: Sequence[int]) -> "array[int]":
    """How many items before each item the one around it stands; 0 for none."""
    return array("I", (item - parent if parent >= 0 else 0 for item, parent in enumerate(parents)))


def counts(linked: Linked) -> dict[str, int]:
    """Modules, items, edges (containment included) and open references."""
    total = linked.columns.base
    return {
        "modules": sum(crate >= 0 for crate in linked.modules.crates),
        "items": total,
        "edges": len(linked.edges.sources) + total,
        "unresolved": len(linked.edges.open_items),
    }


def module_names(linked: Linked) -> list[str]:
    """`crate_name::a::b` of every module; targets that share a name are told apart by nothing here."""
    modules = linked.modules
    names: list[str] = []
    for number, crate in enumerate(modules.crates):
        path = modules.paths[number]
        root = modules.targets[crate].name if crate >= 0 else linked.columns.paths[-1 - crate]
        names.append(f"{root}::{path}" if path else root)
    return names


def edge_kind(byte: int) -> Edge:
    return Edge(byte & 15)
