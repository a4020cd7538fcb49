"""Packet hygiene (seed 001 §9): what may leave in a packet, a letter or a candidate. Pure.

Secrets are taken out of every text, names of folders stay names, sockets to the outside are classes or aliases.
"""

from m1nd.domain.path_law import DRIVE
from m1nd.domain.receipts.redaction import redact


def clean_text(text: str) -> str:
    """The text without secrets, white space at its ends taken off, and no lone surrogates."""
    return redact(text.encode("utf-8", "replace").decode().strip())


def display_name(root: str) -> str:
    """The last part of a root's path: the only thing about it that may leave this machine."""
    name = root.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return "repository" if not name or name.startswith("~") or DRIVE.match(name) else name
