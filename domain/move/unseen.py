"""References that no file of the repository spells: code that a build script writes, files that yield no facts (D31).

They are reported with the reason; an unverified commit refuses them.
"""

import re
from collections.abc import Iterator, Mapping

from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move
from m1nd.domain.rust.cargo import TargetKind

OUT_DIR = b"OUT_DIR"


def unseen_references(
    move: Move, unreadable: Mapping[str, str], texts: Mapping[str, bytes]
) -> Iterator[dict[str, object]]:
    """`{file, line, text, reason}` per place that may name the moved item where nothing can be resolved.

    `texts` holds the bytes of the unreadable files that could be read at all.
    """
    name = move.root_item.name
    word = re.compile(rb"(?<!\w)" + re.escape(name.encode()) + rb"(?!\w)")
    if _includes_generated(move):
        for path in sorted(_build_files(move)):
            found = word.search(move.workspace.sources[path])
            if found:
                yield _entry(
                    path, move.workspace.sources[path], found, "the build script writes code that may name it"
                )
    for path, reason in sorted(unreadable.items()):
        text = texts.get(path, b"")
        found = word.search(text)
        if found:
            yield _entry(path, text, found, f"the file yields no facts ({reason})")


def _entry(path: str, text: bytes, found: "re.Match[bytes]", reason: str) -> dict[str, object]:
    return {
        "file": path,
        "line": line_number(text, found.start()),
        "text": found[0].decode("utf-8", "replace"),
        "reason": reason,
    }


def _includes_generated(move: Move) -> bool:
    """Some file of the crate includes what the build writes."""
    crate = move.source.definition.crate
    files = {m.file for m in move.workspace.modules.values() if m.definition.crate == crate}
    return any(OUT_DIR in move.workspace.sources[f] for f in files)


def _build_files(move: Move) -> set[str]:
    """The files of the package's build script."""
    package = move.workspace.target(move.source.definition.crate).package
    scripts = {t.key for t in move.workspace.crates if t.kind is TargetKind.BUILD and t.package == package}
    return {m.file for m in move.workspace.modules.values() if m.definition.crate in scripts}
