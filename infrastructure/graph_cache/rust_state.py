"""The precise tier's side of a graph in memory, and how it follows a change without being made anew."""

from attrs import frozen

from m1nd.domain.rust.cargo import CargoWorkspace
from m1nd.domain.rust.forest import Forest
from m1nd.domain.rust.workspace import KnownFiles
from m1nd.infrastructure.graph_cache.lazy import LazyFacts, LazySources
from m1nd.infrastructure.outside_traits import RegistryTraits

MOST_SKETCHED = 1 << 20
"""Bytes of sources whose sketches are kept from one plan to the next; a sketch takes some twenty times its source."""
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


def still_known(facts: LazyFacts, sources: LazySources, older: RustState | None) -> KnownFiles:
    """What an `older` state found out about the files that are as they were; of sketches no more than is worth their memory."""
    if older is None:
        return KnownFiles()
    known = older.known.without(_changed(facts, older))
    kept = sum(len(sources[path]) for path in known.sketches)
    for path in tuple(known.sketches):
        if kept <= MOST_SKETCHED:
            break
        kept -= len(sources[path])
        del known.sketches[path]
    return known


def _changed(facts: LazyFacts, older: RustState) -> list[str]:
    """Files that came, went, or have other bytes."""
    return [
        path
        for path in {**older.facts.digests, **facts.digests}
        if older.facts.digests.get(path) != facts.digests.get(path)
    ]
