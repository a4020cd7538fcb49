"""How wide a text is on a terminal: display columns, not code points (D5). Wide letters count 2, combining marks 0.

**wcwidth** holds the Unicode tables; it is pure data and code, like the standard library's own. It is loaded at the first
sign that is neither ASCII nor one of a card's own.
"""

OWN = frozenset("│—…·→")
"""Signs that the cards and their texts are drawn with, one column each."""


def width_of(char: str) -> int:
    """Columns of one sign; less than 1 for what has no width of its own."""
    if char in OWN or (char.isascii() and char.isprintable()):
        return 1
    from wcwidth import wcwidth

    return wcwidth(char)


def columns(text: str) -> int:
    """Display columns of a text of one line; what has no width of its own (a mark, a control character) counts 0."""
    return (
        len(text) if text.isascii() and text.isprintable() else sum(max(0, width_of(char)) for char in text)
    )


def head(text: str, most: int) -> str:
    """The longest beginning of `text` of at most `most` columns."""
    used = 0
    for at, char in enumerate(text):
        used += max(0, width_of(char))
        if used > most:
            return text[:at]
    return text
