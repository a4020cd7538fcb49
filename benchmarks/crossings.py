"""Moves between the crates of a workspace, drawn for the corpus: items, and files of other crates to move them to.

Crates that can name each other are drawn most of the time; one draw in twenty is of any two crates, to be refused. A crate
that stands alone gets a second one beside it, which it depends on and which asks for the same dependencies.
"""

import random
import tomllib
from itertools import permutations
from pathlib import Path

from tests.support.corpus import sections

from benchmarks.corpus_report import LEAF
from benchmarks.draws import FAR, Draw, Item, distinct
from m1nd.domain.move.crates.crossing import OPEN_KINDS, may_name
from m1nd.domain.rust.workspace import Workspace

BESIDE = '\n[dependencies.{name}]\npath = "{name}"\n'


def sample_across(workspace: Workspace, items: list[Item], moves: int, dice: random.Random) -> list[Draw]:
    """Items of the kinds that cross, each to a file of another crate."""
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
        if item.kind in OPEN_KINDS:
            of_crate.setdefault(item.crate, []).append(item)

    def once() -> Draw | None:
        source, home = dice.choice(every if dice.random() < FAR else near)
        if source not in of_crate:
            return None
        item = dice.choice(of_crate[source])
        return Draw(item.kind, item.name, item.place, dice.choice(sorted(files[home])))

    return distinct(once, moves, 20) if near else []


def put_leaf_beside(folder: Path) -> None:
    """Give the one package of a folder a second one to move items to; nothing where it is no package, or has one already."""
    manifest = folder / "Cargo.toml"
    text = manifest.read_text()
    table = tomllib.loads(text)
    if "package" not in table or "members" in table.get("workspace", {}):
        return
    edition = table["package"].get("edition", "2015")
    asked = [
        f"{header}\n{body}"
        for header, body in sections(text)
        if header.startswith(("[dependencies", "[target.")) and "dev-dependencies" not in header
    ]
    alone = text.replace("\n[workspace]\n", f'\n[workspace]\nmembers = ["{LEAF}"]\n')
    manifest.write_text(alone + BESIDE.format(name=LEAF))
    (folder / LEAF / "src").mkdir(parents=True)
    head = f'[package]\nname = "{LEAF}"\nversion = "0.1.0"\nedition = "{edition}"\n'
    (folder / LEAF / "Cargo.toml").write_text(head + "".join(asked))
    (folder / LEAF / "src" / "lib.rs").write_text("pub mod inner;\nmod shown;\n\npub use shown::*;\n")
    (folder / LEAF / "src" / "inner.rs").write_text("")
    (folder / LEAF / "src" / "shown.rs").write_text("")
