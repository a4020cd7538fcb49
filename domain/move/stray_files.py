"""Files that no crate reaches: may something compile one all the same? (D31, decision 35)

A published crate often keeps files whose `mod` line is gone. A file is compiled only where something names it: a `mod` line
(also one that a macro makes), its file name in a string, or one of its folders at the end of one (`"tests/ui/*.rs"`).
"""

import re
from collections.abc import Sequence

from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.workspace import Workspace

MADE_LINES = re.compile(rb"\bmod\s*\$")
"""A macro that makes `mod` lines of what it is given."""
LISTED = (b'"', b'/"', b"/*", b"*")
"""What stands behind the name of a folder whose files something lists."""
MANY = 16
"""From how many files on nobody is asked: each question reads the whole workspace."""


def may_be_compiled(workspace: Workspace, strays: Sequence[str]) -> tuple[str, ...]:
    """Those of `strays`, files outside of every crate, that a file of a crate names, if only by way of other strays."""
    if len(strays) > MANY:
        return tuple(strays)
    outside = frozenset(workspace.orphans())
    return tuple(path for path in strays if _is_reached(workspace, path, outside))


def _is_reached(workspace: Workspace, stray: str, outside: frozenset[str]) -> bool:
    todo, seen = [stray], {stray}
    while todo:
        names = _Named(todo.pop())
        for path in workspace.facts:
            if path not in seen and (names.stand_in(workspace, path) or names.declared_in(workspace, path)):
                if path not in outside:
                    return True
                seen.add(path)
                todo.append(path)
    return False


class _Named:
    """What a text holds that names the file `path`."""

    def __init__(self, path: str) -> None:
        *folders, name = path.split("/")
        stem = folders[-1] if name == "mod.rs" and folders else name.removesuffix(".rs")
        self.stem = stem.encode()
        self.literal = (name.encode(), *(f.encode() + end for f in folders for end in LISTED))
        self.listed = re.compile(
            rb"|".join(
                [re.escape(name.encode()), *(rb'[/"]' + re.escape(f.encode()) + rb'/?[*"]' for f in folders)]
            )
        )
        self.word = re.compile(rb"(?<!\w)" + re.escape(self.stem) + rb"(?!\w)")
        self.line = re.compile(rb"\bmod\s+(?:r#)?" + re.escape(self.stem) + rb"(?!\w)")
        self.around = "/".join(folders[:-1] if name == "mod.rs" else folders)

    def declared_in(self, workspace: Workspace, path: str) -> bool:
        """A `mod` line of the file at `path`, which no crate reaches either, leads here by the rules of the language."""
        folder, _, name = path.rpartition("/")
        own = f"{folder}/{name.removesuffix('.rs')}".lstrip("/")
        lines = any(
            i.kind is ItemKind.MOD and i.name.encode() == self.stem for i in workspace.facts[path].items
        )
        return lines and self.around in (folder, own) and not workspace.mounts(path)

    def stand_in(self, workspace: Workspace, path: str) -> bool:
        """The text of the file at `path` names it otherwise than by a `mod` line, whose file is known."""
        text = workspace.sources[path]
        if any(literal in text for literal in self.literal) and self.listed.search(text):
            return True
        if self.stem not in text:
            return False
        known = {i.name_end for i in workspace.facts[path].items if i.kind is ItemKind.MOD}
        lines = any(found.end() not in known for found in self.line.finditer(text))
        return lines or bool(MADE_LINES.search(text) and self.word.search(text))
