"""The bundled crate `harbour`: copies it out of the installed package. Must work from a wheel, also a zipped one."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def bundled() -> dict[str, bytes]:
    """Path (POSIX, relative) → bytes of every file of the crate."""
    return dict(_walk(files("m1nd.adapters.demo").joinpath("crate"), ""))


def _walk(folder: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if entry.is_file():
            found.append((prefix + entry.name, entry.read_bytes()))
        elif entry.name != "target":
            found += _walk(entry, f"{prefix}{entry.name}/")
    return found


def unpack(into: Path) -> None:
    """Write the crate below `into`, which need not exist."""
    for path, content in bundled().items():
        target = into / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def content(root: Path) -> dict[str, bytes]:
    """The crate's files as they are on disk now: everything but state and build results."""
    return {
        str(path.relative_to(root).as_posix()): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not {".m1nd", "target"} & set(path.relative_to(root).parts)
    }
