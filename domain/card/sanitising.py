"""Repository text made fit for a card: done once, where a gap is composed, so that gap and card stay byte-equal (D12)."""

import re
import unicodedata

from m1nd.domain.card.width import width_of

ANSI = re.compile(
    "\x1b\\[[0-?]*[ -/]*[@-~]"  # CSI … final byte
    "|\x1b[\\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\\\|\x9c)?"  # OSC, DCS, SOS, PM, APC and their text
    "|\x1b[ -/]*[0-~]"  # two-byte escapes
    "|\x9b[0-?]*[ -/]*[@-~]"
)
BACKTICKS = re.compile("`{3,}")
"""Three would close the fenced block that the card travels in."""
MARK = "?"

HIDDEN = frozenset(("Mn", "Mc", "Me", "Cf", "Cs", "Co", "Cn", "So"))
"""Unicode categories that a card never shows: marks, joiners and bidi signs, what is no character, and symbols: nearly all
emoji, and every box, block, geometric and Braille sign."""
EMOJI_ELSEWHERE = frozenset("‼⁉↔〰▷◁⤴⤵◸◹◺◻◼◽◾◿") | {chr(code) for code in range(0x1F3FB, 0x1F400)}
"""Emoji and geometrics of other categories (punctuation, arrows, skin tones)."""


def sanitised(text: str) -> str:
    """`text` on one line: no escapes or control characters, white space collapsed, back-ticks tamed, and a `?` for each sign
    that is an emoji, a mark, a joiner, invisible, or of no known width. Wide letters stay. Idempotent."""
    plain = "".join(_shown(char) for char in ANSI.sub("", text))
    return BACKTICKS.sub("`", " ".join(plain.split()))


def _shown(char: str) -> str:
    if char.isascii():
        return char if char.isprintable() else " " if char.isspace() else ""
    if char.isspace():
        return " "
    category = unicodedata.category(char)
    if category == "Cc":
        return ""
    if category in HIDDEN or char in EMOJI_ELSEWHERE or width_of(char) < 1:
        return MARK
    return char
