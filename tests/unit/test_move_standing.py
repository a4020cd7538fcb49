"""Visibility after a move: the least that works, never less than before, and what is shared gets no more than it needs."""

import pytest
from tests.support.before_after import files_of
from tests.support.moves import moved, plan

TREE = {
    "src/lib.rs": "pub mod a;\npub mod b;\npub mod far;\n",
    "src/a.rs": "pub mod x;\npub mod y;\n",
    "src/a/x.rs": "",
    "src/a/y.rs": "",
    "src/b.rs": "",
    "src/far.rs": "",
}
FILE = {
    "crate": "src/lib.rs",
    "a": "src/a.rs",
    "x": "src/a/x.rs",
    "y": "src/a/y.rs",
    "b": "src/b.rs",
    "far": "src/far.rs",
}
MODULE = {"a": "crate::a", "x": "crate::a::x", "y": "crate::a::y", "b": "crate::b", "far": "crate::far"}


def standing(written: str, source: str, dest: str, *users: str) -> str:
    """The visibility of `m` after its move, as written; `users` are the modules that call it."""
    files = dict(TREE)
    files[FILE[source]] += f"{written} fn m() {{}}\n".lstrip()
    for number, user in enumerate(users):
        files[FILE[user]] += f"pub fn u{number}() {{ {MODULE[source]}::m(); }}\n"
    found = plan(files, "m", FILE[source], FILE[dest])
    text = next(f.after for f in found.files if f.path == FILE[dest]) or b""
    line = next(line for line in text.decode().splitlines() if " fn m()" in line or line.startswith("fn m()"))
    after = line.split("fn m()")[0].strip()
    receipt = found.receipt["moved_visibility"]
    assert receipt == {"before": written or "private", "after": after or "private"}
    assert found.receipt["moved_visibility_bumped"] == (written != after)
    return after


@pytest.mark.parametrize(
    "written, source, dest, users, after",
    [
        ("", "x", "y", [], ""),
        ("", "x", "y", ["x"], "pub(super)"),
        ("", "x", "b", ["x"], "pub(super)"),
        ("", "a", "b", ["a"], "pub(super)"),
        ("", "a", "b", ["x"], "pub(super)"),
        ("", "a", "x", ["a"], "pub(super)"),
        ("", "a", "x", ["y"], "pub(super)"),
        ("", "a", "x", ["x"], ""),
        ("pub(self)", "x", "y", ["x"], "pub(super)"),
        ("pub(super)", "x", "y", ["x"], "pub(super)"),
        ("pub(super)", "x", "y", [], "pub(super)"),
        ("pub(super)", "x", "y", ["a"], "pub(super)"),
        ("pub(super)", "a", "b", ["far"], "pub(super)"),
        ("pub(super)", "a", "x", ["far"], "pub(crate)"),
        ("pub(super)", "x", "b", ["a"], "pub(super)"),
        ("pub(crate)", "x", "y", [], "pub(crate)"),
        ("pub(crate)", "x", "b", ["x"], "pub(crate)"),
        ("pub(in crate::a)", "x", "y", ["x"], "pub(in crate::a)"),
        ("pub(in crate::a)", "x", "b", ["x"], "pub(super)"),
        ("pub", "x", "b", ["x", "far"], "pub"),
        ("pub", "x", "b", [], "pub"),
    ],
)
def test_the_item_gets_the_least_visibility_that_its_users_need(
    written: str, source: str, dest: str, users: list[str], after: str
) -> None:
    """D37. What was narrower than `pub(crate)` never gets less than it had; `pub` and `pub(crate)` stay as written."""
    assert standing(written, source, dest, *users) == after


