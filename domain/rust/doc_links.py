"""Intra-doc links and doc tests in the text of doc comments. Text only, no lookup. Source: the rustdoc book.

A `Piece` says where in the text something stands; the caller maps it to the file.
"""

import re
from collections.abc import Iterator

from attrs import frozen

from m1nd.domain.rust.names import Namespace
from m1nd.domain.rust.prelude import words

T, V, M = Namespace.TYPE, Namespace.VALUE, Namespace.MACRO
DISAMBIGUATORS = {
    **dict.fromkeys(words("struct enum trait union mod module type tyalias typealias prim primitive"), (T,)),
    **dict.fromkeys(words("const constant static function fn method value variant field"), (V,)),
    **dict.fromkeys(words("macro derive attr attribute proc_macro_derive"), (M,)),
}
BRACKETS = re.compile(
    rb"\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\](?:\(([^()\s]*(?:\(\))?)[^)]*\)|\[([^\[\]]*)\]|(:)[ \t]*(\S+))?"
)
PATH = re.compile(
    rb"(?:([a-z_]+)@)?((?:::)?(?:[A-Za-z_\x80-\xff][\w\x80-\xff]*)(?:::[A-Za-z_\x80-\xff][\w\x80-\xff]*)*)"
    rb"(?:<[^\[\]`]*>)?(\(\)|!(?:\(\)|\[\]|\{\})?)?$"
)
FENCE = re.compile(rb"^ {0,3}(```+|~~~+)[ \t]*([^\n`]*)$")
CODE_SPAN = re.compile(rb"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
NOT_RUST = re.compile(rb"text|ignore-|toml|json|sh|bash|console|c|cpp|none|plain|plaintext|diff|html|js|yaml")
RUST_WORDS = {b"rust", b"should_panic", b"no_run", b"ignore", b"compile_fail", b"edition2015", b"edition2018"}
RUST_WORDS |= {b"edition2021", b"edition2024", b"test_harness", b"standalone", b"standalone_crate"}


@frozen
class Link:
    """A path in `text[start:end]`. `sure`: written as a link for certain (code span, `::`, explicit target)."""

    text: bytes
    start: int
    end: int
    namespaces: tuple[Namespace, ...]
    sure: bool


def links(text: bytes) -> Iterator[Link]:
    """Every link target that is a path, code blocks left out."""
    prose = without_code(text)
    found = list(BRACKETS.finditer(prose))
    labels = {label(m.group(1)) for m in found if m.group(5) is not None}
    for match in found:
        shown, target, reference, colon, definition = match.groups()
        if target is not None:
            yield from _link(target, match.start(2), True)
        elif colon is not None and definition is not None:
            yield from _link(definition, match.start(5), True)
        elif label(reference or shown) in labels:
            continue
        elif reference:
            yield from _link(reference, match.start(3), True)
        else:
            yield from _link(shown, match.start(1), False)


def label(text: bytes) -> bytes:
    """A link label as Markdown compares them."""
    return b" ".join(text.lower().split())


def _link(text: bytes, start: int, explicit: bool) -> Iterator[Link]:
    bare = text.strip()
    start += text.find(bare) if bare else 0
    coded = len(bare) > 2 and bare.startswith(b"`") and bare.endswith(b"`")
    if coded:
        start += len(bare) - len(bare.lstrip(b"`"))
        bare = bare.strip(b"`")
    if b"/" in bare or b"#" in bare.partition(b"#")[0]:
        return
    bare = bare.partition(b"#")[0]
    match = PATH.match(bare)
    if match is None or match.group(2) in (b"x", b"X"):
        return
    word, path, mark = match.groups()
    spaces: tuple[Namespace, ...] = (T, V, M)
    if word is not None:
        known = DISAMBIGUATORS.get(word.decode())
        if known is None:
            return
        spaces = known
    elif mark == b"()":
        spaces = (V,)
    elif mark is not None:
        spaces = (M,)
    sure = explicit or coded or b"::" in path
    yield Link(path, start + match.start(2), start + match.end(2), spaces, sure)


def without_code(text: bytes) -> bytes:
    """The text with fenced blocks and code spans outside brackets blanked, offsets kept."""
    lines = []
    fence = b""
    for line in text.split(b"\n"):
        match = FENCE.match(line)
        if fence:
            if match is not None and match.group(1).startswith(fence) and not match.group(2).strip():
                fence = b""
            lines.append(b" " * len(line))
        elif match is not None:
            fence = match.group(1)
            lines.append(b" " * len(line))
        else:
            lines.append(line)
    prose = b"\n".join(lines)
    return CODE_SPAN.sub(lambda m: _span(prose, m), prose)


def _span(text: bytes, match: "re.Match[bytes]") -> bytes:
    """A code span with brackets in it is code; one that stands alone in brackets is a link."""
    before = text[: match.start()].rstrip(b" ")[-1:]
    after = text[match.end() :].lstrip(b" ")[:1]
    if before == b"[" and after == b"]":
        return match.group()
    return b" " * len(match.group()) if b"[" in match.group() or b"]" in match.group() else match.group()


def doctests(text: bytes) -> Iterator[tuple[tuple[int, bytes], ...]]:
    """Each Rust code block as its lines, `(offset, code)`; the hiding `# ` is taken off."""
    fence = b""
    rust = False
    block: list[tuple[int, bytes]] = []
    offset = 0
    for line in text.split(b"\n"):
        match = FENCE.match(line)
        if fence:
            if match is not None and match.group(1).startswith(fence) and not match.group(2).strip():
                if rust and block:
                    yield tuple(block)
                fence, block = b"", []
            else:
                block.append(_code_line(offset, line))
        elif match is not None:
            fence = match.group(1)
            words = set(re.split(rb"[,\s{}]+", match.group(2).strip())) - {b""}
            rust = all(w in RUST_WORDS or w.startswith((b"ignore-", b"E0", b".")) for w in words)
        offset += len(line) + 1


def _code_line(offset: int, line: bytes) -> tuple[int, bytes]:
    bare = line.lstrip(b" \t")
    skipped = len(line) - len(bare)
    if bare == b"#":
        return offset + len(line), b""
    if bare.startswith(b"# "):
        return offset + skipped + 2, bare[2:]
    if bare.startswith(b"##"):
        return offset + skipped + 1, bare[1:]
    return offset, line
