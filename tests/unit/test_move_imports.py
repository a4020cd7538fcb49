"""Import surgery: leaves out of use trees, new statements in; text in, text out."""

import pytest
from tests.support.moves import workspace_of

from m1nd.domain.move.compose import compose
from m1nd.domain.move.extent import cuts
from m1nd.domain.move.imports.statements import UseStatement, after_use, at_head, remove_leaves, use_extent
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.walk import file_facts
from m1nd.infrastructure.rust_source.parser import TreeSitterParser

PARSER = TreeSitterParser()
NEW = (UseStatement(("crate", "beta", "f")), UseStatement(("std", "fmt"), "text"))


def without(text: str, *leaves: str) -> str:
    """The text with these leaves taken out; a leaf is written as it stands in its tree."""
    source = text.encode()
    facts = file_facts(source, PARSER)
    spelled = [source[u.start : u.end].decode() for u in facts.uses]
    removal = remove_leaves(PARSER, "a.rs", source, facts, [spelled.index(leaf) for leaf in leaves])
    left = compose(removal.changes, {"a.rs": source}).texts.get("a.rs", source)
    for item in removal.emptied:
        assert not removal.changes
        for start, end in reversed(cuts(left, [use_extent(source, facts, item)])):
            left = left[:start] + left[end:]
    assert not file_facts(left, PARSER).has_error
    return left.decode()


@pytest.mark.parametrize(
    "before, leaves, after",
    [
        ("use a::{b, c, d};", ["b"], "use a::{c, d};"),
        ("use a::{b, c, d};", ["c"], "use a::{b, d};"),
        ("use a::{b, c, d};", ["d"], "use a::{b, c};"),
        ("use a::{b, c, d,};", ["d"], "use a::{b, c,};"),
        ("use a::{b, c, d};", ["b", "c"], "use a::d;"),
        ("use a::{b, c, d};", ["b", "d"], "use a::c;"),
        ("use a::{b , c};", ["c"], "use a::b;"),
        ("use a::{self, b};", ["b"], "use a;"),
        ("use a::{self, b};", ["self"], "use a::b;"),
        ("use a::{self as x, b};", ["b"], "use a as x;"),
        ("use a::{self, b, c};", ["b"], "use a::{self, c};"),
        ("use a::{b as x, c};", ["b as x"], "use a::c;"),
        ("use a::{b as x, c};", ["c"], "use a::b as x;"),
        ("use a::{b, *};", ["b"], "use a::*;"),
        ("use a::{b, *};", ["*"], "use a::b;"),
        ("use a::{b, c::{d, e}};", ["d"], "use a::{b, c::e};"),
        ("use a::{b, c::{d, e}};", ["b"], "use a::c::{d, e};"),
        ("use a::{b, c::{d, e}};", ["b", "d"], "use a::c::e;"),
        ("use a::{b, c::{d, e}};", ["d", "e"], "use a::b;"),
        ("use a::{b, c::{self, e}};", ["e"], "use a::{b, c};"),
        ("use a::{b::{c::{d, e}, f}, g};", ["d", "f", "g"], "use a::b::c::e;"),
        ("use {a::b, c::d};", ["a::b"], "use {c::d};"),
        ("use ::{a::b, c::d, e};", ["e"], "use ::{a::b, c::d};"),
        ("use crate::{a::{b}, c};", ["c"], "use crate::a::{b};"),
        ("pub(crate) use a::{r#fn, b};", ["b"], "pub(crate) use a::r#fn;"),
        ("use a::{b, c}; fn f() {}", ["b"], "use a::c; fn f() {}"),
    ],
)
def test_a_leaf_goes_with_its_comma_and_a_group_of_one_is_unwrapped(
    before: str, leaves: list[str], after: str
) -> None:
    """W20: never `::{self}`, never `a::self`."""
    assert without(before + "\n", *leaves) == after + "\n"


@pytest.mark.parametrize(
    "before, leaves, after",
    [
        ("use a::{\n    b,\n    c,\n    d,\n};\n", ["b"], "use a::{\n    c,\n    d,\n};\n"),
        ("use a::{\n    b,\n    c,\n    d,\n};\n", ["c"], "use a::{\n    b,\n    d,\n};\n"),
        ("use a::{\n    b,\n    c,\n    d,\n};\n", ["d"], "use a::{\n    b,\n    c,\n};\n"),
        ("use a::{\n    b,\n    c::{\n        d,\n        e,\n    },\n};\n", ["d", "b"], "use a::c::e;\n"),
        ("use a::{b,\n       c,\n       d};\n", ["d"], "use a::{b,\n       c};\n"),
    ],
)
def test_a_group_over_lines_loses_the_lines(before: str, leaves: list[str], after: str) -> None:
    assert without(before, *leaves) == after


