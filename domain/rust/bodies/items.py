"""Items: the borders of scopes, generic parameters, `Self`, and the paths in headers and declarations."""

from m1nd.domain.rust.bodies.blocks import leaves
from m1nd.domain.rust.bodies.expressions import parameter, push_names
from m1nd.domain.rust.bodies.model import FieldSketch, Local, RibKind, Typed
from m1nd.domain.rust.bodies.state import ANY, TYPE, Walk, meaningful
from m1nd.domain.rust.bodies.written_paths import path, typed, written_type
from m1nd.domain.rust.facts import UseFact
from m1nd.domain.rust.names import Role
from m1nd.domain.rust.syntax import SyntaxNode

RESERVED = ("self", "super", "crate")


def enter(walk: Walk, node: SyntaxNode) -> None:
    """Make an item the current one; its border hides locals and generics of the function around it."""
    walk.item = walk.starts.get(walk.at(node.start_byte), walk.item)
    if walk.rib.kind is not RibKind.SELF:
        walk.push(RibKind.ITEM, walk.item)


def generics(walk: Walk, node: SyntaxNode) -> None:
    """Bring type and const parameters into scope, then write down their bounds and defaults."""
    given = node.child_by_field_name("type_parameters")
    if given is None:
        return
    rib = walk.push(RibKind.GENERICS)
    for child in meaningful(given):
        name = child.child_by_field_name("name")
        if name is not None and child.type in ("type_parameter", "const_parameter"):
            walk.bind(rib.names, walk.name(name))
    for child in meaningful(given):
        if child.type == "attribute_item":
            walk.trivia([child], walk.item)
        else:
            walk.children(child, skip=(child.child_by_field_name("name"),))


def function(walk: Walk, node: SyntaxNode) -> Typed:
    with walk.scoped():
        enter(walk, node)
        generics(walk, node)
        names: dict[str, Local] = {}
        parameters = node.child_by_field_name("parameters")
        for child in parameters.named_children if parameters is not None else ():
            parameter(walk, child, names)
        result = node.child_by_field_name("return_type")
        if result is not None:
            walk.results[walk.item] = typed(written_type(walk, result))
        body = node.child_by_field_name("body")
        known = [node.child_by_field_name(f) for f in ("name", "type_parameters")]
        walk.children(node, skip=(*known, parameters, result, body))
        push_names(walk, names)
        if body is not None:
            walk.visit(body)
    return None


def data_type(walk: Walk, node: SyntaxNode) -> Typed:
    """struct, enum, union."""
    with walk.scoped():
        enter(walk, node)
        walk.push(RibKind.SELF, walk.item)
        generics(walk, node)
        skip = [node.child_by_field_name(f) for f in ("name", "type_parameters")]
        body = node.child_by_field_name("body")
        if body is not None and body.type != "enum_variant_list":
            fields(walk, body)
            skip.append(body)
        walk.children(node, skip=skip)
    return None


def variant(walk: Walk, node: SyntaxNode) -> Typed:
    with walk.scoped():
        walk.item = walk.starts.get(walk.at(node.start_byte), walk.item)
        body = node.child_by_field_name("body")
        if body is not None:
            fields(walk, body)
        walk.children(node, skip=(node.child_by_field_name("name"), body))
    return None


def fields(walk: Walk, body: SyntaxNode) -> None:
    """Write down the fields of the current item, and what their types refer to."""
    found: list[FieldSketch] = []
    visibility: SyntaxNode | None = None
    trivia: list[SyntaxNode] = []
    for child in body.named_children:
        kind = child.type
        if kind in ("attribute_item", "line_comment", "block_comment"):
            trivia.append(child)
            continue
        walk.trivia(trivia, walk.item)
        trivia = []
        if kind == "field_declaration":
            found.append(named_field(walk, child))
        elif kind == "visibility_modifier":
            visibility = child
            walk.visit(child)
        else:
            raw = written_type(walk, child)
            start, end = walk.span(child)
            text = walk.text(visibility).decode("utf-8", "replace") if visibility is not None else ""
            begin = walk.at(visibility.start_byte) if visibility is not None else start
            found.append(FieldSketch(str(len(found)), text, begin, end, start, start, typed(raw)))
            visibility = None
    walk.trivia(trivia, walk.item)
    walk.fields[walk.item] = tuple(found)


def named_field(walk: Walk, node: SyntaxNode) -> FieldSketch:
    visibility = next((c for c in node.named_children if c.type == "visibility_modifier"), None)
    name = node.child_by_field_name("name")
    written = node.child_by_field_name("type")
    if visibility is not None:
        walk.visit(visibility)
    raw = written_type(walk, written) if written is not None else None
    start, end = walk.span(node)
    name_start, name_end = walk.span(name) if name is not None else (start, start)
    return FieldSketch(
        name=walk.name(name) if name is not None else "",
        visibility=walk.text(visibility).decode("utf-8", "replace") if visibility is not None else "",
        start=start,
        end=end,
        name_start=name_start,
        name_end=name_end,
        type=typed(raw),
    )


