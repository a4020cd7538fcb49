"""A refusal is a value of a closed type; it is raised once, at the edge of the rule that refuses.

Shape on the wire: `{code, message, hint, retryable, details}` (PORTS.md, result envelope).
"""

from typing import Any, Never

from attrs import field, frozen

from m1nd.domain.codes import CODES, Code


@frozen
class Refusal:
    """Why a verb does not do what was asked, and the next step that does.

    `hint` is a runnable command or one plain instruction; empty means the code's own.
    """

    code: str
    message: str
    hint: str = ""
    details: dict[str, Any] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"no such code: {self.code}")

    @property
    def row(self) -> Code:
        return CODES[self.code]

    @property
    def next_step(self) -> str:
        return self.hint or self.row.hint


class Refused(Exception):
    """Carries a `Refusal` to the port that answers it."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.code}: {refusal.message}")
        self.refusal = refusal


def refuse(code: str, message: str, hint: str = "", **details: Any) -> Never:
    """Raise `Refused` with these parts."""
    raise Refused(Refusal(code, message, hint, details))
