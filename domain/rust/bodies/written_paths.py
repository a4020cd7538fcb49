"""Paths and types in the tree: their segments, arguments and the type before them (`<T as Trait>::x`)."""

from m1nd.domain.rust.bodies.model import Raw, Typed, TypeSource
from m1nd.domain.rust.bodies.state import TYPE, VALUE, Walk, meaningful
from m1nd.domain.rust.names import Namespace, Role
from m1nd.domain.rust.syntax import SyntaxNode

SCOPED = ("scoped_identifier", "scoped_type_identifier")
WRAPPERS = ("reference_type", "pointer_type", "parenthesized_type")


def path(walk: Walk, node: SyntaxNode, role: Role, namespaces: tuple[Namespace, ...]) -> Raw | None:
    """Write down a path node; its generic arguments and qualifying types are written down too."""
    names: list[SyntaxNode] = []
    arguments: list[SyntaxNode] = []
    base: SyntaxNode | None = None
    absolute = False
    whole = node
    current: SyntaxNode | None = node
    while current is not None:
        kind = current.type
        if kind in SCOPED:
            name = current.child_by_field_name("name")
            if name is not None:
                names.append(name)
            inner = current.child_by_field_name("path")
            absolute = inner is None
            current = inner
        elif kind in ("generic_type", "generic_type_with_turbofish", "generic_function"):
            given = current.child_by_field_name("type_arguments")
            if given is not None:
                arguments.append(given)
            inner = current.child_by_field_name("type") or current.child_by_field_name("function")
            whole = inner if current is whole and inner is not None else whole
            current = inner
        elif kind == "bracketed_type":
            base = current
            current = None
        else:
            names.append(current)
            current = None
    if not names or (len(names) == 1 and walk.text(names[0]) == b"_"):
        walk.children(node)
        return None
    names.reverse()
    of, trait = qualifier(walk, base) if base is not None else (None, None)
    segments = [(walk.name(n), *walk.span(n)) for n in names]
    raw = walk.write(role, segments, namespaces, walk.at(whole.start_byte), absolute)
    raw.base, raw.trait, raw.based = of, trait, base is not None
    for given in arguments:
        type_arguments(walk, given)
    return raw


def qualifier(walk: Walk, node: SyntaxNode) -> tuple[Raw | None, Raw | None]:
    """The type and the trait of `<T>` or `<T as Trait>`."""
    inner = next(iter(meaningful(node)), None)
    if inner is None:
        return None, None
    if inner.type != "qualified_type":
        return written_type(walk, inner), None
    of = inner.child_by_field_name("type")
    trait = inner.child_by_field_name("alias")
    return (
        written_type(walk, of) if of is not None else None,
        written_type(walk, trait) if trait is not None else None,
    )


def written_type(walk: Walk, node: SyntaxNode) -> Raw | None:
    """Write down every path of a type; answers the type's own path, references taken off."""
    kind = node.type
    if kind in ("type_identifier", "identifier", *SCOPED):
        return path(walk, node, Role.TYPE, TYPE)
    if kind == "generic_type":
        return path(walk, node, Role.TYPE, TYPE)
    if kind in WRAPPERS:
        found = None
        for child in meaningful(node):
            if child.type not in ("lifetime", "mutable_specifier"):
                found = written_type(walk, child)
        return found
    if kind == "macro_invocation":
        walk.visit(node)
    elif kind != "primitive_type":
        walk.children(node)
    return None


def typed(raw: Raw | None) -> Typed:
    return TypeSource("type", raw=raw) if raw is not None else None


def visit_type(walk: Walk, node: SyntaxNode) -> Typed:
    return typed(written_type(walk, node))


def type_arguments(walk: Walk, node: SyntaxNode) -> Typed:
    """Generic arguments; a bare name may be a const argument; names of associated items are no paths."""
    children = meaningful(node)
    for index, child in enumerate(children):
        following = children[index + 1].type if index + 1 < len(children) else ""
        if following == "trait_bounds":
            continue
        if child.type == "type_binding":
            name = child.child_by_field_name("name")
            walk.children(child, skip=(name,))
        elif child.type in ("type_identifier", "scoped_type_identifier"):
            raw = path(walk, child, Role.TYPE, TYPE)
            if raw is not None:
                raw.fallback = VALUE
        else:
            walk.visit(child)
    return None


def nothing(walk: Walk, node: SyntaxNode) -> Typed:
    return None


HANDLERS = {
    "type_identifier": visit_type,
    "scoped_type_identifier": visit_type,
    "generic_type": visit_type,
    "reference_type": visit_type,
    "pointer_type": visit_type,
    "type_arguments": type_arguments,
    "primitive_type": nothing,
    "lifetime": nothing,
    "label": nothing,
    "field_identifier": nothing,
    "metavariable": nothing,
    "for_lifetimes": nothing,
}
