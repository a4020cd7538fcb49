"""The member after a dot, where the type before it is written down."""

from tests.support.rust import told, workspace


def test_parameters_lets_literals_and_results() -> None:
    found = workspace(
        {
            "src/lib.rs": "struct S { inner: I, n: u8 } struct I { deep: u8 } impl S { fn new() -> Self { S { inner: I { deep: 1 }, n: 1 } } fn me(&self) -> &I { &self.inner } }\nimpl I { fn go(&mut self) {} }\nfn make() -> S { S::new() }\nfn t(a: &S, b: Box<S>) { a.inner.deep; a.me().go(); let c = S::new(); c.n; let d: &mut S = c; d.inner.go(); make().me(); b.n; let e = make(); e.n; (&a).n; a.gone; a.clone(); }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "I = struct I",
        "S = struct S",
        "Self = local Self",
        "S = struct S",
        "inner = field S::inner",
        "I = struct I",
        "deep = field I::deep",
        "n = field S::n",
        "I = struct I",
        "inner = field S::inner",
        "I = struct I",
        "S = struct S",
        "S::new = fn S::new",
        "S = struct S",
        "Box = std::boxed::Box",
        "S = struct S",
        "a = local a",
        "inner = field S::inner",
        "deep = field I::deep",
        "a = local a",
        "me = fn S::me",
        "go = fn I::go",
        "S::new = fn S::new",
        "c = local c",
        "n = field S::n",
        "S = struct S",
        "c = local c",
        "d = local d",
        "inner = field S::inner",
        "go = fn I::go",
        "make = fn make",
        "me = fn S::me",
        "b = local b",
        "n = ? receiver type unknown",
        "make = fn make",
        "e = local e",
        "n = field S::n",
        "a = local a",
        "n = field S::n",
        "a = local a",
        "gone = ? member not found in the workspace",
        "a = local a",
        "clone = ? member not found in the workspace",
    ]


def test_patterns_carry_the_types_of_fields() -> None:
    found = workspace(
        {
            "src/lib.rs": "struct S { i: I } struct P(I); struct I { x: u8 } fn t(s: S, p: P) { let S { i } = s; i.x; let P(q) = p; q.x; p.0.x; }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "I = struct I",
        "I = struct I",
        "S = struct S",
        "P = struct P",
        "S = struct S",
        "i = field S::i",
        "s = local s",
        "i = local i",
        "x = field I::x",
        "P = struct P",
        "p = local p",
        "q = local q",
        "x = field I::x",
        "p = local p",
        "0 = field P::0",
        "x = field I::x",
    ]


def test_trait_methods_of_a_written_type() -> None:
    found = workspace(
        {
            "src/lib.rs": "struct S; trait Tr { fn a(&self); fn b(&self) {} } impl Tr for S { fn a(&self) {} } fn t(s: S) { s.a(); s.b(); } fn u<T: Tr>(s: T) { s.a(); }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "Tr = trait Tr",
        "S = struct S",
        "S = struct S",
        "s = local s",
        "a = fn S::a",
        "s = local s",
        "b = fn Tr::b",
        "Tr = trait Tr",
        "T = local T",
        "s = local s",
        "a = ? receiver type unknown",
    ]


def test_an_inherent_method_comes_before_a_traits() -> None:
    found = workspace(
        {
            "src/lib.rs": "struct S; trait Tr { fn a(&self); } impl Tr for S { fn a(&self) {} } impl S { fn a(&self) {} } fn t(s: S) { s.a(); S::a(&s); Tr::a(&s); <S as Tr>::a(&s); }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "Tr = trait Tr",
        "S = struct S",
        "S = struct S",
        "S = struct S",
        "s = local s",
        "a = fn S::a#1",
        "S::a = fn S::a#1",
        "s = local s",
        "Tr::a = fn Tr::a",
        "s = local s",
        "<S as Tr>::a = fn Tr::a",
        "S = struct S",
        "Tr = trait Tr",
        "s = local s",
    ]


def test_variants_with_fields() -> None:
    found = workspace(
        {
            "src/lib.rs": "enum E { V { x: I } , W(I) } struct I { y: u8 } fn t(e: E) { match e { E::V { x } => x.y, E::W(i) => i.y } E::V { x: I { y: 1 } } }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "I = struct I",
        "I = struct I",
        "E = enum E",
        "e = local e",
        "E::V = variant E::V",
        "x = field E::V::x",
        "x = local x",
        "y = field I::y",
        "E::W = variant E::W",
        "i = local i",
        "y = field I::y",
        "E::V = variant E::V",
        "x = field E::V::x",
        "I = struct I",
        "y = field I::y",
    ]


def test_several_impls_of_one_name_are_ambiguous() -> None:
    found = workspace(
        {
            "src/lib.rs": "struct S<T>(T); impl S<u8> { fn a(&self) {} } impl S<u16> { fn a(&self) {} } fn t(s: S<u8>) { s.a(); S::<u8>::a(&s); }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "T = local T",
        "S = struct S",
        "S = struct S",
        "S = struct S",
        "s = local s",
        "a = fn S::a + fn S::a#1 (maybe: ambiguous)",
        "S::<u8>::a = fn S::a + fn S::a#1 (maybe: ambiguous)",
        "s = local s",
    ]