def shared(written: str, source: str, dest: str) -> str:
    """The visibility of a dependency of `m` that stays, after the move of `m`."""
    files = dict(TREE)
    files[FILE[source]] += (
        f"{written} fn d() {{}}\npub fn stay() {{ d(); }}\npub fn m() {{ d(); }}\n".lstrip()
    )
    found = plan(files, "m", FILE[source], FILE[dest])
    text = next(f.after for f in found.files if f.path == FILE[source]) or b""
    after = next(line for line in text.decode().splitlines() if "fn d()" in line).split("fn d()")[0].strip()
    expected = [
        {
            "name": "d",
            "visibility_bumped": True,
            "visibility_before": written or "private",
            "visibility_after": after,
        }
    ]
    assert found.receipt["deps_shared"] == (expected if after != written else [])
    return after


@pytest.mark.parametrize(
    "written, source, dest, after",
    [
        ("", "x", "y", "pub(super)"),
        ("", "x", "b", "pub(crate)"),
        ("", "a", "b", "pub(super)"),
        ("", "a", "x", ""),
        ("", "x", "a", "pub(super)"),
        ("pub(self)", "x", "y", "pub(super)"),
        ("pub(super)", "x", "y", "pub(super)"),
        ("pub(super)", "x", "b", "pub(crate)"),
        ("pub(in crate::a)", "x", "y", "pub(in crate::a)"),
        ("pub(in crate::a)", "x", "b", "pub(crate)"),
        ("pub(crate)", "x", "b", "pub(crate)"),
        ("pub", "x", "b", "pub"),
    ],
)
def test_a_shared_dependency_gets_the_least_visibility_that_the_new_home_needs(
    written: str, source: str, dest: str, after: str
) -> None:
    """D37: `pub(super)`, then a path, then `pub(crate)`."""
    assert shared(written, source, dest) == after


def test_a_region_in_between_is_written_as_a_path() -> None:
    """Two levels up but not the root: `pub(in …)`."""
    files = {
        **TREE,
        "src/a/y.rs": "pub mod deep;\n",
        "src/a/y/deep.rs": "",
        "src/a/x.rs": "pub mod low;\n",
        "src/a/x/low.rs": "fn d() {}\npub fn stay() {\n    d();\n}\npub fn m() {\n    d();\n}\n",
    }
    found = plan(files, "m", "src/a/x/low.rs", "src/a/y/deep.rs")
    assert {f.path: f.after for f in found.files} == {
        "src/a/x/low.rs": b"pub(in crate::a) fn d() {}\npub fn stay() {\n    d();\n}\n",
        "src/a/y/deep.rs": b"use crate::a::x::low::d;\n\npub fn m() {\n    d();\n}\n",
    }


def test_types_of_the_signature_are_as_visible_as_the_item() -> None:
    """rustc would warn of a private interface (case 16)."""
    files = {
        **TREE,
        "src/a/x.rs": "struct D;\n\nfn make() -> D {\n    D\n}\n\nfn m(_: &D) {}\n\npub fn stay() {\n    m(&make());\n}\n",
    }
    found = plan(files, "m", "src/a/x.rs", "src/b.rs")
    assert {f.path: f.after for f in found.files} == {
        "src/a/x.rs": b"use crate::b::m;\n\npub(crate) struct D;\n\nfn make() -> D {\n    D\n}\n\n"
        b"pub fn stay() {\n    m(&make());\n}\n",
        "src/b.rs": b"use crate::a::x::D;\n\npub(super) fn m(_: &D) {}\n",
    }


@pytest.mark.parametrize(
    "declared, use, raised",
    [
        ("pub struct D { v: u8 }", "let d = D { v: 1 }; let _ = d.v;", "pub struct D { pub(super) v: u8 }"),
        ("pub struct D(u8);", "let d = D(1); let _ = d.0;", "pub struct D(pub(super) u8);"),
        ("pub struct D { pub v: u8, w: u8 }", "let D { v, w } = made(); let _ = (v, w);", None),
        ("pub struct D { v: u8 }", "let D { .. } = made();", "pub struct D { v: u8 }"),
    ],
)
def test_private_fields_that_the_body_touches_are_opened(declared: str, use: str, raised: str | None) -> None:
    """Case 18: fields and constructors are dependencies."""
    made = "D { v: 1, w: 2 }" if "w: u8" in declared else "D { v: 1 }"
    make = f"pub fn made() -> D {{ {made} }}\n" if "v: u8" in declared else ""
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": f"{declared}\n{make}pub fn m() {{ {use} }}\n",
        "src/b.rs": "",
    }
    found = plan(files, "m", "src/a.rs", "src/b.rs")
    text = (next(f.after for f in found.files if f.path == "src/a.rs") or b"").decode()
    assert text.splitlines()[0] == (raised or "pub struct D { pub v: u8, pub(super) w: u8 }")


