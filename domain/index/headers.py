"""Reads the few things the index tier needs from short texts: impl headers, derive lists, test attributes."""

import re
from collections.abc import Sequence

from attrs import frozen

PATH = re.compile(
    r"(?:\$crate|[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)(?:::[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)*"
)
DERIVE = re.compile(r"\bderive\s*\(([^()]*)\)")
TEST = re.compile(r"^(?:[\w:]+::)?(?:test|rstest|test_case|proptest|quickcheck|wasm_bindgen_test)\b(?!\s*=)")
MODIFIERS = frozenset(("dyn", "mut", "const", "impl", "unsafe", "for", "default", "async"))


@frozen
class ImplHeader:
    """Paths as segments, generics left out; empty where the header names no path (`impl Trait for &[u8]`)."""

    trait: tuple[str, ...]
    type: tuple[str, ...]


def impl_header(text: str) -> ImplHeader:
    """Of what stands between `impl` and its body: `<T> a::Trait<T> for b::Type<T> where …`."""
    plain = _without_generics(text)
    plain = plain.split(" where ")[0]
    before, found, after = plain.partition(" for ")
    return (
        ImplHeader(_first_path(before), _first_path(after)) if found else ImplHeader((), _first_path(before))
    )


def _without_generics(text: str) -> str:
    """The text without anything between angle brackets; `->` is no bracket."""
    kept: list[str] = []
    depth = 0
    previous = ""
    for letter in text:
        if letter == "<":
            depth += 1
        elif letter == ">" and previous != "-":
            depth -= 1
            if depth == 0:
                kept.append(" ")
        elif depth == 0:
            kept.append(letter)
        previous = letter
    return "".join(kept).replace(" ::", "::")


def _first_path(text: str) -> tuple[str, ...]:
    for match in PATH.finditer(text.replace("r#", "")):
        if match.group() not in MODIFIERS and text[max(0, match.start() - 1) : match.start()] != "'":
            return tuple(match.group().split("::"))
    return ()


def derived(attributes: Sequence[str]) -> list[tuple[str, ...]]:
    """Paths named in `#[derive(…)]`, `cfg_attr` included."""
    return [
        tuple(name.strip().replace("r#", "").split("::"))
        for text in attributes
        if "derive" in text
        for listing in DERIVE.findall(text)
        for name in listing.split(",")
        if name.strip()
    ]


def is_test(attributes: Sequence[str]) -> bool:
    """Whether an attribute makes a function a test."""
    return any(TEST.match(text) for text in attributes)


def exports_macro(attributes: tuple[str, ...] | list[str]) -> bool:
    return any(text.startswith(("macro_export", "macro_use")) for text in attributes)
