"""A caller who works in one repository must not write into another (PORTS.md, CARD.md `reception`).

The rule of every door; which verbs it holds for follows from their effects in the verb table.
"""

import os
import shlex

from m1nd.adapters.verbs import VERBS
from m1nd.domain.refusal import refuse
from m1nd.infrastructure.roots import covers, find_root


def check_caller_root(verb: str, root: str, caller: str, again: str = "m1nd --root {} …") -> None:
    """Refuse a verb that appends or writes in `root` for a caller who works elsewhere; an empty `caller` is unknown.

    `again` is the command that does it in the caller's repository, with `{}` for its folder. No answer holds an absolute
    path: each root is named by its last part, and by where it lies from the other. Raises Refused(root_mismatch).
    """
    if not caller or (verb in VERBS and VERBS[verb].pure_read) or covers(root, caller):
        return
    home = find_root(caller) or os.path.realpath(caller)
    mine, other = os.path.basename(root) or "/", os.path.basename(home) or "/"
    refuse(
        "root_mismatch",
        f"this m1nd serves `{mine}`, and you work in `{other}` ({os.path.relpath(home, root)} from there): "
        f"`{verb}` would write into the wrong repository",
        again.replace("{}", _from_here(home)),
        caller_root=os.path.relpath(home, root),
        bound_workspace=mine,
    )


def _from_here(folder: str) -> str:
    try:
        return shlex.quote(os.path.relpath(folder))
    except FileNotFoundError:
        return "DIR"  # the current folder was removed: nothing can be named from it
