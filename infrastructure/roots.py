"""Which folder is the repository, and where its state lives (D1). Reads folder entries only; creates nothing.

Imports little on purpose: the relay of `m1nd mcp` starts with it, and `pathlib` alone costs milliseconds.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping

STATE_FOLDER = ".m1nd"


def find_root(start: str) -> str | None:
    """The nearest folder at or above `start` with `.m1nd` or `.git`, else the outermost one with a `Cargo.toml`.

    Absolute and resolved; None where there is neither.
    """
    outermost = None
    for folder in _upward(os.path.realpath(start)):
        if os.path.isdir(os.path.join(folder, STATE_FOLDER)) or os.path.exists(os.path.join(folder, ".git")):
            return folder
        if os.path.isfile(os.path.join(folder, "Cargo.toml")):
            outermost = folder
    return outermost


def _upward(folder: str) -> Iterator[str]:
    """The folder and all above it."""
    yield folder
    while (parent := os.path.dirname(folder)) != folder:
        folder = parent
        yield folder


def state_dir(root: str, environment: Mapping[str, str]) -> str:
    """`<root>/.m1nd`, or `$M1ND_HOME/<name>-<8 hex of the resolved root>` where M1ND_HOME is set."""
    home = environment.get("M1ND_HOME", "")
    if not home:
        return os.path.join(root, STATE_FOLDER)
    digest = hashlib.sha256(os.fsencode(root)).hexdigest()[:8]
    name = os.path.basename(root) or "root"
    return os.path.join(os.path.abspath(os.path.expanduser(home)), f"{name}-{digest}")


def covers(root: str, folder: str) -> bool:
    """Whether `folder` is `root` or lies below it: by what the paths lead to, never by how they are spelled."""
    return inside(root, folder) is not None


def inside(root: str, path: str) -> str | None:
    """`path` relative to `root`, POSIX (`.` for the root itself); None where the root does not cover it."""
    here = os.path.realpath(path)
    for place in _upward(here):
        try:
            if os.path.samefile(place, root):
                return os.path.relpath(here, place)
        except OSError:
            continue  # a place that cannot be looked at covers nothing
    return None


class RootPlaces:
    """`application.ports.Places` of one root."""

    def __init__(self, root: str) -> None:
        self._root = root

    def inside(self, path: str) -> str | None:
        return inside(self._root, path)

    def home(self, folder: str) -> str:
        return find_root(folder) or os.path.realpath(folder)


def candidates(start: str, limit: int = 5) -> list[str]:
    """Folders one or two levels below `start` that look like repositories, relative to it, in order."""
    found: list[str] = []
    level = [""]
    for _ in range(2):
        deeper: list[str] = []
        for parent in level:
            for name in _folders(os.path.join(start, parent)):
                child = os.path.join(parent, name)
                full = os.path.join(start, child)
                if any(
                    os.path.exists(os.path.join(full, mark)) for mark in (".git", "Cargo.toml", STATE_FOLDER)
                ):
                    found.append(child)
                else:
                    deeper.append(child)
        level = deeper[:200]
    return found[:limit]


def _folders(path: str) -> list[str]:
    """Visible folders of `path`, sorted; none where it cannot be read (a candidate list is a courtesy)."""
    try:
        with os.scandir(path) as entries:
            names = [
                e.name for e in entries if not e.name.startswith(".") and e.is_dir(follow_symlinks=False)
            ]
    except OSError:
        return []
    return sorted(names)
