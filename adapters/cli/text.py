"""Repository text made safe to look at: control, bidi and zero-width characters become visible marks (QUALITY.md, Safety).

Pure and cheap to import. Never applied to `--json`, whose strings are escaped by JSON itself.
"""

import re

UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""Everything that a terminal obeys or hides; tab and line feed are not in it."""

ASCII = str.maketrans(
    {
        "·": ".",
        "→": ">",
        "←": "<",
        "…": "~",
        "—": "-",
        "–": "-",
        "│": "|",
        "─": "-",
        "━": "=",
        "└": "`",
        "├": "|",
        "×": "x",
        "≥": ">",
    }
)
"""The plain partner, one column wide, of every sign that our own texts use."""


def clean(text: str) -> str:
    """`text` with each unsafe character spelled as `<U+202E>`."""
    return UNSAFE.sub(lambda match: f"<U+{ord(match.group()):04X}>", text)


def counted(number: int, noun: str, nouns: str = "") -> str:
    """`1 file`, `1,204 files`; `nouns` where the plural is irregular."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def one_line(text: str) -> str:
    """`text` cleaned, with white space collapsed: for a cell or a message."""
    return clean(" ".join(text.split()))
