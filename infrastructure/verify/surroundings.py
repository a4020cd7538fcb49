"""What lies around the repository, as links beside the shadow: `<home>/fs/<path of the root>` has, on every level above
it, the neighbours that the real root has. So `../sibling` in a manifest or in `include_str!` reaches the real thing, and
cargo finds the same configurations on its way up.

Nothing here is copied but lock files, which cargo writes.
"""

import os
import shutil
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

MANY = 512
"""On a level with more neighbours than this (a temporary folder) only those that can matter are linked."""

MATTERING = frozenset(
    {".cargo", "Cargo.toml", "Cargo.lock", "rust-toolchain", "rust-toolchain.toml", "clippy.toml"}
)


def shadow_folder(home: Path, root: Path) -> Path:
    """Where the shadow of `root` lies under `home`."""
    return home / "fs" / root.relative_to(root.anchor)


def mirror(home: Path, root: Path, manifests: Sequence[Path]) -> None:
    """Bring the links up to date. `manifests` are the shadow's, read only where a level is large. Raises OSError."""
    neighbours: set[str] | None = None
    for level in reversed(root.parents):
        inner = root.relative_to(level).parts[0]
        folder = shadow_folder(home, level)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        names = _names(level)
        if len(names) > MANY:
            if neighbours is None:
                neighbours = set(_outside(manifests, shadow_folder(home, root), root))
            names = {name for name in names if name in MATTERING or str(level / name) in neighbours}
        _mirror_level(level, folder, names - {inner}, inner)


def _names(level: Path) -> set[str]:
    try:
        return set(os.listdir(level))
    except PermissionError:
        return {name for name in MATTERING if os.path.lexists(level / name)}


def _mirror_level(level: Path, folder: Path, names: set[str], inner: str) -> None:
    present = set(os.listdir(folder)) - {inner}
    for name in present - names:
        _remove(folder / name)
    for name in names:
        link, target = folder / name, level / name
        if name == "Cargo.lock":
            _remove(link)
            if target.is_file():
                shutil.copyfile(target, link)
        elif not (link.is_symlink() and os.readlink(link) == str(target)):
            _remove(link)
            link.symlink_to(target)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _outside(manifests: Sequence[Path], shadow: Path, root: Path) -> Iterator[str]:
    """For each path dependency that leads out of the root: the folder on each level above it that leads there."""
    for manifest in manifests:
        try:
            table = tomllib.loads(manifest.read_text())
        except (OSError, ValueError):
            continue  # cargo will say so itself
        here = root / manifest.parent.relative_to(shadow)
        for path in _paths(table):
            target = os.path.normpath(here / path)
            yield target
            yield from map(str, Path(target).parents)


def _paths(value: Any) -> Iterable[str]:
    """Every `path = "…"` in a manifest, however deep."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "path" and isinstance(inner, str):
                yield inner
            else:
                yield from _paths(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _paths(inner)
