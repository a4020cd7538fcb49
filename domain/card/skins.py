"""The geometry of the card and its two skins (D4, D6): a spine at column 6, and a pure 1:1 map to ASCII."""

HEAD = "m1nd │ "
BODY = "     │ "
WRAPPED = "     │   "
BREATH = "     │"
"""An empty line of the deep form; no blank behind the spine."""
WIDTH = 80
CONTENT = WIDTH - len(BODY)
WRAPPED_CONTENT = WIDTH - len(WRAPPED)
SEPARATOR = " · "

_ASCII = str.maketrans({"│": "|", "·": ".", "—": "-", "…": "~"})


def ascii_skin(line: str) -> str:
    """The same line in the other skin: of the same width, the four signs of the palette replaced. Idempotent.

    Content that is not ASCII otherwise (a translated card, a path) stays as it is (D12).
    """
    return line.translate(_ASCII)


def body(lines: list[str]) -> list[str]:
    """Wrapped lines behind the spine: the first at the content column, the others two further in."""
    return [(WRAPPED if at else BODY) + line for at, line in enumerate(lines)]
