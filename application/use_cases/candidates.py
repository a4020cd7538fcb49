"""`skeleton_candidate`, `candidate_edit`, `candidate_lease`, and a revision's promotion: the map before it is ratified."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal

from attrs import frozen

from m1nd.application.brain import Brain
from m1nd.application.ports import Progress
from m1nd.application.skeleton_records import Transaction, check_transaction
from m1nd.application.use_cases.map_reading import expect, look
from m1nd.application.use_cases.requests import answered, new_command
from m1nd.application.use_cases.source_commit import source_commit
from m1nd.domain.blocks.candidate_edits import Seat
from m1nd.domain.blocks.candidate_ops import read_ops
from m1nd.domain.blocks.generation import Generated, generate
from m1nd.domain.blocks.lease import LONGEST, LeaseOutcome
from m1nd.domain.blocks.map_head import Expected
from m1nd.domain.index.file_edges import file_edges
from m1nd.domain.refusal import refuse

SEED_FOLDER = "docs/system-blocks/"
"""Seed files are the map itself, no part of what it maps."""

LeaseAction = Literal["acquire", "refresh", "release"]


@frozen
class Candidates:
    store_version: int
    transaction: Transaction
    generated: Generated


@frozen
class Curation:
    outcome: LeaseOutcome
    holder: str
    until: datetime | None
    store_version: int


def propose(brain: Brain, expected_store_version: int | None, progress: Progress | None = None) -> Candidates:
    """Propose blocks from the files and the graph; candidates where nothing is ratified, else a revision.

    Raises Refused(candidate_transaction | store_conflict | read_only).
    """
    brain.deny_if_read_only("skeleton_candidate")
    arguments = {"expected_store_version": expected_store_version}
    return answered(
        brain,
        "skeleton_candidate",
        arguments,
        lambda: _propose(brain, expected_store_version, arguments, progress),
    )


def _propose(
    brain: Brain,
    expected_store_version: int | None,
    arguments: Mapping[str, Any],
    progress: Progress | None,
) -> Candidates:
    actual = brain.app.store_version()
    if expected_store_version is None and actual and brain.actor.kind == "owner":
        expected_store_version = actual
    expected = Expected(expected_store_version)
    check_transaction(actual, expected)
    tree = look(brain, progress)
    step = progress or (lambda stage, done, total: None)
    step("file_list", len(tree.files), len(tree.files))
    index = brain.graph.index()
    step("clustering", 0, 1)
    made = generate(
        brain.project_name,
        sorted(path for path in tree.files if not path.startswith(SEED_FOLDER)),
        file_edges(index),
        brain.communities,
        node_count=index.node_count,
        edge_count=len(index.out.whole().ends),
        source_commit=source_commit(brain),
    )
    step("persisting", 0, 1)
    done = brain.app.record_proposal(
        made.proposal,
        expected,
        f"rev_{brain.ids.hex(12)}",
        tree,
        new_command(brain, "skeleton_candidate", arguments),
    )
    step("done", 1, 1)
    return Candidates(done.store_version, done.transaction, made)


def promote(brain: Brain, expected_store_version: int | None) -> tuple[str, ...]:
    """Make the revision's blocks candidates; answers their ids. Raises Refused(no_revision | store_conflict)."""
    brain.deny_if_read_only("skeleton_candidate")
    arguments = {"revision": "promote", "expected_store_version": expected_store_version}

    def work() -> tuple[str, ...]:
        expected = expect(brain, "skeleton_candidate", expected_store_version)
        command = new_command(brain, "skeleton_candidate", arguments)
        return brain.app.promote_revision(expected, look(brain), command)

    return answered(brain, "skeleton_candidate", arguments, work)


def discard(brain: Brain, expected_store_version: int | None) -> str:
    """Throw the revision away; answers its id. Raises Refused(no_revision | store_conflict)."""
    brain.deny_if_read_only("skeleton_candidate")
    arguments = {"revision": "discard", "expected_store_version": expected_store_version}

    def work() -> str:
        expected = expect(brain, "skeleton_candidate", expected_store_version)
        return brain.app.discard_revision(expected, new_command(brain, "skeleton_candidate", arguments))

    return answered(brain, "skeleton_candidate", arguments, work)


def edit(
    brain: Brain,
    ops: Sequence[Mapping[str, Any]],
    expected_store_version: int | None,
    by: str = "",
    progress: Progress | None = None,
) -> int:
    """Carry out a batch of edits on the candidates, all or nothing; answers the new store version.

    `by`: the seat; empty is the weakest that the caller can be. Raises Refused(usage | no_store | store_conflict |
    skeleton_not_candidate | candidate_edit_rejected | unsafe_text | human_gesture_required | read_only).
    """
    brain.deny_if_read_only("candidate_edit")
    rows = [dict(op) if isinstance(op, Mapping) else op for op in ops]
    arguments = {"ops": rows, "expected_store_version": expected_store_version, "by": by}

    def work() -> int:
        seat = seat_of(brain, by)
        expected = expect(brain, "candidate_edit", expected_store_version)
        command = new_command(brain, "candidate_edit", arguments)
        return brain.app.record_candidate_edit(
            read_ops(rows), rows, seat, expected, look(brain, progress), command
        )

    return answered(brain, "candidate_edit", arguments, work)


def seat_of(brain: Brain, by: str) -> Seat:
    """The seat of a caller: the owner at the command line, a runner for everybody else.

    Raises Refused(human_gesture_required) for somebody who claims the owner's seat, Refused(usage) for another word.
    """
    if by not in ("", "owner", "runner"):
        refuse("usage", f"there is no seat {by!r}: owner or runner")
    if brain.actor.kind == "owner":
        return "runner" if by == "runner" else "owner"
    if by == "owner":
        refuse(
            "human_gesture_required",
            "the owner's seat is the owner's at the command line; nothing was applied",
            "m1nd blocks edit",
        )
    return "runner"


def curate(brain: Brain, action: LeaseAction, seconds: int) -> Curation:
    """Take, prolong or give back the curator's lease for this actor; moves no store version.

    Raises Refused(lease_held | lease_lapsed | read_only).
    """
    brain.deny_if_read_only("candidate_lease")
    arguments = {"action": action, "ttl_secs": seconds}

    def work() -> Curation:
        time_to_live = min(timedelta(seconds=seconds), LONGEST)
        command = new_command(brain, "candidate_lease", arguments)
        outcome, state = brain.app.curate(action, brain.actor.id, time_to_live, command)
        return Curation(outcome, state.holder, state.until, brain.app.store_version())

    return answered(brain, "candidate_lease", arguments, work)
