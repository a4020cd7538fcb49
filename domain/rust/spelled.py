"""The words of a text that may be names: what a file cannot mean without spelling it."""

import re
import unicodedata

FEW = 8
"""So many searches of a text cost less than one list of its words."""
IDENTIFIERS = re.compile(rb"[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*")


def names_spelled(text: bytes) -> frozenset[str]:
    """Every identifier spelled in a text, in NFC and without `r#`; strings and comments included."""
    spelled = {m.decode("utf-8", "replace") for m in IDENTIFIERS.findall(text)}
    return frozenset(n if n.isascii() else unicodedata.normalize("NFC", n) for n in spelled)
