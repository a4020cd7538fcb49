"""Laws of partial formatting: no byte outside the lines of our ranges changes, and nothing is lost inside them."""

import os
import shutil
import subprocess
import tempfile
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from m1nd.infrastructure.line_diff import hunks
from m1nd.infrastructure.rustfmt import APPLIED, Lines, Rustfmt, substance

SPACE = st.sampled_from([" ", "  ", "\n", "\n\n  ", "\t"])
TEMPLATES = [
    "use std::fmt;", "use std::{io,cmp};", "use alpha::b;", "pub fn f(x:u32)->u32{x+1}", "mod inner { fn g(){} }",
    "const TEXT: &str = \"a  b\n   }\n  c\";", "#[derive(Debug)] #[derive(Clone)] struct S{a:u32,b:Vec<u8>}",
    "fn m(x:u32)->u32{match x{0=>{1},_=>{let y=2;y}}}", "/* note\n  }\n*/", "// line", "fn c(){let f=|x|{x};f(1);}",
    "macro_rules! k{($a:expr)=>{ $a+1 };}", "fn r(a:u32){if a==1{return}}", "impl   S { fn q(&self) { } }",
]  # fmt: skip
ITEMS = st.lists(st.tuples(st.sampled_from(TEMPLATES), SPACE), min_size=1, max_size=8)
LINES = st.lists(st.sampled_from([b"", b"}", b"a", b"b", b"c", b"d {"]), max_size=30)


@given(LINES, LINES)
def test_the_hunks_turn_one_text_into_the_other_and_never_touch(one: list[bytes], other: list[bytes]) -> None:
    text = b"".join(line + b"\n" for line in one)
    changes = hunks(one, other)
    assert Lines.of(text).with_hunks(other, changes) == b"".join(line + b"\n" for line in other)
    assert all(a.end <= b.start and a.other_end <= b.other_start for a, b in pairwise(changes))


@given(st.binary(max_size=60))
def test_lines_hold_every_byte(text: bytes) -> None:
    assert Lines.of(text).with_hunks([], []) == text


@pytest.mark.cargo
@pytest.mark.skipif(shutil.which("rustfmt") is None, reason="there is no rustfmt on the PATH")
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ITEMS, st.data(), st.booleans(), st.booleans())
def test_bytes_outside_our_lines_never_change_and_the_meaning_stays(
    items: list[tuple[str, str]], data: st.DataObject, windows: bool, final_newline: bool
) -> None:
    chosen = data.draw(st.integers(0, len(items) - 1))
    parts, spans = [], []
    for item, space in items:
        start = sum(map(len, parts))
        parts.append((item + "\n" + space.strip(" \t")).encode())
        spans.append((start, start + len(item)))
    text = b"".join(parts)
    if windows:
        text = text.replace(b"\n", b"\r\n")
        spans = [(_shifted(parts, start), _shifted(parts, end)) for start, end in spans]
    if not final_newline:
        text = text.rstrip(b"\r\n \t")
    span = spans[chosen]
    with tempfile.TemporaryDirectory() as folder:
        tool = Rustfmt(Path(folder), os.environ)
        result, note = tool.format("a.rs", text, 2021, [span])
        assert note == APPLIED
    assert _whole(result) == _whole(text), "formatted as a whole, both are the same"

    lines = Lines.of(text)
    first, last = lines.span(*span)
    before = Lines.of(text)._slice(0, first)
    after = Lines.of(text)._slice(last, len(lines.bodies))
    head, tail = lines.mark + b"".join(before), b"".join(after)
    assert result.startswith(head) and result.endswith(tail)
    middle = result[len(head) : len(result) - len(tail)]
    assert substance(middle, b",;(){}#[]derive") == substance(
        text[len(head) : len(text) - len(tail)], b",;(){}#[]derive"
    )


def _whole(text: bytes) -> list[bytes]:
    """What rustfmt makes of the whole text, as lines."""
    command = ["rustfmt", "--edition", "2021", "--config-path", os.devnull]
    return subprocess.run(command, input=text, capture_output=True, check=True).stdout.splitlines()


def _shifted(parts: list[bytes], position: int) -> int:
    """Where a position lies once each line feed has a carriage return before it."""
    return position + b"".join(parts)[:position].count(b"\n")
