"""Paths among tokens that are not parsed: macro definitions, macro arguments in a language of their own, attributes.

Everything found here is a doubt (`certain` False): a sequence of tokens looks like a path, no more.
"""

import re
from collections.abc import Callable, Sequence

from attrs import evolve

from m1nd.domain.rust.bodies.items import write_use
from m1nd.domain.rust.bodies.state import MACRO, TYPE, Walk
from m1nd.domain.rust.facts import UseFact
from m1nd.domain.rust.names import Namespace, Role
from m1nd.domain.rust.syntax import SyntaxNode
from m1nd.domain.rust.walk import COMMENTS, use_leaves

IDENTIFIERS = (
    "identifier",
    "type_identifier",
    "field_identifier",
    "primitive_type",
    "self",
    "super",
    "crate",
)
BINDERS = {
    b"fn",
    b"struct",
    b"enum",
    b"trait",
    b"mod",
    b"const",
    b"static",
    b"type",
    b"union",
    b"let",
    b"mut",
    b"ref",
}
NOT_BINDING = {
    (b"mut", b"&"),
    (b"mut", b"*"),
    (b"const", b"*"),
    (b"const", b"raw"),
    (b"mut", b"raw"),
    (b"static", b"'"),
}
"""`&mut T`, `*const T`, `&'static T`: what follows is a type."""
BOTH = (Namespace.TYPE, Namespace.VALUE)
MACRO_RULES = "macro_rules"
"""`Raw.in_macro` inside a macro's definition; a lone word there may name whatever is around the macro's use.

A lone word that is called is not passed over all the same: it is no local, so somebody has to declare it where the macro is used."""
DECLARED = re.compile(rb"\bfn\s+([A-Za-z_\x80-\xff][\w\x80-\xff]*)|\buse\s([^;]*);")
WORDS = re.compile(rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*")
LET = re.compile(rb"\blet\s+(?:mut\s+)?([A-Za-z_]\w*)\s*[=:;]")
DOLLAR_CRATE = re.compile(rb"\$crate\b")

Nested = Callable[[Walk, SyntaxNode, str, Sequence[SyntaxNode]], None]


def flat(node: SyntaxNode) -> list[SyntaxNode]:
    """The tokens of a token tree in order; nested token trees are one token, repetitions are opened."""
    found: list[SyntaxNode] = []
    todo = list(reversed(node.children))
    while todo:
        child = todo.pop()
        if child.type in COMMENTS:
            continue
        if child.type in ("token_repetition", "scoped_identifier", "attribute"):
            todo.extend(reversed(child.children))
        else:
            found.append(child)
    return found


def scan(walk: Walk, node: SyntaxNode, macro: Nested) -> None:
    """Write down what looks like a path in a token tree. `macro` handles the arguments of nested invocations."""
    bound, declared = bound_words(walk, node), declared_words(walk, node)
    todo = [node]
    while todo:
        tree = todo.pop()
        tokens = flat(tree)
        todo.extend(reversed(scan_tokens(walk, tokens, macro, bound=bound, declared=declared)))


def bound_words(walk: Walk, node: SyntaxNode) -> frozenset[bytes]:
    """Words that a `let` among the tokens binds."""
    return frozenset(m.group(1) for m in LET.finditer(walk.source, node.start_byte, node.end_byte))


def declared_words(walk: Walk, node: SyntaxNode) -> frozenset[bytes]:
    """Words that a `fn` among the tokens declares, or that a `use` among them spells."""
    found: set[bytes] = set()
    for match in DECLARED.finditer(walk.source, node.start_byte, node.end_byte):
        found.update(WORDS.findall(match.group(1) or match.group(2)))
    return frozenset(found)


def scan_tokens(
    walk: Walk,
    tokens: Sequence[SyntaxNode],
    macro: Nested,
    role: Role = Role.TOKEN,
    bound: frozenset[bytes] = frozenset(),
    declared: frozenset[bytes] = frozenset(),
) -> list[SyntaxNode]:
    """Write down the paths among `tokens`; answers the nested token trees that are still to be scanned."""
    nested: list[SyntaxNode] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.type == "token_tree":
            nested.append(token)
            index += 1
        elif token.type == "use" or (token.type == "identifier" and walk.text(token) == b"use"):
            index = use_among(walk, tokens, index)
        elif walk.text(token) in bound and not is_called(walk, tokens, index):
            index += 1
        elif starts_path(walk, tokens, index):
            index = path_among(walk, tokens, index, macro, role, declared)
        else:
            index += 1
    return nested


def is_name(walk: Walk, token: SyntaxNode) -> bool:
    return token.type in IDENTIFIERS or (token.type == "metavariable" and walk.text(token) == b"$crate")


def is_called(walk: Walk, tokens: Sequence[SyntaxNode], index: int) -> bool:
    """A word before brackets, `::` or `!` is no local."""
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if following is None:
        return False
    return following.type in ("::", "!") or (
        following.type == "token_tree" and walk.text(following)[:1] == b"("
    )


def starts_path(walk: Walk, tokens: Sequence[SyntaxNode], index: int) -> bool:
    if is_name(walk, tokens[index]):
        return True
    if tokens[index].type != "::" or index + 1 >= len(tokens) or not is_name(walk, tokens[index + 1]):
        return False
    return index == 0 or tokens[index - 1].type not in (">", "metavariable", "token_tree")


def path_among(
    walk: Walk,
    tokens: Sequence[SyntaxNode],
    index: int,
    macro: Nested,
    role: Role,
    declared: frozenset[bytes],
) -> int:
    """Write down the path that begins at `index`; answers the index after it."""
    before = walk.text(tokens[index - 1]) if index else b""
    absolute = tokens[index].type == "::"
    start = tokens[index].start_byte
    position = index + (1 if absolute else 0)
    names = [tokens[position]]
    while (
        position + 2 < len(tokens)
        and tokens[position + 1].type == "::"
        and tokens[position + 2].type in IDENTIFIERS
    ):
        position += 2
        names.append(tokens[position])
    after = position + 1
    following = tokens[after].type if after < len(tokens) else ""
    segments = [(walk.name(n), *walk.span(n)) for n in names]
    earlier = walk.text(tokens[index - 2]) if index > 1 else b""
    binds = before in BINDERS and (before, earlier) not in NOT_BINDING
    if before == b"'" or binds or (before == b"::" and not absolute):
        return after
    if before == b".":
        called = following in ("token_tree", "::") and (
            following == "::" or walk.text(tokens[after])[:1] == b"("
        )
        walk.write(Role.METHOD if called else Role.FIELD, segments[:1], ())
        return after
    if following == "!" and after + 1 < len(tokens) and tokens[after + 1].type == "token_tree":
        raw = walk.write(Role.MACRO, segments, MACRO, walk.at(start), absolute)
        with walk.in_arguments(raw, walk.in_macro or segments[-1][0], certain=False):
            macro(walk, tokens[after + 1], segments[-1][0], ())
        return after + 2
    if len(segments) == 1 and (following == ":" or segments[0][0] in ("self", "super", "crate", "_")):
        return after
    opened = following == "::" and after + 1 < len(tokens) and tokens[after + 1].type != "<"
    raw = walk.write(role, segments, TYPE if opened else BOTH, walk.at(start), absolute)
    if walk.in_macro == MACRO_RULES and len(segments) == 1:
        raw.quiet = raw.quiet or not is_called(walk, tokens, position) or walk.text(names[0]) in declared
    return after


def use_among(walk: Walk, tokens: Sequence[SyntaxNode], index: int) -> int:
    """`use a::{b, c};` among tokens: parsed as the declaration it will become."""
    end = index + 1
    while end < len(tokens) and tokens[end].type != ";":
        end += 1
    if end == index + 1:
        return index + 1
    first, last = tokens[index + 1].start_byte, tokens[end - 1].end_byte
    written = walk.source[first:last]
    text = DOLLAR_CRATE.sub(b" crate", written)
    if b"$" in text:
        return index + 1
    prefix = b"use "
    root = walk.parser.parse(prefix + text + b";")
    declaration = next(iter(root.named_children), None)
    argument = declaration.child_by_field_name("argument") if declaration is not None else None
    if root.has_error or argument is None:
        return index + 1
    for leaf in use_leaves(prefix + text + b";", argument, walk.parser, first - len(prefix)):
        write_use(walk, among_tokens(walk, leaf))
    return end


def among_tokens(walk: Walk, leaf: UseFact) -> UseFact:
    """A leaf with offsets in the file and `$crate` spelled as it is written."""
    path = list(leaf.path)
    spans = list(leaf.segments)
    if path[:1] == ["crate"] and walk.source[spans[0][0] - 1 : spans[0][0]] == b"$":
        path[0] = "$crate"
        spans[0] = (spans[0][0] - 1, spans[0][1])
    return evolve(
        leaf,
        path=tuple(path),
        segments=tuple((walk.at(a), walk.at(b)) for a, b in spans),
        start=walk.at(min(leaf.start, *(a for a, _ in spans)) if len(spans) == len(path) else leaf.start),
        end=walk.at(leaf.end),
    )