def trait(walk: Walk, node: SyntaxNode) -> Typed:
    with walk.scoped():
        enter(walk, node)
        generics(walk, node)
        walk.push(RibKind.SELF, walk.item)
        walk.children(node, skip=[node.child_by_field_name(f) for f in ("name", "type_parameters")])
    return None


def implementation(walk: Walk, node: SyntaxNode) -> Typed:
    with walk.scoped():
        enter(walk, node)
        generics(walk, node)
        target = node.child_by_field_name("type")
        own = written_type(walk, target) if target is not None else None
        walk.push(RibKind.SELF, walk.item).type = own
        walk.children(node, skip=(target, node.child_by_field_name("type_parameters")))
    return None


def constant(walk: Walk, node: SyntaxNode) -> Typed:
    """const and static."""
    with walk.scoped():
        enter(walk, node)
        written = node.child_by_field_name("type")
        if written is not None:
            walk.types[walk.item] = typed(written_type(walk, written))
        walk.children(node, skip=(node.child_by_field_name("name"), written))
    return None


def type_item(walk: Walk, node: SyntaxNode) -> Typed:
    with walk.scoped():
        enter(walk, node)
        generics(walk, node)
        written = node.child_by_field_name("type")
        if written is not None:
            walk.types[walk.item] = typed(written_type(walk, written))
        skip = [node.child_by_field_name(f) for f in ("name", "type_parameters")]
        walk.children(node, skip=(*skip, written))
    return None


def module(walk: Walk, node: SyntaxNode) -> Typed:
    visibility = next((c for c in node.named_children if c.type == "visibility_modifier"), None)
    with walk.scoped():
        walk.item = walk.starts.get(walk.at(node.start_byte), walk.item)
        if visibility is not None:
            walk.visit(visibility)
        body = node.child_by_field_name("body")
        if body is not None:
            walk.root(RibKind.MODULE, walk.item)
            walk.children(body)
    return None


def foreign_module(walk: Walk, node: SyntaxNode) -> Typed:
    with walk.scoped():
        walk.item = walk.starts.get(walk.at(node.start_byte), walk.item)
        body = node.child_by_field_name("body")
        if body is not None:
            walk.children(body)
    return None


def use(walk: Walk, node: SyntaxNode) -> Typed:
    with walk.scoped():
        index = walk.starts.get(walk.at(node.start_byte), -1)
        walk.item = index if index >= 0 else walk.item
        for child in node.named_children:
            if child.type == "visibility_modifier":
                walk.visit(child)
        for leaf, _ in leaves(walk, node, index):
            write_use(walk, leaf)
    return None


def write_use(walk: Walk, leaf: UseFact) -> None:
    """Write down one leaf of a use tree."""
    if not leaf.path:
        return
    only_type = leaf.glob or leaf.is_self or leaf.path[-1] in RESERVED
    segments = [(n, a, b) for n, (a, b) in zip(leaf.path, leaf.segments, strict=False)]
    raw = walk.write(Role.USE, segments, TYPE if only_type else ANY, leaf.start, leaf.absolute)
    if leaf.is_self:
        raw.end = leaf.start + len("self")
    elif leaf.glob:
        raw.end = leaf.end
    raw.use = leaf


def extern_crate(walk: Walk, node: SyntaxNode) -> Typed:
    with walk.scoped():
        walk.item = walk.starts.get(walk.at(node.start_byte), walk.item)
        name = node.child_by_field_name("name")
        if name is not None:
            walk.write(Role.USE, [(walk.name(name), *walk.span(name))], TYPE)
    return None


def visibility(walk: Walk, node: SyntaxNode) -> Typed:
    """The path of `pub(in path)`; `pub(super)` and the like name no path that could change."""
    inner = next((c for c in meaningful(node) if c.type in ("scoped_identifier", "identifier")), None)
    if inner is not None:
        path(walk, inner, Role.VISIBILITY, TYPE)
    return None


def higher_ranked(walk: Walk, node: SyntaxNode) -> Typed:
    walk.children(node, skip=(node.child_by_field_name("type_parameters"),))
    return None


def parameter_of_pointer(walk: Walk, node: SyntaxNode) -> Typed:
    """A parameter of a function pointer type: its name binds nothing."""
    walk.children(node, skip=(node.child_by_field_name("pattern"),))
    return None


HANDLERS = {
    "parameter": parameter_of_pointer,
    "function_item": function,
    "function_signature_item": function,
    "struct_item": data_type,
    "enum_item": data_type,
    "union_item": data_type,
    "enum_variant": variant,
    "trait_item": trait,
    "impl_item": implementation,
    "const_item": constant,
    "static_item": constant,
    "type_item": type_item,
    "associated_type": type_item,
    "mod_item": module,
    "foreign_mod_item": foreign_module,
    "use_declaration": use,
    "extern_crate_declaration": extern_crate,
    "visibility_modifier": visibility,
    "higher_ranked_trait_bound": higher_ranked,
}
