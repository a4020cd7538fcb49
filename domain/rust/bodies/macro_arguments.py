"""Arguments of macro invocations: parsed as what they look like, expressions first.

Known macros of std are read as std reads them; of any other macro only the shape is known, so all that is found in its
arguments is a `maybe`. Text that parses as nothing is scanned for paths.
"""

from collections.abc import Sequence

from m1nd.domain.rust import format_strings
from m1nd.domain.rust.bodies.blocks import block, open_block
from m1nd.domain.rust.bodies.model import RibKind, Typed
from m1nd.domain.rust.bodies.state import MACRO, VALUE, Walk, meaningful, without_built_in_attributes
from m1nd.domain.rust.bodies.tokens import scan
from m1nd.domain.rust.bodies.written_paths import path
from m1nd.domain.rust.names import Role
from m1nd.domain.rust.prelude import words
from m1nd.domain.rust.syntax import SyntaxNode
from m1nd.domain.rust.walk import BRANCHING, THREAD_LOCAL, identifier, is_macro_text

LITERALS_ONLY = words(
    """cfg column compile_error concat_idents env file include include_bytes include_str line module_path
    option_env stringify is_x86_feature_detected log_syntax trace_macros global_asm"""
)
FORMATTING = {
    "assert": 1,
    "assert_eq": 2,
    "assert_ne": 2,
    "debug_assert": 1,
    "debug_assert_eq": 2,
    "debug_assert_ne": 2,
    "write": 1,
    "writeln": 1,
    "ensure": 1,
    **dict.fromkeys(
        words(
            """eprint eprintln format format_args panic print println todo unimplemented unreachable const_format_args formatcp
        error warn info debug trace log anyhow bail format_err error_span warn_span info_span debug_span
        trace_span event span"""
        ),
        0,
    ),
}
"""Macros with a format string and the index of the first argument that can be it."""
STRINGS = ("string_literal", "raw_string_literal")
SHAPES: dict[str, tuple[tuple[bytes, bytes, str], ...]] = {
    "(": (
        (b"fn f(){f(", b")}", "arguments"),
        (b"fn f(){", b"}", "block"),
        (b"fn f(){f::<", b">}", "type_arguments"),
    ),
    "[": (
        (b"fn f(){f(", b")}", "arguments"),
        (b"fn f(){[", b"]}", "array_expression"),
        (b"fn f(){", b"}", "block"),
    ),
    "{": ((b"", b"", "source_file"), (b"fn f(){", b"}", "block"), (b"fn f(){f(", b")}", "arguments")),
}


def macro_invocation(walk: Walk, node: SyntaxNode) -> Typed:
    with walk.scoped():
        walk.item = walk.starts.get(walk.at(node.start_byte), walk.item)
        name = node.child_by_field_name("macro")
        raw = path(walk, name, Role.MACRO, MACRO) if name is not None else None
        tree = next((c for c in node.named_children if c.type == "token_tree"), None)
        if raw is not None and tree is not None:
            last = raw.segments[-1][0]
            with walk.in_arguments(raw, last):
                arguments(walk, tree, last)
    return None


def arguments(walk: Walk, tree: SyntaxNode, name: str, _: Sequence[SyntaxNode] = ()) -> None:
    """Write down what the arguments of a macro called `name` refer to."""
    if name in LITERALS_ONLY:
        return
    if name == "matches" and matches(walk, tree):
        return
    if name in BRANCHING:
        groups = [c for c in tree.children if c.type == "token_tree" and walk.text(c)[:1] == b"{"]
        for group in groups:
            arguments(walk, group, "")
        return
    opening = walk.source[tree.start_byte : tree.start_byte + 1].decode("ascii", "replace")
    shapes = SHAPES.get(opening, SHAPES["("])
    if name == "vec":
        shapes = (SHAPES["["][1], *shapes)
    inner = walk.source[tree.start_byte + 1 : tree.end_byte - 1]
    if not inner.strip():
        return
    inner = inner.replace(b"static ref ", b"static     ")
    if THREAD_LOCAL in name:
        shapes = ((b"", b";", "source_file"), *shapes)
    inner = without_built_in_attributes(inner)
    for prefix, suffix, wanted in shapes:
        if parsed(walk, tree.start_byte + 1, (prefix, inner, suffix), wanted, name):
            return
    with walk.in_arguments(None, walk.in_macro, certain=False):
        scan(walk, tree, arguments)
        if name in FORMATTING:
            literals = [c for c in tree.named_children if c.type in STRINGS]
            for literal in literals[:1]:
                write_captures(walk, literal, set())


