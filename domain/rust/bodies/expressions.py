"""Expressions and statements: what they refer to, what they bind, and for how long."""

from m1nd.domain.rust.bodies.blocks import block
from m1nd.domain.rust.bodies.model import Local, RibKind, Typed, TypeSource
from m1nd.domain.rust.bodies.patterns import pattern
from m1nd.domain.rust.bodies.state import TYPE, VALUE, Walk, meaningful
from m1nd.domain.rust.bodies.written_paths import SCOPED, nothing, path, typed, written_type
from m1nd.domain.rust.names import Role
from m1nd.domain.rust.syntax import SyntaxNode

PATHS = ("identifier", "generic_function", *SCOPED)
SPINE = {
    "field_expression": "value",
    "binary_expression": "left",
    "type_cast_expression": "value",
    "reference_expression": "value",
    "assignment_expression": "left",
    "compound_assignment_expr": "left",
}
LATER_KEYWORDS = ("async", "await", "dyn", "try")
"""Names of edition 2015 that the grammar reads as edition 2018 does: `async()` is an error to it."""
FIRST = (
    "try_expression",
    "await_expression",
    "index_expression",
    "unary_expression",
    "parenthesized_expression",
)


def path_expression(walk: Walk, node: SyntaxNode) -> Typed:
    raw = path(walk, node, Role.EXPRESSION, VALUE)
    return TypeSource("value", raw=raw) if raw is not None else None


def self_value(walk: Walk, node: SyntaxNode) -> Typed:
    return TypeSource("self", rib=walk.rib)


def chain(walk: Walk, node: SyntaxNode) -> Typed:
    """Calls, fields, operators: the left spine is followed in a loop, for it can be thousands of links long."""
    links: list[SyntaxNode] = []
    current: SyntaxNode | None = node
    while current is not None:
        inner = inner_of(current)
        if inner is None:
            break
        links.append(current)
        current = inner
    if current is not None and closure_called(current) is not None:
        with walk.scoped():
            return linked(walk, current, links)
    return linked(walk, current, links)


def linked(walk: Walk, first: SyntaxNode | None, links: list[SyntaxNode]) -> Typed:
    """The start of a spine, and what each link adds to it, the last one first."""
    source: Typed = None
    if first is not None:
        source = call(walk, first) if first.type == "call_expression" else walk.visit(first)
    for link in reversed(links):
        source = finish(walk, link, source)
    return source


def closure_called(node: SyntaxNode) -> SyntaxNode | None:
    """A closure without parentheses in the place of what is called.

    Nobody calls one: the grammar takes `|r| (r.0)..(r.1)` for the call of `|r| (r.0)..`, and what follows is its body still.
    """
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    return function if function is not None and function.type == "closure_expression" else None


def inner_of(node: SyntaxNode) -> SyntaxNode | None:
    """The next node down the left spine."""
    kind = node.type
    if kind == "call_expression":
        function = member_called(node)
        return function.child_by_field_name("value") if function is not None else None
    if kind in SPINE:
        return node.child_by_field_name(SPINE[kind])
    if kind in FIRST:
        return next(iter(meaningful(node)), None)
    return None


def member_called(node: SyntaxNode) -> SyntaxNode | None:
    """The `field_expression` of a method call; None for the call of a path or of a value."""
    function = node.child_by_field_name("function")
    if function is not None and function.type == "generic_function":
        function = function.child_by_field_name("function")
    return function if function is not None and function.type == "field_expression" else None


def finish(walk: Walk, node: SyntaxNode, source: Typed) -> Typed:
    """What a link of the spine adds to what is left of it."""
    kind = node.type
    if kind == "call_expression":
        return method_call(walk, node, source)
    if kind == "field_expression":
        field = node.child_by_field_name("field")
        if field is None:
            return None
        return member(walk, field, Role.FIELD, source)
    if kind == "type_cast_expression":
        target = node.child_by_field_name("type")
        return typed(written_type(walk, target)) if target is not None else None
    inner = inner_of(node)
    walk.children(node, skip=(inner,))
    if kind in ("reference_expression", "parenthesized_expression"):
        return source
    if kind == "unary_expression":
        return source if walk.source[node.start_byte : node.start_byte + 1] == b"*" else None
    return None


