"""Types that moved text uses without naming them must be visible at the new home."""

from tests.support.moves import moved

ROOT = "pub mod a;\npub mod b;\n"


def after(source: str) -> dict[str, str]:
    files = {"src/lib.rs": ROOT, "src/a.rs": source, "src/b.rs": "//! B.\n"}
    return moved(files, "make", "src/a.rs", "src/b.rs")


def test_the_payload_of_a_private_variant_is_raised() -> None:
    source = (
        "struct Inner(u8);\n"
        "type Alias = Option<Inner>;\n"
        "pub(crate) enum Outer {\n    One(Alias),\n}\n"
        "pub(crate) fn inner() -> Alias {\n    Some(Inner(1))\n}\n"
        "pub(crate) fn make() -> Outer {\n    Outer::One(inner())\n}\n"
        "pub(crate) fn stay(o: &Outer) -> u8 {\n    match o {\n        Outer::One(Some(i)) => i.0,\n        _ => 0,\n    }\n}\n"
    )
    result = after(source)
    assert result["src/a.rs"].startswith(
        "pub(super) struct Inner(u8);\npub(super) type Alias = Option<Inner>;\n"
    )
    assert "pub(crate) fn make() -> Outer {\n    Outer::One(inner())\n}\n" in result["src/b.rs"]


def test_a_type_that_is_only_named_inside_another_stays_private() -> None:
    source = (
        "struct Inner(u8);\n"
        "pub struct Outer {\n    inner: Inner,\n}\n"
        "pub fn new() -> Outer {\n    Outer { inner: Inner(1) }\n}\n"
        "pub fn make() -> Outer {\n    new()\n}\n"
        "pub fn stay(o: &Outer) -> u8 {\n    o.inner.0\n}\n"
    )
    assert after(source)["src/a.rs"].startswith("struct Inner(u8);\n")


def test_a_type_that_a_macro_s_method_call_gives_to_those_who_stay_does_not_travel() -> None:
    """`parse!(self.0, ident)` has an `Ident` in its hands, and so has `first!`, whose body calls the method itself."""
    source = (
        "macro_rules! parse {\n    ($p:expr, $method:ident) => {\n        $p.$method()\n    };\n}\n"
        "macro_rules! first {\n    ($p:expr) => {\n        $p.number()\n    };\n}\n"
        "struct Ident(u8);\n"
        "struct Number(u8);\n"
        "struct Left(u8);\n"
        "pub(crate) struct Parser;\n"
        "impl Parser {\n"
        "    fn ident(&self) -> Ident {\n        Ident(self.left().0)\n    }\n"
        "    fn number(&self) -> Number {\n        Number(1)\n    }\n"
        "    fn left(&self) -> Left {\n        Left(2)\n    }\n"
        "}\n"
        "pub(crate) struct Printer(Parser);\n"
        "impl Printer {\n"
        "    pub(crate) fn stays(&self) -> u8 {\n        parse!(self.0, ident).0 + first!(self.0).0\n    }\n"
        "}\n"
    )
    files = {"src/lib.rs": ROOT, "src/a.rs": source, "src/b.rs": "//! B.\n"}
    result = moved(files, "Parser", "src/a.rs", "src/b.rs")
    assert (
        "pub(super) struct Ident(pub(super) u8);\npub(super) struct Number(pub(super) u8);\n"
        in result["src/a.rs"]
    )
    assert "struct Left(" in result["src/b.rs"] and "Left" not in result["src/a.rs"]
