"""The invariants of BLOCKS.md over random histories of the map: a machine that proposes, signs, writes, ages and archives.

Whatever is refused must leave the log as it was; after every step the map must be in order.
"""

import tempfile
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.support.log import EDIT_RECEIPT, START, command
from tests.support.receipts import at

from m1nd.application.app import M1nd
from m1nd.application.receipt_records import Landing
from m1nd.application.stamp_records import Used
from m1nd.domain.base import Command
from m1nd.domain.blocks.block_state import BlockDraft, BlockState, CandidateBlock, Lifecycle
from m1nd.domain.blocks.candidate_ops import read_ops
from m1nd.domain.blocks.contract import Contract, Slot
from m1nd.domain.blocks.map_head import Expected, MapHead
from m1nd.domain.blocks.membership import Member
from m1nd.domain.blocks.ownership import primary_owners
from m1nd.domain.blocks.proposal import Proposal, Ratification
from m1nd.domain.blocks.ratification import check_part, selected
from m1nd.domain.blocks.ratification import shown as shown_of
from m1nd.domain.blocks.sockets import Socket, Sockets
from m1nd.domain.blocks.tree import Tree
from m1nd.domain.edit import EditPreview
from m1nd.domain.graph import FileChange, GraphChange
from m1nd.domain.planned_files import PlannedFile, WrittenFile
from m1nd.domain.receipts.evidence import read_receipt
from m1nd.domain.receipts.receipt import Receipt
from m1nd.domain.receipts.rollup import Standing, roll_up
from m1nd.domain.refusal import Refused
from m1nd.domain.stamps.gesture import Gesture, Typed, shown
from m1nd.infrastructure.log import open_app
from m1nd.infrastructure.views import open_views

IDS = ("sb_x_a_0", "sb_x_b_1", "sb_x_c_2")
FILES = tuple(f"{folder}/{name}.rs" for folder in "abc" for name in "xyz")
DRAFTS = {
    "sb_x_a_0": (("a/**", "primary"), ("b/z.rs", "shared")),
    "sb_x_b_1": (("b/**", "primary"), ("b/y.rs", "test")),
    "sb_x_c_2": (("c/*.rs", "primary"), ("c/x.rs", "docs")),
}
BLOCK = st.sampled_from(IDS)
FILE = st.sampled_from(FILES)
CONTRACT = Contract(required=(Slot(type="spec"), Slot(type="test", stales_on=("member_change",))))


def candidate(block_id: str) -> CandidateBlock:
    other = IDS[(IDS.index(block_id) + 1) % 3]
    draft = BlockDraft(
        name=block_id,
        purpose="p",
        membership=tuple(Member(path=path, role=role) for path, role in DRAFTS[block_id]),  # type: ignore[arg-type]
        sockets=Sockets(outputs=(Socket(to=other, type="calls"),)),
        contract=CONTRACT,
    )
    return CandidateBlock(block_id=block_id, draft=draft)


