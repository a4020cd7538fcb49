"""The Edit aggregate: one planned write over any files and its one end (TRANSPLANT.md, Writing; D28).

previewed → committed | expired | discarded; committed → rolled back at most once. The planned bytes lie in the state
folder, not in the log; what is kept here are their hashes, so that nothing but the previewed bytes can be committed.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, Self

from attrs import frozen
from pydantic import AwareDatetime, Field

from m1nd.domain.base import Aggregate, Command, CreatedEvent, Event, JsonObject, Value, event
from m1nd.domain.planned_files import PlannedFile, WrittenFile
from m1nd.domain.previews import EDIT, Life, Stage
from m1nd.domain.refusal import refuse

RECEIPT_FIELDS = (
    "files_changed",
    "files_created",
    "files_removed",
    "lines_added",
    "lines_removed",
    "blocks_touched",
    "receipts_staled",
    "verification",
    "elapsed_ms",
)
"""What every receipt says, zeros and empties too; `protected_zone` may be absent."""

_ID = re.compile(r"(?:edp|edt)_([0-9a-f]{8,32})")


def preview_id(digits: str) -> str:
    """A preview's id from hex digits; the edit that comes of it has the same digits."""
    return f"edp_{digits}"


def edit_id(id: str) -> str:
    """The id of the committed edit; `id` is either of the two names of one edit."""
    return f"edt_{_digits(id)}"


def stream_name(id: str) -> str:
    """The stream of an edit, from either of its two names. Raises Refused(not_found) for anything else."""
    return f"edit:{_digits(id)}"


def _digits(id: str) -> str:
    match = _ID.fullmatch(id)
    if match is None:
        refuse("not_found", f"{id!r} is the id of no preview and no edit", "m1nd edit list", id=id)
    return match[1]


class EditPreview(Value):
    """A planned edit as the log keeps it."""

    preview_id: str = Field(pattern=r"^edp_[0-9a-f]{8,32}$")
    agent_id: str
    files: tuple[PlannedFile, ...]
    plan_digest: str
    graph_generation: int
    expires_at: AwareDatetime
    allow_protected: str = ""


@frozen
class EditState:
    """An edit as its stream tells it."""

    preview: EditPreview
    stage: Stage
    receipt: Mapping[str, Any] | None
    files: tuple[WrittenFile, ...]
    journal_id: str

    @property
    def edit_id(self) -> str:
        return edit_id(self.preview.preview_id)

    @property
    def life(self) -> Life:
        preview = self.preview
        return Life(
            EDIT,
            preview.preview_id,
            self.edit_id,
            preview.agent_id,
            self.stage,
            preview.expires_at,
            "m1nd edit preview FILE",
        )


