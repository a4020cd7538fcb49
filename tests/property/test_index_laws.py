"""Laws of the index tier over generated Rust: extraction equals the walk, an incremental refresh equals a fresh ingest."""

import contextlib
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.nasty import NASTY

from m1nd.domain.index.graph import IndexGraph
from m1nd.domain.index.identity import Fates
from m1nd.domain.index.packed import unpack
from m1nd.domain.rust.walk import file_facts
from m1nd.infrastructure.graph_cache import CachedGraph
from m1nd.infrastructure.rust_source.extract import Extractor, whole_tokens
from m1nd.infrastructure.rust_source.parser import TreeSitterParser

EXTRACTOR = Extractor()
PARSER = TreeSitterParser()

NAMES = st.sampled_from(["alpha", "beta", "gamma", "Delta", "Omega", "r#type"])
TRIVIA = st.sampled_from(
    ["", "\n", "\n\n", "// note\n", "/// doc\n", "/* block { */ ", "/** doc */\n", "#[x]\n", "#[derive(Clone, p::Q)]\n",
     "// a\n\n// b\n", "//! inner\n", "// ------\n", "    ", "\r\n", "/// a\n/// b\n#[y = \"]\"]\n", "// } { \" '\n"]
)  # fmt: skip
VISIBILITY = st.sampled_from(["", "pub ", "pub(crate) ", "pub(in crate::a) "])
EXPRESSIONS = st.sampled_from(
    ["", "alpha();", "let x = beta(1);", "\"}{\";", "'{';", "r#\"}\"#;", "// }\n", "x.gamma::<u8>();", "Delta::new();",
     "mac!{ fn no() {} }", "if a { b } else { c }", "*const u8;", "/* { */", "use crate::alpha::*;", "fn beta() { deep() }",
     "struct Delta { f: u8 }", "#[z] const C: u8 = 1;", "let union = 1;", "|x| { x };", "Vec::<u8>::new();", "<T>::m();"]
)  # fmt: skip
BODIES = st.lists(EXPRESSIONS, max_size=4).map(" ".join)
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("::".join)


@st.composite
def use_trees(draw: st.DrawFn, depth: int = 2) -> str:
    path = draw(PATHS)
    ends = [path, f"{path} as gamma", f"{path}::*", f"{path} as _"]
    if depth:
        inner = ", ".join(draw(st.lists(use_trees(depth=depth - 1), max_size=3)))
        ends += [f"{path}::{{{inner}}}", f"{path}::{{self, {inner}}}"]
    return draw(st.sampled_from(ends))


@st.composite
def items(draw: st.DrawFn, depth: int = 2) -> str:
    name, visibility, body = draw(NAMES), draw(VISIBILITY), draw(BODIES)
    plain = [
        f"{visibility}fn {name}(x: u8) -> u8 {{ {body} }}",
        f"{visibility}async unsafe fn {name}<T: Into<u8>>() where T: Fn(u8) -> u8 {{ {body} }}",
        f"{visibility}struct {name} {{ f: {draw(PATHS)}, g: *const u8 }}",
        f"{visibility}struct {name}(pub u8, {draw(PATHS)});",
        f"{visibility}enum {name} {{ A, B({draw(PATHS)}), C {{ f: u8 }} }}",
        f"{visibility}union {name} {{ a: u8 }}",
        f"{visibility}const {name}: u8 = {{ {body} 1 }};",
        f"{visibility}static {name}: [u8; 2] = [1, 2];",
        f"{visibility}type {name} = {draw(PATHS)};",
        f"{visibility}use {draw(use_trees())};",
        f"{visibility}mod {name};",
        f"macro_rules! {name} {{ ($a:expr) => {{ {body} }}; }}",
        f"extern crate {name} as gamma;",
        f"{name}! {{ {body} }}",
        f"{name}!({body});",
    ]
    if depth:
        inner = draw(st.lists(st.tuples(TRIVIA, items(depth=depth - 1)), max_size=3))
        text = " ".join(trivia + item for trivia, item in inner)
        plain += [
            f"{visibility}mod {name} {{ {text} }}",
            f"cfg_x! {{ {text} }}",
            f"impl<'a, T> p::Tr<T> for {name}<'a, T> {{ fn m(&self) {{ {body} }} const C: u8 = 1; }}",
            f"{visibility}trait {name}: Sized {{ fn m(&self); fn d() {{ {body} }} type X; }}",
            f'extern "C" {{ fn {name}(x: u8); static S: u8; }}',
        ]
    return draw(st.sampled_from(plain))


