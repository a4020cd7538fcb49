"""The part of the application that records the skeleton: proposals, edits, signatures, seeds, revisions, the lease."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Literal

from attrs import frozen

from m1nd.application.appending import Appended
from m1nd.application.block_records import BlockRecords
from m1nd.application.map_change import MapChange
from m1nd.application.stamp_records import Used
from m1nd.domain.base import Aggregate, Command
from m1nd.domain.blocks.block_state import Lifecycle
from m1nd.domain.blocks.candidate_edits import Seat, apply_ops
from m1nd.domain.blocks.candidate_ops import Op
from m1nd.domain.blocks.lease import STREAM as LEASE
from m1nd.domain.blocks.lease import Lease, LeaseOutcome, LeaseState
from m1nd.domain.blocks.map_head import Expected, MapHead
from m1nd.domain.blocks.proposal import Proposal, Ratification
from m1nd.domain.blocks.ratification import MapNow, check_part, selected, shown, signed_today
from m1nd.domain.blocks.seed import Seed
from m1nd.domain.blocks.signatures import Part, complete, outdated
from m1nd.domain.blocks.skeleton import SignatureEvent, Skeleton
from m1nd.domain.blocks.tree import Tree
from m1nd.domain.refusal import refuse

Transaction = Literal["created_candidate_store", "replaced_candidate_store", "wrote_candidate_revision"]


@frozen
class Proposed:
    store_version: int
    transaction: Transaction


@frozen
class Signed:
    """What one signature did. `ratified` are the blocks that it completed, `voided` the signatures that no longer hold."""

    store_version: int
    part: Part
    signed: tuple[str, ...]
    ratified: tuple[str, ...]
    voided: tuple[tuple[Part, tuple[str, ...]], ...]


class SkeletonRecords(BlockRecords):
    """Every method may raise Refused of the groups log and store."""

    # Proposals

    def record_proposal(
        self, proposal: Proposal, expected: Expected, revision_id: str, tree: Tree, command: Command
    ) -> Proposed:
        """Candidates where nothing is ratified, else a revision beside the map (reference 1.11, store transaction).

        Raises Refused(candidate_transaction | store_conflict).
        """
        done: Transaction = "created_candidate_store"

        def work() -> list[Aggregate]:
            nonlocal done
            change = self._map_change(command, tree)
            check_transaction(change.head.store_version, expected)
            if change.skeleton.ratified:
                change.skeleton.propose_revision(revision_id, proposal, command)
                done = "wrote_candidate_revision"
            else:
                how = change.skeleton.propose(proposal, command)
                done = f"{how}_candidate_store"  # type: ignore[assignment]
            return change.finish("skeleton_candidate")

        self._append(command, work)
        return Proposed(self.store_version(), done)

    def record_candidate_edit(
        self,
        ops: Sequence[Op],
        wire: Sequence[Mapping[str, Any]],
        by: Seat,
        expected: Expected,
        tree: Tree,
        command: Command,
    ) -> int:
        """Carry out a batch of edits, all or nothing; answers the new store version.

        Raises Refused(no_store | store_conflict | skeleton_not_candidate | candidate_edit_rejected | unsafe_text).
        """

        def work() -> list[Aggregate]:
            change = self._map_change(command, tree)
            change.expect(expected)
            change.skeleton.require_candidates()
            live = change.now().live
            after = apply_ops(change.skeleton.candidates, ops, by, tree.files, live)
            change.skeleton.edit(by, wire, after, command)
            if not change.skeleton.pending_events:
                return []
            return change.finish("candidate_edit")

        self._append(command, work)
        return self.store_version()

    def promote_revision(self, expected: Expected, tree: Tree, command: Command) -> tuple[str, ...]:
        """Make the revision's blocks candidates; answers their ids. Raises Refused(no_revision | store_conflict)."""
        ids: tuple[str, ...] = ()

        def work() -> list[Aggregate]:
            nonlocal ids
            change = self._map_change(command, tree)
            change.expect(expected)
            ids = change.skeleton.promote_revision(_unchanged(change), command)
            return change.finish("revision_promote")

        self._append(command, work)
        return ids

    def discard_revision(self, expected: Expected, command: Command) -> str:
        """Answers the revision's id. Raises Refused(no_revision | store_conflict)."""
        gone = ""

        def work() -> list[Aggregate]:
            nonlocal gone
            change = self._map_change(command, Tree())
            change.expect(expected)
            gone = change.skeleton.discard_revision(command)
            return change.finish("revision_discard", looked=False)

        self._append(command, work)
        return gone

    # Signatures

    def record_signature(
        self,
        part: Part,
        block_ids: Sequence[str] | None,
        expected: Expected,
        stamp: Used,
        ratification: Ratification,
        tree: Tree,
        command: Command,
    ) -> Signed:
        """One of the three signatures; what it completes is ratified in the same append (D19, D40).

        The stamp must be over what stands now. Raises Refused(human_gesture_required | store_conflict), and as `selected`
        and `check_part`.
        """

        def work() -> list[Aggregate]:
            change = self._map_change(command, tree)
            now = change.now()
            ids = selected(now, part, block_ids)
            change.expect(expected, ids)
            check_part(now, part, ids)
            what, _ = shown(now, part, ids)
            if what.digest != stamp.gesture.digest:
                refuse(
                    "store_conflict",
                    f"the {part} changed while they were shown; nothing was signed",
                    expected=stamp.gesture.digest,
                    actual=what.digest,
                )
            change.others += self._spend(stamp, command)
            stamp_id = stamp.gesture.challenge_id
            signed = change.skeleton.sign(what, stamp_id, command)
            follow = command.caused_by(signed)
            for id in ids:
                if id not in now.skeleton.candidates:
                    block = change.block(id)
                    change.sign_boundary(block, tree.baseline(now.resolution(id)), stamp_id, follow)
            _void_outdated(change, follow)
            _ratify_complete(change, ratification, stamp_id, follow)
            return change.finish("system_blocks_ratify")

        return _signed(part, self._append(command, work))

    # Seeds

    def record_seed(
        self,
        seed: Seed,
        digest: str,
        *,
        forced: bool,
        stamp: Used | None,
        tree: Tree,
        command: Command,
    ) -> int:
        """Take a seed's map; answers the store version. With a stamp its ratified blocks are ratified, else candidates.

        Raises Refused(already_present | human_gesture_required).
        """

        def work() -> list[Aggregate]:
            change = self._map_change(command, tree)
            if change.head.store_version and not forced:
                refuse(
                    "already_present",
                    f"there is a map already, at store version {change.head.store_version}; nothing was imported",
                    "m1nd blocks import FILE --force",
                    store_version=change.head.store_version,
                )
            change.others += self._spend(stamp, command)
            _import(change, seed, digest, forced, "" if stamp is None else stamp.gesture.challenge_id)
            return change.finish("system_blocks_seed_import")

        self._append(command, work)
        return self.store_version()

    def record_export(self, digest: str, path: str, command: Command) -> None:
        """Note that the map was written to a seed file; the map is as it was, and so is its version."""

        def work() -> list[Aggregate]:
            change = self._map_change(command, Tree())
            change.skeleton.note_export(digest, path, command)
            return [change.skeleton]

        self._append(command, work)

    # The lease

    def curate(
        self,
        action: Literal["acquire", "refresh", "release"],
        holder: str,
        time_to_live: timedelta,
        command: Command,
    ) -> tuple[LeaseOutcome, LeaseState]:
        """Take, prolong or give back the lease. Moves no store version. Raises Refused(lease_held | lease_lapsed)."""
        outcome: LeaseOutcome = "already_free"
        state = LeaseState("", None)

        def work() -> list[Aggregate]:
            nonlocal outcome, state
            lease = self._load(Lease, LEASE) or Lease.open(command)
            if action == "acquire":
                outcome = lease.acquire(holder, time_to_live, command)
            elif action == "refresh":
                outcome = lease.refresh(holder, time_to_live, command)
            else:
                outcome = lease.release(holder, command)
            state = lease.state
            return [lease] if outcome != "already_free" else []

        self._append(command, work)
        return outcome, state


