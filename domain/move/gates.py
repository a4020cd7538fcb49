"""Conditions that a piece of code stands under."""

from m1nd.domain.rust.facts import ItemFact
from m1nd.domain.rust.names import Occurrence
from m1nd.domain.rust.workspace import Workspace

TEST = "cfg(test)"


def conditions_of(item: ItemFact) -> list[str]:
    """The cfg conditions that an item's own attributes set (`#[test]` counts as `cfg(test)`)."""
    found: list[str] = []
    for attribute in item.attributes:
        if attribute.startswith("cfg("):
            found.append(attribute)
        elif attribute in ("test", "bench") or attribute.endswith("::test"):
            found.append(TEST)
    return found


def gates_of(workspace: Workspace, path: str, occurrence: Occurrence) -> tuple[str, ...]:
    """The cfg conditions of the items around an occurrence, up to its module (`#[test]` counts as `cfg(test)`)."""
    facts = workspace.facts[path]
    found: list[str] = []
    index = occurrence.item
    while index >= 0 and facts.items[index].kind.value != "mod":
        found += conditions_of(facts.items[index])
        index = facts.items[index].parent
    return tuple(found)
