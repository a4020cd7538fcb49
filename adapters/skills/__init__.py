"""The three skills that `m1nd setup` gives to agents: orient, move, land. Package data, read by name."""

from importlib.resources import files

SKILLS = ("orient", "move", "land")
"""In the order of the work."""


def text(name: str) -> str:
    """The skill of that name, Markdown with a front matter. Raises KeyError."""
    if name not in SKILLS:
        raise KeyError(name)
    return (files("m1nd.adapters.skills") / f"{name}.md").read_text(encoding="utf-8")