FILES = st.lists(st.tuples(TRIVIA, items()), max_size=6).map(
    lambda parts: "".join(t + i + "\n" for t, i in parts)
)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(FILES)
def test_extraction_equals_the_walk_on_generated_files(text: str) -> None:
    source = text.encode()
    walked = file_facts(source, PARSER)
    packed = EXTRACTOR.extract(source)
    if walked.has_error:
        return
    assert unpack(packed) == walked
    assert [set(t.split()) for t in packed.tokens] == [set(t.split()) for t in whole_tokens(source, walked)]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(NASTY)), st.integers(0, 2000), st.integers(1, 6), st.binary(max_size=3))
def test_damaged_files_never_fail(name: str, at: int, length: int, instead: bytes) -> None:
    source = NASTY[name]
    at %= max(1, len(source))
    damaged = source[:at] + instead + source[at + length :]
    packed = EXTRACTOR.extract(damaged)
    assert len(packed.tokens) == len(packed.kinds) + 1
    for start, end in zip(packed.spans[1::7], packed.spans[2::7], strict=True):
        assert 0 <= start <= end <= len(damaged)


SMALL = {
    "Cargo.toml": '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": "pub mod alpha;\npub mod beta;\nuse alpha::*;\npub fn root() { one(); beta::two() }\n",
}
TEXTS = st.sampled_from(
    [
        "pub fn one() { crate::beta::two() }\n",
        "pub fn one() { crate::beta::two(); crate::root() }\n",
        "pub fn two() { super::alpha::one() }\npub struct Two;\nimpl Two { pub fn new() -> Self { Two } }\n",
        "use super::*;\npub fn one() { root(); Two::new(); }\n",
        "pub use crate::beta::Two;\nmod inner { pub fn two() {} }\npub use inner::two;\n",
        "fn broken( {\n",
        "",
    ]
)
EDITS = st.lists(
    st.tuples(
        st.sampled_from(["src/alpha.rs", "src/beta.rs", "src/beta/mod.rs", "notes.txt"]), st.none() | TEXTS
    ),
    min_size=1,
    max_size=6,
)


def edges(graph: IndexGraph) -> set[tuple[str, str, int]]:
    def label(node: int) -> str:
        if node >= graph.item_count:
            return graph.module_names[node - graph.item_count]
        return f"{graph.path_of(node)}:{graph.kind_of(node)}:{graph.names[node]}:{graph.span_of(node)}"

    return {
        (label(node), label(end), byte)
        for node in range(graph.node_count)
        for end, byte in graph.out.of(node)
    }


def one_by_one(root: Path, state: Path) -> Fates:
    """What became of all items so far, for a process of its own for every change."""
    graph = CachedGraph(str(root), str(state))
    graph.refresh()
    found = graph.fates()
    graph.close()
    return found


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(EDITS)
def test_a_chain_of_refreshes_gives_the_graph_of_a_fresh_ingest(steps: list[tuple[str, str | None]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "repo"
        for path, text in SMALL.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        graph = CachedGraph(str(root), str(Path(folder) / "kept"))
        graph.refresh()
        one_by_one(root, Path(folder) / "each")
        for path, text in steps:
            if text is None:
                with contextlib.suppress(FileNotFoundError):
                    (root / path).unlink()
            else:
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            report = graph.refresh()
            assert graph.fates() == one_by_one(root, Path(folder) / "each")
            fresh = CachedGraph(str(root), ":none:", read_only=True)
            again = fresh.refresh()
            assert edges(graph.index()) == edges(fresh.index())
            assert list(graph.index().open_texts) == list(fresh.index().open_texts)
            assert graph.hashes() == fresh.hashes()
            assert (report.files, report.items, report.edges) == (again.files, again.items, again.edges)
        warm = CachedGraph(str(root), str(Path(folder) / "kept"))
        warm.refresh()
        assert edges(warm.index()) == edges(graph.index())
        for opened in (graph, fresh, warm):
            opened.close()
