"""A linked repository and its graph, which follow changed files one by one: all of it but the file's own part stays."""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from m1nd.domain.index.codes import Edge
from m1nd.domain.index.edges import Compressed, FileEdges, OpenColumns
from m1nd.domain.index.follow import Follower, Touched
from m1nd.domain.index.graph import IndexGraph
from m1nd.domain.index.link import Linker
from m1nd.domain.index.overlay import Followed, FollowedOpens, Numbering, Opens, Run
from m1nd.domain.index.packed import PackedFacts
from m1nd.domain.index.splice import spliced

LAST = 1 << 60
"""Behind every file, and behind every item of a file."""
WORN = 4
"""When the numbers given to new items are more than this part of those of the last full link, everything is linked again."""
FEW = 2000


class Live:
    """`graph` is that of the files as they were followed to; each is a value of its own and never changes."""

    def __init__(self, linker: Linker, graph: IndexGraph) -> None:
        """`graph` is that of `linker`, which follows no other way from here on."""
        assert isinstance(graph.out, Compressed) and isinstance(graph.into, Compressed)
        assert isinstance(graph.open, OpenColumns)
        self._linker = linker
        self._follower = Follower(linker)
        self._columns = linker.columns
        self._base = linker.columns.base
        self._modules = len(linker.modules.paths)
        self._out: tuple[Compressed, dict[int, Run]] = (graph.out, {})
        self._into: tuple[Compressed, dict[int, Run]] = (graph.into, {})
        self._opens: tuple[OpenColumns, dict[int, Opens]] = (graph.open, {})
        self._home = {module: number for number, module in linker.modules.home.items()}
        self._edges = len(graph.out.ends)
        self._open = len(graph.open.nodes)
        self._graph = graph
        self._changed: set[int] = set()
        """Files whose columns in `_graph` are old."""

    def follow(self, number: int, packed: PackedFacts) -> bool:
        """Take the new text of a file; false where everything must be linked again, and this graph is good for nothing."""
        if len(self._columns) - self._base - self._modules > max(FEW, self._base // WORN):
            return False
        touched = self._follower.follow(number, packed)
        if touched is None or not self._are_alone(touched.files):
            return False
        self._changed.add(number)
        self._take(touched)
        return True

    def _are_alone(self, files: Iterable[int]) -> bool:
        """Whether each of these files is the only one of its module, so that the module's own edges are the file's."""
        homes = list(self._linker.modules.home.values())
        return all(homes.count(self._linker.modules.home[number]) == 1 for number in files)

    # ---- edges

    def _take(self, touched: Touched) -> None:
        """Look up the edges of what was touched, and put them in the place of those of before."""
        items = touched.items | touched.moved
        opens: dict[int, FileEdges] = {}
        fresh: dict[int, Run] = {item: (array("I"), b"") for item in touched.gone}
        for item in sorted(items, key=self._place):
            file = self._columns.file[item]
            packed = self._columns.facts[file]
            out = FileEdges()
            tokens = packed.tokens[self._follower.place[item]]
            self._linker.item(item, tokens, self._columns.attributes.get(item, ()), out)
            fresh[item] = out.targets, bytes(out.kinds)
            opens.setdefault(file, FileEdges()).take_open(out)
        for file in touched.files:
            out = FileEdges()
            self._linker.outside(file, out)
            module = self._linker.linked.node(~self._linker.modules.home[file])
            kept = [(end, kind) for end, kind in self._run(self._out, module) if kind == Edge.DEPENDS_ON]
            fresh[module] = (
                array("I", [*out.targets, *(end for end, _ in kept)]),
                bytes(out.kinds) + bytes(kind for _, kind in kept),
            )
            opens.setdefault(file, FileEdges()).take_open(out)
        self._replace(fresh, touched.moved)
        self._replace_opens(opens, {*fresh})

    def _replace(self, fresh: dict[int, Run], moved: frozenset[int]) -> None:
        """Take new edges of some sources; at the other ends only what is not as before is touched."""
        less: dict[int, set[int]] = {}
        more: dict[int, list[tuple[int, list[int]]]] = {}
        for source, (ends, kinds) in fresh.items():
            before = list(self._run(self._out, source))
            after = list(zip(ends, kinds, strict=True))
            if before == after and source not in moved:
                continue
            self._edges += len(after) - len(before)
            self._out[1][source] = ends, kinds
            was, now = _by_end(before), _by_end(after)
            for end in {*was, *now}:
                if source in moved or was.get(end) != now.get(end):
                    less.setdefault(end, set()).add(source)
                    more.setdefault(end, []).append((source, now.get(end, [])))
        for end, sources in less.items():
            run = [pair for pair in self._run(self._into, end) if pair[0] not in sources]
            for source, again in more[end]:
                for kind in again:
                    run.insert(self._behind(run, source, kind), (source, kind))
            self._into[1][end] = array("I", (s for s, _ in run)), bytes(kind for _, kind in run)

    def _behind(self, run: Sequence[tuple[int, int]], source: int, kind: int) -> int:
        """Where an edge of a source belongs among the edges into a node."""
        rank = self._rank((source, kind))
        return bisect_left(run, (*rank, 1), key=lambda pair: (*self._rank(pair), 0))

    def _rank(self, edge: tuple[int, int]) -> tuple[int, int]:
        source, kind = edge
        if not self._base <= source < self._base + self._modules:
            return self._place(source)
        return (LAST, 0) if kind == Edge.DEPENDS_ON else (self._home[source - self._base], LAST)

    def _place(self, item: int) -> tuple[int, int]:
        return self._columns.file[item], self._follower.place[item]

    @staticmethod
    def _run(side: tuple[Compressed, dict[int, Run]], number: int) -> Iterable[tuple[int, int]]:
        over = side[1].get(number)
        if over is not None:
            return zip(*over, strict=True)
        return side[0].of(number) if number < len(side[0].offsets) - 1 else ()

    # ---- open references

    def _replace_opens(self, opens: dict[int, FileEdges], sources: set[int]) -> None:
        """Take the new open references of some sources, file by file."""
        starts = self._linker.linked.open_start
        base, over = self._opens
        for file in {*opens, *(self._columns.file[item] for item in sources if not self._is_module(item))}:
            new = opens.get(file, FileEdges())
            start, end = starts[file], starts[file + 1]
            before = over.get(file) or (
                base.nodes[start:end],
                bytes(base.reasons[start:end]),
                base.texts[start:end],
            )
            rows = [row for row in zip(*before, strict=True) if row[0] not in sources]
            rows += zip(new.open_items, new.open_reasons, new.open_texts, strict=True)
            rows.sort(key=lambda row: LAST if self._is_module(row[0]) else self._follower.place[row[0]])
            self._open += len(rows) - len(before[0])
            over[file] = (
                array("I", (row[0] for row in rows)),
                bytes(row[1] for row in rows),
                [row[2] for row in rows],
            )

    def _is_module(self, number: int) -> bool:
        return self._base <= number < self._base + self._modules

    # ---- the graph

    @property
    def graph(self) -> IndexGraph:
        if self._changed:
            self._graph = self._made()
            self._changed = set()
        return self._graph

    def _made(self) -> IndexGraph:
        follower, columns = self._follower, self._columns
        first = array("I", self._graph.first)
        for number in self._changed:
            longer = len(columns.facts[number].kinds) - (first[number + 1] - first[number])
            if longer:
                first[number + 1 :] = array("I", [start + longer for start in first[number + 1 :]])
        numbering = Numbering(
            self._base,
            self._modules,
            columns.first,
            first,
            columns.file[:],
            follower.place[:],
            dict(columns.orders),
        )
        items = first[-1]
        return spliced(
            self._graph,
            self._linker,
            sorted(self._changed),
            numbering,
            out=Followed(self._out[0], dict(self._out[1]), numbering),
            into=Followed(self._into[0], dict(self._into[1]), numbering),
            opens=FollowedOpens(
                self._opens[0], self._linker.linked.open_start, dict(self._opens[1]), numbering
            ),
            counts={
                **self._graph.counts,
                "items": items,
                "edges": self._edges + items,
                "unresolved": self._open,
            },
        )


def _by_end(edges: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for end, kind in edges:
        found.setdefault(end, []).append(kind)
    return found
