"""Where shadows live: one folder per repository under the user's cache folder or `M1ND_HOME`, and how they end."""

import hashlib
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path


def shadow_home(root: str, environment: Mapping[str, str]) -> str:
    """`$M1ND_HOME/shadows/<name>-<8 hex>`, else `<the user's cache folder>/m1nd/<name>-<8 hex>` (TRANSPLANT.md: outside
    every workspace). Creates nothing."""
    real = os.path.realpath(root)
    digest = hashlib.sha256(os.fsencode(real)).hexdigest()[:8]
    return os.path.join(shadows_folder(environment), f"{os.path.basename(real) or 'root'}-{digest}")


def shadows_folder(environment: Mapping[str, str]) -> str:
    """The folder that holds the shadows of all repositories of this user."""
    if environment.get("M1ND_HOME"):
        return os.path.join(os.path.abspath(os.path.expanduser(environment["M1ND_HOME"])), "shadows")
    home = environment.get("HOME") or os.path.expanduser("~")
    usual = (
        os.path.join(home, "Library", "Caches") if sys.platform == "darwin" else os.path.join(home, ".cache")
    )
    return os.path.join(environment.get("XDG_CACHE_HOME") or usual, "m1nd")


def remove_shadow(home: str) -> int:
    """Throw a shadow away (`m1nd clean`); the number of bytes that were freed, 0 where there was none."""
    freed = 0
    for folder, _, files in os.walk(home):
        for name in files:
            freed += os.lstat(os.path.join(folder, name)).st_size
    shutil.rmtree(home, ignore_errors=True)
    return freed


def remove_orphans(folder: str) -> tuple[str, ...]:
    """Throw away the shadows in `folder` whose repository is gone (a demo's, a test's); their names."""
    gone = []
    for mark in sorted(Path(folder).glob("*/root")):
        if (mark.parent / "fs").is_dir() and not os.path.isdir(mark.read_text()):
            remove_shadow(str(mark.parent))
            gone.append(mark.parent.name)
    return tuple(gone)