class Map(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.app: M1nd = open_app(self.folder.name, {})
        self.views = open_views(self.folder.name, self.app)
        self.number = 0
        self.hashes: dict[str, str] = {}
        self.edits: list[str] = []
        self.seen: dict[str, tuple[int, ...]] = {}
        self.record("ingest", {path: "1" * 64 for path in FILES if not path.endswith("z.rs")})

    def teardown(self) -> None:
        assert self.views.check() == ()
        before = self.views.digests()
        self.views.rebuild()
        assert self.views.digests() == before
        self.views.close()
        self.app.close()
        self.folder.cleanup()

    # How a test acts

    def next(self) -> Command:
        self.number += 1
        return command(self.number, minutes=self.number / 100)

    def tree(self) -> Tree:
        return Tree(dict(self.hashes), self.app.generation())

    def now(self) -> Expected:
        return Expected(self.app.store_version())

    def attempt(self, act: Callable[[], Any]) -> bool:
        """Do it; a refusal leaves the log as it was."""
        head, seen = self.app.log_head(), dict(self.hashes)
        try:
            act()
        except Refused:
            assert self.app.log_head() == head
            self.hashes = seen
            return False
        return True

    def used(self, action: str, target: str, digest: str) -> Used:
        used = Used(Gesture(action=action, target=target, digest=digest), shown(["so"]))
        self.app.challenge(used.gesture, used.shown, self.next())
        self.app.give_stamp(
            used.gesture.challenge_id, Typed(used.shown, used.gesture.typed, "tty"), self.next()
        )
        return used

    def stamped(self) -> Used:
        return self.used("archive_blocks", "x", f"{self.number:064x}")

    def change(self, kind: str, after: dict[str, str], cause: str = "") -> GraphChange:
        before = self.hashes
        return GraphChange(
            kind,  # type: ignore[arg-type]
            tuple(FileChange(path=p, sha256=h) for p, h in after.items() if p not in before),
            tuple(FileChange(path=p, before=h) for p, h in before.items() if p not in after),
            tuple(
                FileChange(path=p, sha256=h, before=before[p])
                for p, h in after.items()
                if p in before and before[p] != h
            ),
            cause=cause,
        )

    def record(self, kind: str, after: dict[str, str]) -> None:
        change = self.change(kind, after)
        if not change.is_empty:
            self.app.record_graph_change(change, self.next(), after)
        self.hashes = after

    # What may happen

    @initialize(ratified=st.booleans())
    def begin(self, ratified: bool) -> None:
        if ratified:
            self.propose()
            self.ratify_all()

    @rule()
    def propose(self) -> None:
        proposal = Proposal(skeleton_id="sk_x_candidate", blocks=tuple(map(candidate, IDS)), repo_id="x")
        expected = self.now() if self.app.store_version() else Expected()
        self.attempt(
            lambda: self.app.record_proposal(
                proposal, expected, f"rev_{self.number}", self.tree(), self.next()
            )
        )

    @rule()
    def promote(self) -> None:
        self.attempt(lambda: self.app.promote_revision(self.now(), self.tree(), self.next()))

    @rule(block=BLOCK, path=FILE, kind=st.sampled_from(["rename", "move", "merge", "assign", "role"]))
    def edit_candidates(self, block: str, path: str, kind: str) -> None:
        other = IDS[(IDS.index(block) + 1) % 3]
        op = {
            "rename": {"op": "rename", "block_id": block, "name": f"n{self.number}"},
            "move": {"op": "move_member", "path": path, "from": block, "to": other},
            "merge": {"op": "merge", "into": block, "block_ids": [other]},
            "assign": {"op": "assign_unmapped", "path": path, "block_id": block},
            "role": {"op": "set_role", "block_id": block, "path": path, "role": "shared"},
        }[kind]
        ops = read_ops([op])
        self.attempt(
            lambda: self.app.record_candidate_edit(ops, [op], "owner", self.now(), self.tree(), self.next())
        )

    @rule(part=st.sampled_from(["names", "boundaries", "contract"]), block=st.none() | BLOCK)
    def sign(self, part: Any, block: str | None) -> None:
        now = self.app.map_now(self.tree())
        if now is None:
            return
        ids = None if block is None else [block]
        try:
            chosen = selected(now, part, ids)
            check_part(now, part, chosen)
        except Refused:
            return
        what, _ = shown_of(now, part, chosen)
        used = self.used(f"sign_{part}", "sk_x_candidate", what.digest)
        record = Ratification(method="session", ratifier="ada", ratified_at=START.isoformat())
        assert self.attempt(
            lambda: self.app.record_signature(part, ids, self.now(), used, record, self.tree(), self.next())
        )

    @rule()
    def ratify_all(self) -> None:
        for part in ("names", "boundaries", "contract"):
            self.sign(part, None)

    @rule(path=FILE, byte=st.sampled_from("0123"))
    def write_outside(self, path: str, byte: str) -> None:
        self.record("ingest", {**self.hashes, path: byte * 64})

    @rule(path=FILE)
    def remove_outside(self, path: str) -> None:
        self.record("ingest", {p: h for p, h in self.hashes.items() if p != path})

    @rule(path=FILE, byte=st.sampled_from(["4", "5", ""]))
    def write_by_us(self, path: str, byte: str) -> None:
        if not byte and path not in self.hashes or self.hashes.get(path) == byte * 64:
            return
        after = {p: h for p, h in self.hashes.items() if p != path} | ({path: byte * 64} if byte else {})
        id = f"{self.number + 1:08x}"
        file = {"file_path": path, "after_hash": byte * 64}
        before = self.hashes.get(path, "")
        plan = EditPreview(
            preview_id=f"edp_{id}",
            agent_id="ada",
            files=(PlannedFile(**file, base_hash=before),),
            plan_digest="d" * 64,
            graph_generation=1,
            expires_at=START.replace(hour=23),
        )
        self.app.record_edit_preview(plan, self.next())
        written = (WrittenFile(**file, before_hash=before),)
        self.app.record_edit_commit(
            f"edp_{id}",
            agent_id="ada",
            receipt=dict(EDIT_RECEIPT),
            files=written,
            journal_id=f"jrn_{id}",
            change=self.change("edit", after, f"edt_{id}"),
            command=self.next(),
            hashes=self.hashes,
        )
        self.check_edit_receipt(f"edt_{id}", path)
        self.hashes = after

    def check_edit_receipt(self, id: str, path: str) -> None:
        """The receipt names just the blocks whose boundary the write raised."""
        state = self.app.edit(id)
        assert state is not None and state.receipt is not None
        named = {row["block_id"]: row["to"] for row in state.receipt["blocks_touched"]}
        for block in self.blocks():
            if block.block_id in named:
                assert block.boundary_version == named[block.block_id]
            elif block.is_live:
                assert path not in {member.path for member in block.baseline.members}

    @rule()
    def reconcile(self) -> None:
        self.attempt(lambda: self.app.record_reconcile(self.now(), self.tree(), self.next()))

    @rule(block=BLOCK, path=FILE, role=st.sampled_from(["primary", "shared", "test"]))
    def amend(self, block: str, path: str, role: Any) -> None:
        state = self.app.block(block)
        if state is None:
            return
        membership = (*state.membership, Member(path=path, role=role))
        self.attempt(
            lambda: self.app.record_boundary(block, membership, self.now(), self.tree(), self.next())
        )

    @rule(block=BLOCK)
    def archive(self, block: str) -> None:
        stamp = self.stamped()
        self.attempt(lambda: self.app.record_archive([block], self.now(), stamp, self.tree(), self.next()))

    @rule(block=BLOCK)
    def restore(self, block: str) -> None:
        stamp = self.stamped()
        self.attempt(lambda: self.app.record_restore([block], self.now(), stamp, self.tree(), self.next()))

    @rule(block=BLOCK)
    def delete(self, block: str) -> None:
        stamp = self.stamped()
        self.attempt(lambda: self.app.record_delete(block, self.now(), stamp, (), self.tree(), self.next()))

    @rule(block=BLOCK, status=st.sampled_from([0, 0, 1]))
    def earn(self, block: str, status: int) -> None:
        state = self.app.block(block)
        if state is None:
            return
        scope = state.scope
        body = read_receipt(
            {
                "type": "test",
                "emitter": {"kind": "ci", "id": "ci"},
                "scope": {
                    "block_id": scope.block_id,
                    "boundary_version": scope.boundary_version,
                    "contract_version": scope.contract_version,
                    "resolution_hash": scope.resolution_hash,
                },
                "evidence": {
                    "command": "cargo test",
                    "cwd": ".",
                    "exit_status": status,
                    "started_at": at(-2),
                    "ended_at": at(-1),
                    "artifact_hash": f"{self.number:064x}",
                    "evidence_refs": ["ci:1"],
                },
                "validity": {"expires_on": None, "stales_on": []},
            }
        )
        self.attempt(lambda: self.app.import_receipt(body, Landing(landed_by="ci"), self.next()))

    @rule(block=BLOCK)
    def act_on_an_old_map(self, block: str) -> None:
        """Of two commands that rest on one version, the second is refused (invariant 7)."""
        old, tree = self.now(), self.tree()
        first = self.attempt(lambda: self.app.record_drift(block, old, tree, self.next(), dismiss="known"))
        if first:
            assert not self.attempt(lambda: self.app.record_reconcile(old, tree, self.next()))

    # What must hold

    def blocks(self) -> list[BlockState]:
        skeleton = self.app.skeleton()
        found = (self.app.block(id) for id in (skeleton.ratified if skeleton else ()))
        return [block for block in found if block is not None]

    @invariant()
    def no_live_receipt_has_another_scope_than_its_block(self) -> None:
        for block in self.blocks():
            for id in block.receipts:
                receipt = self.app.receipt(id)
                assert receipt is not None
                if receipt.is_live:
                    assert receipt.body.scope.block_scope == block.scope

    @invariant()
    def no_version_ever_decreases(self) -> None:
        for block in self.blocks():
            versions = (block.boundary_version, block.contract_version)
            before = self.seen.get(block.block_id, versions)
            assert all(new >= old for new, old in zip(versions, before, strict=True))
            self.seen[block.block_id] = versions
        store = (self.app.store_version(), self.app.generation())
        assert all(new >= old for new, old in zip(store, self.seen.get("", store), strict=True))
        self.seen[""] = store

    @invariant()
    def a_file_has_one_live_primary_owner_and_archived_blocks_have_none(self) -> None:
        live = [block for block in self.blocks() if block.is_live]
        primary = [m.path for b in live for m in b.baseline.members if m.role == "primary"]
        assert len(primary) == len(set(primary))
        now = self.app.map_now(self.tree())
        if now is not None:
            assert now.owners == primary_owners((b.block_id, b.baseline.members) for b in live)
            residue = self.tree().residue(now.settled.owned)
            assert residue.owned + residue.unmapped_total == residue.scanned == len(self.hashes)

    @invariant()
    def evidence_backed_means_a_live_passing_receipt_of_each_required_type(self) -> None:
        outcomes = self.views.live_outcomes(START.replace(hour=13))
        for block in self.blocks():
            if not block.is_live:
                assert block.lifecycle is Lifecycle.TOMBSTONED or not block.receipts
                continue
            rolled = roll_up(
                block.contract.required_types, outcomes.get(block.block_id, {}), block.broken_sockets
            )
            if rolled.standing is Standing.EVIDENCE_BACKED:
                passing = {
                    receipt.body.type
                    for id in block.receipts
                    if (receipt := self.app.receipt(id))
                    and receipt.is_live
                    and receipt.body.outcome == "pass"
                }
                assert set(block.contract.required_types) <= passing

    @invariant()
    def every_staled_receipt_names_an_earlier_cause(self) -> None:
        positions: dict[str, int] = {}
        for row in self.app.log.rows():
            event = self.app.event_of(row)
            if isinstance(event, Receipt.ReceiptStaled):
                assert positions[event.cause] < row.position
            positions[event.event_id] = row.position

    @invariant()
    def the_view_tells_what_the_streams_tell(self) -> None:
        rows = self.views.blocks_map()
        skeleton = self.app.skeleton()
        if rows is None or skeleton is None:
            return
        assert rows.store_version == self.app.store_version()
        assert {c.block_id: c for c in rows.candidates} == skeleton.candidates
        assert rows.signed == skeleton.signed
        assert (rows.skeleton.stage, rows.skeleton.version) == (skeleton.stage, skeleton.version)
        for row, block in zip(rows.blocks, self.blocks(), strict=True):
            assert (row.block_id, row.draft, row.lifecycle) == (
                block.block_id,
                block.draft,
                block.lifecycle,
            )
            assert (row.boundary_version, row.contract_version, row.boundary_signed, row.version) == (
                block.boundary_version,
                block.contract_version,
                block.boundary_signed,
                block.version,
            )
            assert (row.members, row.resolution_hash) == (
                block.baseline.members,
                block.baseline.resolution_hash,
            )
            assert (row.drift, row.missing) == (block.drift, block.missing)
            assert tuple(row.broken_sockets) == block.broken_sockets

    @invariant()
    def store_version_is_a_count_without_gaps(self) -> None:
        counts = [
            event.store_version
            for event in map(self.app.event_of, self.app.log.rows())
            if isinstance(event, MapHead.MapAdvanced)
        ]
        assert counts == list(range(1, len(counts) + 1))


Map.TestCase.settings = settings(
    max_examples=12,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TestMap = Map.TestCase
