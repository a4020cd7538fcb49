"""A graph that follows changes is the graph that a full link gives, in every column, whatever changes."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.changing_crates import MANIFESTS, Changing
from tests.support.graph_columns import columns_of, edges_of

from m1nd.domain.index.graph import build_graph
from m1nd.domain.index.identity import fates
from m1nd.domain.index.link import link
from m1nd.domain.index.live import Live
from m1nd.domain.index.packed import PackedFacts
from m1nd.domain.index.sightings import fates_between, sightings
from m1nd.infrastructure.cargo_manifest import read_cargo
from m1nd.infrastructure.rust_source.extract import Extractor

EXTRACTOR = Extractor()
CARGO = read_cargo([*MANIFESTS, *Changing(Random(0)).files], lambda path: MANIFESTS.get(path, "").encode())


def facts_of(text: str) -> PackedFacts:
    return EXTRACTOR.extract(text.encode())


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(1, 12),
    st.sampled_from([0.0, 0.03, 0.3]),
    st.sampled_from([0.0, 0.5]),
)
def test_a_followed_graph_is_the_graph_of_a_full_link(
    seed: int, steps: int, frames: float, imports: float
) -> None:
    changing = Changing(Random(seed), frames, imports)
    facts = {path: facts_of(text) for path, text in changing.texts.items()}
    linker = link(CARGO, facts)
    live = Live(linker, build_graph(linker.linked))
    for _ in range(steps):
        path = changing.step()
        before, was = live.graph, facts[path]
        old = columns_of(before)
        facts[path] = facts_of(changing.text(path))
        fresh = link(CARGO, facts)
        graph = build_graph(fresh.linked)
        if live.follow(linker.columns.paths.index(path), facts[path]):
            assert columns_of(live.graph) == columns_of(graph)
            assert edges_of(live.graph) == edges_of(graph)
        else:
            linker, live = fresh, Live(fresh, graph)
        assert columns_of(before) == old
        told = fates_between(before, {path: was}, live.graph, {path: facts[path]}, [path])
        assert told == fates(
            sightings(before, {path: was}, [path]), sightings(graph, {path: facts[path]}, [path])
        )


def _followed(changing: Changing, steps: int) -> tuple[int, int, int]:
    """How many changes are followed when each is the first after a full link: all, those of items, those of imports."""
    facts = {path: facts_of(text) for path, text in changing.texts.items()}
    followed = reshaped = imported = 0
    for _ in range(steps):
        linker = link(CARGO, facts)
        live = Live(linker, build_graph(linker.linked))
        path = changing.step()
        new = facts_of(changing.text(path))
        if live.follow(linker.columns.paths.index(path), new):
            followed += 1
            reshaped += new.shape() != facts[path].shape()
            imported += [use[7] for use in new.uses] != [use[7] for use in facts[path].uses]
        facts[path] = new
    return followed, reshaped, imported


def test_most_changes_of_plain_items_are_followed() -> None:
    followed, reshaped, _ = _followed(Changing(Random(7), frames=0.0, imports=0.0), 100)
    assert followed > 50
    assert reshaped > 20


def test_changes_of_imports_are_followed_too() -> None:
    _, _, imported = _followed(Changing(Random(7), frames=0.0, imports=0.8), 100)
    assert imported > 10