def parsed(walk: Walk, start: int, parts: tuple[bytes, bytes, bytes], wanted: str, name: str) -> bool:
    """Try one reading of the text at `start`; False where it does not parse that way."""
    prefix, inner, suffix = parts
    text = prefix + inner + suffix
    root = walk.parser.parse(text)
    if root.has_error:
        return False
    found = outermost(root, wanted, len(prefix), len(text) - len(suffix))
    if found is None:
        return False
    with walk.inside(text, start - len(prefix)), walk.scoped():
        if wanted == "arguments":
            argument_list(walk, found, name)
        elif wanted == "block":
            block(walk, found)
        else:
            if wanted == "source_file" and walk.rib.kind is not RibKind.MODULE:
                open_block(walk, found)
            walk.children(found)
    return True


def outermost(root: SyntaxNode, wanted: str, start: int, end: int) -> SyntaxNode | None:
    """The node of type `wanted` that spans the parsed text with the brackets put around it."""
    if wanted == "source_file":
        plain = all(is_macro_text(c) for c in meaningful(root))
        return root if plain and meaningful(root) else None
    current: SyntaxNode | None = root
    while current is not None:
        if current.type == wanted and current.start_byte < start and current.end_byte > end:
            return current
        current = next((c for c in current.children if c.start_byte < start and c.end_byte > end), None)
    return None


def argument_list(walk: Walk, node: SyntaxNode, name: str) -> None:
    """Comma separated expressions; `name = value` is a named argument, its name refers to nothing."""
    first_text = FORMATTING.get(name)
    named: set[bytes] = set()
    literal: SyntaxNode | None = None
    for index, child in enumerate(meaningful(node)):
        if child.type == "assignment_expression" and first_text is not None:
            left = child.child_by_field_name("left")
            if left is not None and left.type == "identifier":
                named.add(walk.text(left))
                walk.children(child, skip=(left,))
                continue
        if first_text is not None and literal is None and index >= first_text and child.type in STRINGS:
            literal = child
        walk.visit(child)
    if literal is not None:
        write_captures(walk, literal, named)


def write_captures(walk: Walk, literal: SyntaxNode, named: set[bytes]) -> None:
    for name, start, end in format_strings.captures(walk.text(literal)):
        if name in named or name[:1].isdigit():
            continue
        begin = walk.at(literal.start_byte + start)
        segment = (identifier(name), begin, begin + end - start)
        walk.write(Role.FORMAT, [segment], VALUE)


def matches(walk: Walk, tree: SyntaxNode) -> bool:
    """`matches!(value, pattern if guard)`: read as the `match` that it becomes."""
    comma = next((c for c in tree.children if c.type == ","), None)
    if comma is None:
        return False
    start, end = tree.start_byte + 1, tree.end_byte - 1
    while walk.source[start:end].rstrip().endswith(b","):
        end = start + len(walk.source[start:end].rstrip()) - 1
    value = walk.source[start : comma.start_byte]
    prefix = b"fn f(){match "
    text = prefix + value + b"{" + walk.source[comma.end_byte : end] + b"=>{}}}"
    root = walk.parser.parse(text)
    if root.has_error:
        return False
    with walk.inside(text, start - len(prefix)), walk.scoped():
        body = root.named_children[0].child_by_field_name("body")
        if body is not None:
            walk.visit(body)
    return True


HANDLERS = {"macro_invocation": macro_invocation}
