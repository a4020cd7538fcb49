"""The one law of paths: repository-relative, POSIX, normalised, never leading out (BLOCKS.md path law, D46)."""

import re

from m1nd.domain.refusal import refuse

DRIVE = re.compile(r"^[A-Za-z]:")


def normalise(path: str) -> str:
    """The canonical spelling of a repository-relative path: no `.`, no `..`, no doubled slash.

    Raises Refused(outside_root) for an absolute path, a home or drive prefix, a backslash, or a `..` that leaves
    the root; Refused(usage) for an empty path or a NUL.
    """
    if not path or "\0" in path:
        refuse("usage", "an empty path, or one with a NUL byte, names no file")
    if path.startswith(("/", "~")) or "\\" in path or DRIVE.match(path):
        refuse("outside_root", f"{path!r} is not a path relative to the repository's root", path=path)
    parts: list[str] = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == "..":
            if not parts:
                refuse("outside_root", f"{path!r} leads out of the repository", path=path)
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts) or "."
