"""A `macro_rules!` that the moved text calls and others keep gets a path (case 032, W26)."""

from tests.support.moves import moved, plan, refusal

ROOT = "pub mod b;\npub mod a;\n"
MACRO = "macro_rules! sq { ($e:expr) => { $e * $e }; }"
USERS = "pub fn f(n: u32) -> u32 { sq!(n) }\n\npub fn other(n: u32) -> u32 { sq!(n) }\n"


def test_it_gets_a_path_below_itself_and_home_imports_that() -> None:
    files = {"src/lib.rs": ROOT, "src/a.rs": f"{MACRO}\n\n{USERS}", "src/b.rs": ""}
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/a.rs"] == f"{MACRO}\npub(super) use sq;\n\npub fn other(n: u32) -> u32 {{ sq!(n) }}\n"
    assert after["src/b.rs"] == "use crate::a::sq;\n\npub fn f(n: u32) -> u32 { sq!(n) }\n"
    assert plan(files, "f", "src/a.rs", "src/b.rs").receipt["deps_shared"] == [
        {
            "name": "sq",
            "visibility_bumped": True,
            "visibility_before": "private",
            "visibility_after": "pub(super)",
        }
    ]


def test_the_macros_that_it_calls_come_with_it() -> None:
    """httparse: `next!` calls `expect!`; both in a module of macros behind the new home."""
    macros = "macro_rules! inner { ($e:expr) => { $e }; }\nmacro_rules! sq { ($e:expr) => { inner!($e) }; }\n"
    files = {"src/lib.rs": f"pub mod b;\n{macros}pub mod a;\n", "src/a.rs": USERS, "src/b.rs": ""}
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/lib.rs"] == (
        "pub mod b;\nmacro_rules! inner { ($e:expr) => { $e }; }\nuse inner;\n"
        "macro_rules! sq { ($e:expr) => { inner!($e) }; }\nuse sq;\npub mod a;\n"
    )
    assert after["src/b.rs"] == ("use crate::sq;\nuse crate::inner;\n\npub fn f(n: u32) -> u32 { sq!(n) }\n")


def test_a_macro_that_home_sees_by_textual_order_needs_no_path() -> None:
    files = {
        "src/lib.rs": f"{MACRO}\npub mod a;\npub mod b;\n",
        "src/a.rs": USERS,
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"] == "pub fn f(n: u32) -> u32 { sq!(n) }\n"
    assert after["src/lib.rs"] == files["src/lib.rs"]


def test_a_name_that_stands_for_more_than_the_macro_gets_no_path() -> None:
    files = {"src/lib.rs": ROOT, "src/a.rs": f"{MACRO}\n\npub fn sq() {{}}\n\n{USERS}", "src/b.rs": ""}
    assert refusal(files, "f", "src/a.rs", "src/b.rs") == "textual_macro_scope"


def test_a_home_with_a_macro_of_that_name_gets_none() -> None:
    files = {"src/lib.rs": ROOT, "src/a.rs": f"{MACRO}\n\n{USERS}", "src/b.rs": f"{MACRO}\n"}
    assert refusal(files, "f", "src/a.rs", "src/b.rs") == "textual_macro_scope"


def test_edition_2015_has_no_such_path() -> None:
    files = {"src/lib.rs": ROOT, "src/a.rs": f"{MACRO}\n\n{USERS}", "src/b.rs": ""}
    assert refusal(files, "f", "src/a.rs", "src/b.rs", edition=2015) == "textual_macro_scope"


def test_the_name_of_a_builtin_attribute_has_no_such_path() -> None:
    """httparse: `expect!`, also an attribute; `use expect;` is ambiguous (E0659)."""
    files = {
        "src/lib.rs": ROOT,
        "src/a.rs": f"{MACRO}\n\n{USERS}".replace("sq!", "expect!").replace("! sq", "! expect"),
        "src/b.rs": "",
    }
    assert refusal(files, "f", "src/a.rs", "src/b.rs") == "textual_macro_scope"


def test_a_macro_that_conditions_choose_gets_no_path() -> None:
    """yaml-rust2: `debug_print!`, which prints or does nothing; a path to one of the two is not there without the feature."""
    files = {
        "src/lib.rs": "pub mod b;\n#[macro_use]\nmod m;\npub mod a;\npub mod c;\n",
        "src/m.rs": (
            "#[cfg(not(unix))]\nmacro_rules! note { () => {}; }\n"
            "#[cfg(unix)]\n#[macro_use]\nmod inner {\n    macro_rules! note { () => { println!() }; }\n}\n"
        ),
        "src/a.rs": "pub fn go() { note!() }\n",
        "src/b.rs": "",
        "src/c.rs": "",
    }
    assert refusal(files, "go", "src/a.rs", "src/b.rs") == "textual_macro_scope"
    assert moved(files, "go", "src/a.rs", "src/c.rs")["src/c.rs"] == "pub fn go() { note!() }\n"


TESTED = {
    "src/lib.rs": "#![deny(unused_imports)]\npub mod b;\npub mod a;\n",
    "src/a.rs": f"{MACRO}\n\n#[cfg(test)]\nmod tests {{\n    #[test]\n    fn f() {{\n        sq!(2);\n    }}\n\n    #[test]\n    fn g() {{\n        sq!(3);\n    }}\n}}\n",
    "src/b.rs": "#[cfg(test)]\nmod tests {}\n",
}


def test_a_path_that_only_tests_come_by_stands_under_their_condition() -> None:
    """The macro stays, a test that calls it goes: elsewhere the path would be an import without use."""
    after = moved(TESTED, "f", "src/a.rs::tests", "src/b.rs::tests")
    assert after["src/a.rs"].startswith(f"{MACRO}\n#[cfg(test)]\npub(super) use sq;\n")
    assert "    use crate::a::sq;\n" in after["src/b.rs"]


def test_a_moved_macros_path_that_only_tests_come_by_stands_under_their_condition() -> None:
    after = moved(TESTED, "sq", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"] == f"{MACRO}\n#[cfg(test)]\npub(super) use sq;\n\n#[cfg(test)]\nmod tests {{}}\n"
    assert after["src/a.rs"].startswith("#[cfg(test)]\nmod tests {\n    use crate::b::sq;\n")


def test_an_import_that_only_a_macros_body_asks_for_may_be_without_use() -> None:
    """`sq!` calls `times` where it is called, and nobody here can tell who calls it under which condition."""
    files = {
        "src/lib.rs": "#![deny(unused_imports)]\npub mod b;\npub mod a;\n",
        "src/a.rs": (
            "macro_rules! sq { ($e:expr) => { times($e) }; }\n\nfn times(n: u32) -> u32 { n }\n\n"
            "#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn f() {\n        sq!(2);\n    }\n}\n"
        ),
        "src/b.rs": "",
    }
    after = moved(files, "times", "src/a.rs", "src/b.rs")
    assert "use crate::b::times;" in after["src/a.rs"]
    before = after["src/a.rs"].partition("use crate::b::times;")[0].rstrip().rsplit("\n", 1)[-1]
    assert before in ("#[allow(unused_imports)]", "#[cfg(test)]")
