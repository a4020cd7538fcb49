"""Linking: the smallest repository that shows each rule, and all edges of the kind that it gives."""

from tests.support.index import MANIFEST, graph_of, open_references, said

from m1nd.domain.index.codes import Edge

USES = (Edge.CALLS, Edge.REFERENCES)


def test_modules_by_file_folder_inline_and_path() -> None:
    graph = graph_of(
        {
            "src/lib.rs": 'mod a;\nmod b;\nmod c { mod d; mod e {} }\n#[path = "odd/place.rs"] mod f;\ncfg_x! { mod g; }\n',
            "src/a.rs": "mod deep;",
            "src/a/deep.rs": "",
            "src/b/mod.rs": "mod sub;",
            "src/b/sub.rs": "",
            "src/c/d.rs": "",
            "src/odd/place.rs": "mod beside;",
            "src/odd/beside.rs": "",
            "src/g.rs": "",
            "src/lost.rs": "fn f() {}",
        }
    )
    assert sorted(graph.module_names) == [
        *(
            "demo",
            "demo::a",
            "demo::a::deep",
            "demo::b",
            "demo::b::sub",
            "demo::c",
            "demo::c::d",
            "demo::c::e",
        ),
        *("demo::f", "demo::f::beside", "demo::g", "src/lost.rs"),
    ]
    assert [graph.paths[number] for number in graph.orphans] == ["src/lost.rs"]
    assert graph.counts["modules"] == 11


def test_a_missing_module_file_is_open() -> None:
    assert open_references(graph_of({"src/lib.rs": "mod gone;"})) == {("mod gone", "missing_module")}


def test_two_cfg_twins_of_a_module_are_one_module_with_two_files() -> None:
    graph = graph_of(
        {
            "src/lib.rs": '#[cfg(unix)] #[path = "u.rs"] mod imp;\n#[cfg(windows)] #[path = "w.rs"] mod imp;\nfn f() { imp::go() }',
            "src/u.rs": "pub fn go() {}",
            "src/w.rs": "pub fn go() {}",
        }
    )
    assert graph.counts["modules"] == 2
    calls = [
        graph.path_of(graph.out.ends[at])
        for at in range(len(graph.out.ends))
        if graph.out.kinds[at] == Edge.CALLS
    ]
    assert sorted(calls) == ["src/u.rs", "src/w.rs"]


def test_paths_from_crate_self_super_and_by_import() -> None:
    graph = graph_of(
        {
            "src/lib.rs": "mod a; mod b; pub fn top() { a::one(); self::b::two(); }",
            "src/a.rs": "use crate::b::two as deux; pub fn one() { deux(); super::top(); crate::b::inner::three() }",
            "src/b.rs": "pub fn two() {} pub mod inner { pub fn three() { super::two(); super::super::top() } }",
        }
    )
    assert said(graph, *USES) == {
        "demo::top calls demo::a::one",
        "demo::top calls demo::b::two",
        "demo::a::one calls demo::b::two",
        "demo::a::one calls demo::top",
        "demo::a::one calls demo::b::inner::three",
        "demo::b::inner::three calls demo::b::two",
        "demo::b::inner::three calls demo::top",
    }
    assert open_references(graph) == set()


def test_reexports_and_globs_lead_to_the_item_itself() -> None:
    graph = graph_of(
        {
            "src/lib.rs": "mod a; mod b; pub use b::*; fn f() { go(); Shape::new(); }",
            "src/a.rs": "pub fn go() {} pub struct Shape; impl Shape { pub fn new() -> Self { Shape } } fn hidden() {}",
            "src/b.rs": "pub use crate::a::{go, Shape}; use crate::a::hidden; fn g() { super::f() }",
        }
    )
    assert said(graph, Edge.CALLS) == {
        "demo::f calls demo::a::go",
        "demo::f calls demo::a::Shape::new",
        "demo::b::g calls demo::f",
    }
    assert said(graph, Edge.REEXPORTS) == {
        "demo::use reexports demo::b",
        "demo::b::use reexports demo::a::go",
        "demo::b::use reexports demo::a::Shape",
    }
    assert said(graph, Edge.IMPORTS) == {"demo::b::use imports demo::a::hidden"}


