"""What a move takes out of a file: the item with its trivia, and the white space that went with it."""

import pytest

from m1nd.domain.move.extent import cuts, extent_of
from m1nd.domain.rust.walk import file_facts
from m1nd.infrastructure.rust_source.parser import TreeSitterParser


def split(text: str, *names: str) -> tuple[list[str], str]:
    """The extents of the named items, and the file without them."""
    source = text.encode()
    facts = file_facts(source, TreeSitterParser())
    indices = [next(i for i, item in enumerate(facts.items) if item.name == name) for name in names]
    extents = [extent_of(source, i, facts.items[i]) for i in indices]
    left = source
    for start, end in reversed(cuts(source, extents)):
        left = left[:start] + left[end:]
    return [source[e.start : e.end].decode() for e in extents], left.decode()


@pytest.mark.parametrize(
    "text, taken, left",
    [
        ("fn a() {}\n\nfn b() {}\n\nfn c() {}\n", "fn b() {}", "fn a() {}\n\nfn c() {}\n"),
        ("fn b() {}\n\nfn c() {}\n", "fn b() {}", "fn c() {}\n"),
        ("fn a() {}\n\nfn b() {}\n", "fn b() {}", "fn a() {}\n"),
        ("fn b() {}\n", "fn b() {}", ""),
        ("\n\nfn b() {}\n\n", "fn b() {}", ""),
        ("fn a() {}\nfn b() {}\nfn c() {}\n", "fn b() {}", "fn a() {}\nfn c() {}\n"),
        ("fn a() {}\n\n\n\nfn b() {}\n\nfn c() {}\n", "fn b() {}", "fn a() {}\n\n\n\nfn c() {}\n"),
        ("fn a() {}\nfn b() {}\n\nfn c() {}\n", "fn b() {}", "fn a() {}\n\nfn c() {}\n"),
        ("fn a() {}\n\nfn b() {}\nfn c() {}\n", "fn b() {}", "fn a() {}\n\nfn c() {}\n"),
        ("fn a() {}\n\nfn b() {}", "fn b() {}", "fn a() {}\n"),
        ("fn b() {}", "fn b() {}", ""),
    ],
    ids=[
        "between",
        "first",
        "last",
        "alone",
        "alone among blank lines",
        "no blank lines",
        "many before",
        "one after",
        "one before",
        "no final line end",
        "alone without line end",
    ],
)
def test_one_separation_stays_where_two_met(text: str, taken: str, left: str) -> None:
    """Of the blank lines around a cut one separation stays; nothing else changes."""
    assert split(text, "b") == ([taken], left)


@pytest.mark.parametrize(
    "text, taken, left",
    [
        ("fn a() {} fn b() {} fn c() {}\n", "fn b() {}", "fn a() {} fn c() {}\n"),
        ("fn b() {} fn c() {}\n", "fn b() {}", "fn c() {}\n"),
        ("fn a() {} fn b() {}\n", "fn b() {}", "fn a() {}\n"),
        ("fn a() {}fn b() {}fn c() {}", "fn b() {}", "fn a() {}fn c() {}"),
    ],
)
def test_neighbours_on_the_line_stay(text: str, taken: str, left: str) -> None:
    """Whole-line edits would destroy them (W31)."""
    assert split(text, "b") == ([taken], left)


@pytest.mark.parametrize(
    "above",
    [
        "/// Doc.\n",
        "/// Doc.\n///\n/// More.\n",
        "/** Doc. */\n",
        "#[inline]\n",
        '#[deprecated(\n    note = "no ] here"\n)]\n',
        "#[cfg(unix)] #[inline] ",
        "// Glued.\n",
        "// Glued.\n// Twice.\n#[inline]\n/// Doc.\n",
        "/// Doc.\n\n#[inline]\n",
        '#[doc = "x"]\n\n// late\n',
    ],
)
def test_trivia_goes_with_its_item(above: str) -> None:
    """Docs, attributes and the comment glued to the item (W28)."""
    assert split(f"fn a() {{}}\n\n{above}fn b() {{}}\n", "b") == ([f"{above}fn b() {{}}"], "fn a() {}\n")


@pytest.mark.parametrize(
    "head",
    [
        "//! Inner.\n",
        "//! Inner.\n\n",
        "/*! Inner. */\n",
        "#![allow(dead_code)]\n",
        "// Licence.\n\n",
        "\n// Title\n\n",
    ],
)
def test_the_files_own_head_stays(head: str) -> None:
    """Inner docs and attributes belong to the file; a detached comment is nobody's (W29)."""
    taken, left = split(f"{head}fn b() {{}}\nfn c() {{}}\n", "b")
    assert taken == ["fn b() {}"]
    assert left == f"{head}fn c() {{}}\n"


@pytest.mark.parametrize(
    "text, taken, left",
    [
        ("fn b() {} // why\nfn c() {}\n", "fn b() {} // why", "fn c() {}\n"),
        ("fn b() {} /* why */\nfn c() {}\n", "fn b() {} /* why */", "fn c() {}\n"),
        ("fn b() {} /// doc of c\nfn c() {}\n", "fn b() {}", "/// doc of c\nfn c() {}\n"),
        ("fn b() {} /* of c */ fn c() {}\n", "fn b() {}", "/* of c */ fn c() {}\n"),
    ],
)
def test_a_comment_behind_the_item_on_its_line_goes_with_it(text: str, taken: str, left: str) -> None:
    """Only a plain comment that ends the line."""
    assert split(text, "b") == ([taken], left)


def test_items_that_stand_together_leave_one_gap() -> None:
    """Neighbours are one cut."""
    taken, left = split("fn a() {}\n\nfn b() {}\n\n// of c\nfn c() {}\n\nfn d() {}\n", "b", "c")
    assert taken == ["fn b() {}", "// of c\nfn c() {}"]
    assert left == "fn a() {}\n\nfn d() {}\n"


def test_items_apart_leave_a_gap_each() -> None:
    taken, left = split("fn b() {}\n\nfn a() {}\n\nfn c() {}\n\nfn d() {}\n", "b", "c")
    assert taken == ["fn b() {}", "fn c() {}"]
    assert left == "fn a() {}\n\nfn d() {}\n"


def test_other_line_ends_are_counted_too() -> None:
    assert split("fn a() {}\r\n\r\nfn b() {}\r\n\r\nfn c() {}\r\n", "b") == (
        ["fn b() {}"],
        "fn a() {}\r\n\r\nfn c() {}\r\n",
    )


@pytest.mark.parametrize(
    "text, left",
    [
        ("\ufefffn b() {}\nfn c() {}\n", "\ufefffn c() {}\n"),
        ("\ufefffn b() {}\n", "\ufeff"),
        ("\ufefffn a() {}\n\nfn b() {}\n", "\ufefffn a() {}\n"),
    ],
)
def test_a_byte_order_mark_stays_first(text: str, left: str) -> None:
    assert split(text, "b") == (["fn b() {}"], left)


@pytest.mark.parametrize(
    "body",
    [
        'let s = "}";',
        "let c = '}';",
        'let r = r#"}"#;',
        "/* } */",
        "// }\n",
        "let _ = b'{';",
        'println!("{{");',
    ],
)
def test_braces_in_strings_and_comments_end_nothing(body: str) -> None:
    """Test 20 of the study: the extent comes from the parse."""
    item = f"fn b() {{\n    {body}\n}}"
    assert split(f"{item}\n\nfn c() {{}}\n", "b") == ([item], "fn c() {}\n")
