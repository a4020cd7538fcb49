"""Numbers of tree-sitter-rust's node kinds and fields, looked up once; comparing numbers is twice as fast as names."""

from m1nd.domain.index.packed import CODE_OF
from m1nd.domain.rust.walk import KIND_OF_NODE
from m1nd.infrastructure.rust_source.parser import LANGUAGE


def _ids(*names: str) -> frozenset[int]:
    """All numbers of named node kinds with these names (aliases have numbers of their own)."""
    return frozenset(
        number
        for number in range(LANGUAGE.node_kind_count)
        if LANGUAGE.node_kind_is_named(number) and LANGUAGE.node_kind_for_id(number) in names
    )


def _field(name: str) -> int:
    number = LANGUAGE.field_id_for_name(name)
    if number is None:
        raise RuntimeError(f"the grammar has no field {name}")
    return number


CODE_OF_NODE = {number: CODE_OF[kind] for name, kind in KIND_OF_NODE.items() for number in _ids(name)}
COMMENTS = _ids("line_comment", "block_comment")
ATTRIBUTES = _ids("attribute_item")
INNER_ATTRIBUTES = _ids("inner_attribute_item")
MACRO_TEXT = CODE_OF_NODE.keys() | COMMENTS | ATTRIBUTES | INNER_ATTRIBUTES
"""What the braces of a macro call may hold for it to count as items."""
STATEMENTS = _ids("expression_statement")
MACRO_CALLS = _ids("macro_invocation")
TOKEN_TREES = _ids("token_tree")
VISIBILITY = _ids("visibility_modifier")
NAME, BODY, ALIAS, MACRO, ARGUMENT = map(_field, ("name", "body", "alias", "macro", "argument"))
