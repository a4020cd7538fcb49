"""The part of the application that records edits: previews, commits, undos, each one append (`domain/edit.py`)."""

from collections.abc import Mapping, Sequence
from typing import Any

from m1nd.application.graph_records import NO_HASHES
from m1nd.application.mission_records import MissionRecords
from m1nd.application.stamp_records import Used
from m1nd.domain.base import Aggregate, Command
from m1nd.domain.edit import Edit, EditPreview, EditState, stream_name
from m1nd.domain.graph import Graph, GraphChange
from m1nd.domain.missions.gate import Evidence
from m1nd.domain.planned_files import WrittenFile
from m1nd.domain.refusal import refuse


class EditRecords(MissionRecords):
    """Every method may raise Refused of the groups log and store."""

    def record_edit_preview(self, preview: EditPreview, command: Command) -> str:
        """Keep a planned edit; answers its id (the earlier one when the command was given before)."""
        appended = self._append(command, lambda: [Edit.preview_edit(preview, command)])
        return str(appended.last(Edit.EditPreviewed).preview_id)

    def edit(self, id: str) -> EditState | None:
        """The edit of that preview id or edit id, as its stream tells it; None if there is none."""
        found = self._load(Edit, stream_name(id))
        return None if found is None else found.state

    def record_edit_commit(
        self,
        preview_id: str,
        *,
        agent_id: str,
        receipt: dict[str, Any],
        files: Sequence[WrittenFile],
        journal_id: str,
        change: GraphChange,
        command: Command,
        stamp: Used | None = None,
        hashes: Mapping[str, str] = NO_HASHES,
        mission_id: str = "",
    ) -> int:
        """Record an edit whose files are in the tree, with the graph's change and the aged blocks, in one append.

        `hashes` are those of all files before the write. A mission that is named gets the receipt as evidence. Answers the generation. Raises Refused as `Life.require_open`; the caller then restores the files.
        """

        def work() -> list[Aggregate]:
            edit = self._edit(preview_id)
            follow = command.following(edit.upcoming_id(command))
            aged = self._age_by_write(change, "transplant", hashes, follow)
            full = receipt | aged.receipt_fields()
            edit.commit(agent_id, full, tuple(files), journal_id, command)
            graph = self._graph(follow)
            graph.change(change, follow)
            made = Evidence.of("edit", edit.state.edit_id, full, f"{len(files)} file(s)")
            mission = self._attach(mission_id, made, aged.aggregates, follow)
            return [edit, graph, *aged.aggregates, *mission, *self._spend(stamp, command)]

        return int(self._append(command, work).last(Graph.GraphChanged).generation)

    def record_edit_rollback(
        self,
        id: str,
        *,
        restored: Sequence[WrittenFile],
        journal_id: str,
        change: GraphChange,
        command: Command,
        stamp: Used | None = None,
        hashes: Mapping[str, str] = NO_HASHES,
    ) -> int:
        """Record that an edit was undone; answers the generation. Raises Refused(undo_unknown)."""

        def work() -> list[Aggregate]:
            edit = self._edit(id, "undo_unknown")
            rolled_back = edit.roll_back(tuple(restored), journal_id, command)
            follow = command.caused_by(rolled_back)
            aged = self._age_by_write(change, "rollback", hashes, follow)
            graph = self._graph(follow)
            graph.change(change, follow)
            return [edit, graph, *aged.aggregates, *self._spend(stamp, command)]

        return int(self._append(command, work).last(Graph.GraphChanged).generation)

    def discard_edit(self, preview_id: str, command: Command) -> None:
        """End a preview unused. Raises Refused(preview_unknown)."""

        def work() -> list[Aggregate]:
            edit = self._edit(preview_id)
            edit.discard(command)
            return [edit]

        self._append(command, work)

    def _edit(self, id: str, code: str = "preview_unknown") -> Edit:
        found = self._load(Edit, stream_name(id))
        if found is None:
            refuse(code, f"there is no {id}", "m1nd edit list", id=id)
        return found