class Edit(Aggregate):
    TOPIC = "edit"

    class EditPreviewed(CreatedEvent):
        """An edit was planned; nothing was written."""

        TOPIC: ClassVar[str] = "edit_previewed"
        preview_id: str
        agent_id: str
        files: tuple[PlannedFile, ...]
        plan_digest: str
        graph_generation: int
        expires_at: AwareDatetime
        allow_protected: str

    class EditCommitted(Event):
        """The planned bytes are in the tree, and this is the receipt."""

        TOPIC: ClassVar[str] = "edit_committed"
        preview_id: str
        edit_id: str
        plan_digest: str
        receipt: JsonObject
        files: tuple[WrittenFile, ...]
        journal_id: str

    class EditExpired(Event):
        TOPIC: ClassVar[str] = "edit_expired"
        preview_id: str
        as_of: AwareDatetime

    class EditDiscarded(Event):
        TOPIC: ClassVar[str] = "edit_discarded"
        preview_id: str

    class EditRolledBack(Event):
        """The bytes from before the edit are back in the tree."""

        TOPIC: ClassVar[str] = "edit_rolled_back"
        preview_id: str
        edit_id: str
        restored: tuple[WrittenFile, ...]
        journal_id: str

    @event(EditPreviewed)
    def __init__(
        self,
        preview_id: str,
        agent_id: str,
        files: tuple[PlannedFile, ...],
        plan_digest: str,
        graph_generation: int,
        expires_at: datetime,
        allow_protected: str,
    ) -> None:
        self.preview = EditPreview.model_construct(
            preview_id=preview_id,
            agent_id=agent_id,
            files=files,
            plan_digest=plan_digest,
            graph_generation=graph_generation,
            expires_at=expires_at,
            allow_protected=allow_protected,
        )
        self.stage = Stage.PREVIEWED
        self.receipt: dict[str, Any] | None = None
        self.files: tuple[WrittenFile, ...] = ()
        self.journal_id = ""

    @classmethod
    def preview_edit(cls, preview: EditPreview, command: Command) -> Self:
        return cls._begin(cls.EditPreviewed, command, stream_name(preview.preview_id), **dict(preview))

    @property
    def state(self) -> EditState:
        return EditState(self.preview, self.stage, self.receipt, self.files, self.journal_id)

    def commit(
        self,
        agent_id: str,
        receipt: Mapping[str, Any],
        files: tuple[WrittenFile, ...],
        journal_id: str,
        command: Command,
    ) -> Event:
        """Consume the preview. The caller has written `files`, whose hashes must be those of the plan.

        Raises Refused as `Life.require_open`, ValueError for a receipt that leaves a field out or files that are not
        the planned ones: both are bugs of the caller, never of a person.
        """
        self.state.life.require_open(agent_id, command.at)
        if missing := [name for name in RECEIPT_FIELDS if name not in receipt]:
            raise ValueError(f"the receipt leaves out {', '.join(missing)}")
        planned = {(file.file_path, file.base_hash, file.after_hash) for file in self.preview.files}
        written = {(file.file_path, file.before_hash, file.after_hash) for file in files}
        if planned != written:
            raise ValueError("the written files are not those of the plan")
        return self._record(
            Edit.EditCommitted,
            command,
            preview_id=self.preview.preview_id,
            edit_id=self.state.edit_id,
            plan_digest=self.preview.plan_digest,
            receipt=dict(receipt),
            files=files,
            journal_id=journal_id,
        )

    def expire(self, as_of: datetime, command: Command) -> bool:
        """End the preview if its time is over; tells whether it did."""
        if self.stage is not Stage.PREVIEWED or as_of < self.preview.expires_at:
            return False
        self._record(Edit.EditExpired, command, preview_id=self.preview.preview_id, as_of=as_of)
        return True

    def discard(self, command: Command) -> None:
        """End the preview unused. Raises Refused(preview_unknown) when it has ended already."""
        self.state.life.require_unended()
        self._record(Edit.EditDiscarded, command, preview_id=self.preview.preview_id)

    def roll_back(self, restored: tuple[WrittenFile, ...], journal_id: str, command: Command) -> Event:
        """Record that the old bytes are back. Raises Refused(undo_unknown) when there is no edit to undo."""
        self.state.life.require_committed()
        return self._record(
            Edit.EditRolledBack,
            command,
            preview_id=self.preview.preview_id,
            edit_id=self.state.edit_id,
            restored=restored,
            journal_id=journal_id,
        )

    @event(EditCommitted)
    def _committed(self, receipt: dict[str, Any], files: tuple[WrittenFile, ...], journal_id: str) -> None:
        self.stage = Stage.COMMITTED
        self.receipt, self.files, self.journal_id = receipt, files, journal_id

    @event(EditExpired)
    def _expired(self) -> None:
        self.stage = Stage.EXPIRED

    @event(EditDiscarded)
    def _discarded(self) -> None:
        self.stage = Stage.DISCARDED

    @event(EditRolledBack)
    def _rolled_back(self) -> None:
        self.stage = Stage.ROLLED_BACK
