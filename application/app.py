"""The event-sourced application: every change of the product's memory, in the user's words.

Each method is one append: it loads what it needs, asks the aggregates, and saves all that they decided at once. After a
lost race it begins anew from a fresh load. It reads no clock and draws no id: they come in with the `Command`.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import frozen

from m1nd.application.appending import Appended
from m1nd.application.boundary_records import BoundaryRecords
from m1nd.application.card_records import CardRecords
from m1nd.application.delegation_records import DelegationRecords
from m1nd.application.edit_records import EditRecords
from m1nd.application.graph_records import NO_HASHES, GraphRecords
from m1nd.application.memory_records import MemoryRecords
from m1nd.application.setting_records import SettingRecords
from m1nd.application.skeleton_records import SkeletonRecords
from m1nd.application.stamp_records import Used
from m1nd.application.token_records import TokenRecords
from m1nd.domain.base import Aggregate, Command
from m1nd.domain.edit import Edit
from m1nd.domain.graph import GRAPH_ID, Graph, GraphChange
from m1nd.domain.missions.gate import Evidence
from m1nd.domain.planned_files import WrittenFile
from m1nd.domain.previews import EDIT_PREFIXES
from m1nd.domain.refusal import Refusal, Refused, refuse
from m1nd.domain.refusals import Refusals, RefusedRequest, refusals_id
from m1nd.domain.symbol_move import SymbolMove
from m1nd.domain.transplant import Preview, Transplant, TransplantState, stream_name


@frozen
class Committed:
    transplant_id: str
    generation: int
    repeated: bool = False


class M1nd(
    EditRecords,
    SkeletonRecords,
    BoundaryRecords,
    CardRecords,
    DelegationRecords,
    GraphRecords,
    MemoryRecords,
    SettingRecords,
    TokenRecords,
):
    """One repository's log. Every method may raise Refused of the groups log and store."""

    name = "m1nd"

    # The graph

    def _touched(
        self, change: GraphChange, hashes: Mapping[str, str], command: Command
    ) -> Sequence[Aggregate]:
        return self._age_by_ingest(change, hashes, command).aggregates

    # Transplants

    def record_preview(self, preview: Preview, command: Command) -> str:
        """Keep a planned move; answers its id (the earlier one when the command was given before)."""
        appended = self._append(command, lambda: [Transplant.preview_move(preview, command)])
        return str(appended.last(Transplant.TransplantPreviewed).preview_id)

    def transplant(self, id: str) -> TransplantState | None:
        """The transplant of that preview id or transplant id, as its stream tells it; None if there is none."""
        found = self._load(Transplant, stream_name(id))
        return None if found is None else found.state

    def preview(self, preview_id: str) -> TransplantState | None:
        """The transplant of that preview id; None also for an id of another form."""
        return self.transplant(preview_id) if preview_id.startswith("pre_") else None

    def open_preview(self, preview_id: str, agent_id: str, at: datetime) -> TransplantState:
        """The preview that this agent may commit now.

        Raises Refused(preview_unknown | preview_expired | preview_wrong_agent).
        """
        state = self.preview(preview_id)
        if state is None:
            refuse("preview_unknown", f"there is no preview {preview_id}", preview_id=preview_id)
        state.require_open(agent_id, at)
        return state

    def record_commit(
        self,
        preview_id: str,
        *,
        agent_id: str,
        receipt: dict[str, Any],
        files: Sequence[WrittenFile],
        journal_id: str,
        change: GraphChange,
        moves: Iterable[SymbolMove],
        command: Command,
        stamp: Used | None = None,
        hashes: Mapping[str, str] = NO_HASHES,
        mission_id: str = "",
    ) -> Committed:
        """Record a move whose files are in the tree: receipt, graph change, symbols and aged blocks in one append.

        `hashes` are those of all files before the write. A mission that is named gets the receipt as evidence. Raises Refused as `open_preview` does; the caller then restores the files.
        """
        moved = tuple(moves)

        def work() -> list[Aggregate]:
            transplant = self._transplant(preview_id)
            follow = command.following(transplant.upcoming_id(command))
            aged = self._age_by_write(change, "transplant", hashes, follow)
            full = receipt | aged.receipt_fields()
            transplant.commit(agent_id, full, tuple(files), journal_id, command)
            graph = self._graph(follow)
            graph.change(change, follow)
            graph.move_symbols(moved, transplant.state.transplant_id, follow)
            made = Evidence.of("transplant", transplant.state.transplant_id, full, str(full["moved_symbol"]))
            mission = self._attach(mission_id, made, aged.aggregates, follow)
            return [transplant, graph, *aged.aggregates, *mission, *self._spend(stamp, command)]

        return self._committed(self._append(command, work), Transplant.TransplantCommitted)

    def record_rollback(
        self,
        id: str,
        *,
        restored: Sequence[WrittenFile],
        journal_id: str,
        change: GraphChange,
        moves: Iterable[SymbolMove],
        command: Command,
        stamp: Used | None = None,
        hashes: Mapping[str, str] = NO_HASHES,
    ) -> Committed:
        """Record that a move was undone: its files are as before, and each item is back (`moves` lead home).

        `id` is the transplant's or the preview's. Raises Refused(undo_unknown).
        """
        moved = tuple(moves)

        def work() -> list[Aggregate]:
            transplant = self._transplant(id, "undo_unknown")
            rolled_back = transplant.roll_back(tuple(restored), journal_id, command)
            follow = command.caused_by(rolled_back)
            aged = self._age_by_write(change, "rollback", hashes, follow)
            graph = self._graph(follow)
            graph.change(change, follow)
            graph.move_symbols(moved, transplant.state.transplant_id, follow)
            return [transplant, graph, *aged.aggregates, *self._spend(stamp, command)]

        return self._committed(self._append(command, work), Transplant.TransplantRolledBack)

    def symbol_moves(self, transplant_id: str) -> tuple[SymbolMove, ...]:
        """The items that a committed move carried, in the order of its append; empty where it is not in the log.

        Reads the graph's stream from its end: an undo is mostly of a late move.
        """
        found: list[SymbolMove] = []
        before: int | None = None
        while True:
            page = list(self.events.get(GRAPH_ID, lte=before, desc=True, limit=200))
            for event in page:
                if isinstance(event, Graph.SymbolMoved) and event.cause == transplant_id:
                    found.append(
                        SymbolMove(symbol_id=event.symbol_id, source=event.source, target=event.target)
                    )
                elif isinstance(event, Graph.GraphChanged) and (event.kind, event.cause) == (
                    "transplant",
                    transplant_id,
                ):
                    return tuple(reversed(found))
                elif isinstance(event, Graph.GraphChanged) and event.cause == transplant_id:
                    found.clear()  # the symbols of its undo, which come after the move's own
            if len(page) < 200:
                return ()
            before = page[-1].originator_version - 1

    def discard(self, preview_id: str, command: Command) -> None:
        """End a preview unused. Raises Refused(preview_unknown)."""

        def work() -> list[Aggregate]:
            transplant = self._transplant(preview_id)
            transplant.discard(command)
            return [transplant]

        self._append(command, work)

    def expire(self, preview_ids: Iterable[str], as_of: datetime, command: Command) -> tuple[str, ...]:
        """End those of the given previews whose time is over (the view `due_previews` names them); answers which.

        Takes previews of moves and of edits.
        """
        ids = tuple(preview_ids)

        def work() -> list[Aggregate]:
            due = [self._edit(id) if id.startswith(EDIT_PREFIXES) else self._transplant(id) for id in ids]
            return [preview for preview in due if preview.expire(as_of, command)]

        if not ids:
            return ()
        expired = self._append(command, work).events
        kinds = (Transplant.TransplantExpired, Edit.EditExpired)
        return tuple(event.preview_id for event in expired if isinstance(event, kinds))

    def is_recorded(self, journal_id: str) -> bool:
        """Whether the append that belongs to this journal is in the log. Reads the log from its end; for recovery only."""
        kinds = (
            Transplant.TransplantCommitted,
            Transplant.TransplantRolledBack,
            Edit.EditCommitted,
            Edit.EditRolledBack,
        )
        names = {kind.TOPIC for kind in kinds}
        needle = journal_id.encode()
        top = self.log.head().count
        while top > 0:
            rows = self.log.rows(after=max(0, top - 1000), until=top)
            for row in reversed(rows):
                if row.topic in names and needle in row.state:
                    event = self.event_of(row)
                    if isinstance(event, kinds) and event.journal_id == journal_id:
                        return True
            top -= 1000
        return False

    # Refusals

    def record_refusal(
        self, refusal: Refusal, *, verb: str, request_digest: str, command: Command, field: str = ""
    ) -> bool:
        """Keep that a request was refused: code, field and digest, never its content (D34).

        Answers False when the day's stream is full or the log cannot take it: a refusal is answered in any case, and
        losing this note must not hide why.
        """
        request = RefusedRequest(
            verb=verb[:64], keyword=refusal.code, request_digest=request_digest, field=field[:64]
        )
        kept = False

        def work() -> list[Aggregate]:
            nonlocal kept
            last = self._last_event(refusals_id(command.at))
            refusals = Refusals.open(command) if last is None else Refusals.resume(last)
            kept = refusals.record(request, command)
            return [refusals]

        try:
            self._append(command, work, claim=False)
        except Refused as refused:
            if refused.refusal.code in (
                "busy",
                "write_conflict",
                "write_failed",
                "read_only",
                "store_damaged",
            ):
                return False
            raise
        return kept

    # Inside

    def _transplant(self, id: str, code: str = "preview_unknown") -> Transplant:
        found = self._load(Transplant, stream_name(id))
        if found is None:
            refuse(code, f"there is no {id}", "m1nd transplant list", id=id)
        return found

    @staticmethod
    def _committed(appended: Appended, kind: type[Any]) -> Committed:
        return Committed(
            str(appended.last(kind).transplant_id),
            int(appended.last(Graph.GraphChanged).generation),
            appended.repeated,
        )
