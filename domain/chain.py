"""The hash chain over the stored rows of the log: tamper evidence without a key and without domain code.

Each link covers the link before it and every stored column of its row, so a changed, removed, inserted or swapped row
shows. A cut-off tail does not: compare with a published head (`m1nd audit seal`, receipts).
"""

from hashlib import sha256
from struct import Struct

GENESIS = bytes(32)

_NUMBERS = Struct(">QQIII").pack


def link(previous: bytes, position: int, stream: str, version: int, topic: str, state: bytes) -> bytes:
    """The link of the row at `position` (1, 2, 3, …); `stream` is the hex of its id, `state` the stored bytes.

    Lengths come before the texts, so that no two different rows give the same input.
    """
    name, kind = stream.encode(), topic.encode()
    numbers = _NUMBERS(position, version, len(name), len(kind), len(state))
    return sha256(previous + numbers + name + kind + state).digest()
