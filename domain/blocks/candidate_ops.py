"""The edits of candidates as values, tagged by `op` (BLOCKS.md `candidate_edit`).

The first six are the wire's; `set_contract`, `set_role` and `set_sockets` are ours.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from m1nd.domain.blocks.contract import Slot, Waived
from m1nd.domain.blocks.membership import Role
from m1nd.domain.blocks.sockets import Sockets
from m1nd.domain.refusal import refuse
from m1nd.domain.values import Value

MOST_OPS = 500


class Rename(Value):
    op: Literal["rename"]
    block_id: str
    name: str | None = Field(default=None, max_length=200)
    purpose: str | None = Field(default=None, max_length=1000)


class Merge(Value):
    op: Literal["merge"]
    into: str
    block_ids: tuple[str, ...] = Field(min_length=1)


class SplitPaths(Value):
    paths: tuple[tuple[str, ...], ...]


class Split(Value):
    """Each group names declared entries of the block, or files that it claims."""

    op: Literal["split"]
    block_id: str
    by: SplitPaths


class MoveMember(Value):
    """`path` is a declared entry of `from`, or a file that it claims."""

    op: Literal["move_member"]
    path: str
    source: str = Field(alias="from")
    target: str = Field(alias="to")


class ResolveSeam(Value):
    """`both` keeps a shared file shared; `primary:<block_id>` gives it to one."""

    op: Literal["resolve_seam"]
    path: str
    resolution: str = Field(pattern=r"^(both|primary:sb_[a-z0-9_-]+)$")


class AssignUnmapped(Value):
    op: Literal["assign_unmapped"]
    path: str
    block_id: str


class SetContract(Value):
    """From a template, from entries, or both: entries that are given replace the template's list."""

    op: Literal["set_contract"]
    block_id: str
    template: str = ""
    required: tuple[Slot, ...] | None = None
    optional: tuple[Slot, ...] | None = None
    waived: tuple[Waived, ...] | None = None
    waiver: str = ""


class SetRole(Value):
    op: Literal["set_role"]
    block_id: str
    path: str
    role: Role
    optional: bool = False


class SetSockets(Value):
    op: Literal["set_sockets"]
    block_id: str
    sockets: Sockets


Op = Rename | Merge | Split | MoveMember | ResolveSeam | AssignUnmapped | SetContract | SetRole | SetSockets
_READER: TypeAdapter[Op] = TypeAdapter(Annotated[Op, Field(discriminator="op")])


def read_ops(rows: Sequence[Mapping[str, Any]]) -> tuple[Op, ...]:
    """The edits of a wire list. Raises Refused(usage), naming the first that is of no known form."""
    if not rows:
        refuse("usage", "an empty list of edits changes nothing", "m1nd help blocks")
    if len(rows) > MOST_OPS:
        refuse("usage", f"at most {MOST_OPS} edits at once", ops=len(rows))
    return tuple(_read(index, row) for index, row in enumerate(rows))


def _read(index: int, row: Mapping[str, Any]) -> Op:
    try:
        return _READER.validate_python(dict(row) if isinstance(row, Mapping) else row)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        refuse(
            "usage",
            f"edit {index} is not of a known form: {where}: {first['msg']}",
            "m1nd help blocks",
            op_index=index,
        )
