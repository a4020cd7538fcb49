"""A lexer made of two regular expressions, fast enough to cost a tenth of a parse.

`find_cuts` says which bytes the parser need not see; `REFERENCES` lists the names that a stretch of code mentions.
Both know strings, raw strings, character literals, lifetimes and comments; neither knows grammar. Where the text is
not what they can lex with certainty, `find_cuts` raises `NotSure` and the whole file is parsed.
"""

import re

# `\Z` ends a last run at once; without it the matcher would try again from each of its bytes. Possessive runs and branches that begin with a literal keep CPython's matcher at more than 100 MB/s.
STRING = rb'''"[^"\\]*+(?:\\.[^"\\]*+)*+"'''
CHARACTER = rb"""'(?:[^'\\\n]|\\[^\n]+?|[\x80-\xff]{2,4})'|'[\w\x80-\xff]*+"""
RAW_AT_QUOTE = (
    rb'(?<=r)(?:(?<=\Wr)|(?<=\W[bc]r))"[^"]*+"'
    rb'|(?<=r\#)(?:(?<=\Wr\#)|(?<=\W[bc]r\#))".*?"\#'
    rb'|(?<=r\#\#)(?:(?<=\Wr\#\#)|(?<=\W[bc]r\#\#))".*?"\#\#'
    rb'|(?<=r\#\#\#)(?:(?<=\Wr\#\#\#)|(?<=\W[bc]r\#\#\#))".*?"\#\#\#'
)
RAW_AT_R = rb'[bc]?r(?:"[^"]*+"|\#".*?"\#|\#\#".*?"\#\#|\#\#\#".*?"\#\#\#)'
PLAIN_BLOCK = rb"/\*[^*/]*+(?:(?:\*(?!/)|/(?!\*))[^*/]*+)*+\*/"
LINE = rb"//[^\n]*+"
LINES = rb"//[^\n]*+(?:\n[ \t]*+//[^\n]*+)*+"
ATTRIBUTE = rb'\#!?\[(?:[^\]"]++|r\#++".*?"\#++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+\]'

STRUCTURE = re.compile(
    rb"""[^{}"'/]*+(?:([{}])|("""
    + LINES
    + rb")|"
    + RAW_AT_QUOTE
    + rb"|"
    + STRING
    + rb"|"
    + CHARACTER
    + rb"|("
    + PLAIN_BLOCK
    + rb""")|(/\*|")|/|\Z)""",
    re.DOTALL,
)
"""Groups: 1 a brace, 2 a run of line comments, 3 a block comment that opens no other, 4 what cannot be lexed for certain."""

NAME = rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*+"
REFERENCES = re.compile(
    rb"""[^A-Za-z_\x80-\xff"'/.\#0-9]*+(?:"""
    + RAW_AT_R
    + rb"|((?:\.|r\#)?"
    + NAME
    + rb"(?:::(?:r\#)?"
    + NAME
    + rb")*+(?:[(!](?!=)|::(?=<))?)|"
    + STRING
    + rb"|"
    + CHARACTER
    + rb"|"
    + LINE
    + rb"|"
    + PLAIN_BLOCK
    + rb"|"
    + ATTRIBUTE
    + rb"|[0-9]\w*+(?:\.[0-9]\w*+)?|[/.\#\"]|\Z)",
    re.DOTALL,
)
"""`findall` gives the tokens of facts.py (`FileFacts`), mixed with empty texts, keywords and turbofish marks."""
AFTER_GENERICS = re.compile(rb">::(" + NAME + rb")(?=\(|::<)")

KEYWORDS = frozenset(
    b"as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move "
    b"mut pub ref return self Self static struct super trait true type unsafe use where while yield macro_rules! "
    b".await fn( if( match( in( return( while( for( move( as( mut( let( impl( dyn( where( else( loop( unsafe( async( "
    b"break( yield( crate( pub( self( super( Self( if! return! _ _(".split()
) | {b""}
MAY_NEST = frozenset(b"fn struct enum trait mod use static macro_rules! impl type const extern".split())
"""Tokens of a body without which it can hold no item (`union` is looked for apart, it is no reserved word)."""
UNION = re.compile(rb"\bunion\s+[A-Za-z_]\w*\s*(?:[<{]|where\b)")
ITEM_CONST = re.compile(rb"(?<!\*)(?<!\* )\bconst\b")
HEAD = re.compile(
    rb"\bfn\s+(?:r\#)?[A-Za-z_\x80-\xff]|\bmacro_rules\s*!|\b(?:struct|union)\s+(?:r\#)?[A-Za-z_\x80-\xff]"
)
RAW_IDENTIFIER = re.compile(rb"r\#[A-Za-z_]")
NOT_CODE = re.compile(LINE + rb"|" + PLAIN_BLOCK + rb"|" + STRING, re.DOTALL)
BRACKETS = re.compile(rb"\[[^\[\]]*+\]")
SMALL = 8
"""Shorter bodies are not worth a cut."""

CONST_ONLY = frozenset((b"const",))
Cut = tuple[int, int, set[bytes] | None]
"""Start and end of the bytes to leave out, and the tokens they hold (None for comments)."""


class NotSure(Exception):
    """The text cannot be lexed with certainty; parse it whole."""


