"""Doc links: the compiler does not read them, rustdoc and people do (TRANSPLANT.md plan 5)."""

from m1nd.domain.move.compose import Change, written
from m1nd.domain.move.reach import crate_prefix, path_to
from m1nd.domain.move.reference_notes import Requalified
from m1nd.domain.move.references import moved_top
from m1nd.domain.move.world import Move
from m1nd.domain.rust.names import Occurrence
from m1nd.domain.rust.workspace import Workspace


def mend_links(move: Move, arrival: Workspace, requalified: Requalified) -> list[Change]:
    """Doc links elsewhere to a moved item: pointed at its new path where they would dangle."""
    changes: list[Change] = []
    moved = moved_top(move)
    imported = {m.definition for m, s in requalified.heads if not s.gates}
    for path, occurrence in requalified.links:
        index = next(i for i, ds in enumerate(occurrence.denotes) if any(d in moved for d in ds))
        definition = next(d for d in occurrence.denotes[index] if d in moved)
        if index > 0 and move.source.definition not in occurrence.denotes[index - 1]:
            continue
        if index == 0 and (occurrence.via is not None or occurrence.module in imported):
            continue
        after = move.after(definition)
        spelled = path_to(arrival, after, occurrence.module, frozenset((after,)))
        if spelled is None or crate_prefix(arrival, after.crate, occurrence.module) is None:
            continue
        if occurrence.module == move.home.definition and index == 0:
            continue
        changes += link_change(move.workspace, path, occurrence, index, spelled)
    return changes


def link_change(
    workspace: Workspace, path: str, occurrence: Occurrence, depth: int, spelled: tuple[str, ...]
) -> list[Change]:
    """Point a doc link at `spelled`: the explicit target is rewritten, a bare `[name]` gets one."""
    source = workspace.sources[path]
    start, end = occurrence.start, occurrence.segments[-1].end
    opening = start - 1
    while (
        opening > 0
        and source[opening : opening + 1] in (b"`", b" ", b"@")
        or source[opening : opening + 1].isalpha()
    ):
        opening -= 1
    closing = end
    while source[closing : closing + 1] in (b"`", b"(", b")", b"!"):
        if source[opening : opening + 1] == b"(" and source[closing : closing + 1] == b")":
            break
        closing += 1
    rest = "::".join((*spelled, *(s.name for s in occurrence.segments[depth + 1 :])))
    bare = source[opening : opening + 1] == b"[" and source[closing : closing + 1] == b"]"
    if (
        bare
        and source[closing + 1 : closing + 2] not in (b"(", b"[", b":")
        and source[opening - 1 : opening] != b"]"
    ):
        return [written(path, closing + 1, closing + 1, f"({rest})".encode())]
    return [written(path, start, occurrence.segments[depth].end, "::".join(spelled).encode())]
