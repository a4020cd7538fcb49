"""Conditions that a piece of code stands under."""

from m1nd.domain.rust.names import Occurrence
from m1nd.domain.rust.workspace import Workspace


def gates_of(workspace: Workspace, path: str, occurrence: Occurrence) -> tuple[str, ...]:
    """The cfg conditions of the items around an occurrence, up to its module (`#[test]` counts as `cfg(test)`)."""
    facts = workspace.facts[path]
    found: list[str] = []
    index = occurrence.item
    while index >= 0 and facts.items[index].kind.value != "mod":
        for attribute in facts.items[index].attributes:
            if attribute.startswith("cfg("):
                found.append(attribute)
            elif attribute in ("test", "bench") or attribute.endswith("::test"):
                found.append("cfg(test)")
        index = facts.items[index].parent
    return tuple(found)