def find_cuts(source: bytes) -> tuple[list[Cut], list[tuple[int, int]]]:
    """What to cut, in order, and the spans of all comments outside the cut bodies (line comments in runs).

    Bodies of functions, structs and `macro_rules!` are cut unless they may hold an item. Raises NotSure.
    """
    if b"r####" in source:
        raise NotSure
    braces, comments = _structure(source)
    opening = 0x7B
    cuts: list[Cut] = []
    kept: list[tuple[int, int]] = []
    generics = b">::" in source
    at = last = depth = seen = 0
    count = len(braces)
    comments.append((len(source) + 1, len(source) + 1))
    next_comment = comments[0][0]
    find_names = REFERENCES.findall
    while at < count:
        brace = braces[at]
        at += 1
        commented = next_comment < brace
        while next_comment < brace:
            span = comments[seen]
            _cut_comment(source, span, cuts)
            kept.append(span)
            seen += 1
            next_comment = comments[seen][0]
        if source[brace] != opening:
            depth -= 1
            if depth < 0:
                raise NotSure
            last = brace + 1
            continue
        head = _head(source, kept[-1][1] if commented else last, last, brace)
        if not head:
            depth += 1
            last = brace + 1
            continue
        inner = 1
        while inner:
            if at >= count:
                raise NotSure
            if source[braces[at]] == opening:
                inner += 1
            else:
                inner -= 1
            at += 1
        end = braces[at - 1]
        last = end + 1
        if end - brace > SMALL:
            found = set(find_names(source, brace + 1, end))
            if head == b"macro_rules" or not may_nest(source, brace + 1, end, found):
                while next_comment < end:
                    seen += 1
                    next_comment = comments[seen][0]
                if generics:
                    _after_generics(source, brace + 1, end, found)
                cuts.append((brace + 1, end, found))
    if depth:
        raise NotSure
    for span in comments[seen:-1]:
        _cut_comment(source, span, cuts)
        kept.append(span)
    return cuts, kept


def _structure(source: bytes) -> tuple[list[int], list[tuple[int, int]]]:
    """Positions of all braces and spans of all comments."""
    braces: list[int] = []
    comments: list[tuple[int, int]] = []
    start = source.find(b"\n") if source.startswith(b"#!") and not source.startswith(b"#![") else 0
    for match in STRUCTURE.finditer(source, max(start, 0)):
        group = match.lastindex
        if group == 1:
            braces.append(match.end() - 1)
        elif group is not None:
            if group == 4:
                raise NotSure
            comments.append(match.span(group))
    return braces, comments


def references(source: bytes, start: int, end: int) -> set[bytes]:
    """Raw tokens of a stretch of code: marks of turbofish and keywords still in it."""
    found = set(REFERENCES.findall(source, start, end))
    _after_generics(source, start, end, found)
    return found


def may_nest(source: bytes, start: int, end: int, found: set[bytes]) -> bool:
    """Whether code with these tokens may hold an item; never a false no."""
    if not found.isdisjoint(MAY_NEST) and (
        found & MAY_NEST != CONST_ONLY or ITEM_CONST.search(source, start, end)
    ):
        return True
    if b"union" in found and UNION.search(source, start, end):
        return True
    return source.find(b"use::", start, end) >= 0


def tidy(found: set[bytes], marks: tuple[bool, bool]) -> str:
    """Tokens as `FileFacts` has them, joined by a blank: no keywords, turbofish calls marked as calls.

    `marks` says whether the file has a turbofish, and whether a raw identifier, at all (`marks_of`).
    """
    found = found - KEYWORDS
    turbofish, raw = marks
    if turbofish:
        for token in [t for t in found if t[-1] == 0x3A]:
            found.discard(token)
            bare = token[:-2]
            last = bare[bare.rfind(b":") + 1 :].lstrip(b".")
            found.add(bare if last[:1].isupper() else bare + b"(")
    if raw:
        found = {token.replace(b"r#", b"") for token in found}
    return b" ".join(found).decode("utf-8", "replace")


def marks_of(source: bytes) -> tuple[bool, bool]:
    """What `tidy` has to do for a file beyond dropping keywords."""
    return b"::<" in source, RAW_IDENTIFIER.search(source) is not None


def _head(source: bytes, clean: int, start: int, brace: int) -> bytes:
    """What body a brace opens (`fn`, also for a struct; `macro_rules`), or nothing.

    `start..brace` is the text since the last brace; from `clean` on it holds no comment.
    """
    match = HEAD.search(source, clean, brace)
    if match is not None:
        text = source[match.start() : brace]
        if b'"' in text or source.find(b'"', clean, match.start()) >= 0:
            match = None
    if match is None:
        if clean == start and source.find(b'"', start, brace) < 0:
            return b""
        plain = NOT_CODE.sub(b" ", source[start:brace])
        match = HEAD.search(plain)
        if match is None:
            return b""
        text = plain[match.start() :]
    if b";" in text:
        # `fn a(); enum B {`: the head ended before this brace; a `;` inside `[u8; 4]` does not end it.
        text = BRACKETS.sub(b"", text)
        if b";" in text:
            return b""
    return b"macro_rules" if text.startswith(b"macro_rules") else b"fn"


def _cut_comment(source: bytes, span: tuple[int, int], cuts: list[Cut]) -> None:
    """A line comment goes whole; of a block comment the marks stay, so that the words around it stay apart."""
    start, end = span
    if source[start + 1] == 0x2A:
        start, end = start + 2, end - 2
    if end > start:
        cuts.append((start, end, None))


def _after_generics(source: bytes, start: int, end: int, found: set[bytes]) -> None:
    """`Vec::<u8>::new(` and `<T as Trait>::go(`: the name after `>::` is an associated item, a method by name."""
    if source.find(b">::", start, end) < 0:
        return
    for match in AFTER_GENERICS.finditer(source, start, end):
        name = match.group(1)
        line = source.rfind(b"\n", 0, match.start()) + 1
        if source.find(b"//", line, match.start()) >= 0:
            continue
        for call in (name + b"(", name + b"::"):
            if call in found:
                found.discard(call)
                found.add(b"." + name + b"(")
