"""Paths behind a type are items of that type: they are in no scope, so nothing is imported for them. Found by use."""

import pytest
from tests.support.moves import moved

TRAIT = """
pub struct S;
pub trait Has { type Out; const K: u32; fn mk() -> u32 { 1 } }
impl Has for S { type Out = u32; const K: u32 = 4; }
impl S { pub const Q: u32 = 1; }
pub enum E { A }
"""


@pytest.mark.parametrize(
    "fn, imported",
    [
        ("pub fn go() -> <S as Has>::Out { 3 }", ["Has", "S"]),
        ("pub fn go() -> [u8; <S as Has>::K as usize] { [0; <S as Has>::K as usize] }", ["Has", "S"]),
        ("pub fn go() -> u32 { <S as Has>::mk() + <S>::Q }", ["Has", "S"]),
        ("pub fn go() -> E { <E>::A }", ["E"]),
    ],
)
@pytest.mark.parametrize("resident", ["", "const K: u8 = 0;\nconst Q: u8 = 0;\nfn mk() {}\nenum Out {}\n"])
def test_what_stands_behind_a_type_is_not_imported(fn: str, imported: list[str], resident: str) -> None:
    files = {"src/lib.rs": "pub mod a;\npub mod b;\n", "src/a.rs": f"{TRAIT}{fn}\n", "src/b.rs": resident}
    after = moved(files, "go", "src/a.rs", "src/b.rs")["src/b.rs"]
    uses = sorted(line for line in after.splitlines() if line.startswith("use "))
    assert uses == [f"use crate::a::{name};" for name in imported]
    assert fn in after


def test_items_of_outside_traits_are_not_imported() -> None:
    fn = (
        "pub fn go<T: IntoIterator<Item = u32>>(t: T) -> (<T as IntoIterator>::IntoIter, <Vec<u8> as IntoIterator>::Item) {\n"
        "    (t.into_iter(), <u8 as Default>::default())\n}\n"
    )
    files = {"src/lib.rs": "pub mod a;\npub mod b;\n", "src/a.rs": fn, "src/b.rs": ""}
    assert moved(files, "go", "src/a.rs", "src/b.rs")["src/b.rs"].strip() == fn.strip()
