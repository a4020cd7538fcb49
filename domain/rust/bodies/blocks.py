"""Blocks: the items and imports written directly in one, which are unordered and seen in all of it."""

from attrs import evolve

from m1nd.domain.rust.bodies.model import BlockItem, Rib, RibKind, Typed
from m1nd.domain.rust.bodies.state import Walk, meaningful
from m1nd.domain.rust.facts import ItemKind, UseFact
from m1nd.domain.rust.syntax import SyntaxNode
from m1nd.domain.rust.walk import KIND_OF_NODE, use_leaves

BLOCK_ITEMS = set(KIND_OF_NODE) - {"macro_invocation", "ERROR", "enum_variant", "associated_type"}


def block(walk: Walk, node: SyntaxNode) -> Typed:
    with walk.scoped():
        open_block(walk, node)
        walk.children(node)
    return None


def open_block(walk: Walk, node: SyntaxNode) -> None:
    """Push a rib for the items and imports written directly in a block, if there are any."""
    plain = [c for c in node.named_children if c.type in BLOCK_ITEMS]
    macros = [m for c in node.named_children if (m := braced_macro(c)) is not None]
    if not plain and not macros:
        return
    rib = walk.push(RibKind.BLOCK)
    declare(walk, rib, plain)
    for tree in macros:
        text = walk.source[tree.start_byte + 1 : tree.end_byte - 1]
        root = walk.parser.parse(text)
        found = meaningful(root)
        if not root.has_error and all(c.type in BLOCK_ITEMS or c.type == "attribute_item" for c in found):
            with walk.inside(text, tree.start_byte + 1):
                declare(walk, rib, [c for c in found if c.type in BLOCK_ITEMS])


def braced_macro(node: SyntaxNode) -> SyntaxNode | None:
    """The token tree of `name! { … }` in statement position; its text may declare items (`thread_local!`)."""
    inner = next(iter(node.named_children), None) if node.type == "expression_statement" else node
    if inner is None or inner.type != "macro_invocation":
        return None
    tree = next((c for c in inner.named_children if c.type == "token_tree"), None)
    return tree if tree is not None and next(iter(tree.children)).type == "{" else None


def declare(walk: Walk, rib: Rib, nodes: list[SyntaxNode]) -> None:
    for node in nodes:
        index = walk.starts.get(walk.at(node.start_byte), -1)
        if node.type == "use_declaration":
            rib.uses.extend(leaves(walk, node, index))
            continue
        name = node.child_by_field_name("alias") or node.child_by_field_name("name")
        if name is not None and node.type not in ("impl_item", "foreign_mod_item"):
            add_item(walk, rib, node, name, index)


def add_item(walk: Walk, rib: Rib, node: SyntaxNode, name: SyntaxNode, index: int) -> None:
    body = node.child_by_field_name("body")
    crate = node.child_by_field_name("name") if node.type == "extern_crate_declaration" else None
    attributes = walk.facts.items[index].attributes if index >= 0 else ()
    item = BlockItem(
        name=walk.name(name),
        kind=ItemKind(KIND_OF_NODE[node.type]),
        index=index,
        end=walk.at(node.end_byte),
        named_fields=body is not None and body.type == "field_declaration_list",
        gated=any(a.startswith("cfg") for a in attributes),
        crate=walk.name(crate) if crate is not None else "",
    )
    rib.items.setdefault(item.name, []).append(item)


def leaves(walk: Walk, node: SyntaxNode, index: int) -> list[tuple[UseFact, int]]:
    """The leaves of a use declaration; from the facts where they reach."""
    if index >= 0:
        return [(walk.facts.uses[p], p) for p in walk.uses.get(index, ())]
    argument = node.child_by_field_name("argument")
    if argument is None:
        return []
    found = use_leaves(walk.source, argument, walk.parser)
    return [(placed(walk, u), -1) for u in found]


def placed(walk: Walk, use: UseFact) -> UseFact:
    """A use leaf with offsets in the file."""
    return evolve(
        use,
        segments=tuple((walk.at(a), walk.at(a) + b - a) for a, b in use.segments),
        start=walk.at(use.start),
        end=walk.at(use.start) + use.end - use.start,
        alias_start=walk.at(use.alias_start) if use.alias else 0,
        alias_end=walk.at(use.alias_start) + use.alias_end - use.alias_start if use.alias else 0,
    )
