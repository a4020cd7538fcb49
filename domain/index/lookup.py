"""Which item a person means: a name, a path, a symbol id, or a place in a file (D46). Answers candidates, decides nothing."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from m1nd.domain.index.addresses import address_of, full_path

if TYPE_CHECKING:
    from m1nd.domain.index.graph import IndexGraph
    from m1nd.domain.symbols import Address, SymbolTable

PLACE = re.compile(r"^(?P<path>.+?):(?P<line>[1-9]\d*)$")
SYMBOL_ID = re.compile(r"^sym_[0-9a-f]{12}$")


def by_name(graph: IndexGraph, text: str) -> list[int]:
    """Items (and modules) by a name or a path; a path may leave out its beginning: `a::name` finds `crate::x::a::name`."""
    plain = text.replace("r#", "")
    segments = plain.split("::")
    name = segments[-1]
    leading = segments[:-1]
    anchored = bool(leading) and leading[0] in ("crate", "")
    if anchored:
        leading = leading[1:]
    found = [
        item
        for item in graph.items_named(name)
        if graph.kinds[item] not in "umi"
        and _fits(full_path(graph, item).split("::")[:-1], leading, anchored)
    ]
    base = graph.item_count
    found += [
        base + number
        for number, module in enumerate(graph.module_names)
        if module.rpartition("::")[2] == name and _fits(module.split("::")[:-1], leading, anchored)
    ]
    return found


def _fits(around: Sequence[str], leading: Sequence[str], anchored: bool) -> bool:
    """Whether a path's holder ends with `leading`; an anchored one says everything after the crate's name."""
    if anchored:
        return list(around[1:]) == list(leading)
    return not leading or list(around[-len(leading) :]) == list(leading)


def by_symbol_id(graph: IndexGraph, table: SymbolTable, symbol_id: str) -> list[int]:
    """The item that bears a symbol id now."""
    home = table.home_of(symbol_id)
    for item, name in enumerate(graph.names):
        if not name or graph.kinds[item] in "uxlop":
            continue
        if home is not None and name != home.name:
            continue
        if table.id_at(address_of(graph, item)) == symbol_id:
            return [item]
    return []


def standing(graph: IndexGraph, table: SymbolTable, symbol_id: str, first: Address) -> int | None:
    """The item that bears a symbol id now; `first` is where it was seen to bear it, which spares looking everywhere."""
    place = table.homes.get(symbol_id, first)
    if place is None or table.id_at(place) != symbol_id:
        return None
    return at_address(graph, place)


def at_address(graph: IndexGraph, place: Address) -> int | None:
    """The item that stands at an address."""
    for item in graph.items_named(place.name):
        if graph.kind_of(item) == place.kind and address_of(graph, item) == place:
            return item
    return None


def at_offset(graph: IndexGraph, path: str, offset: int) -> int | None:
    """The innermost item of a file whose extent holds a byte; None outside any item or in an unknown file."""
    place = bisect_right(graph.paths, path) - 1
    if place < 0 or graph.paths[place] != path:
        return None
    best: int | None = None
    for item in range(graph.first[place], graph.first[place + 1]):
        start, _, end = graph.span_of(item)
        if start <= offset < end:
            best = item
    return best


def at_line(graph: IndexGraph, path: str, line: int, source: bytes) -> int | None:
    """The innermost item on a line (from 1): the item around its first character that is no blank."""
    start = 0
    for _ in range(line - 1):
        start = source.find(b"\n", start) + 1
        if start == 0:
            return None
    end = source.find(b"\n", start)
    text = source[start : end if end >= 0 else len(source)]
    return at_offset(graph, path, start + len(text) - len(text.lstrip()))


def nearest(graph: IndexGraph, name: str, most: int = 5) -> list[str]:
    """Known names that look like one, for a refusal's next step."""
    import difflib

    wanted = name.rpartition("::")[2]
    pool = {own for own in graph.names if own and own[:1].lower() == wanted[:1].lower()}
    return difflib.get_close_matches(wanted, sorted(pool), n=most)