def check_transaction(actual: int, expected: Expected) -> None:
    """The table of the candidate's store transaction (reference 1.11).

    Raises Refused(candidate_transaction | store_conflict).
    """
    given = expected.store_version
    if actual == 0 and given:
        refuse(
            "candidate_transaction",
            f"there is no store, so expected_store_version is null, not {given}; nothing was written",
            "m1nd blocks candidate",
            actual=actual,
        )
    if actual and given is None:
        refuse(
            "candidate_transaction",
            f"there is a store at version {actual}: expected_store_version must name it; nothing was written",
            f"m1nd blocks candidate --expected {actual}",
            actual=actual,
        )
    expected.check_store(actual)


def _signed(part: Part, appended: Appended) -> Signed:
    """What a signature did, read off its events: a command that is given again gets the answer of then."""
    ratified = [event.block_ids for event in appended.events if isinstance(event, Skeleton.SkeletonRatified)]
    return Signed(
        appended.last(MapHead.MapAdvanced).store_version,
        part,
        tuple(appended.last(SignatureEvent).blocks),
        tuple(id for ids in ratified for id in ids),
        tuple(
            (event.part, event.block_ids)
            for event in appended.events
            if isinstance(event, Skeleton.SignatureVoided)
        ),
    )


def _void_outdated(change: MapChange, command: Command) -> None:
    """Signatures over files that are others by now are void, and said so."""
    for part, ids in outdated(change.skeleton.signed, signed_today(change.now())):
        change.skeleton.void(part, ids, "the files changed after the signature", command)


