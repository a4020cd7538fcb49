"""Macros whose bodies or arguments name the moved item, as real crates have them."""

from tests.support.moves import moved, plan


def test_a_body_that_names_the_item_is_served_where_the_macro_is_called() -> None:
    """time: the names of the body come through a glob in the block that calls the macro."""
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\npub mod c;\n",
        "src/a.rs": "pub(crate) fn f(n: u8) -> u8 { n }\n\npub(crate) fn g() {}\n",
        "src/b.rs": "",
        "src/c.rs": (
            "macro_rules! call { ($n:expr) => { f($n) }; }\n\n"
            "pub fn user() -> u8 {\n    use crate::a::*;\n    g();\n    call!(1)\n}\n"
        ),
    }
    made = plan(files, "f", "src/a.rs", "src/b.rs")
    assert made.receipt["refs_unresolved"] == []
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/c.rs"] == (
        "macro_rules! call { ($n:expr) => { f($n) }; }\n\n"
        "pub fn user() -> u8 {\n    use crate::a::*;\n    use crate::b::f;\n    g();\n    call!(1)\n}\n"
    )


def test_a_body_that_is_handed_on_to_a_macro_of_the_caller_is_served_too() -> None:
    files = {
        "src/lib.rs": "macro_rules! each { ($m:ident) => { $m! { f } }; }\npub mod a;\npub mod b;\n",
        "src/a.rs": (
            "pub fn user() -> u8 {\n    macro_rules! call { ($n:ident) => { $n() }; }\n    each!(call)\n}\n\n"
            "fn f() -> u8 { 1 }\n"
        ),
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/a.rs"] == (
        "use crate::b::f;\n\n"
        "pub fn user() -> u8 {\n    macro_rules! call { ($n:ident) => { $n() }; }\n    each!(call)\n}\n"
    )
    assert after["src/b.rs"] == "pub(super) fn f() -> u8 { 1 }\n"


def test_tokens_that_make_macros_stay_in_doubt_and_the_source_goes_on_to_bind_the_name() -> None:
    """wasmparser: a list of operators makes `for_each_operator!`, which the source calls."""
    files = {
        "src/lib.rs": (
            "macro_rules! list { ($m:ident) => { $m! { f (0) } }; }\n"
            "macro_rules! make {\n    ($($t:tt)*) => {\n"
            "        macro_rules! each { ($m:ident) => { $m! { $($t)* } }; }\n    };\n}\n"
            "list!(make);\npub mod a;\npub mod b;\n"
        ),
        "src/a.rs": (
            "pub fn user() -> u8 {\n    macro_rules! call { ($n:ident ($e:expr)) => { $n($e) }; }\n    each!(call)\n}\n\n"
            "fn f(n: u8) -> u8 { n }\n"
        ),
        "src/b.rs": "",
    }
    made = plan(files, "f", "src/a.rs", "src/b.rs")
    assert [(u["file"], u["line"], u["text"]) for u in made.receipt["refs_unresolved"]] == [
        ("src/lib.rs", 1, "f")
    ]
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/a.rs"] == (
        "#[allow(unused_imports)]\nuse crate::b::f;\n\n"
        "pub fn user() -> u8 {\n    macro_rules! call { ($n:ident ($e:expr)) => { $n($e) }; }\n    each!(call)\n}\n"
    )


def test_a_type_that_a_macro_call_of_the_source_declares_is_imported() -> None:
    """nix, image-webp: `libc_bitflags! { pub struct Flags: u8 { … } }`; nobody proves that the macro makes it."""
    files = {
        "src/lib.rs": "#[macro_use]\nmod m;\npub mod a;\npub mod b;\n",
        "src/m.rs": "macro_rules! make { (pub struct $n:ident: $t:ty { $($x:tt)* }) => { pub struct $n { pub n: $t } }; }\n",
        "src/a.rs": "make! { pub struct Flags: u8 { A = 1; } }\n\npub fn f(flags: Flags) -> u8 { flags.n }\n",
        "src/b.rs": "",
    }
    made = plan(files, "f", "src/a.rs", "src/b.rs")
    assert [u["text"] for u in made.receipt["refs_unresolved"]] == ["Flags"]
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"] == "use crate::a::Flags;\n\npub fn f(flags: Flags) -> u8 { flags.n }\n"


def test_a_macro_call_in_a_doc_test_is_no_place_to_import_to() -> None:
    """combine: `parser!` in a doc test, whose body calls `parser`."""
    files = {
        "src/lib.rs": "#[macro_use]\npub mod m;\npub mod a;\npub mod b;\n",
        "src/m.rs": (
            "/// ```\n/// use case::a::f;\n/// case::call!();\n/// ```\n"
            "#[macro_export]\nmacro_rules! call { () => { f(1) }; }\n"
        ),
        "src/a.rs": "pub fn f(n: u8) -> u8 { n }\n",
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/m.rs"] == files["src/m.rs"].replace("case::a::f", "case::b::f")
