"""The one digest function: full sha256, lower-case hex (TRANSPLANT.md, "A hash is a full sha256")."""

import hashlib


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
