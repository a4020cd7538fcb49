"""The Transplant aggregate: one planned move and its one end (seed 002, TRANSPLANT.md, D28).

previewed → committed | expired | discarded; committed → rolled back at most once. The plan itself is recomputed by the
use case; what is kept here is enough to refuse a commit that would not be the previewed one. It writes no file.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, Self

from attrs import frozen
from pydantic import AwareDatetime, Field

from m1nd.domain.base import Aggregate, Command, CreatedEvent, Event, JsonObject, Value, event
from m1nd.domain.planned_files import PlannedFile, WrittenFile
from m1nd.domain.previews import MOVE, Life, Stage
from m1nd.domain.refusal import refuse

RECEIPT_FIELDS = (
    "moved_symbol",
    "moved_symbols",
    "source_module",
    "dest_module",
    "files_changed",
    "files_created",
    "deps_travelled",
    "deps_shared",
    "published",
    "referencing_files",
    "refs_rewritten",
    "refs_unresolved",
    "source_back_imported",
    "imports_carried",
    "imports_pruned",
    "moved_visibility_bumped",
    "moved_visibility",
    "dependency_source",
    "referencer_source",
    "rustfmt",
    "blocks_touched",
    "receipts_staled",
    "state_left_behind",
    "verification",
    "elapsed_ms",
)
"""What every receipt says, zeros and empties too (TRANSPLANT.md); `protected_zone` may be absent."""

_ID = re.compile(r"(?:pre|tra)_([0-9a-f]{8,32})")


def preview_id(digits: str) -> str:
    """A preview's id from hex digits; the move that comes of it has the same digits."""
    return f"pre_{digits}"


def transplant_id(id: str) -> str:
    """The id of the committed move; `id` is either of the two names of one transplant."""
    return f"tra_{_digits(id)}"


def stream_name(id: str) -> str:
    """The stream of a transplant, from either of its two names. Raises Refused(not_found) for anything else."""
    return f"transplant:{_digits(id)}"


def _digits(id: str) -> str:
    match = _ID.fullmatch(id)
    if match is None:
        refuse("not_found", f"{id!r} is the id of no preview and no move", "m1nd transplant list", id=id)
    return match[1]


class MoveRequest(Value):
    """What was asked for, normalised; `symbol_id` is that of the item it was resolved to."""

    symbol: str
    source_file: str
    dest_file: str
    symbol_id: str = ""
    also: tuple[str, ...] = ()
    """More items of the source file, moved by the same plan."""
    allow_protected: str = ""
    create_dest: bool = False
    """A destination that does not exist is made, with its `mod` line."""
    publish: bool = False
    """What the other crate would have to see is made public."""


class Preview(Value):
    """A planned move as the log keeps it.

    `candidate` (the receipt as planned), `verification` and `protected_zone` are wire objects of the verb.
    """

    preview_id: str = Field(pattern=r"^pre_[0-9a-f]{8,32}$")
    agent_id: str
    request: MoveRequest
    candidate: JsonObject
    files: tuple[PlannedFile, ...]
    plan_digest: str
    graph_generation: int
    expires_at: AwareDatetime
    verification: JsonObject = Field(default_factory=dict)
    protected_zone: JsonObject | None = None


@frozen
class TransplantState:
    """A transplant as its stream tells it."""

    preview: Preview
    stage: Stage
    receipt: Mapping[str, Any] | None
    files: tuple[WrittenFile, ...]
    journal_id: str

    @property
    def transplant_id(self) -> str:
        return transplant_id(self.preview.preview_id)

    @property
    def life(self) -> Life:
        preview, asked = self.preview, self.preview.request
        return Life(
            MOVE,
            preview.preview_id,
            self.transplant_id,
            preview.agent_id,
            self.stage,
            preview.expires_at,
            f"m1nd transplant preview {asked.symbol} {asked.source_file} {asked.dest_file}",
        )

    def require_open(self, agent_id: str, at: datetime) -> None:
        """Raises Refused as `Life.require_open`."""
        self.life.require_open(agent_id, at)


