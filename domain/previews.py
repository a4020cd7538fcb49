"""What every planned write shares: the stages of its life, and who may carry it out (D28).

Values and guards only; the aggregates `Transplant` and `Edit` hold the state and record the events.
"""

from datetime import datetime
from enum import StrEnum
from typing import Never

from attrs import frozen

from m1nd.domain.refusal import refuse


class Stage(StrEnum):
    PREVIEWED = "previewed"
    COMMITTED = "committed"
    EXPIRED = "expired"
    DISCARDED = "discarded"
    ROLLED_BACK = "rolled_back"

    @property
    def words(self) -> str:
        return self.value.replace("_", " ")


@frozen
class Kind:
    """How one kind of planned write speaks of itself: `move` and `edit`."""

    noun: str
    id_field: str
    command: str
    """The commands of this kind, without the last word (`m1nd edit`)."""


MOVE = Kind("move", "transplant_id", "m1nd transplant")
EDIT = Kind("edit", "edit_id", "m1nd edit")
EDIT_PREFIXES = ("edp_", "edt_")
"""Of the id of an edit's preview and of the edit's that comes of it; both have the same digits."""


@frozen
class Life:
    """Where one preview stands: whose it is, how far it came, which write comes of it."""

    kind: Kind
    preview_id: str
    write_id: str
    agent_id: str
    stage: Stage
    expires_at: datetime
    again: str
    """The command that makes the preview anew."""

    def require_open(self, agent_id: str, at: datetime) -> None:
        """Refuse what may not be committed: an ended or expired preview, or another agent's (in this order).

        Raises Refused(preview_unknown | preview_expired | preview_wrong_agent).
        """
        if self.stage in (Stage.COMMITTED, Stage.ROLLED_BACK):
            self._unknown(f"was consumed by {self.kind.noun} {self.write_id}", "show", self.write_id)
        if self.stage is Stage.DISCARDED:
            self._unknown("was discarded")
        if self.stage is Stage.EXPIRED or at >= self.expires_at:
            refuse(
                "preview_expired",
                f"preview {self.preview_id} expired at {self.expires_at:%H:%M:%S} UTC",
                self.again,
                preview_id=self.preview_id,
                expires_at=self.expires_at.isoformat(),
            )
        if self.agent_id != agent_id:
            refuse(
                "preview_wrong_agent",
                f"preview {self.preview_id} belongs to another agent",
                self.again,
                preview_id=self.preview_id,
            )

    def require_unended(self) -> None:
        """Raises Refused(preview_unknown) when the preview has ended already."""
        if self.stage is not Stage.PREVIEWED:
            self._unknown(f"is {self.stage.words}: nothing to discard", "list")

    def require_committed(self) -> None:
        """Raises Refused(undo_unknown) when there is nothing to undo."""
        if self.stage is Stage.COMMITTED:
            return
        undone = self.stage is Stage.ROLLED_BACK
        noun, write = self.kind.noun, self.write_id
        refuse(
            "undo_unknown",
            f"{noun} {write} was undone already" if undone else f"{noun} {write} was never committed",
            f"{self.kind.command} show {write}" if undone else f"{self.kind.command} list",
            **{self.kind.id_field: write},
        )

    def _unknown(self, why: str, verb: str = "", argument: str = "") -> Never:
        refuse(
            "preview_unknown",
            f"preview {self.preview_id} {why}",
            f"{self.kind.command} {verb} {argument}".rstrip() if verb else self.again,
            preview_id=self.preview_id,
            **{self.kind.id_field: self.write_id},
        )