def test_private_methods_and_associated_items_are_opened() -> None:
    """Case 20."""
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": "pub struct D;\n\nimpl D {\n    const N: u8 = 1;\n\n    fn new() -> D {\n        D\n    }\n\n"
        "    fn go(&self) -> u8 {\n        Self::N\n    }\n\n    fn still(&self) {}\n}\n\n"
        "pub fn m() -> u8 {\n    let d = D::new();\n    d.go() + D::N\n}\n",
        "src/b.rs": "",
    }
    found = plan(files, "m", "src/a.rs", "src/b.rs")
    assert {f.path: (f.after or b"").decode() for f in found.files} == {
        "src/a.rs": "pub struct D;\n\nimpl D {\n    pub(super) const N: u8 = 1;\n\n    pub(super) fn new() -> D {\n"
        "        D\n    }\n\n    pub(super) fn go(&self) -> u8 {\n        Self::N\n    }\n\n    fn still(&self) {}\n}\n",
        "src/b.rs": "use crate::a::D;\n\npub fn m() -> u8 {\n    let d = D::new();\n    d.go() + D::N\n}\n",
    }


def test_a_private_module_on_the_way_is_opened_for_the_users_of_the_crate() -> None:
    """D37: as little as the item itself, and said in the receipt."""
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": "pub fn m() {}\n\npub fn stay() {\n    m();\n}\n",
        "src/b.rs": "mod hidden;\n",
        "src/b/hidden.rs": "//! Nothing.\n",
    }
    found = plan(files, "m", "src/a.rs", "src/b/hidden.rs")
    assert {f.path: f.after for f in found.files} == {
        "src/a.rs": b"pub use crate::b::hidden::m;\n\npub fn stay() {\n    m();\n}\n",
        "src/b.rs": b"pub(super) mod hidden;\n",
        "src/b/hidden.rs": b"//! Nothing.\n\npub fn m() {}\n",
    }
    assert [d["name"] for d in found.receipt["deps_shared"]] == ["hidden"]


def test_the_source_goes_on_to_show_what_other_crates_cannot_reach() -> None:
    """TRANSPLANT.md plan 5: a private module on the way, and a user outside."""
    files = files_of(
        """
        //- src/lib.rs
        pub mod a;
        pub mod b;
        //- src/a.rs
        pub fn m() {}
        //- src/b.rs
        mod hidden;
        //- src/b/hidden.rs
        //! Nothing.
        //- tests/it.rs
        #[test]
        fn it() {
            case::a::m();
        }
        """
    )
    found = plan(files, "m", "src/a.rs", "src/b/hidden.rs")
    assert {f.path: f.after for f in found.files} == {
        "src/a.rs": b"pub use crate::b::hidden::m;\n",
        "src/b.rs": b"pub(super) mod hidden;\n",
        "src/b/hidden.rs": b"//! Nothing.\n\npub fn m() {}\n",
    }


def test_a_chain_of_public_globs_shows_the_module() -> None:
    """wasmparser: `pub use readers::*` over `pub use core::*`; what was inner stays so where documentation is asked for."""
    files = {
        "src/lib.rs": "#![deny(missing_docs)]\n//! Docs.\nmod a;\nmod r;\npub use r::*;\n",
        "src/a.rs": "pub fn f() {}\n",
        "src/r.rs": "mod b;\npub use b::*;\n",
        "src/r/b.rs": "",
    }
    assert moved(files, "f", "src/a.rs", "src/r/b.rs")["src/r/b.rs"] == "pub(crate) fn f() {}\n"
