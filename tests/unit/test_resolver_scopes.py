"""Lexical scopes inside bodies: locals, patterns, items of blocks, generics, `Self`."""

from tests.support.rust import told, workspace


def test_block_items_and_imports_shadow_outer_names() -> None:
    found = workspace(
        {
            "src/lib.rs": "fn f(a: u8) { let a = a; { a(); fn a() {} use std::mem::swap; swap(); } a; let f = |a| a; f(a); fn inner<T>() { a; T; } }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "a = local a",
        "a = fn f()::a",
        "std::mem::swap = std::mem::swap",
        "swap = std::mem::swap",
        "a = local a#1",
        "a = local a#2",
        "f = local f",
        "a = local a#1",
        "a = ? not found",
        "T = local T",
    ]


def test_a_local_beats_the_items_of_its_own_block() -> None:
    found = workspace({"src/lib.rs": "fn t() { fn x() {} let x = 1; x; { x; } }"})
    assert told(found, "src/lib.rs") == ["x = local x", "x = local x"]


def test_a_name_in_a_pattern_refers_or_binds() -> None:
    found = workspace(
        {
            "src/lib.rs": "const K: u8 = 1; struct U; enum E { V, W { x: u8 } } use E::V; static S: u8 = 0; fn k() {}\nfn t(n: u8, e: E) { match n { K => {} S => {} k => { k; } } match e { V => {} E::W { x } => { x; } } let U = U; let mut K = 1; ref_(K); }\nfn ref_(x: u8) {}"
        }
    )
    assert told(found, "src/lib.rs") == [
        "E::V = variant E::V",
        "E = enum E",
        "n = local n",
        "K = const K",
        "S = static S",
        "k = local k",
        "e = local e",
        "V = variant E::V",
        "E::W = variant E::W",
        "x = field E::W::x",
        "x = local x",
        "U = struct U",
        "U = struct U",
        "ref_ = fn ref_",
        "K = local K#1",
    ]


def test_conditions_bind_for_what_they_guard() -> None:
    found = workspace(
        {
            "src/lib.rs": "const K: u8 = 1; fn t(y: u8) { if let Some(q) = Some(y) && q > K { q; } else { q; } while let Ok(z) = y { z; } z; let Some(w) = None else { w; return }; w; for i in i() { i; } } fn i() {}"
        }
    )
    assert told(found, "src/lib.rs") == [
        "Some = std::option::Option::Some",
        "Some = std::option::Option::Some",
        "y = local y",
        "q = local q",
        "K = const K",
        "q = local q",
        "q = ? not found",
        "Ok = std::result::Result::Ok",
        "y = local y",
        "z = local z",
        "z = ? not found",
        "Some = std::option::Option::Some",
        "None = std::option::Option::None",
        "w = ? not found",
        "w = local w",
        "i = fn i",
        "i = local i",
    ]


def test_or_patterns_and_captures_bind_once() -> None:
    found = workspace(
        {
            "src/lib.rs": "fn t(n: (u8, u8)) { match n { (x, 1) | (1, x) if x > 1 => x, (a @ 1..=9, _) => a, (ref b, mut c) => b, &d => d, [first, rest @ ..] => rest }; x; }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "n = local n",
        "x = local x",
        "x = local x",
        "a = local a",
        "b = local b",
        "d = local d",
        "rest = local rest",
        "x = ? not found",
    ]


def test_labels_and_lifetimes_are_no_names() -> None:
    found = workspace({"src/lib.rs": "fn a() {} fn t<'a>(x: &'a u8) { 'a: loop { break 'a; continue 'a; } }"})
    assert told(found, "src/lib.rs") == []


def test_generics_shadow_and_do_not_reach_nested_items() -> None:
    found = workspace(
        {
            "src/lib.rs": "struct T; const N: u8 = 0; fn t<T: Clone, const N: usize>(x: T, y: [u8; N]) -> Vec<T> where T: Into<T> { fn inner(x: T) { N; } N; foo::<N>() } fn foo<const M: usize>() {}"
        }
    )
    assert told(found, "src/lib.rs") == [
        "Clone = std::clone::Clone",
        "T = local T",
        "N = local N",
        "Vec = std::vec::Vec",
        "T = local T",
        "T = local T",
        "Into = std::convert::Into",
        "T = local T",
        "T = struct T",
        "N = const N",
        "N = local N",
        "foo = fn foo",
        "N = local N",
    ]


def test_self_type_in_impls_traits_and_structs() -> None:
    found = workspace(
        {
            "src/lib.rs": "struct S { next: Option<Box<Self>> } impl S { const C: u8 = 1; fn new() -> Self { Self::C; Self { next: None } } fn f(&self) { Self::new(); <Self>::new(); <S as Tr>::g(); Self::h(); } }\ntrait Tr { type A; fn g(); fn h() -> Self::A { Self::g() } } impl Tr for S { type A = u8; fn g() {} }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "Option = std::option::Option",
        "Box = std::boxed::Box",
        "Self = local Self",
        "S = struct S",
        "Self = local Self",
        "Self::C = const S::C",
        "Self = local Self",
        "next = field S::next",
        "None = std::option::Option::None",
        "Self::new = fn S::new",
        "<Self>::new = fn S::new",
        "Self = local Self",
        "<S as Tr>::g = fn Tr::g",
        "S = struct S",
        "Tr = trait Tr",
        "Self::h = fn Tr::h",
        "Self::A = type Tr::A",
        "Self::g = fn Tr::g",
        "Tr = trait Tr",
        "S = struct S",
    ]


def test_tuple_struct_and_unit_struct_live_in_two_namespaces() -> None:
    found = workspace(
        {
            "src/lib.rs": "struct P(u8); struct U; struct N { x: u8 } fn t(p: P) -> U { let P(x) = p; P(x); N(1); U }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "P = struct P",
        "U = struct U",
        "P = struct P",
        "p = local p",
        "P = struct P",
        "x = local x",
        "N = ? not found",
        "U = struct U",
    ]


def test_struct_literals_fields_and_shorthand() -> None:
    found = workspace(
        {
            "src/lib.rs": "struct S { f: u8, g: u8 } fn f() {} fn t(g: u8, base: S) { S { f, g: g, ..base }; let S { f, g: h, .. } = base; h; f; }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "S = struct S",
        "S = struct S",
        "f = field S::f",
        "f = fn f",
        "g = field S::g",
        "g = local g",
        "base = local base",
        "S = struct S",
        "f = field S::f",
        "g = field S::g",
        "base = local base",
        "h = local h",
        "f = local f",
    ]


def test_method_and_field_names_are_never_items() -> None:
    found = workspace(
        {"src/lib.rs": "fn area() {} fn t(x: u8) { x.area(); x.area; area(); x.area::<u8>().y; }"}
    )
    assert told(found, "src/lib.rs") == [
        "x = local x",
        "area = ? receiver type unknown",
        "x = local x",
        "area = ? receiver type unknown",
        "area = fn area",
        "x = local x",
        "area = ? receiver type unknown",
        "y = ? receiver type unknown",
    ]


def test_const_arguments_look_like_types() -> None:
    found = workspace(
        {"src/lib.rs": "const N: usize = 1; struct A<const M: usize>; fn t(a: A<N>, b: A<{ N }>) {}"}
    )
    assert told(found, "src/lib.rs") == ["A = struct A", "N = const N", "A = struct A", "N = const N"]


def test_associated_type_bindings_are_no_paths() -> None:
    found = workspace(
        {
            "src/lib.rs": "struct Item; fn t(x: impl Iterator<Item = Item>, y: fn(name: Item) -> u8, z: &dyn Fn(Item)) {}"
        }
    )
    assert told(found, "src/lib.rs") == [
        "Iterator = std::iter::Iterator",
        "Item = struct Item",
        "Item = struct Item",
        "Fn = std::ops::Fn",
        "Item = struct Item",
    ]


def test_items_in_functions_are_definitions() -> None:
    found = workspace(
        {
            "src/lib.rs": "fn t() { struct L; impl L { fn new() -> L { L } } enum E { A } use E::A; A; L::new(); const C: u8 = 1; match 1 { C => {} _ => {} } mod m { pub fn f() {} } m::f(); }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "L = struct t()::L",
        "L = struct t()::L",
        "L = struct t()::L",
        "E::A = variant t()::E::A",
        "A = variant t()::E::A",
        "L::new = fn t()::L::new",
        "C = const t()::C",
        "m::f = fn t()::m::f",
    ]


def test_a_module_may_have_the_name_of_a_function_with_items_in_its_body() -> None:
    found = workspace(
        {
            "src/lib.rs": "mod t { pub struct L; } fn t() { struct L; let _ = L; let _ = t::L; }",
        }
    )
    assert told(found, "src/lib.rs") == ["L = struct t()::L", "t::L = struct t::L"]


def test_a_nested_fn_of_its_parents_name() -> None:
    found = workspace({"src/lib.rs": "fn f() { fn f() {} f(); }"})
    assert told(found, "src/lib.rs") == ["f = fn f()::f"]


def test_statics_hold_paths_too() -> None:
    found = workspace(
        {
            "src/lib.rs": "const fn f() -> u8 { 1 } static S: u8 = f(); enum E { A = f() as isize } struct T([u8; f() as usize]);"
        }
    )
    assert told(found, "src/lib.rs") == ["f = fn f", "f = fn f", "f = fn f"]


def test_an_alias_of_an_enum_reaches_its_variants() -> None:
    found = workspace(
        {"src/lib.rs": "enum E { A } type F = E; impl F { fn n() {} } fn t() { F::A; E::n(); F::n(); }"}
    )
    assert told(found, "src/lib.rs") == [
        "E = enum E",
        "F = type F",
        "F::A = variant E::A",
        "E::n = fn F::n",
        "F::n = fn F::n",
    ]


def test_a_closure_s_body_goes_on_behind_an_open_range() -> None:
    found = workspace(
        {
            "src/lib.rs": "fn t(s: &[(u8, u8)]) { s.iter().map(|r| (r.0)..(r.1)); s.iter().map(|q| (q.0)..(q.1).max(q.1)); r; q; }"
        }
    )
    assert [line for line in told(found, "src/lib.rs") if line[:4] in ("r = ", "q = ")] == [
        "r = local r",
        "r = local r",
        "q = local q",
        "q = local q",
        "q = local q",
        "r = ? not found",
        "q = ? not found",
    ]
