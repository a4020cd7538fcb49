"""Globs over repository paths, with gitignore semantics: `*` and `?` stay inside one name, `**` crosses (BLOCKS.md)."""

import re

from m1nd.domain.refusal import refuse


def compile_glob(glob: str) -> re.Pattern[str]:
    """The pattern of one glob, matched against a whole repository-relative path.

    A glob without a slash matches a name in any folder; a pattern for a folder covers what lies below it, and one that
    ends with a slash only that. Raises Refused(usage) for an empty or malformed glob.
    """
    text = glob.strip()
    if not text or text.startswith("!") or "\\" in text or "\0" in text:
        refuse("usage", f"{glob!r} is not a glob of the path law", glob=glob)
    written = text.strip("/").split("/")
    parts = [p for i, p in enumerate(written) if p != "**" or written[i - 1 : i] != ["**"]]
    below = len(parts) > 1 and parts[-1] == "**"
    body = "/".join(_segment(part, glob) for part in (parts[:-1] if below else parts))
    prefix = "" if "/" in text.rstrip("/") else "(?:.*/)?"
    folders = below + text.endswith("/")
    tail = "/.*" * folders if folders else "(?:/.*)?"
    try:
        return re.compile(prefix + body.replace("(?:.*)/", "(?:.*/)?") + tail, re.DOTALL)
    except re.error as broken:
        refuse("usage", f"{glob!r} has a bracket that says nothing: {broken}", glob=glob)


def _segment(part: str, glob: str) -> str:
    if part == "**":
        return "(?:.*)"
    if not part or "**" in part:
        refuse("usage", f"{glob!r} is not a glob of the path law", glob=glob)
    out: list[str] = []
    position = 0
    while position < len(part):
        char = part[position]
        if char == "*":
            out.append("[^/]*")
        elif char == "?":
            out.append("[^/]")
        elif char == "[":
            end = part.find("]", position + 2)
            if end < 0:
                refuse("usage", f"{glob!r} has a bracket that is not closed", glob=glob)
            inner = part[position + 1 : end].replace("\\", "\\\\")
            out.append("(?!/)[" + ("^" + inner[1:] if inner[:1] in ("!", "^") else inner) + "]")
            position = end
        else:
            out.append(re.escape(char))
        position += 1
    return "".join(out)
