"""The precise tier's side of a graph in memory, and how it follows a change without being made anew."""

from pathlib import Path

from attrs import frozen

from m1nd.domain.rust.cargo import CargoWorkspace
from m1nd.domain.rust.forest import Forest
from m1nd.domain.rust.known_files import KnownFiles
from m1nd.domain.rust.workspace import Workspace
from m1nd.infrastructure.graph_cache.lazy import LazyFacts, LazySources
from m1nd.infrastructure.outside_traits import RegistryTraits
from m1nd.infrastructure.rust_source.parser import TreeSitterParser

MOST_SKETCHED = 1 << 20
"""Bytes of sections whose sketches are kept from one plan to the next; a sketch takes some twenty times its source."""
MOST_REMEMBERED = 200_000
"""Answers about names that are kept from one plan to the next."""
REPLANT_AT_MOST = 50
"""More changed files than this, and the trees are planted anew."""


@frozen
class RustState:
    """What one moment of the workspace is made of; every part of it may be shared with the next moment."""

    cargo: CargoWorkspace
    facts: LazyFacts
    sources: LazySources
    forest: Forest
    outside: RegistryTraits
    known: KnownFiles
    workspace: Workspace


def next_state(
    facts: LazyFacts, sources: LazySources, cargo: CargoWorkspace, older: RustState | None, root: Path
) -> RustState:
    """The state of this moment. Where nothing changed since the `older` one it is that one, with all that was resolved in it."""
    same = (
        older is not None
        and older.facts.digests == facts.digests
        and older.sources.digests == sources.digests
    )
    if older is not None and same and _is_light(older):
        return older
    forest = planted(facts, cargo, older)
    outside = older.outside if older is not None else RegistryTraits(root)
    known = still_known(facts, older)
    workspace = Workspace.over(forest, sources, TreeSitterParser(), outside, known)
    return RustState(cargo, facts, sources, forest, outside, known, workspace)


def _is_light(state: RustState) -> bool:
    return (
        sum(sketch.walked for sketch in state.known.sketches.values()) <= MOST_SKETCHED
        and state.workspace.linker.remembered <= MOST_REMEMBERED
    )


def planted(facts: LazyFacts, cargo: CargoWorkspace, older: RustState | None) -> Forest:
    """The module trees over `facts`: those of an `older` state of the same manifests, followed to here, where that pays."""
    if older is None:
        return Forest.plant(cargo, facts)
    changed = _changed(facts, older)
    if not changed:
        return older.forest
    if len(changed) > REPLANT_AT_MOST:
        return Forest.plant(cargo, facts)
    return older.forest.replanted(facts, {path: facts.get(path) for path in changed})


def still_known(facts: LazyFacts, older: RustState | None) -> KnownFiles:
    """What an `older` state found out about the files that are as they were; of sketches no more than is worth their memory."""
    if older is None:
        return KnownFiles()
    known = older.known.without(_changed(facts, older))
    kept = sum(sketch.walked for sketch in known.sketches.values())
    for path in tuple(known.sketches):
        if kept <= MOST_SKETCHED:
            break
        kept -= known.sketches.pop(path).walked
    return known


def _changed(facts: LazyFacts, older: RustState) -> list[str]:
    """Files that came, went, or have other bytes."""
    return [
        path
        for path in {**older.facts.digests, **facts.digests}
        if older.facts.digests.get(path) != facts.digests.get(path)
    ]