def test_private_names_do_not_pass_through_a_glob_from_outside() -> None:
    files = {
        "src/lib.rs": "mod a; mod c { use crate::a::*; fn f() { helper() } }",
        "src/a.rs": "use crate::a::inner::helper; mod inner { pub fn helper() {} } mod d { use super::*; fn g() { helper() } }",
    }
    assert said(graph_of(files), Edge.CALLS) == {
        "demo::a::d::g calls demo::a::inner::helper",
        "demo::c::f calls demo::a::inner::helper (name_only)",
    }


def test_a_name_from_two_globs_is_ambiguous_and_never_guessed() -> None:
    graph = graph_of(
        {
            "src/lib.rs": "mod a { pub struct S; } mod b { pub struct S; } use a::*; use b::*; fn f(s: S) { S::new() }"
        }
    )
    assert said(graph, *USES) == set()
    assert open_references(graph) == {("S", "ambiguous_glob"), ("S::new(", "ambiguous_glob")}


def test_import_cycles_end() -> None:
    graph = graph_of(
        {
            "src/lib.rs": "mod a { pub use crate::b::*; pub use crate::b::x; } mod b { pub use crate::a::*; pub use crate::a::x; }"
        }
    )
    assert {text for text, _ in open_references(graph)} == {"crate::b::x", "crate::a::x"}


def test_methods_have_candidates_and_associated_functions_are_exact() -> None:
    graph = graph_of(
        {
            "src/lib.rs": """
            pub struct A; pub struct B;
            impl A { pub fn new() -> Self { Self::make() } fn make() -> A { A } fn go(&self) {} }
            impl B { fn go(&self) { Self::helper() } fn helper() {} }
            fn f(a: A) { a.go(); A::new(); B::go(&b); a.missing(); }
            """
        }
    )
    assert said(graph, Edge.CALLS) == {
        "demo::A::new calls demo::A::make",
        "demo::B::go calls demo::B::helper",
        "demo::f calls demo::A::go (method)",
        "demo::f calls demo::A::new",
        "demo::f calls demo::B::go",
    }


def test_traits_their_implementors_and_provided_methods() -> None:
    graph = graph_of(
        {
            "src/lib.rs": """
            pub trait T: Sized { const N: u8; fn need(&self); fn given() {} }
            pub struct S;
            impl T for S { const N: u8 = 1; fn need(&self) { S::given(); Self::N; T::need(self) } }
            impl T for Vec<u8> { const N: u8 = 2; fn need(&self) {} }
            impl<'a> std::fmt::Debug for S {}
            """
        }
    )
    assert said(graph, Edge.IMPLEMENTS, Edge.IMPLEMENTS_TRAIT) == {
        "demo::impl S implements demo::S",
        "demo::impl S implements_trait demo::T",
        "demo::impl Vec implements_trait demo::T",
    }
    assert said(graph, *USES) >= {
        "demo::S::need calls demo::T::given",
        "demo::S::need references demo::S::N",
        "demo::S::need calls demo::T::need",
    }


def test_enum_variants_by_path_and_by_glob() -> None:
    graph = graph_of(
        {
            "src/lib.rs": "pub enum E { A, B(u8) } use E::*; fn f(e: E) { match e { E::A => B(1), A => E::B(2) } }"
        }
    )
    assert said(graph, *USES) == {
        "demo::f references demo::E",
        "demo::f references demo::E::A",
        "demo::f calls demo::E::B",
    }


def test_a_local_may_bear_a_functions_name_so_the_edge_is_by_name_only() -> None:
    graph = graph_of({"src/lib.rs": "fn size() {} fn f(size: u8) -> u8 { size } fn g() { size() }"})
    assert said(graph, *USES) == {"demo::f references demo::size (name_only)", "demo::g calls demo::size"}


def test_the_three_namespaces_are_apart() -> None:
    graph = graph_of(
        {
            "src/lib.rs": "mod a; use a::thing; fn f() { thing(); thing::inner(); thing!() }",
            "src/a.rs": "pub mod thing { pub fn inner() {} } pub fn thing() {} macro_rules! thing { () => {} } pub(crate) use thing;",
        }
    )
    assert said(graph, Edge.CALLS) == {"demo::f calls demo::a::thing", "demo::f calls demo::a::thing::inner"}
    called = {
        graph.kind_of(graph.out.ends[at])
        for at in range(len(graph.out.ends))
        if graph.out.kinds[at] == Edge.CALLS
    }
    assert called == {"fn", "macro_rules"}


