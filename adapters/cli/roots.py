"""Which repository a command line means (PORTS.md, root order). Must never guess past the order that is written there."""

import os
from collections.abc import Mapping

from m1nd.domain.refusal import refuse
from m1nd.infrastructure.roots import candidates, find_root


def choose_root(flag: str, environment: Mapping[str, str]) -> str:
    """`--root` > M1ND_ROOT > CLAUDE_PROJECT_DIR > nearest enclosing repository; absolute and resolved.

    A named folder is taken as it is, repository or not. Raises Refused(no_project).
    """
    for source, value in (
        ("--root", flag),
        ("M1ND_ROOT", environment.get("M1ND_ROOT", "")),
        ("CLAUDE_PROJECT_DIR", environment.get("CLAUDE_PROJECT_DIR", "")),
    ):
        if value:
            return _named(source, value)
    here = _current_folder()
    found = find_root(here)
    if found is not None:
        return found
    below = candidates(here)
    hint = f"m1nd --root {below[0]} …" if below else "m1nd --root DIR …, or `git init` here"
    listing = f"; repositories below it: {', '.join(below)}" if below else ""
    refuse("no_project", f"no repository encloses this folder{listing}", hint, candidates=below)


def choose_caller(flag: str, root_flag: str, environment: Mapping[str, str]) -> str:
    """Where the caller works, or empty where nobody said so: `--caller-root`, then an explicit `--root`, then
    CLAUDE_PROJECT_DIR (CARD.md, caller root).

    Raises Refused(no_project) for a folder that is none.
    """
    if flag:
        return _named("--caller-root", flag)
    if root_flag:
        return _named("--root", root_flag)
    project = environment.get("CLAUDE_PROJECT_DIR", "")
    return _named("CLAUDE_PROJECT_DIR", project) if project else ""


def _named(source: str, value: str) -> str:
    path = os.path.realpath(os.path.expanduser(value))
    if not os.path.isdir(path):
        what = "is not a folder" if os.path.exists(path) else "does not exist"
        refuse("no_project", f"{source} names `{value}`, which {what}", "m1nd --root DIR …", candidates=[])
    return path


def _current_folder() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:
        refuse("no_project", "the current folder was removed", "cd to a repository", candidates=[])
