"""Facts of one file as columns: what is cached, sent between processes and linked.

Equal to `FileFacts` in content; lists of plain values instead of an object per item, so that a repository of a
million lines fits in memory and in one read. It decides nothing.
"""

from array import array
from collections.abc import Sequence
from typing import Any

from m1nd.domain.rust.facts import FileFacts, ItemFact, ItemKind, UseFact

FACTS_VERSION = 3
"""Raised whenever the same bytes would give other facts: older caches are then rebuilt."""

CODE_OF = {
    ItemKind.FN: "f", ItemKind.STRUCT: "s", ItemKind.ENUM: "e", ItemKind.VARIANT: "v", ItemKind.UNION: "n",
    ItemKind.TRAIT: "t", ItemKind.IMPL: "i", ItemKind.CONST: "c", ItemKind.STATIC: "k", ItemKind.TYPE: "y",
    ItemKind.MACRO_RULES: "r", ItemKind.MOD: "m", ItemKind.USE: "u", ItemKind.EXTERN_CRATE: "x",
    ItemKind.FOREIGN_MOD: "o", ItemKind.MACRO_CALL: "l", ItemKind.UNPARSED: "p",
}  # fmt: skip
KIND_OF = {code: kind for kind, code in CODE_OF.items()}
SPAN = 7
"""Numbers per item in `spans`: extent_start, start, end, name_start, name_end, body_start, body_end."""
GLOB, IS_SELF, ABSOLUTE = 1, 2, 4


class PackedFacts:
    """Columns of one file.

    `kinds` one letter per item (`CODE_OF`); `attributes` and `details` are sparse, `[item, text, …]`; a row of `uses` is
    `[item, flags, start, end, alias, alias_start, alias_end, path, segments]` with the path's names and the flat
    list of their byte ranges; `tokens[i]` are an item's distinct tokens joined by one blank, `tokens[-1]` those outside.
    """

    __slots__ = (
        "attributes",
        "details",
        "error",
        "inner",
        "kinds",
        "names",
        "parents",
        "spans",
        "tokens",
        "uses",
        "visibility",
    )

    def __init__(
        self,
        kinds: str,
        names: list[str],
        parents: Sequence[int],
        spans: Sequence[int],
        visibility: list[str],
        attributes: list[list[Any]],
        details: list[list[Any]],
        uses: list[list[Any]],
        inner: list[str],
        error: bool,
        tokens: list[str],
    ) -> None:
        self.kinds = kinds
        self.names = names
        self.parents = parents
        self.spans = spans
        self.visibility = visibility
        self.attributes = attributes
        self.details = details
        self.uses = uses
        self.inner = inner
        self.error = error
        self.tokens = tokens

    def row(self) -> list[Any]:
        """The columns in a fixed order, for a codec."""
        return [
            self.kinds,
            self.names,
            list(self.parents),
            list(self.spans),
            self.visibility,
            self.attributes,
            self.details,
            self.uses,
            self.inner,
            self.error,
            self.tokens,
        ]

    def shape(self) -> tuple[object, ...]:
        """Everything by which this file can change what names mean elsewhere: no offsets, no tokens."""
        return (
            self.kinds,
            tuple(self.names),
            tuple(self.parents),
            tuple(self.visibility),
            tuple(map(tuple, self.attributes)),
            tuple(map(tuple, self.details)),
            tuple((u[0], u[1], u[4], tuple(u[7])) for u in self.uses),
            tuple(self.inner),
        )


def packed_row(row: list[Any]) -> PackedFacts:
    """Columns out of a codec, to be kept in memory: numbers as arrays, a tenth of what a list of them takes."""
    kinds, names, parents, spans, *rest = row
    return PackedFacts(kinds, names, array("i", parents), array("I", spans), *rest)


def pack(facts: FileFacts) -> PackedFacts:
    """Columns of a `FileFacts`."""
    spans: list[int] = []
    attributes: list[list[Any]] = []
    details: list[list[Any]] = []
    for index, item in enumerate(facts.items):
        spans += (
            item.extent_start,
            item.start,
            item.end,
            item.name_start,
            item.name_end,
            item.body_start,
            item.body_end,
        )
        if item.attributes:
            attributes.append([index, *item.attributes])
        if item.detail:
            details.append([index, item.detail])
    return PackedFacts(
        kinds="".join(CODE_OF[item.kind] for item in facts.items),
        names=[item.name for item in facts.items],
        parents=[item.parent for item in facts.items],
        spans=spans,
        visibility=[item.visibility for item in facts.items],
        attributes=attributes,
        details=details,
        uses=[pack_use(use) for use in facts.uses],
        inner=list(facts.inner_attributes),
        error=facts.has_error,
        tokens=[" ".join(tokens) for tokens in facts.tokens] or [""] * (len(facts.items) + 1),
    )


def pack_use(use: UseFact) -> list[Any]:
    flags = GLOB * use.glob + IS_SELF * use.is_self + ABSOLUTE * use.absolute
    segments = [position for span in use.segments for position in span]
    return [
        use.item,
        flags,
        use.start,
        use.end,
        use.alias,
        use.alias_start,
        use.alias_end,
        list(use.path),
        segments,
    ]


def unpack(packed: PackedFacts) -> FileFacts:
    """The `FileFacts` of columns."""
    attributes = {row[0]: tuple(row[1:]) for row in packed.attributes}
    details = {row[0]: row[1] for row in packed.details}
    spans = packed.spans
    items = tuple(
        ItemFact(
            kind=KIND_OF[code],
            name=packed.names[i],
            parent=packed.parents[i],
            extent_start=spans[SPAN * i],
            start=spans[SPAN * i + 1],
            end=spans[SPAN * i + 2],
            name_start=spans[SPAN * i + 3],
            name_end=spans[SPAN * i + 4],
            visibility=packed.visibility[i],
            attributes=attributes.get(i, ()),
            body_start=spans[SPAN * i + 5],
            body_end=spans[SPAN * i + 6],
            detail=details.get(i, ""),
        )
        for i, code in enumerate(packed.kinds)
    )
    return FileFacts(
        items=items,
        uses=tuple(unpack_use(row) for row in packed.uses),
        tokens=tuple(tuple(sorted(joined.split(" "))) if joined else () for joined in packed.tokens),
        inner_attributes=tuple(packed.inner),
        has_error=packed.error,
    )


def unpack_use(row: list[Any]) -> UseFact:
    item, flags, start, end, alias, alias_start, alias_end, path, segments = row
    return UseFact(
        item=item,
        path=tuple(path),
        segments=tuple(zip(segments[::2], segments[1::2], strict=True)),
        start=start,
        end=end,
        alias=alias,
        alias_start=alias_start,
        alias_end=alias_end,
        glob=bool(flags & GLOB),
        is_self=bool(flags & IS_SELF),
        absolute=bool(flags & ABSOLUTE),
    )