@pytest.mark.parametrize(
    "before, leaves, after",
    [
        ("use a::{\n    // of b\n    b,\n    c,\n};\n", ["b"], "use a::{\n    // of b\n    c,\n};\n"),
        ("use a::{\n    b,\n    // of c\n    c,\n};\n", ["b"], "use a::{\n    // of c\n    c,\n};\n"),
        ("use a::{\n    b, // of b\n    c,\n};\n", ["c"], "use a::{\n    b, // of b\n};\n"),
        ("use a::{\n    b, // of b\n    c,\n};\n", ["b"], "use a::{\n    // of b\n    c,\n};\n"),
        ("use a::{b, /* of c */ c};\n", ["b"], "use a::{/* of c */ c};\n"),
        ("use a::{b, /* of c */ c};\n", ["c"], "use a::{b, /* of c */ };\n"),
        ("use a::{\n    b,\n    c,\n    // the end\n};\n", ["c"], "use a::{\n    b,\n    // the end\n};\n"),
        (
            "use a::{\n    // of b\n    b,\n    c::{d, e},\n};\n",
            ["d"],
            "use a::{\n    // of b\n    b,\n    c::e,\n};\n",
        ),
    ],
)
def test_comments_in_a_group_stay(before: str, leaves: list[str], after: str) -> None:
    """W35: a comment is never deleted, and never comments out the rest."""
    assert without(before, *leaves) == after


@pytest.mark.parametrize(
    "before, leaf, after",
    [
        ("use a::b;\nuse c::d;\n\nfn f() {}\n", "a::b", "use c::d;\n\nfn f() {}\n"),
        ("use a::b;\n\nfn f() {}\n", "a::b", "fn f() {}\n"),
        ("use c::d;\nuse a::b;\n\nfn f() {}\n", "a::b", "use c::d;\n\nfn f() {}\n"),
        ("use c::d; use a::b; fn f() {}\n", "a::b", "use c::d; fn f() {}\n"),
        ("#[cfg(windows)]\nuse a::b;\nfn f() {}\n", "a::b", "fn f() {}\n"),
        ("#[cfg(windows)] use a::b; fn f() {}\n", "a::b", "fn f() {}\n"),
        ("// About a.\nuse a::b;\nuse c::d;\n", "a::b", "// About a.\nuse c::d;\n"),
        ("//! Doc.\n\nuse a::b;\n\nfn f() {}\n", "a::b", "//! Doc.\n\nfn f() {}\n"),
        ("use a::b;\r\n\r\nfn f() {}\r\n", "a::b", "fn f() {}\r\n"),
        ("\ufeffuse a::b;\nuse c::d;\n", "a::b", "\ufeffuse c::d;\n"),
        ("mod m {\n    use a::b;\n    use c::d;\n}\n", "a::b", "mod m {\n    use c::d;\n}\n"),
        ("use a::b;", "a::b", ""),
        ("use a::{b};\nuse c::d;\n", "b", "use c::d;\n"),
    ],
)
def test_a_declaration_with_nothing_left_goes_whole(before: str, leaf: str, after: str) -> None:
    """W31: its attributes go with it, a comment above it stays."""
    assert without(before, leaf) == after


def test_a_group_with_nothing_left_goes_whole() -> None:
    assert without("use a::{b, c::{d}};\nuse e;\n", "b", "d") == "use e;\n"


@pytest.mark.parametrize(
    "statement, text",
    [
        (UseStatement(("crate", "a", "b")), "use crate::a::b;\n"),
        (UseStatement(("crate", "a", "b"), "b"), "use crate::a::b;\n"),
        (UseStatement(("crate", "a", "b"), "c"), "use crate::a::b as c;\n"),
        (UseStatement(("std", "fmt", "Write"), "_"), "use std::fmt::Write as _;\n"),
        (UseStatement(("", "std", "fmt")), "use ::std::fmt;\n"),
        (UseStatement(("a", "b"), None, "pub(crate)"), "pub(crate) use a::b;\n"),
        (UseStatement(("a",), None, "", ("cfg(test)",)), "#[cfg(test)]\nuse a;\n"),
        (UseStatement(("std",), "all", extern=True), "extern crate std as all;\n"),
    ],
)
def test_a_statement_is_written_as_people_write_it(statement: UseStatement, text: str) -> None:
    assert statement.text(b"\n") == text.encode()
    assert statement.text(b"\r\n", b"  ") == b"".join(
        b"  " + line + b"\r\n" for line in text.encode().splitlines()
    )


def at(text: str, module: str = "", gone: tuple[str, ...] = ()) -> str:
    """The text with `NEW` at the head of a module; `gone` names items that go away."""
    sources = {"Cargo.toml": b'[package]\nname = "x"\nversion = "0.1.0"\n', "src/lib.rs": text.encode()}
    workspace = workspace_of(sources)
    place = next(m for d, m in workspace.modules.items() if "::".join(d.path) == module)
    items = workspace.facts["src/lib.rs"].items
    hidden = frozenset(i for i, item in enumerate(items) if item.name in gone)
    return compose([at_head(workspace, place, NEW, hidden)], sources).texts["src/lib.rs"].decode()


LINES = "use crate::beta::f;\nuse std::fmt as text;\n"


