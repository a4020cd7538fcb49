"""Moves between the crates of a workspace, drawn for the corpus: items, and files of other crates to move them to.

Crates that can name each other are drawn most of the time; one draw in twenty is of any two crates, to be refused.
"""

import random
from itertools import permutations

from m1nd.domain.move.crossing import OPEN_KINDS, may_name
from m1nd.domain.rust.workspace import Workspace

Item = tuple[str, str, str, str]
"""`(crate, file, kind, name)`."""
FAR = 0.05


def sample_across(
    workspace: Workspace, items: list[Item], moves: int, dice: random.Random
) -> list[tuple[str, str, str, str]]:
    """`(kind, symbol, source, destination)`: items of the kinds that cross, each to a file of another crate."""
    files: dict[str, list[str]] = {}
    for module in workspace.modules.values():
        if not module.inline and not module.cfg:
            files.setdefault(module.definition.crate, []).append(module.file)
    near = [
        (a, b)
        for a, b in permutations(sorted(files), 2)
        if may_name(workspace, a, b) or may_name(workspace, b, a)
    ]
    every = list(permutations(sorted(files), 2))
    of_crate: dict[str, list[Item]] = {}
    for item in items:
        if item[2] in OPEN_KINDS:
            of_crate.setdefault(item[0], []).append(item)
    found: dict[tuple[str, str, str, str], None] = {}
    for _ in range(moves * 20):
        if len(found) == moves or not near:
            break
        source, home = dice.choice(every if dice.random() < FAR else near)
        if source in of_crate:
            _, file, kind, name = dice.choice(of_crate[source])
            dest = dice.choice(sorted(files[home]))
            if dest != file:
                found[kind, name, file, dest] = None
    return list(found)