def _ratify_complete(change: MapChange, ratification: Ratification, stamp_id: str, command: Command) -> None:
    """Make blocks of the candidates that bear all three signatures."""
    now = change.now()
    ids = complete(change.skeleton.signed, signed_today(now))
    if not ids:
        return
    event = change.skeleton.ratify(ids, ratification, command)
    follow = command.caused_by(event)
    for id in ids:
        candidate = now.skeleton.candidates[id]
        draft = candidate.draft.ratified(ratification.ratifier, command.at)
        source: Literal["session", "revision"] = "revision" if id in now.blocks else "session"
        versions = (candidate.boundary_version, candidate.contract_version)
        resolution = now.resolution(id)
        block = change.ratify(id, draft, change.tree.baseline(resolution), source, versions, stamp_id, follow)
        block.note_missing(resolution.missing, follow)


def _unchanged(change: MapChange) -> tuple[str, ...]:
    """Ids of the revision's blocks that stand ratified just so."""
    revision = change.skeleton.revision
    if revision is None:
        return ()
    return tuple(
        block.block_id
        for block in revision.blocks
        if block.block_id in change.blocks and _same(change.now(), block.block_id, block)
    )


def _same(now: MapNow, id: str, block: Any) -> bool:
    """Whether a proposed block is the live one: same files and sockets. Its guessed name and contract say nothing."""
    live = now.live.get(id)
    return live is not None and (
        live.draft.membership == block.draft.membership and live.draft.sockets == block.draft.sockets
    )


def _import(change: MapChange, seed: Seed, digest: str, forced: bool, stamp_id: str) -> None:
    """The seed's blocks as candidates; with a stamp, those that it calls ratified or archived become blocks."""
    command = change.command
    as_ratified = bool(stamp_id)
    event = change.skeleton.import_seed(
        seed.proposal,
        seed.ratification,
        digest,
        command,
        forced=forced,
        as_ratified=as_ratified,
        stamp_id=stamp_id,
    )
    if not as_ratified:
        return
    follow = command.caused_by(event)
    now = change.now()
    ids = tuple(id for id in seed.ratified if id in now.skeleton.candidates)
    ratified = change.skeleton.ratify(ids, seed.ratification, follow)
    after = command.caused_by(ratified)
    for id in ids:
        candidate = now.skeleton.candidates[id]
        resolution = now.resolution(id)
        block = change.ratify(
            id,
            candidate.draft,
            change.tree.baseline(resolution),
            "seed",
            (candidate.boundary_version, candidate.contract_version),
            stamp_id,
            after,
            with_spec=False,
        )
        block.note_missing(resolution.missing, after)
        change.bring(block, seed.receipts.get(id, ()), stamp_id, after)
        if id in seed.archived and block.lifecycle is Lifecycle.RATIFIED:
            change.archive(block, stamp_id)
