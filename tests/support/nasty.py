"""Rust texts that are hard on a lexer, a walk or a mapping of positions; each small, each for a reason."""

NASTY: dict[str, bytes] = {
    "empty": b"",
    "only a comment": b"// nothing here",
    "no newline at the end": b"fn a() {}",
    "byte order mark": b"\xef\xbb\xbf//! doc\nfn a() { call_me_now(1) }\n",
    "carriage returns": b"/// doc\r\n#[inline]\r\npub fn a(x: u8) -> u8 {\r\n    other(x) // c\r\n}\r\nfn b() {}\r\n",
    "shebang": b"#!/usr/bin/env run-cargo-script's\nfn main() { start_here(); }\n",
    "inner attribute first": b"#![allow(dead_code)]\n#![cfg(unix)]\nfn main() {}\n",
    "braces in strings": b'fn a() { let s = "}{"; t(\'{\', b\'}\', "\\"}"); }\nfn b() { c() }\n',
    "raw strings": b'fn a() { let s = r#"fn x() { " }"#; r##"a"#b"##; br"}\\"; b"\\\\"; }\npub fn b() { go() }\n',
    "raw string with many hashes": b'fn a() { let s = r####"} "### "####; x() }\nfn b() {}\n',
    "identifier that ends in r before a quote": b'm! { bar"}" }\nfn a() { m!(attr"{"); }\n',
    "odd characters": b"fn a() { let q = '\"'; let n = '\\''; let u = '\\u{1F600}'; let b = '\\\\'; f('a', 'b') }\nfn z() {}\n",
    "lifetimes": b"fn a<'a, 'b: 'a>(x: &'a str, y: &'b str) -> &'a str { 'l: loop { break 'l x } }\nstruct S<'s>(&'s u8);\n",
    "nested block comments": b"/* a /* { */ fn no() {} */\nfn yes() { /* } */ go() }\n",
    "comments inside heads": b"pub /* { */ fn /* a */ name // {\n(x: u8 /* } */) -> u8 { other_name(x) }\n",
    "comment between attribute and item": b"#[inline]\n// why\nfn a() {}\n\n// far\n\nfn b() {}\n",
    "doc comments of all kinds": (
        b"/// one\n/// two\n#[x]\n/** three */\nfn a() {}\n//// not doc\n/*** not doc */\nfn b() {}\n/**/\nfn c() {}\n"
    ),
    "trailing comment": b"struct A; // about A\nstruct B; // about B\n// above c\nfn c() {}\n",
    "inner doc between": b"mod a {\n    //! inner\n    // x\n    fn b() {}\n}\n",
    "banner": b"// ------------\n// Section\n// ------------\nfn a() {}\n",
    "licence": b"// Copyright someone\n// All rights\nfn a() {}\n",
    "items in bodies": (
        b"fn a() {\n    use crate::x::{self, y as z, w::*};\n    #[derive(Clone)]\n    /// d\n    struct In { f: u8 }\n"
        b"    fn deep() { fn deeper() { leaf() } }\n    if x { const C: u8 = { enum E { V } 3 }; }\n    call(C)\n}\n"
    ),
    "const pointer is no item": b"fn a(p: *const u8) { let q = p as *const u16; read_it(q) }\nfn b() { const C: u8 = 1; }\n",
    "union is no keyword": b"fn a() { let union = 3; union_it(union) }\nunion U { a: u8, b: i8 }\nfn b() { union V { a: u8 } }\n",
    "use right behind": b"fn a() { use::std::mem; swap(1) }\nuse::a::b;\n",
    "signature then brace": b"trait T { fn a(); const N: [u8; 2] = [1, 2]; fn b(x: [u8; 4]) -> u8 { help(x) } }\n",
    "const generics": b"fn a<const N: usize = { 3 + 4 }>() -> [u8; { N + 1 }] { build_it() }\nstruct S<const N: usize>;\n",
    "impl headers": (
        b"impl<'a, T: Into<u8>> a::Tr<T> for b::Ty<'a, T> where T: Fn(u8) -> u8 { type X = u8; const C: u8 = 1; fn m(&self) {} }\n"
        b"unsafe impl Send for X {}\nimpl !Sync for X {}\n"
    ),
    "use trees": (
        b"use a;\nuse a::b as c;\npub(crate) use a::{b, c::{self, d as e}, f::*, self as me};\nuse ::x::y;\nuse {p::q, ::r::s};\n"
        b"use crate::{a, /* c */ b, // d\n c};\nuse a::{};\nuse super::super::z;\nuse r#type::r#fn as r#match;\nuse x :: y :: { z };\n"
    ),
    "foreign": b'extern "C" { fn puts(s: *const u8) -> i32; static X: u8; type T; }\nextern crate alloc as heap;\nextern crate self as me;\n',
    "enum": b"pub enum E<T> {\n    /// v\n    #[x]\n    A,\n    B(T, Other),\n    C { f: crate::Deep },\n    D = 3,\n}\n",
    "visibilities": b"pub(crate) fn a() {}\npub( in crate :: b ) fn c() {}\npub(super) struct D;\ncrate fn e() {}\npub (self) fn f() {}\n",
    "raw identifiers": b"fn r#match() { r#loop(); a::r#b() }\nstruct r#S { r#f: u8 }\n",
    "unicode": "fn größe() { länge(1); \"→\"; 'é' }\nstruct Ünion;\n".encode(),
    "macros": (
        b"cfg_rt! {\n    /// d\n    pub mod m;\n    // c\n    fn a() { go(); }\n}\nlazy! { static X: u8 = 1; }\nm!(a, b);\nm![];\n"
        b'include!(concat!("a", "b"));\nmacro_rules! x { ($a:ident) => { fn $a() { $crate::y::z() } }; }\nm! { not rust at all ( }\n'
    ),
    "branching macro": (
        b'cfg_if::cfg_if! {\n    if #[cfg(a)] {\n        mod a;\n        pub use a::*;\n    } else if #[cfg(b)] { mod b; compile_error!("x"); } else { }\n}\n'
        b"thread_local! { static A: u8 = 1; pub static B: u8 = f() }\nlazy_static! { /// d\n static ref C: u8 = g(); }\n"
    ),
    "attributes inside": b'struct S { #[serde(rename = "a ] {")] a: Ty, #[x] b: u8 }\nfn f(#[y] a: u8) { #[z] { g() } }\n',
    "numbers": b"const A: f64 = 1.0e5 + 0x1F as f64 + 1_000.5f64;\nfn f(t: (u8, u8)) { t.0 + 0b11u8; 1..2 }\n",
    "turbofish": b"fn f() { Vec::<u8>::new(); x.collect::<Vec<_>>(); <T as Tr>::go(); size_of::<Foo>(); a::b::<C>() }\n",
    "unfinished string": b'fn a() { let x = "never ends; }\nfn b() {}\n',
    "unbalanced": b"fn a() { { }\nfn b() {}\n",
    "closing first": b"}\nfn a() {}\n",
    "syntax error in a body": b"fn a() { let = ; }\nfn b() { fine() }\n",
    "syntax error outside": b"fn a() {}\nstruct ;\nfn b() {}\n",
    "frontmatter": b"---\n[dependencies]\n---\nfn main() {}\n",
    "nul": b"fn a() { b() }\n\0\nfn c() {}\n",
    "deep": b"mod a { " * 60 + b"fn f() { g() }" + b" }" * 60,
}
