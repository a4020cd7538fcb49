"""Conditions that a piece of code stands under."""

from collections.abc import Iterable, Iterator

from m1nd.domain.rust.facts import ItemFact
from m1nd.domain.rust.names import Occurrence
from m1nd.domain.rust.syntax import SyntaxNode
from m1nd.domain.rust.workspace import Workspace

TEST = "cfg(test)"
COMMENTS = ("line_comment", "block_comment")
ATTRIBUTED = ("match_arm", "field_initializer")
"""Nodes whose attributes are children of theirs."""


def conditions_of(item: ItemFact) -> list[str]:
    """The cfg conditions that an item's own attributes set (`#[test]` counts as `cfg(test)`)."""
    found: list[str] = []
    for attribute in item.attributes:
        if attribute.startswith("cfg("):
            found.append(attribute)
        elif attribute in ("test", "bench") or attribute.endswith("::test"):
            found.append(TEST)
    return found


def conditions_of_leaf(workspace: Workspace, leaf: tuple[str, int]) -> list[str]:
    """The cfg conditions that the declaration of an import leaf bears itself."""
    facts = workspace.facts[leaf[0]]
    return conditions_of(facts.items[facts.uses[leaf[1]].item])


def is_conditional(item: ItemFact) -> bool:
    """The item, or an attribute of it, depends on a condition (`cfg`, `cfg_attr`)."""
    return any(a.startswith("cfg") for a in item.attributes)


def gates_of(workspace: Workspace, path: str, occurrence: Occurrence) -> tuple[str, ...]:
    """The cfg conditions of the items around an occurrence, up to its module (`#[test]` counts as `cfg(test)`)."""
    facts = workspace.facts[path]
    found: list[str] = []
    index = occurrence.item
    while index >= 0 and facts.items[index].kind.value != "mod":
        found += conditions_of(facts.items[index])
        index = facts.items[index].parent
    return tuple(found)


def gates_of_statement(workspace: Workspace, path: str, occurrence: Occurrence) -> tuple[str, ...]:
    """The cfg conditions of the statements and arms around an occurrence, inside its item."""
    facts, source = workspace.facts[path], workspace.sources[path]
    item = facts.items[occurrence.item] if occurrence.item >= 0 else None
    if item is None or b"#[cfg" not in source[item.start : occurrence.start]:
        return ()
    text = source[item.start : item.end]
    root, position = workspace.parser.parse(text), occurrence.start - item.start
    return tuple(_conditions_around(root, text, position))


def _conditions_around(node: SyntaxNode, text: bytes, position: int) -> Iterator[str]:
    """The conditions above each node on the way down to the byte at `position`."""
    pending: list[str] = []
    for child in node.children:
        if child.type == "attribute_item":
            attribute = text[child.start_byte : child.end_byte].decode("utf-8", "replace")
            pending.append(attribute.removeprefix("#[").removesuffix("]").strip())
        elif child.start_byte <= position < child.end_byte:
            yield from (a for a in pending if a.startswith("cfg("))
            yield from _conditions_around(child, text, position)
            return
        elif child.type not in COMMENTS and node.type not in ATTRIBUTED:
            pending = []


def conditions_on(workspace: Workspace, leaves: Iterable[tuple[str, int]]) -> Iterator[str]:
    """The conditions that import leaves stand under, those of their modules included."""
    for path, index in leaves:
        module = workspace.module_at(path, workspace.facts[path].uses[index].start)
        yield from conditions_of_leaf(workspace, (path, index))
        yield from module.cfg if module is not None else ()
