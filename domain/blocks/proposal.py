"""A map as somebody proposes it, and how it came to be ratified. Values; their life is the skeleton's (`skeleton.py`)."""

from typing import Literal

from pydantic import Field

from m1nd.domain.blocks.block_state import CandidateBlock
from m1nd.domain.values import JsonObject, Value

SkeletonStage = Literal["absent", "candidate", "partially_ratified", "ratified"]


class Proposal(Value):
    """A whole map of candidates, as a generator or a seed gives it. `report` is what the generator says of its work."""

    skeleton_id: str = Field(pattern=r"^sk_[a-z0-9][a-z0-9_-]*$", max_length=160)
    blocks: tuple[CandidateBlock, ...]
    repo_id: str = Field(default="", max_length=200)
    source_commit: str = Field(default="", max_length=80)
    algorithm: str = Field(default="", max_length=80)
    report: JsonObject = Field(default_factory=dict)
    version: int = Field(default=1, ge=1)


class Ratification(Value):
    """Who ratified and how; wire as in a seed."""

    method: str = Field(default="", max_length=80)
    ratifier: str = Field(default="", max_length=200)
    ratified_at: str = Field(default="", max_length=64)
    commit: str = Field(default="", max_length=80)
