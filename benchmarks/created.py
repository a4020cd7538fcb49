"""Moves to files that are not there yet, drawn for the corpus: whose child the new module is, what it is called, where its file lies.

Most draws are places where a module may be; one in twenty is a place where none may, to be refused.
"""

import random
import re
from collections.abc import Sequence

from benchmarks.draws import FAR, Draw, Item, distinct
from m1nd.domain.move.new_home import child_folder
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Definition
from m1nd.domain.rust.workspace import Workspace

NEUTRAL = ("fresh_ground", "helpers", "extras", "shared", "moved", "part_two", "a0", "zz_last")
LOADED = (
    "fmt",
    "io",
    "str",
    "option",
    "vec",
    "u8",
    "iter",
    "error",
    "result",
    "types",
    "util",
    "config",
    "tests",
)
"""Names that crates use for other things: of the standard crates, of its types, of their own modules."""
KEYWORDS = ("type", "match", "async", "dyn", "fn", "union", "auto", "try")
NONSENSE = (
    "src/main.rs",
    "src/lib.rs",
    "src/bin/made.rs",
    "build.rs",
    "nowhere/at/all.rs",
    "src/1st.rs",
    "src/std.rs",
    "src/self.rs",
    "made.txt",
)


def sample_created(workspace: Workspace, items: list[Item], moves: int, dice: random.Random) -> list[Draw]:
    """Any of `items` to a file that does not exist, a child of its own module, of one around it, or of any that is compiled alike."""
    names = sorted({_snake(i.name) for i in items if i.kind != "mod"})

    def once() -> Draw | None:
        item = dice.choice(items)
        dest = dice.choice(NONSENSE) if dice.random() < FAR else new_file(workspace, item, names, dice)
        return Draw(item.kind, item.name, item.place, dest) if dest else None

    return distinct(once, moves, 20) if items else []


def new_file(workspace: Workspace, item: Item, names: Sequence[str], dice: random.Random) -> str | None:
    """A file that `item` may go to, which does not exist; None where the one that was drawn does. `names`: what else it may be called."""
    files = {m.definition: m for m in workspace.modules.values() if not m.inline}
    source = next(m for m in files.values() if m.definition.crate == item.crate and m.file == item.place)
    dest = _file_of(_parent(files, source, dice), _name(item, names, dice), dice)
    return None if _is_there(workspace, dest) else dest


def _is_there(workspace: Workspace, dest: str) -> bool:
    """The file, or the other one that would be the same module's."""
    stem = dest.removesuffix("/mod.rs").removesuffix(".rs")
    return f"{stem}.rs" in workspace.facts or f"{stem}/mod.rs" in workspace.facts


def _parent(files: dict[Definition, Module], source: Module, dice: random.Random) -> Module:
    """The module that the new one is put below: as a rule one that is compiled when the source is."""
    alike = [
        m for m in files.values() if m.definition.crate == source.definition.crate and m.cfg == source.cfg
    ]
    around = files.get(source.parent, source) if source.parent is not None else source
    root = next(
        m for m in files.values() if m.definition.crate == source.definition.crate and m.parent is None
    )
    if dice.random() < FAR:
        return dice.choice([around, root])
    near = [m for m in (around, source, source, root) if m.cfg == source.cfg]
    return dice.choice(near if dice.random() < 0.7 else sorted(alike, key=lambda m: m.definition.path))


def _name(item: Item, names: Sequence[str], dice: random.Random) -> str:
    """What the new module is called: as a rule after what moves, now and then like something else that the crate spells."""
    chance = dice.random()
    if chance < 0.4:
        return _snake(item.name)
    if chance < 0.7:
        return dice.choice(NEUTRAL)
    if chance < 0.8 and names:
        return dice.choice(names)
    if chance < 0.85:
        return item.crate.rpartition("|")[2].replace("-", "_")
    return dice.choice(LOADED if chance < 0.95 else KEYWORDS)


def _file_of(parent: Module, name: str, dice: random.Random) -> str:
    """`name.rs` where the parent keeps its children, or `name/mod.rs`, which is the only way below the root of a test."""
    folder = child_folder(parent)
    stem = f"{folder}/{name}" if folder else name
    target = parent.parent is None and not folder.endswith("src")
    return f"{stem}/mod.rs" if dice.random() < (0.8 if target else 0.2) else f"{stem}.rs"


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.removeprefix("r#")).lower()
