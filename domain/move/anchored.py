"""Paths of the moved text that start at an anchor (`crate`, `self`, `super`, `::`), and its links: re-expressed for the new home."""

from m1nd.domain.move.at_home import anchor_depth
from m1nd.domain.move.compose import written
from m1nd.domain.move.imports.inner import is_whole, own_declaration
from m1nd.domain.move.links import link_change
from m1nd.domain.move.needs import ANCHORS, Collector
from m1nd.domain.move.raw_names import raw_path
from m1nd.domain.move.reach import is_shown_on_the_way
from m1nd.domain.move.spelling import prefix_definitions, refuse_unspeakable, spell
from m1nd.domain.rust.names import Namespace, Occurrence, Role


def anchor(collector: Collector, occurrence: Occurrence) -> None:
    """Re-express a path that starts at an anchor, or a `use` inside the moved text."""
    move = collector.move
    depths = [anchor_depth(occurrence)]
    if occurrence.role is Role.USE:
        depths = [d for d in range(_leading(occurrence), depths[0] + 1) if occurrence.denotes[d]]
    for depth in depths:
        definition = move.after(occurrence.denotes[depth][0])
        path = spell(collector.arrival, move, definition)
        if path is not None and (depth == depths[-1] or _leads_on(collector, occurrence, depth, path)):
            leaf = None
            if depth > _leading(occurrence) and not is_whole(move, occurrence, depth):
                leaf = own_declaration(move, occurrence, depth, path)
            if leaf is not None:
                collector.split.append(leaf)
            else:
                rewrite(collector, occurrence, depth, path)
            collector.viewed.update(prefix_definitions(collector.arrival, definition))
            collector.viewed.update(move.after(d) for ds in occurrence.denotes[depth:] for d in ds)
            return
    refuse_unspeakable(move, occurrence, move.after(occurrence.denotes[depths[-1]][0]))


def _leads_on(collector: Collector, occurrence: Occurrence, depth: int, path: tuple[str, ...]) -> bool:
    """With `path` for its segments up to `depth`, the rest of the path still leads where it led."""
    move = collector.move
    names = [*path, *(s.name for s in occurrence.segments[depth + 1 :])]
    absolute = names[0] == ""
    names = names[1:] if absolute else names
    found = collector.arrival.resolve(move.home.definition, names, tuple(Namespace), absolute)
    deepest = max(i for i, ds in enumerate(occurrence.denotes) if ds)
    wanted = {move.after(d) for d in occurrence.denotes[deepest]}
    position = deepest - len(occurrence.segments)
    shown = is_shown_on_the_way(collector.arrival, move.home.definition, names, found)
    return shown and -position <= len(found) and wanted <= set(found[position])


def _leading(occurrence: Occurrence) -> int:
    """Index of the last of the leading anchors (`super::super`), which all leaves of a group share; 0 without any."""
    depth = 0
    for index, segment in enumerate(occurrence.segments):
        if segment.name not in ANCHORS:
            break
        depth = index
    return depth


def rewrite(collector: Collector, occurrence: Occurrence, depth: int, path: tuple[str, ...]) -> None:
    """Write `path` over the segments up to `depth`; a last segment of the same name stays as it was typed."""
    keep = occurrence.segments[depth].name == path[-1] and len(path) > 1
    start = occurrence.start if not occurrence.role is Role.USE else occurrence.segments[0].start
    end = occurrence.segments[depth].start if keep else occurrence.segments[depth].end
    text = raw_path(path[:-1]) + "::" if keep else raw_path(path)
    if any(s.name == "$crate" for s in occurrence.segments[:1]) and path[0] == "crate":
        text = "$" + text
    collector.inner.append(written(collector.move.source_file, start, end, text.encode()))


def mend_link(collector: Collector, occurrence: Occurrence) -> None:
    """A doc link keeps its target: the declared path is written into it."""
    move = collector.move
    depth = anchor_depth(occurrence)
    if not occurrence.denotes[depth]:
        return
    definition = move.after(occurrence.denotes[depth][0])
    path = spell(collector.arrival, move, definition)
    if path is not None and not path[0].startswith("$"):
        collector.inner += link_change(move.workspace, move.source_file, occurrence, depth, path)
