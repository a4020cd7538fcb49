"""Places of a move: a file, and the way to a module that stands inline in it.

Spelled `src/a.rs`, `src/a.rs::inner`, `src/a.rs::inner::deep`: as source and as destination, by every door.
"""

import re

from attrs import frozen

from m1nd.domain.path_law import normalise
from m1nd.domain.refusal import refuse

IDENTIFIER = re.compile(r"^[^\W\d]\w*$")


@frozen
class Place:
    """`inner`: the names of the inline modules on the way from the file, without `r#`; empty for the file itself."""

    file: str
    inner: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "::".join((self.file, *self.inner))


def place_at(text: str) -> Place:
    """Read a place; its file is normalised (`path_law.py`). Raises Refused(usage | outside_root)."""
    file, mark, way = text.partition(".rs::")
    if not mark:
        return Place(normalise(text))
    inner = tuple(part.strip().removeprefix("r#") for part in way.split("::"))
    if not all(IDENTIFIER.match(part) for part in inner):
        refuse(
            "usage", f"`{way}` is no way to a module", hint="spell it like src/a.rs::inner::deep", path=text
        )
    return Place(normalise(f"{file}.rs"), inner)
