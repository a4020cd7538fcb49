"""The part of the application that records what is remembered: claims, paint, antibodies; each method is one append."""

from collections.abc import Callable, Collection, Sequence
from typing import cast

from m1nd.application.receipt_records import ReceiptRecords
from m1nd.domain.base import Aggregate, Command, Event
from m1nd.domain.memory.antibodies import Antibody, AntibodyFields
from m1nd.domain.memory.antibodies import stream_name as antibody_stream
from m1nd.domain.memory.claim_state import ClaimFields
from m1nd.domain.memory.claims import Claim, stream_name
from m1nd.domain.memory.paint import PAINT_ID, Operation, Paint, Survey, TaggedNode
from m1nd.domain.refusal import refuse


class MemoryRecords(ReceiptRecords):
    """Every method may raise Refused of the groups log and store."""

    def record_claim(self, fields: ClaimFields, command: Command) -> str:
        """Keep a claim; answers its id (the earlier one when the command was given before).

        With `supersedes` the older claim gives its place in the same append. Raises Refused(claim_unknown |
        claim_superseded | claim_weaker).
        """

        def work() -> list[Aggregate]:
            claim = Claim.memorize(fields, command)
            if not fields.supersedes:
                return [claim]
            older = self._claim(fields.supersedes)
            older.supersede(claim, command)
            return [claim, older]

        return str(self._append(command, work).last(Claim.ClaimMemorized).claim_id)

    def record_claims(self, claims: Sequence[ClaimFields], command: Command) -> tuple[str, ...]:
        """Keep several claims that supersede nothing, in one append; answers their ids."""
        appended = self._append(command, lambda: [Claim.memorize(fields, command) for fields in claims])
        return tuple(event.claim_id for event in appended.events if isinstance(event, Claim.ClaimMemorized))

    # Paint

    def record_paint(
        self, survey: Survey, expected: int, command: Command, files: Collection[str] = ()
    ) -> int:
        """Paint what a survey found; answers the version after it. Raises Refused(paint_conflict).

        `files` hold the items whose state changed: receipts of their blocks that list `repaint` go stale in this append.
        """

        def work() -> list[Aggregate]:
            paint = self._paint(command)
            paint.paint(survey, expected, command)
            painted = cast("Event", paint.pending_events[-1])
            return [paint, *self._stale_repainted(files, painted, command)]

        return int(self._append(command, work).last(Paint.NodePainted).version)

    def record_retag(
        self,
        operation: Operation,
        tags: tuple[str, ...],
        selector: str,
        nodes: Sequence[TaggedNode],
        expected: int,
        command: Command,
    ) -> int:
        """Tag items; answers the version after it. Raises Refused(paint_conflict)."""

        def work() -> list[Aggregate]:
            paint = self._paint(command)
            paint.retag(operation, tags, selector, nodes, expected, command)
            return [paint]

        return int(self._append(command, work).last(Paint.NodeRetagged).version)

    def _paint(self, command: Command) -> Paint:
        last = self._last_event(PAINT_ID)
        return Paint.open(command) if last is None else Paint.resume(last)

    # Antibodies

    def record_antibody(self, fields: AntibodyFields, command: Command) -> str:
        """Keep a pattern and look for it; answers its id."""
        appended = self._append(command, lambda: [Antibody.create(fields, command)])
        return str(appended.last(Antibody.AntibodyCreated).antibody_id)

    def enable_antibody(self, antibody_id: str, command: Command) -> None:
        """Raises Refused(antibody_unknown)."""
        self._append(command, lambda: self._changed(antibody_id, lambda found: found.enable(command)))

    def disable_antibody(self, antibody_id: str, command: Command) -> None:
        """Raises Refused(antibody_unknown)."""
        self._append(command, lambda: self._changed(antibody_id, lambda found: found.disable(command)))

    def delete_antibody(self, antibody_id: str, command: Command) -> None:
        """Raises Refused(antibody_unknown)."""
        self._append(command, lambda: self._changed(antibody_id, lambda found: found.delete(command)))

    def _changed(self, antibody_id: str, change: Callable[[Antibody], None]) -> list[Aggregate]:
        found = self._load(Antibody, antibody_stream(antibody_id))
        if found is None:
            refuse("antibody_unknown", f"there is no antibody {antibody_id}", antibody_id=antibody_id)
        change(found)
        return [found]

    # Inside

    def _claim(self, claim_id: str) -> Claim:
        found = self._load(Claim, stream_name(claim_id))
        if found is None:
            refuse("claim_unknown", f"there is no claim {claim_id}", claim_id=claim_id)
        return found
