"""A linked graph from a dict of files, and its edges in words."""

from collections.abc import Mapping

from m1nd.domain.index.addresses import full_path
from m1nd.domain.index.codes import SURETY_SHIFT, Edge, Open, Surety
from m1nd.domain.index.graph import IndexGraph, build_graph
from m1nd.domain.index.link import Linker, link
from m1nd.infrastructure.cargo_manifest import read_cargo
from m1nd.infrastructure.rust_source.extract import Extractor

MANIFEST = '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n'
EXTRACTOR = Extractor()


def linker_of(files: Mapping[str, str]) -> Linker:
    """The linked facts of a small repository; a package `demo` unless `files` has a manifest."""
    if not any(path.endswith("Cargo.toml") for path in files):
        files = {"Cargo.toml": MANIFEST, **files}
    contents = {path: text.encode() for path, text in files.items()}
    facts = {p: EXTRACTOR.extract(t) for p, t in contents.items() if p.endswith(".rs")}
    return link(read_cargo(contents.keys(), contents.get), facts)


def graph_of(files: Mapping[str, str]) -> IndexGraph:
    return build_graph(linker_of(files).linked)


def said(graph: IndexGraph, *kinds: Edge) -> set[str]:
    """Edges as `a calls b`, with `(method)` or `(name_only)` behind where they are not resolved; all kinds if none is named."""
    found = set()
    for node in range(graph.node_count):
        for end, byte in graph.out.of(node):
            kind, surety = Edge(byte & 15), Surety(byte >> SURETY_SHIFT)
            if kinds and kind not in kinds:
                continue
            doubt = "" if surety is Surety.RESOLVED else f" ({surety.name.lower()})"
            found.add(f"{full_path(graph, node)} {kind.name.lower()} {full_path(graph, end)}{doubt}")
    return found


def open_references(graph: IndexGraph) -> set[tuple[str, str]]:
    return {(t, Open(r).name.lower()) for t, r in zip(graph.open_texts, graph.open_reasons, strict=True)}