@pytest.mark.parametrize(
    "before, after",
    [
        ("", LINES + "\n"),
        ("fn f() {}\n", LINES + "\nfn f() {}\n"),
        ("/// Doc.\n#[inline]\nfn f() {}\n", LINES + "\n/// Doc.\n#[inline]\nfn f() {}\n"),
        ("use a::b;\n\nfn f() {}\n", "use a::b;\n" + LINES + "\nfn f() {}\n"),
        (
            "use a::b;\nuse c;\n\nfn f() {}\n\nuse d;\n",
            "use a::b;\nuse c;\n" + LINES + "\nfn f() {}\n\nuse d;\n",
        ),
        (
            "use a::{\n    b,\n    c,\n};\n\nfn f() {}\n",
            "use a::{\n    b,\n    c,\n};\n" + LINES + "\nfn f() {}\n",
        ),
        ("fn f() {}\n\nuse a::b;\n", "fn f() {}\n\nuse a::b;\n" + LINES),
        ("mod m;\nuse a::b;\n", "mod m;\nuse a::b;\n" + LINES),
        ("extern crate std as all;\n\nfn f() {}\n", "extern crate std as all;\n" + LINES + "\nfn f() {}\n"),
        ("//! Doc.\n#![allow(x)]\n\nfn f() {}\n", "//! Doc.\n#![allow(x)]\n\n" + LINES + "\nfn f() {}\n"),
        ("//! Doc.\n", "//! Doc.\n\n" + LINES),
        ("// Licence.\n\nfn f() {}\n", "// Licence.\n\n" + LINES + "\nfn f() {}\n"),
        ("#!/usr/bin/env run\nfn f() {}\n", "#!/usr/bin/env run\n" + LINES + "\nfn f() {}\n"),
        ("\ufefffn f() {}\n", "\ufeff" + LINES + "\nfn f() {}\n"),
        ("\ufeffuse a;\n", "\ufeffuse a;\n" + LINES),
        ("use a::b; // why\nfn f() {}\n", "use a::b; // why\n" + LINES + "fn f() {}\n"),
        ("use a::b; fn f() {}\n", "use a::b; use crate::beta::f; use std::fmt as text; fn f() {}\n"),
        ("use a::b;", "use a::b;\n" + LINES.removesuffix("\n")),
    ],
)
def test_new_imports_stand_where_the_module_keeps_its_imports(before: str, after: str) -> None:
    """W2, W30: behind the first block of imports, else before the first item; between items, never inside one."""
    assert at(before) == after
    assert at(before.replace("\n", "\r\n")) == (after.replace("\n", "\r\n") if "\n" in before else after)


def test_new_imports_of_an_inline_module_are_indented() -> None:
    assert at("mod m {\n    fn g() {}\n}\n", "m") == (
        "mod m {\n    use crate::beta::f;\n    use std::fmt as text;\n\n    fn g() {}\n}\n"
    )
    assert at("mod m {\n\tuse a;\n\n\tfn g() {}\n}\n", "m") == (
        "mod m {\n\tuse a;\n\tuse crate::beta::f;\n\tuse std::fmt as text;\n\n\tfn g() {}\n}\n"
    )


def test_new_imports_of_an_inline_module_on_one_line_stay_inside() -> None:
    found = at("mod m { fn g() {} }\n", "m")
    facts = file_facts(found.encode(), PARSER)
    inside = facts.items[0]
    assert not facts.has_error
    assert [u.bound_name for u in facts.uses if inside.start < u.start < inside.end] == ["f", "text"]
    empty = file_facts(at("mod m {}\n", "m").encode(), PARSER)
    assert [empty.items[u.item].parent for u in empty.uses] == [0, 0] and not empty.has_error


def test_items_that_go_are_no_anchor() -> None:
    assert at("fn f() {}\n\nfn g() {}\n", gone=("f",)) == "fn f() {}\n\n" + LINES + "\nfn g() {}\n"


@pytest.mark.parametrize(
    "before, after",
    [
        ("use a::b;\nfn f() {}\n", "use a::b;\n" + LINES + "fn f() {}\n"),
        ("use a::b;", "use a::b;\n" + LINES.removesuffix("\n")),
        ("use a::b; fn f() {}\n", "use a::b; use crate::beta::f; use std::fmt as text; fn f() {}\n"),
        ("#[cfg(x)]\nuse a::b; // why\n", "#[cfg(x)]\nuse a::b; // why\n" + LINES),
        ("use a::b; // why", "use a::b; // why\n" + LINES.removesuffix("\n")),
        (
            "fn f() {\n    use a::b;\n}\n",
            "fn f() {\n    use a::b;\n    use crate::beta::f;\n    use std::fmt as text;\n}\n",
        ),
    ],
)
def test_company_stands_behind_its_import(before: str, after: str) -> None:
    source = before.encode()
    facts = file_facts(source, PARSER)
    item = next(i for i, fact in enumerate(facts.items) if fact.kind is ItemKind.USE)
    found = compose([after_use("a.rs", source, facts, item, NEW)], {"a.rs": source}).texts["a.rs"]
    assert found.decode() == after