def member(walk: Walk, name: SyntaxNode, role: Role, receiver: Typed) -> Typed:
    raw = walk.write(role, [(walk.name(name), *walk.span(name))], ())
    raw.receiver = receiver
    how = "method" if role is Role.METHOD else "field"
    return TypeSource(how, of=receiver, name=raw.segments[0][0]) if receiver is not None else None


def method_call(walk: Walk, node: SyntaxNode, receiver: Typed) -> Typed:
    function = member_called(node)
    name = function.child_by_field_name("field") if function is not None else None
    result = None
    if name is not None:
        result = member(walk, name, Role.METHOD, receiver)
    outer = node.child_by_field_name("function")
    if outer is not None and outer.type == "generic_function":
        given = outer.child_by_field_name("type_arguments")
        if given is not None:
            walk.visit(given)
    given = node.child_by_field_name("arguments")
    if given is not None:
        walk.children(given)
    return result


def call(walk: Walk, node: SyntaxNode) -> Typed:
    """The call of a path or of any other value that is no member."""
    function = node.child_by_field_name("function")
    result: Typed = None
    if function is not None:
        if function.type in PATHS:
            raw = path(walk, function, Role.CALL, VALUE)
            result = TypeSource("call", raw=raw) if raw is not None else None
        elif closure_called(node) is not None:
            enter_closure(walk, function)
        else:
            walk.visit(function)
    given = node.child_by_field_name("arguments")
    if given is not None:
        walk.children(given)
    return result


def struct_expression(walk: Walk, node: SyntaxNode) -> Typed:
    name = node.child_by_field_name("name")
    raw = path(walk, name, Role.STRUCT, TYPE) if name is not None else None
    owner = typed(raw)
    body = node.child_by_field_name("body")
    for child in meaningful(body) if body is not None else ():
        if child.type == "shorthand_field_initializer":
            shorthand(walk, child, owner)
        elif child.type == "field_initializer":
            field = child.child_by_field_name("field")
            if field is not None:
                member(walk, field, Role.FIELD, owner)
            walk.children(child, skip=(field,))
        else:
            walk.visit(child)
    return owner


def shorthand(walk: Walk, node: SyntaxNode, owner: Typed) -> None:
    """`S { x }`: one name that is both field and value."""
    name = next((c for c in node.named_children if c.type == "identifier"), None)
    if name is None:
        return
    segment = (walk.name(name), *walk.span(name))
    field = walk.write(Role.FIELD, [segment], ())
    field.receiver = owner
    field.shorthand = True
    walk.write(Role.EXPRESSION, [segment], VALUE).shorthand = True


def let(walk: Walk, node: SyntaxNode) -> Typed:
    """The binding is visible after the statement, to the end of the block."""
    written = node.child_by_field_name("type")
    of = typed(written_type(walk, written)) if written is not None else None
    value = node.child_by_field_name("value")
    if value is not None:
        source = walk.visit(value)
        of = of or (source if written is None else None)
    alternative = node.child_by_field_name("alternative")
    if alternative is not None:
        walk.visit(alternative)
    bound = node.child_by_field_name("pattern")
    if bound is not None:
        names: dict[str, Local] = {}
        pattern(walk, bound, names, of, fixed=is_mutable(node))
        push_names(walk, names)
    return None


def push_names(walk: Walk, names: dict[str, Local]) -> None:
    if names:
        walk.push(RibKind.LOCALS).names = names


def is_mutable(node: SyntaxNode) -> bool:
    return any(c.type == "mutable_specifier" for c in node.named_children)


def let_condition(walk: Walk, node: SyntaxNode) -> Typed:
    """The binding is visible in the rest of the condition and in what the condition guards."""
    value = node.child_by_field_name("value")
    source = walk.visit(value) if value is not None else None
    bound = node.child_by_field_name("pattern")
    if bound is not None:
        names: dict[str, Local] = {}
        pattern(walk, bound, names, source)
        push_names(walk, names)
    return None


def if_expression(walk: Walk, node: SyntaxNode) -> Typed:
    current: SyntaxNode | None = node
    while current is not None:
        with walk.scoped():
            for part in ("condition", "consequence"):
                child = current.child_by_field_name(part)
                if child is not None:
                    walk.visit(child)
        clause = current.child_by_field_name("alternative")
        inner = next(iter(meaningful(clause)), None) if clause is not None else None
        current = inner if inner is not None and inner.type == "if_expression" else None
        if inner is not None and current is None:
            walk.visit(inner)
    return None


