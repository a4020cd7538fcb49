"""Patterns: which names bind, which refer, which may do either."""

from m1nd.domain.rust.bodies.model import Local, Typed, TypeSource
from m1nd.domain.rust.bodies.state import TYPE, VALUE, Walk, meaningful
from m1nd.domain.rust.bodies.written_paths import SCOPED, path, typed
from m1nd.domain.rust.names import Role
from m1nd.domain.rust.syntax import SyntaxNode

Names = dict[str, Local]
CONTAINERS = ("or_pattern", "tuple_pattern", "slice_pattern", "reference_pattern", "parenthesized_pattern")


def pattern(walk: Walk, node: SyntaxNode, names: Names, of: Typed = None, fixed: bool = False) -> None:
    """Write down a pattern's references and add its bindings to `names`.

    `of`: what gives the type of the matched value. `fixed`: a `mut` stands before it, so a name surely binds.
    """
    kind = node.type
    if kind == "identifier":
        identifier_pattern(walk, node, names, of, fixed)
    elif kind in ("mut_pattern", "ref_pattern"):
        for child in meaningful(node):
            if child.type != "mutable_specifier":
                pattern(walk, child, names, of, fixed=True)
    elif kind == "captured_pattern":
        first, *rest = meaningful(node)
        pattern(walk, first, names, of, fixed=True)
        for child in rest:
            pattern(walk, child, names, of)
    elif kind == "tuple_struct_pattern":
        tuple_struct_pattern(walk, node, names)
    elif kind == "struct_pattern":
        struct_pattern(walk, node, names)
    elif kind in CONTAINERS:
        for child in meaningful(node):
            if child.type != "mutable_specifier":
                pattern(walk, child, names, of if kind == "reference_pattern" else None)
    elif kind in SCOPED or kind == "generic_pattern":
        path(walk, node, Role.PATTERN, VALUE)
    elif kind == "range_pattern":
        for child in meaningful(node):
            if child.type == "identifier" or child.type in SCOPED:
                path(walk, child, Role.PATTERN, VALUE)
    elif kind in ("macro_invocation", "const_block", "ERROR"):
        walk.visit(node)


def identifier_pattern(walk: Walk, node: SyntaxNode, names: Names, of: Typed, fixed: bool) -> None:
    name = walk.name(node)
    if fixed:
        walk.bind(names, name, typed=of)
        return
    known = names.get(name)
    local = known if known is not None else walk.bind(names, name, candidate=True, typed=of)
    if local.candidate:
        raw = path(walk, node, Role.PATTERN, VALUE)
        if raw is not None:
            raw.candidate = local


def tuple_struct_pattern(walk: Walk, node: SyntaxNode, names: Names) -> None:
    constructor = node.child_by_field_name("type")
    raw = path(walk, constructor, Role.PATTERN, VALUE) if constructor is not None else None
    position = 0
    for child in meaningful(node):
        if constructor is not None and child.id == constructor.id:
            continue
        if child.type == "remaining_field_pattern":
            position = -1
            continue
        of = (
            TypeSource("field", of=TypeSource("call", raw=raw), name=str(position)) if position >= 0 else None
        )
        pattern(walk, child, names, of)
        position += 1 if position >= 0 else 0


def struct_pattern(walk: Walk, node: SyntaxNode, names: Names) -> None:
    constructor = node.child_by_field_name("type")
    raw = path(walk, constructor, Role.STRUCT, TYPE) if constructor is not None else None
    owner = typed(raw)
    for child in meaningful(node):
        if child.type != "field_pattern":
            continue
        name = child.child_by_field_name("name")
        if name is None:
            continue
        field = walk.write(Role.FIELD, [(walk.name(name), *walk.span(name))], ())
        field.receiver = owner
        of = TypeSource("field", of=owner, name=walk.name(name))
        if name.type == "shorthand_field_identifier":
            field.shorthand = True
            walk.bind(names, walk.name(name), typed=of)
        else:
            inner = child.child_by_field_name("pattern")
            if inner is not None:
                pattern(walk, inner, names, of)
