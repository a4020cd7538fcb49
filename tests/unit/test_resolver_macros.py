"""Macros: textual order, exports, arguments, definitions, format strings."""

from tests.support.rust import told, workspace


def test_macro_rules_are_seen_after_their_text() -> None:
    found = workspace(
        {
            "src/lib.rs": "mod before { fn t() { m!(); } } macro_rules! m { () => {} } mod after { fn t() { m!(); } } fn t() { m!(); crate::m!(); } #[macro_use] mod inner { macro_rules! n { () => {} } } fn u() { n!(); }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "m = ? macro not found",
        "m = macro_rules m",
        "m = macro_rules m",
        "crate::m = ? macro not found",
        "n = macro_rules inner::n",
    ]


def test_the_last_macro_of_a_name_counts() -> None:
    found = workspace(
        {
            "src/lib.rs": "macro_rules! m { () => { 1 } } fn a() { m!(); } macro_rules! m { () => { 2 } } fn b() { m!(); }"
        }
    )
    assert told(found, "src/lib.rs") == ["m = macro_rules m", "m = macro_rules m#1"]


def test_exported_macros_live_at_the_root() -> None:
    found = workspace(
        {
            "src/lib.rs": "mod a { #[macro_export] macro_rules! m { () => {} } } mod b { fn t() { crate::m!(); m!(); } use crate::m; } mod c { macro_rules! p { () => {} } pub(crate) use p as q; } fn t() { c::q!(); }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "crate::m = macro_rules a::m",
        "m = macro_rules a::m",
        "crate::m = macro_rules a::m",
        "p = macro_rules c::p",
        "c::q = macro_rules c::p",
    ]


def test_macros_of_blocks() -> None:
    found = workspace({"src/lib.rs": "fn t() { m!(); macro_rules! m { () => {} } m!(); }"})
    assert told(found, "src/lib.rs") == ["m = ? macro not found", "m = macro_rules t()::m"]


def test_std_macros_take_expressions() -> None:
    found = workspace(
        {
            "src/lib.rs": 'mod a { pub const K: u8 = 1; pub fn f() -> u8 { 1 } } fn t(x: u8) { assert!(a::f() > x); assert_eq!(a::f(), a::K, "{x}"); vec![a::K; 3]; vec![a::f()]; dbg!(a::f()); write!(x, "{}", a::f()); stringify!(a::f()); }'
        }
    )
    assert told(found, "src/lib.rs") == [
        "assert = std::assert",
        "a::f = fn a::f",
        "x = local x",
        "assert_eq = std::assert_eq",
        "a::f = fn a::f",
        "a::K = const a::K",
        "x = local x",
        "vec = std::vec",
        "a::K = const a::K",
        "vec = std::vec",
        "a::f = fn a::f",
        "dbg = std::dbg",
        "a::f = fn a::f",
        "write = std::write",
        "x = local x",
        "a::f = fn a::f",
        "stringify = std::stringify",
    ]


def test_format_strings_capture_names() -> None:
    found = workspace(
        {
            "src/lib.rs": 'const W: usize = 1; fn t(x: u8) { println!("{x} {x:?} {{x}} {:W$} {0:.W$} {y}", x, y = x); format!(r"\\{x}"); panic!("{unknown}"); }'
        }
    )
    assert told(found, "src/lib.rs") == [
        "println = std::println",
        "x = local x",
        "x = local x",
        "W = const W",
        "W = const W",
        "x = local x",
        "x = local x",
        "format = std::format",
        "x = local x",
        "panic = std::panic",
        "unknown = ? not found",
    ]


def test_matches_reads_a_pattern() -> None:
    found = workspace(
        {
            "src/lib.rs": "const K: u8 = 1; fn t(x: Option<u8>) { matches!(x, Some(K) | Some(2)); matches!(x, Some(y) if y > K); }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "Option = std::option::Option",
        "matches = std::matches",
        "x = local x",
        "Some = std::option::Option::Some",
        "K = const K",
        "Some = std::option::Option::Some",
        "matches = std::matches",
        "x = local x",
        "Some = std::option::Option::Some",
        "y = local y",
        "K = const K",
    ]


def test_arguments_of_other_macros_are_a_doubt() -> None:
    found = workspace(
        {
            "src/lib.rs": "mod a { pub fn f() {} pub struct T { x: u8 } } macro_rules! m { ($($t:tt)*) => {} } fn t(x: u8) { m!(a::f(), x.go()); m!(a::f => x); m!(a::T); m! { let y = a::f(); y } }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "m = macro_rules m",
        "a::f = fn a::f (maybe: macro argument)",
        "x = local x (maybe: macro argument)",
        "go = ? receiver type unknown",
        "m = macro_rules m",
        "a::f = fn a::f (maybe: macro tokens)",
        "x = local x (maybe: macro tokens)",
        "m = macro_rules m",
        "a::T = struct a::T (maybe: macro argument)",
        "m = macro_rules m",
        "a::f = fn a::f (maybe: macro argument)",
        "y = local y (maybe: macro argument)",
    ]


def test_paths_in_a_macros_definition() -> None:
    found = workspace(
        {
            "src/lib.rs": 'mod a { pub fn f() {} pub fn g() {} } macro_rules! m { ($x:expr) => { $crate::a::f($x); use $crate::a::{f as h, g}; let a = 1; a.go; println!("{}", a::g()) } }'
        }
    )
    assert told(found, "src/lib.rs") == [
        "$crate::a::f = fn a::f (maybe: macro tokens)",
        "$crate::a::{f = fn a::f (maybe: macro tokens)",
        "$crate::a::{f as h, g = fn a::g (maybe: macro tokens)",
        "go = ? receiver type unknown",
        "println = std::println (maybe: macro tokens)",
        "a::g = fn a::g (maybe: macro tokens)",
    ]


def test_items_inside_a_brace_macro_belong_to_the_module() -> None:
    found = workspace(
        {"src/lib.rs": "cfg_rt! { pub fn f() {} mod m { pub fn g() {} } } fn t() { f(); m::g(); }"}
    )
    assert told(found, "src/lib.rs") == [
        "cfg_rt = ? macro not found",
        "f = fn f (maybe: item inside a macro call)",
        "m::g = fn m::g (maybe: item inside a macro call)",
    ]


def test_thread_local_in_a_block_declares() -> None:
    found = workspace({"src/lib.rs": "fn t() { thread_local! { static KEY: u8 = 1; } KEY.with(|k| k); }"})
    assert told(found, "src/lib.rs") == [
        "thread_local = std::thread_local",
        "KEY = local KEY",
        "with = ? receiver type unknown",
        "k = local k",
    ]


def test_a_macro_and_a_function_of_one_name() -> None:
    found = workspace(
        {"src/lib.rs": "macro_rules! area { ($x:expr) => { $x } } fn area() {} fn t() { area!(area()); }"}
    )
    assert told(found, "src/lib.rs") == ["area = macro_rules area", "area = fn area (maybe: macro argument)"]
