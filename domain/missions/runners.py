"""The types of delegated work: runners, policy, packet, pin (seed 001 §5, §9). Values with validation; nothing runs here.

A packet holds no screenshot unless its policy says so, clipboard mode declares no effects, and every text in it is
bounded. Secrets are taken out before a packet is made (`m1nd.domain.missions.hygiene`).
"""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from m1nd.domain.path_law import DRIVE
from m1nd.domain.values import Value

Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[A-Za-z0-9][A-Za-z0-9._:@-]*$")]
"""An id of a runner or an agent."""

BlockId = Annotated[str, Field(min_length=4, max_length=200, pattern=r"^s[bk]_[A-Za-z0-9_.-]+$")]

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]

MESSAGE = 4096
"""Characters of a packet's message."""


class RunnerCapability(StrEnum):
    """What a runner says that it can do."""

    CAN_EDIT = "can_edit"
    CAN_TEST = "can_test"
    CAN_READ_M1ND = "can_read_m1nd"
    CAN_RECEIVE_PACKETS = "can_receive_packets"


class RunnerWorkspaceTruth(Value):
    """Whether a runner works on the repository that the mission means. A wrong one always says why."""

    bound_root: str = Field(default="", max_length=200)
    """The last part of its root's name; never an absolute path."""
    wrong_workspace: bool = False
    reason: str = Field(default="", max_length=400)

    @model_validator(mode="after")
    def _honest(self) -> Self:
        if self.bound_root.startswith(("/", "~", "\\")) or DRIVE.match(self.bound_root):
            raise ValueError("bound_root is a name for people, not an absolute path")
        if self.wrong_workspace and not self.reason:
            raise ValueError("a wrong workspace needs its reason")
        return self


class MissionPolicy(Value):
    """How a mission may be worked on. Screenshots in packets are off unless somebody switches them on (seed 001 §9)."""

    isolated_worktree: bool = True
    propose_only: bool = False
    screenshot_in_packet: bool = False
    read_only_clipboard: bool = True


class RunnerRef(Value):
    """A runner as the owner knows it."""

    runner_id: Name
    label: str = Field(default="", max_length=120)
    capabilities: tuple[RunnerCapability, ...] = ()
    workspace_truth: RunnerWorkspaceTruth = Field(default_factory=RunnerWorkspaceTruth)
    policy: MissionPolicy = Field(default_factory=MissionPolicy)

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        if len(set(self.capabilities)) != len(self.capabilities):
            raise ValueError("a capability is named twice")
        return self


class Includes(Value):
    """Which parts of the block a packet carries."""

    details: bool = True
    files: bool = True
    receipts: bool = False
    impact: bool = False


Mode = Literal["clipboard", "direct", "spawn"]
"""Copied by a person, handed to an agent, or started by a runner."""

Effect = Literal["reads", "edits", "runs_process", "appends"]


class MissionPacket(Value):
    """What is handed over: which block, what to do, what is in it, and what its work will touch."""

    source_block: BlockId
    message: str = Field(min_length=1, max_length=MESSAGE)
    includes: Includes = Field(default_factory=Includes)
    mode: Mode = "direct"
    declared_effects: tuple[Effect, ...] = ()

    @model_validator(mode="after")
    def _declared(self) -> Self:
        if self.mode == "clipboard" and self.declared_effects not in ((), ("reads",)):
            raise ValueError("a clipboard packet is read-only: it declares no effect but `reads`")
        if len(set(self.declared_effects)) != len(self.declared_effects):
            raise ValueError("an effect is declared twice")
        return self


PinStatus = Literal["running", "needs_reply", "output_landed", "debriefed", "failed"]


class Pin(Value):
    """An agent at work on a block, as a map shows it."""

    block_id: str
    mission_id: str = Field(pattern=r"^msn_[0-9a-f]{12}$")
    agent: str
    status: PinStatus
    progress: str = ""
    outcome_ref: str = ""
    """What came of it: an artifact's hash, the receipt's id after the landing."""
    contract_version: int = Field(ge=1)

    @model_validator(mode="after")
    def _outcome_has_ended(self) -> Self:
        if self.outcome_ref and self.status in ("running", "needs_reply"):
            raise ValueError("a pin at work has no outcome yet")
        return self