class Transplant(Aggregate):
    TOPIC = "transplant"

    class TransplantPreviewed(CreatedEvent):
        """A move was planned; nothing was written."""

        TOPIC: ClassVar[str] = "transplant_previewed"
        preview_id: str
        agent_id: str
        request: MoveRequest
        candidate: JsonObject
        files: tuple[PlannedFile, ...]
        plan_digest: str
        graph_generation: int
        expires_at: AwareDatetime
        verification: JsonObject
        protected_zone: JsonObject | None = None

    class TransplantCommitted(Event):
        """The planned move is in the tree, and this is its receipt."""

        TOPIC: ClassVar[str] = "transplant_committed"
        preview_id: str
        transplant_id: str
        plan_digest: str
        receipt: JsonObject
        files: tuple[WrittenFile, ...]
        journal_id: str

    class TransplantExpired(Event):
        TOPIC: ClassVar[str] = "transplant_expired"
        preview_id: str
        as_of: AwareDatetime

    class TransplantDiscarded(Event):
        TOPIC: ClassVar[str] = "transplant_discarded"
        preview_id: str

    class TransplantRolledBack(Event):
        """The bytes from before the move are back in the tree."""

        TOPIC: ClassVar[str] = "transplant_rolled_back"
        preview_id: str
        transplant_id: str
        restored: tuple[WrittenFile, ...]
        journal_id: str

    @event(TransplantPreviewed)
    def __init__(
        self,
        preview_id: str,
        agent_id: str,
        request: MoveRequest,
        candidate: dict[str, Any],
        files: tuple[PlannedFile, ...],
        plan_digest: str,
        graph_generation: int,
        expires_at: datetime,
        verification: dict[str, Any],
        protected_zone: dict[str, Any] | None,
    ) -> None:
        self.preview = Preview.model_construct(
            preview_id=preview_id,
            agent_id=agent_id,
            request=request,
            candidate=candidate,
            files=files,
            plan_digest=plan_digest,
            graph_generation=graph_generation,
            expires_at=expires_at,
            verification=verification,
            protected_zone=protected_zone,
        )
        self.stage = Stage.PREVIEWED
        self.receipt: dict[str, Any] | None = None
        self.files: tuple[WrittenFile, ...] = ()
        self.journal_id = ""

    @classmethod
    def preview_move(cls, preview: Preview, command: Command) -> Self:
        return cls._begin(cls.TransplantPreviewed, command, stream_name(preview.preview_id), **dict(preview))

    @property
    def state(self) -> TransplantState:
        return TransplantState(self.preview, self.stage, self.receipt, self.files, self.journal_id)

    def commit(
        self,
        agent_id: str,
        receipt: Mapping[str, Any],
        files: tuple[WrittenFile, ...],
        journal_id: str,
        command: Command,
    ) -> Event:
        """Consume the preview. The caller has written `files`, whose hashes must be those of the plan.

        Raises Refused as `TransplantState.require_open`, ValueError for a receipt that leaves a field out or files
        that are not the planned ones: both are bugs of the caller, never of a person.
        """
        self.state.require_open(agent_id, command.at)
        if missing := [name for name in RECEIPT_FIELDS if name not in receipt]:
            raise ValueError(f"the receipt leaves out {', '.join(missing)}")
        planned = {(file.file_path, file.base_hash, file.after_hash) for file in self.preview.files}
        written = {(file.file_path, file.before_hash, file.after_hash) for file in files}
        if planned != written:
            raise ValueError("the written files are not those of the plan")
        return self._record(
            Transplant.TransplantCommitted,
            command,
            preview_id=self.preview.preview_id,
            transplant_id=self.state.transplant_id,
            plan_digest=self.preview.plan_digest,
            receipt=dict(receipt),
            files=files,
            journal_id=journal_id,
        )

    def expire(self, as_of: datetime, command: Command) -> bool:
        """End the preview if its time is over; tells whether it did."""
        if self.stage is not Stage.PREVIEWED or as_of < self.preview.expires_at:
            return False
        self._record(Transplant.TransplantExpired, command, preview_id=self.preview.preview_id, as_of=as_of)
        return True

    def discard(self, command: Command) -> None:
        """End the preview unused. Raises Refused(preview_unknown) when it has ended already."""
        self.state.life.require_unended()
        self._record(Transplant.TransplantDiscarded, command, preview_id=self.preview.preview_id)

    def roll_back(self, restored: tuple[WrittenFile, ...], journal_id: str, command: Command) -> Event:
        """Record that the old bytes are back. Raises Refused(undo_unknown) when there is no move to undo."""
        self.state.life.require_committed()
        return self._record(
            Transplant.TransplantRolledBack,
            command,
            preview_id=self.preview.preview_id,
            transplant_id=self.state.transplant_id,
            restored=restored,
            journal_id=journal_id,
        )

    @event(TransplantCommitted)
    def _committed(self, receipt: dict[str, Any], files: tuple[WrittenFile, ...], journal_id: str) -> None:
        self.stage = Stage.COMMITTED
        self.receipt, self.files, self.journal_id = receipt, files, journal_id

    @event(TransplantExpired)
    def _expired(self) -> None:
        self.stage = Stage.EXPIRED

    @event(TransplantDiscarded)
    def _discarded(self) -> None:
        self.stage = Stage.DISCARDED

    @event(TransplantRolledBack)
    def _rolled_back(self) -> None:
        self.stage = Stage.ROLLED_BACK
