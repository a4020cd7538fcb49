"""The columns of a graph with other items in some of its files."""

from array import array
from collections.abc import Mapping, Sequence

from m1nd.domain.index.edges import OpenReferences, Side
from m1nd.domain.index.graph import PUBLIC, TEST, IndexGraph, Parents
from m1nd.domain.index.link import Linker
from m1nd.domain.index.overlay import Numbering
from m1nd.domain.index.packed import SPAN


def spliced(
    old: IndexGraph,
    linker: Linker,
    changed: Sequence[int],
    numbering: Numbering,
    *,
    out: Side,
    into: Side,
    opens: OpenReferences,
    counts: Mapping[str, int],
) -> IndexGraph:
    """`old` with the columns of the files `changed` (sorted) as the linker knows them now."""
    columns, linked = linker.columns, linker.linked
    names = list(old.names)
    kinds: list[str] = [old.kinds[: old.first[changed[0]]]]
    spans, above, module = (array("I", column) for column in (old.spans, old.parent.above, old.module))
    flags = bytearray(old.flags)
    for number, following in zip(changed, [*changed[1:], len(columns.paths)], strict=True):
        kinds += (columns.facts[number].kinds, old.kinds[old.first[number + 1] : old.first[following]])
    for number in reversed(changed):
        packed, items = columns.facts[number], columns.items_of(number)
        start, end = old.first[number], old.first[number + 1]
        names[start:end] = [linked.impl_labels.get(i, n) for i, n in zip(items, packed.names, strict=True)]
        spans[start * SPAN : end * SPAN] = array("I", packed.spans)
        above[start:end] = array("I", (i - p if p >= 0 else 0 for i, p in enumerate(packed.parents)))
        module[start:end] = array("I", (linker.members.scope(item).module for item in items))
        flags[start:end] = bytes(
            PUBLIC * visibility.startswith("pub") + TEST * (item in linked.tests)
            for item, visibility in zip(items, packed.visibility, strict=True)
        )
    return IndexGraph(
        paths=old.paths,
        first=numbering.first,
        kinds="".join(kinds),
        names=names,
        parent=Parents(above),
        spans=spans,
        module=module,
        flags=bytes(flags),
        module_names=old.module_names,
        module_items=_module_items(old, linker, changed, numbering),
        module_files=old.module_files,
        out=out,
        into=into,
        open=opens,
        orphans=old.orphans,
        counts=counts,
    )


def _module_items(
    old: IndexGraph, linker: Linker, changed: Sequence[int], numbering: Numbering
) -> Sequence[int]:
    """The `mod` item of each module, plus one; as before while no item stands elsewhere."""
    if old.first == numbering.first and all(
        "m" not in linker.columns.facts[number].kinds for number in changed
    ):
        return old.module_items
    return array("I", (numbering.node(item) + 1 if item >= 0 else 0 for item in linker.modules.items))