def while_expression(walk: Walk, node: SyntaxNode) -> Typed:
    with walk.scoped():
        walk.children(node)
    return None


def for_expression(walk: Walk, node: SyntaxNode) -> Typed:
    value = node.child_by_field_name("value")
    if value is not None:
        walk.visit(value)
    bound = node.child_by_field_name("pattern")
    body = node.child_by_field_name("body")
    with walk.scoped():
        names: dict[str, Local] = {}
        if bound is not None:
            pattern(walk, bound, names)
        push_names(walk, names)
        if body is not None:
            walk.visit(body)
    return None


def match_arm(walk: Walk, node: SyntaxNode) -> Typed:
    with walk.scoped():
        outer = node.child_by_field_name("pattern")
        condition = outer.child_by_field_name("condition") if outer is not None else None
        names: dict[str, Local] = {}
        for child in meaningful(outer) if outer is not None else ():
            if condition is None or child.id != condition.id:
                pattern(walk, child, names)
        push_names(walk, names)
        if condition is not None:
            walk.visit(condition)
        walk.children(node, skip=(outer,))
    return None


def closure(walk: Walk, node: SyntaxNode) -> Typed:
    with walk.scoped():
        enter_closure(walk, node)
    return None


def enter_closure(walk: Walk, node: SyntaxNode) -> None:
    """Whoever calls this ends the scope of the closure's names."""
    names: dict[str, Local] = {}
    parameters = node.child_by_field_name("parameters")
    for child in meaningful(parameters) if parameters is not None else ():
        parameter(walk, child, names)
    result = node.child_by_field_name("return_type")
    if result is not None:
        walk.visit(result)
    push_names(walk, names)
    body = node.child_by_field_name("body")
    if body is not None:
        walk.visit(body)


def parameter(walk: Walk, node: SyntaxNode, names: dict[str, Local]) -> None:
    """A parameter of a function or closure; its type is written down before its names are bound."""
    if node.type == "attribute_item":
        walk.trivia([node], walk.item)
    elif node.type == "parameter":
        written = node.child_by_field_name("type")
        of = typed(written_type(walk, written)) if written is not None else None
        bound = node.child_by_field_name("pattern")
        if bound is not None and bound.type != "self":
            pattern(walk, bound, names, of, fixed=is_mutable(node))
    elif node.type in ("self_parameter", "variadic_parameter"):
        walk.children(node)
    elif node.type not in ("self",):
        pattern(walk, node, names)


def break_expression(walk: Walk, node: SyntaxNode) -> Typed:
    walk.children(node, skip=[c for c in node.named_children if c.type == "label"])
    return None


def error(walk: Walk, node: SyntaxNode) -> Typed:
    """Text that the grammar does not know: what looks like a path may be one, a word that became a keyword in edition 2018 too."""
    kept, walk.certain = walk.certain, False
    walk.children(node)
    quiet, walk.quiet = walk.quiet, True
    for word in (c for c in node.children if c.type in LATER_KEYWORDS):
        walk.write(Role.EXPRESSION, [(walk.name(word), *walk.span(word))], VALUE)
    walk.certain, walk.quiet = kept, quiet
    return None


HANDLERS = {
    "identifier": path_expression,
    "scoped_identifier": path_expression,
    "generic_function": path_expression,
    "self": self_value,
    "super": nothing,
    "crate": nothing,
    "call_expression": chain,
    **dict.fromkeys(SPINE, chain),
    **dict.fromkeys(FIRST, chain),
    "struct_expression": struct_expression,
    "block": block,
    "let_declaration": let,
    "let_condition": let_condition,
    "if_expression": if_expression,
    "while_expression": while_expression,
    "for_expression": for_expression,
    "match_arm": match_arm,
    "closure_expression": closure,
    "break_expression": break_expression,
    "ERROR": error,
    "string_literal": nothing,
    "raw_string_literal": nothing,
    "inner_attribute_item": nothing,
    "shorthand_field_identifier": nothing,
    "mutable_specifier": nothing,
}
