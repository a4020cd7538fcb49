"""Definitions of macros: the paths in what they expand to. They mean something only where the macro is used (maybe)."""

from m1nd.domain.rust.bodies.macro_arguments import arguments
from m1nd.domain.rust.bodies.model import Typed
from m1nd.domain.rust.bodies.state import Walk, meaningful
from m1nd.domain.rust.bodies.tokens import MACRO_RULES, scan
from m1nd.domain.rust.syntax import SyntaxNode


def macro_definition(walk: Walk, node: SyntaxNode) -> Typed:
    with walk.scoped():
        walk.item = walk.starts.get(walk.at(node.start_byte), walk.item)
        for rule in meaningful(node):
            right = rule.child_by_field_name("right") if rule.type == "macro_rule" else None
            if right is not None:
                with walk.in_arguments(None, MACRO_RULES, certain=False):
                    scan(walk, right, arguments)
    return None


HANDLERS = {"macro_definition": macro_definition}