def test_block_scopes_hide_what_is_outside() -> None:
    graph = graph_of(
        {
            "src/lib.rs": """
            fn helper() {}
            fn f() { fn helper() {} helper(); use crate::m::only; only() }
            fn g() { helper(); only() }
            mod m { pub fn only() {} }
            """
        }
    )
    assert said(graph, Edge.CALLS) == {
        "demo::f calls demo::f::helper",
        "demo::f calls demo::m::only",
        "demo::g calls demo::helper",
        "demo::g calls demo::m::only (name_only)",
    }


def test_macros_by_textual_scope_and_export() -> None:
    graph = graph_of(
        {
            "src/lib.rs": "#[macro_use] mod mac; mod user; fn f() { local!(); println!() }",
            "src/mac.rs": "#[macro_export] macro_rules! shared { () => { $crate::target() } } macro_rules! local { () => {} }",
            "src/user.rs": "fn g() { crate::shared!(); local!(); unknown!() }",
            "src/other.rs": "",
        }
    )
    assert said(graph, Edge.CALLS) == {
        "demo::f calls demo::mac::local",
        "demo::user::g calls demo::mac::shared",
        "demo::user::g calls demo::mac::local",
    }
    assert open_references(graph) == {("unknown!", "unknown_macro"), ("crate::target(", "unknown_path")}


def test_tests_are_linked_to_what_they_call() -> None:
    graph = graph_of(
        {
            "src/lib.rs": "pub fn a() {} #[cfg(test)] mod tests { use super::*; #[test] fn t() { a() } #[tokio::test] async fn u() { a() } fn no() { a() } }",
            "tests/it.rs": "#[test] fn far() { demo::a(); }",
        }
    )
    assert said(graph, Edge.TESTS) == {
        "demo::tests::t tests demo::a",
        "demo::tests::u tests demo::a",
        "it::far tests demo::a",
    }


def test_derives_are_references() -> None:
    graph = graph_of({"src/lib.rs": "pub trait Marked {} #[derive(Clone, Marked, crate::Marked)] struct S;"})
    assert said(graph, *USES) == {"demo::S references demo::Marked"}


def test_crates_of_a_workspace_by_their_own_and_renamed_names() -> None:
    graph = graph_of(
        {
            "Cargo.toml": '[workspace]\nmembers = ["a", "b"]\n',
            "a/Cargo.toml": '[package]\nname = "a-lib"\nedition = "2021"\n',
            "a/src/lib.rs": "pub mod m { pub fn go() {} } pub struct S; impl S { pub fn act(&self) {} }",
            "b/Cargo.toml": '[package]\nname = "b"\nedition = "2021"\n[dependencies]\nalias = { package = "a-lib", path = "../a" }\n',
            "b/src/lib.rs": "use alias::m; pub fn f(s: alias::S) { m::go(); ::alias::m::go(); s.act(); serde::x() }",
            "b/src/main.rs": "fn main() { b::f(alias::S) }",
            "c/Cargo.toml": '[package]\nname = "c"\nedition = "2021"\n',
            "c/src/lib.rs": "fn g(s: S) { s.act() }",
        }
    )
    assert said(graph, Edge.CALLS) == {
        "b::f calls a_lib::m::go",
        "b::f calls a_lib::S::act (method)",
        "b::main calls b::f",
    }
    assert said(graph, Edge.DEPENDS_ON) == {"b depends_on a_lib", "b depends_on b"}


def test_edition_2015_paths_of_imports_begin_at_the_root() -> None:
    graph = graph_of(
        {
            "Cargo.toml": MANIFEST.replace("2021", "2015"),
            "src/lib.rs": "mod a; mod b; extern crate core as heart;",
            "src/a.rs": "use b::two; use ::b::three; pub fn one() { two(); three(); ::b::two() }",
            "src/b.rs": "pub fn two() {} pub fn three() {}",
        }
    )
    assert said(graph, Edge.CALLS) == {"demo::a::one calls demo::b::two", "demo::a::one calls demo::b::three"}
    assert open_references(graph) == set()


def test_an_orphan_knows_its_own_names_only() -> None:
    graph = graph_of(
        {"src/lib.rs": "pub fn a() {}", "src/lost.rs": "use crate::a; fn f() { g() } fn g() { a() }"}
    )
    assert said(graph, Edge.CALLS) == {"src/lost.rs::f calls src/lost.rs::g"}
    assert open_references(graph) == {("crate::a", "no_target")}
