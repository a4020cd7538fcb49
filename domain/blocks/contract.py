"""The receipt contract of a block: which evidence it must have, may have, and is excused from (seed 001 §4, D19, D20)."""

from collections.abc import Iterable
from typing import Any, Literal, get_args

from pydantic import Field

from m1nd.domain.refusal import refuse
from m1nd.domain.values import Value

ReceiptType = Literal["structural", "handoff", "spec", "test", "review", "runtime"]
RECEIPT_TYPES: tuple[str, ...] = get_args(ReceiptType)

StalesOn = Literal["member_change", "repaint", "contract_change", "boundary_change"]
"""What makes a receipt stale beside a changed scope; `contract_change` and `boundary_change` do in any case (D16)."""


class Slot(Value):
    """One entry of a contract; wire `{type, stales_on[]?}`."""

    type: ReceiptType
    stales_on: tuple[StalesOn, ...] = ()

    def wire(self) -> dict[str, Any]:
        return self.model_dump(mode="json", exclude_defaults=True)


class Waived(Value):
    """A type that the owner excused the block from, and why."""

    type: ReceiptType
    reason: str = Field(default="", max_length=400)
    stales_on: tuple[StalesOn, ...] = ()

    def wire(self) -> dict[str, Any]:
        return self.model_dump(mode="json", exclude_defaults=True)


class Contract(Value):
    """`waiver` is the explicit reason for a contract that requires nothing (D19)."""

    required: tuple[Slot, ...] = ()
    optional: tuple[Slot, ...] = ()
    waived: tuple[Waived, ...] = ()
    waiver: str = Field(default="", max_length=400)
    declared_by: str = Field(default="", max_length=200)
    declared_at: str = Field(default="", max_length=64)

    @property
    def required_types(self) -> tuple[str, ...]:
        return tuple(slot.type for slot in self.required)

    def slot(self, type: str) -> Slot | None:
        """The required or optional entry of that type; None when the contract does not ask for it."""
        return next((slot for slot in (*self.required, *self.optional) if slot.type == type), None)

    def same_terms(self, other: "Contract") -> bool:
        """Whether both ask for the same; who declared it and when is no term."""
        return self.terms() == other.terms()

    def terms(self) -> dict[str, Any]:
        """What a signature of the contract is over."""
        return {
            "required": [slot.wire() for slot in self.required],
            "optional": [slot.wire() for slot in self.optional],
            "waived": [entry.wire() for entry in self.waived],
            **({"waiver": self.waiver} if self.waiver else {}),
        }

    def wire(self, version: int) -> dict[str, Any]:
        """`{version, required[], optional[], waived[], declared_by, declared_at}` (seed 001 §4)."""
        return {
            "version": version,
            **self.terms(),
            "declared_by": self.declared_by,
            "declared_at": self.declared_at,
        }

    def check(self, block_id: str) -> None:
        """Raises Refused(contract_broken) for a type that stands twice, in one list or over the three (D20)."""
        types = [*(slot.type for slot in (*self.required, *self.optional)), *(w.type for w in self.waived)]
        if twice := _twice(types):
            refuse(
                "contract_broken",
                f"the contract of {block_id} names {', '.join(twice)} more than once; required, optional and waived are "
                "disjoint",
                block_id=block_id,
                types=list(twice),
            )


def _twice(names: Iterable[str]) -> tuple[str, ...]:
    seen: set[str] = set()
    return tuple(dict.fromkeys(name for name in names if name in seen or seen.add(name)))  # type: ignore[func-returns-value]
