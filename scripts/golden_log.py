"""Writes the golden files of the log: the list of topics, this version's log, and what its views fold to.

One command, `python scripts/golden_log.py`. Ids and times are fixed, so a second run gives the same bytes. Logs of earlier
versions are never written again: every later version must read them as they are. `--into DIR` writes elsewhere.
"""

import argparse
import json
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from m1nd import __version__
from m1nd.application.app import M1nd
from m1nd.application.audit import export
from m1nd.application.receipt_records import Landing
from m1nd.application.stamp_records import Used
from m1nd.domain import refusals
from m1nd.domain.base import Actor, Command
from m1nd.domain.blocks.block_state import Baseline, BlockDraft, CandidateBlock, CandidateMeta, Drift
from m1nd.domain.blocks.contract import Contract, Slot, Waived
from m1nd.domain.blocks.layout import Layout, first_layout
from m1nd.domain.blocks.lease import Lease
from m1nd.domain.blocks.map_head import MapHead
from m1nd.domain.blocks.membership import Member, ResolvedMember
from m1nd.domain.blocks.proposal import Proposal, Ratification
from m1nd.domain.blocks.residue import Residue
from m1nd.domain.blocks.signatures import PARTS, Shown
from m1nd.domain.blocks.skeleton import Skeleton
from m1nd.domain.blocks.sockets import Socket, Sockets
from m1nd.domain.blocks.system_block import SystemBlock
from m1nd.domain.digests import sha256
from m1nd.domain.edit import RECEIPT_FIELDS as EDIT_RECEIPT_FIELDS
from m1nd.domain.edit import EditPreview
from m1nd.domain.events import EVENT_KINDS
from m1nd.domain.graph import GraphChange
from m1nd.domain.memory.anchors import Anchor
from m1nd.domain.memory.antibodies import AntibodyFields, Pattern, PatternNode
from m1nd.domain.memory.claim_state import ClaimFields, Marker, State
from m1nd.domain.memory.paint import PaintedNode, PaintState, Survey, TaggedNode
from m1nd.domain.missions.candidate import Candidate
from m1nd.domain.missions.delegation import Delegation, Foreseen
from m1nd.domain.missions.gate import Evidence, GateReport, MissionScope, candidate_of_gate
from m1nd.domain.missions.mission import Mission
from m1nd.domain.missions.runners import MissionPacket, MissionPolicy
from m1nd.domain.planned_files import PlannedFile, WrittenFile
from m1nd.domain.receipts import evidence as receipt_values
from m1nd.domain.refusal import Refusal
from m1nd.domain.stamps.gesture import Gesture, Typed, shown
from m1nd.domain.symbol_move import SymbolMove
from m1nd.domain.symbols import Address, first_sight_id
from m1nd.domain.tokens import Presented
from m1nd.domain.transplant import RECEIPT_FIELDS, MoveRequest, Preview, preview_id
from m1nd.infrastructure.log import open_app
from m1nd.infrastructure.views import open_views

REPOSITORY = Path(__file__).resolve().parents[1]
START = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
OWNER = Actor(kind="owner", id="ada", session="s-1")
AGENT = Actor(kind="agent", id="agent-7", session="s-2")
CRITIC = Actor(kind="agent", id="agent-8")
RIG = Actor(kind="runner", id="rig-1")
CLOCK = Actor(kind="system", id="clock")

FROM = Address(kind="fn", module="harbour::tide", name="height")
TO = Address(kind="fn", module="harbour::moon", name="height")
OTHER = Address(kind="struct", module="harbour::quay", name="Berth", ordinal=1)
RENAMED = Address(kind="struct", module="harbour::quay", name="Mooring", ordinal=1)
SYMBOL = first_sight_id(FROM)


class Story:
    """Every event that this version can write, through the application's own methods."""

    def __init__(self, app: M1nd) -> None:
        self.app = app
        self.step = 0

    def command(self, verb: str, actor: Actor = OWNER) -> Command:
        self.step += 1
        at = START + timedelta(seconds=self.step, microseconds=7 * self.step)
        return Command.of(verb, {"step": self.step}, id=f"golden-{self.step:03}", at=at, actor=actor)

    def tell(self) -> None:
        self.ingest()
        self.move("000000000001")
        self.app.record_rollback(
            "tra_000000000001",
            restored=[WrittenFile(file_path="src/tide.rs", before_hash="b" * 64, after_hash="a" * 64)],
            journal_id="undo_000000000001",
            change=self.change("rollback", "tra_000000000001"),
            moves=[SymbolMove(symbol_id=SYMBOL, source=TO, target=FROM)],
            command=self.command("transplant_undo"),
        )
        self.move("000000000002")
        self.preview("000000000003")
        self.app.discard(preview_id("000000000003"), self.command("transplant_discard"))
        self.preview("000000000004")
        late = START + timedelta(hours=1)
        self.app.expire([preview_id("000000000004")], late, self.command("expire"))
        self.outside()
        self.edits()
        self.blocks()
        self.remember()
        self.missions()
        self.stamps()
        self.receipts()
        self.refuse()
        for signature in ("full_trust|bell:0|coh:none|recv:match", "full_trust|bell:2|coh:none|recv:match"):
            self.app.record_card_shown("s-2", signature, self.command("card_shown", AGENT))

    def ingest(self) -> None:
        files = [{"path": path, "sha256": "a" * 64} for path in ("src/lib.rs", "src/moon.rs", "src/tide.rs")]
        counts = {"files": 3, "modules": 3, "items": 9, "edges": 12, "unresolved": 1}
        self.app.record_graph_change(
            GraphChange.of("ingest", {"added": files}, counts), self.command("ingest")
        )

    def change(self, kind: str, cause: str) -> GraphChange:
        files = {"changed": [{"path": "src/tide.rs", "sha256": "b" * 64, "before": "a" * 64}]}
        return GraphChange.of(kind, files, {"files": 3, "items": 9}, cause)  # type: ignore[arg-type]

    def preview(self, digits: str) -> Preview:
        plan = Preview(
            preview_id=preview_id(digits),
            agent_id=AGENT.id,
            request=MoveRequest(
                symbol="harbour::tide::height",
                source_file="src/tide.rs",
                dest_file="src/moon.rs",
                symbol_id=SYMBOL,
            ),
            candidate={"moved_symbol": "height", "files_changed": ["src/tide.rs"], "refs_rewritten": 2},
            files=(
                PlannedFile(
                    file_path="src/tide.rs",
                    base_hash="a" * 64,
                    after_hash="b" * 64,
                    lines_added=1,
                    lines_removed=9,
                ),
            ),
            plan_digest="c" * 64,
            graph_generation=self.app.generation(),
            expires_at=START + timedelta(minutes=30),
            verification={"mode": "check"},
            protected_zone={"zone": "src/tide.rs", "zone_reason": "hand-tuned"}
            if digits.endswith("3")
            else None,
        )
        self.app.record_preview(plan, self.command("transplant_preview", AGENT))
        return plan

    def move(self, digits: str) -> None:
        plan = self.preview(digits)
        receipt = dict.fromkeys(RECEIPT_FIELDS) | {
            "moved_symbol": "height",
            "refs_rewritten": 2,
            "elapsed_ms": 1.5,
            "rustfmt": "applied – ünïcode",
        }
        self.app.record_commit(
            plan.preview_id,
            agent_id=AGENT.id,
            receipt=receipt,
            files=[WrittenFile(file_path="src/tide.rs", before_hash="a" * 64, after_hash="b" * 64)],
            journal_id=f"tra_{digits}",
            change=self.change("transplant", f"tra_{digits}"),
            moves=[SymbolMove(symbol_id=SYMBOL, source=FROM, target=TO)],
            command=self.command("transplant_commit", AGENT),
        )

    def blocks(self) -> None:
        command = self.command("system_blocks_ratify")
        head = MapHead.open(command)
        head.advance(
            "system_blocks_ratify",
            command,
            Residue(generation=1, scanned=3, owned=2, unmapped_total=1, unmapped=("src/lib.rs",)),
        )
        block = SystemBlock.open("sb_harbour_tides_0123abcd", command)
        tide = ResolvedMember(path="src/tide.rs", role="primary")
        moon = ResolvedMember(path="src/moon.rs", role="shared")
        baseline = Baseline(members=(tide,), content_hash="a" * 64, generation=1)
        draft = BlockDraft(
            name="Tides",
            purpose="Heights of the water.",
            membership=(
                Member(path="src/tide.rs", role="primary"),
                Member(path="tests/*.rs", role="test", optional=True),
            ),
            sockets=Sockets(
                outputs=(Socket(to="sb_harbour_quay_00000000", type="calls"),),
                external=(Socket(klass="package_registry", alias="crates"),),
            ),
            contract=Contract(
                required=(Slot(type="spec", stales_on=("contract_change",)),),
                waived=(Waived(type="runtime", reason="no signal"),),
            ),
            layout=first_layout("sb_harbour_tides_0123abcd"),
        )
        block.ratify(draft, baseline, "session", command, stamp_id="stp_1")
        block.register_receipt("rcp_1", "spec", command)
        block.bump_boundary("transplant", baseline.after((moon,), (), "b" * 64, 2), command)
        block.bump_contract(Contract(waiver="not yet"), "trial", "stp_2", command)
        block.register_receipt("rcp_2", "test", command)
        block.change_content(("src/tide.rs",), "c" * 64, 3, ("rcp_2",), command)
        block.note_missing(("src/tide.rs",), command)
        block.detect_drift(Drift(added=("src/ebb.rs",)), 4, command)
        block.snooze_drift(START + timedelta(days=7), command)
        block.dismiss_drift("on purpose", command)
        block.watch_sockets((), command)
        block.watch_sockets(("sb_harbour_quay_00000000",), command)
        block.amend_sockets(Sockets(), command)
        block.pin_layout(Layout(x=1, y=2, locked=True), command)
        block.archive("stp_3", command)
        block.restore(("src/moon.rs",), "stp_4", command)
        block.archive("stp_5", command)
        block.tombstone("stp_6", command)
        self.app.save(head, self.skeleton(draft), block, self.lease())

    def skeleton(self, draft: BlockDraft) -> Skeleton:
        """A map that is proposed, replaced, edited, signed, ratified, revised, imported and exported."""
        command = self.command("system_blocks_ratify")
        guessed = draft.model_copy(
            update={"candidate_meta": CandidateMeta(named_by="heuristic", needs_owner_naming=True)}
        )
        one = CandidateBlock(block_id="sb_harbour_tides_0123abcd", draft=guessed)
        two = CandidateBlock(block_id="sb_harbour_quay_00000000", draft=draft, boundary_version=2)
        proposal = Proposal(
            skeleton_id="sk_harbour_candidate",
            blocks=(one, two),
            repo_id="harbour",
            report={"block_count": 2},
        )
        record = Ratification(method="session", ratifier="ada", ratified_at=START.isoformat())
        skeleton = Skeleton.open(command)
        skeleton.propose(proposal, command)
        skeleton.propose(proposal, command)
        shown = {part: Shown(part, {one.block_id: "e" * 64, two.block_id: "f" * 64}) for part in PARTS}
        skeleton.sign(shown["names"], "stp_7", command)
        named = CandidateBlock(block_id=one.block_id, draft=draft)
        ops = [{"op": "rename", "block_id": one.block_id, "name": "Tides"}]
        skeleton.edit("owner", ops, {one.block_id: named, two.block_id: two}, command)
        for part in PARTS:
            skeleton.sign(shown[part], "stp_8", command)
        skeleton.ratify([one.block_id], record, command)
        for ending in ("promoted", "discarded"):
            skeleton.propose_revision(f"rev_{ending}", proposal, command)
            if ending == "promoted":
                skeleton.promote_revision([one.block_id], command)
            else:
                skeleton.discard_revision(command)
        skeleton.import_seed(proposal, record, "d" * 64, command, forced=True, as_ratified=False)
        skeleton.note_export("d" * 64, "docs/system-blocks/harbour.seed.v0.json", command)
        return skeleton

    def lease(self) -> Lease:
        command, patience = self.command("candidate_lease", AGENT), timedelta(minutes=15)
        lease = Lease.open(command)
        lease.acquire(AGENT.id, patience, command)
        lease.refresh(AGENT.id, patience, command)
        lease.release(AGENT.id, command)
        lease.acquire(AGENT.id, timedelta(0), command)
        lease.acquire(OWNER.id, patience, command)
        return lease

    def missions(self) -> None:
        """Three missions, by which every event of a mission is said."""
        scope = MissionScope(
            block_id="sb_harbour_tides", boundary_version=3, contract_version=2, resolution_hash="c" * 64
        )
        gate = GateReport(
            command="cargo test",
            exit_status=0,
            started_at="2026-01-02T03:04:05Z",
            ended_at="2026-01-02T03:05:05.250Z",
            artifact_hash="a" * 64,
            stdout_excerpt="9 passed",
        )
        for ending in ("landed", "archived", "failed", "red", "cancelled"):
            self.app.save(self.mission(ending, scope, gate))
        self.delegations(scope)

    def delegations(self, scope: MissionScope) -> None:
        """A debrief with evidence whose candidate lands, one without, and a candidate that is dropped."""
        foreseen = Foreseen(in_scope=("src/tide.rs",), dependent_contact=("src/moon.rs",))
        candidates = []
        for digits, kind in (("000000000001", "review"), ("000000000002", "")):
            command = self.command("delegate", AGENT)
            until = START + timedelta(hours=24)
            delegation = Delegation.issue(
                f"dlg_{digits}",
                "Round – the heights.",
                "e" * 64,
                scope.block_id,
                scope,
                foreseen,
                3,
                until,
                command,
            )
            evidence = {"artifact_hash": "b" * 64, "evidence_refs": ["review/1"]} if kind else None
            answer = self.command("debrief", CRITIC)
            composed = []
            if evidence is not None:
                composed.append(self.candidate("review", scope, evidence, f"dlg_{digits}", answer))
            ids = [each.candidate_id for each in composed]
            touched = ("src/tide.rs", "src/quay.rs")
            delegation.debrief("partial", touched, ("it rounds",), evidence, "".join(ids), answer)
            self.app.save(delegation, *composed)
            candidates += composed
        handoff = {"artifact_hash": "f" * 64, "evidence_refs": ["docs/soul.md"]}
        dropped = self.candidate("handoff", scope, handoff, "docs/soul.md", self.command("soul_check"))
        self.app.save(dropped)
        candidates[0].land("rcp_golden_review", "stp_9", self.command("mission_land"))
        dropped.drop("stp_10", "not now", self.command("mission_archive"))
        self.app.save(*candidates, dropped)

    def candidate(
        self, kind: str, scope: MissionScope, evidence: dict[str, Any], source: str, command: Command
    ) -> Candidate:
        candidate = {
            "type": kind,
            "emitter": {"kind": "verb", "id": "debrief" if kind == "review" else "soul_check"},
            "scope": scope.model_dump(),
            "evidence": evidence,
            "validity": {"expires_on": None, "stales_on": ["member_change"]},
        }
        return Candidate.compose(candidate, "debrief" if kind == "review" else "soul_check", source, command)

    def mission(self, ending: str, scope: MissionScope, gate: GateReport) -> Mission:
        digits = sha256(ending.encode())[:12]
        id, execution = f"msn_{digits}", f"exe_{digits}"
        packet = MissionPacket(source_block=scope.block_id, message=f"Round the heights – {ending}.")
        revised = packet.model_copy(update={"message": "Round them down."})

        def as_(actor: Actor) -> Command:
            return self.command("mission_post", actor)

        mission = Mission.open(id, packet, MissionPolicy(), "harbour", "", as_(AGENT))
        mission.judge("CHANGE", "which way?", "", as_(CRITIC))
        mission.revise(revised, as_(AGENT))
        mission.judge("APPROVE", "clear", "", as_(CRITIC))
        mission.dispatch(execution, RIG.id, scope, 9, 1, None, as_(AGENT))
        mission.start(execution, as_(RIG))
        mission.stall(START + timedelta(hours=1), as_(CLOCK))
        mission.beat(execution, "half way", as_(RIG))
        if ending == "failed":
            mission.fail("no luck", "b" * 64, as_(RIG))
        if ending == "cancelled":
            mission.cancel("enough", as_(OWNER))
        if ending in ("failed", "cancelled"):
            return mission
        mission.ask(execution, "up or down?", as_(RIG))
        mission.reply("down", as_(AGENT))
        moved = Evidence(kind="transplant", ref="tra_000000000002", digest="d" * 64, summary="height")
        mission.attach(moved, scope, 10, as_(RIG))
        mission.land_output(execution, 0, "a" * 64, "one file", as_(RIG))
        mission.request_debrief(as_(OWNER))
        mission.debrief("as asked", "nothing else", as_(RIG))
        mission.open_gate(execution, as_(RIG))
        if ending == "red":
            mission.report_gate(execution, gate.model_copy(update={"exit_status": 101}), as_(RIG))
            return mission
        mission.report_gate(execution, gate, as_(RIG))
        mission.ask_review(as_(AGENT))
        mission.review("APPROVE", "reads well", as_(CRITIC))
        emitter = {"kind": "runnerd", "id": RIG.id}
        candidate = candidate_of_gate(id, scope, gate, emitter, (moved,), ("member_change",))
        shown = mission.wait(candidate, as_(CRITIC))
        if ending == "archived":
            mission.archive("stp_7", "too late", 4, as_(OWNER))
        else:
            mission.land(shown, "rcp_golden", "stp_8", OWNER.id, 12, as_(OWNER))
        return mission

    def edits(self) -> None:
        self.edit("000000000005")
        self.app.record_edit_rollback(
            "edt_000000000005",
            restored=[WrittenFile(file_path="src/tide.rs", before_hash="b" * 64, after_hash="a" * 64)],
            journal_id="undo_jrn_000000000005",
            change=self.change("rollback", "edt_000000000005"),
            command=self.command("transplant_undo"),
        )
        self.edit("000000000006")
        self.edit_preview("000000000007")
        self.app.discard_edit("edp_000000000007", self.command("edit_discard"))
        self.edit_preview("000000000008")
        self.app.expire(["edp_000000000008"], START + timedelta(hours=1), self.command("expire"))

    def edit_preview(self, digits: str) -> None:
        plan = EditPreview(
            preview_id=f"edp_{digits}",
            agent_id=AGENT.id,
            files=(
                PlannedFile(
                    file_path="src/tide.rs",
                    base_hash="a" * 64,
                    after_hash="b" * 64,
                    lines_added=2,
                    lines_removed=1,
                ),
            ),
            plan_digest="e" * 64,
            graph_generation=self.app.generation(),
            expires_at=START + timedelta(minutes=30),
            allow_protected="agreed with Ada" if digits.endswith("7") else "",
        )
        self.app.record_edit_preview(plan, self.command("edit_preview", AGENT))

    def edit(self, digits: str, stamp: Used | None = None) -> None:
        self.edit_preview(digits)
        receipt = dict.fromkeys(EDIT_RECEIPT_FIELDS) | {"files_changed": ["src/tide.rs"], "lines_added": 2}
        self.app.record_edit_commit(
            f"edp_{digits}",
            agent_id=AGENT.id,
            receipt=receipt,
            files=[WrittenFile(file_path="src/tide.rs", before_hash="a" * 64, after_hash="b" * 64)],
            journal_id=f"jrn_{digits}",
            change=self.change("edit", f"edt_{digits}"),
            command=self.command("edit_commit", AGENT),
            stamp=stamp,
        )

    def stamps(self) -> None:
        """One stamp that is used up by the edit it lets through, one that is never given."""
        used = Used(
            Gesture(action="cross_protected_zone", target="edp_000000000009", digest="e" * 64),
            shown(["zone `src/tide.rs` (hand-tuned): src/tide.rs", "reason: agreed with Ada"]),
        )
        self.app.challenge(used.gesture, used.shown, self.command("stamp_challenge", AGENT))
        self.app.give_stamp(
            used.gesture.challenge_id, Typed(used.shown, "e" * 8, "pts/1"), self.command("stamp")
        )
        self.edit("000000000009", used)
        token = Used(Gesture(action="create_token", target="ci", digest="1" * 64), shown(["a token for ci"]))
        self.app.challenge(token.gesture, token.shown, self.command("stamp_challenge"))
        self.app.give_stamp(
            token.gesture.challenge_id, Typed(token.shown, "1" * 8, "pts/1"), self.command("stamp")
        )
        presented = Presented("ci", "00000009", "9" * 40)
        self.app.record_token(presented, "the build farm", token, self.command("token_create"))
        self.app.revoke_token(presented.id, self.command("token_revoke"))
        self.app.change_setting("verify.agents", "none", self.command("config_set"))
        left = Gesture(action="archive_block", target="sb_harbour_quay", digest="f" * 64)
        challenge = self.command("stamp_challenge", AGENT)
        self.app.challenge(left, shown(["the quay"]), challenge)
        late = Command.of(
            "stamps_expire", {}, id="golden-late", at=challenge.at + timedelta(hours=1), actor=OWNER
        )
        self.app.expire_stamps([left.challenge_id], late)

    def receipts(self) -> None:
        """A receipt for each way to end, on a block of its own."""
        made = self.command("system_blocks_ratify")
        head, block = self.app._map(made), SystemBlock.open("sb_harbour_quay_00000001", made)
        head.advance("system_blocks_ratify", made)
        slots = (Slot(type="spec"), Slot(type="test", stales_on=("member_change",)))
        draft = BlockDraft(name="Quay", purpose="", contract=Contract(required=slots))
        tide = ResolvedMember(path="src/tide.rs", role="primary")
        baseline = Baseline(members=(tide,), content_hash="a" * 64, generation=1)
        block.ratify(draft, baseline, "session", made)
        self.app.save(head, block, *self.app._earn_spec(block, ["stamp:stp_1"], "stp_1", made))
        first = self.evidence(1)
        self.evidence(2)
        due = self.evidence(3, "2026-01-02T03:00:00Z")
        self.app.expire_receipts([due], self.command("receipt_recompute"))
        last = self.evidence(4)
        withdraw = Used(Gesture(action="withdraw_receipt", target=last, digest="2" * 64), shown([first]))
        self.app.challenge(withdraw.gesture, withdraw.shown, self.command("stamp_challenge"))
        self.app.give_stamp(
            withdraw.gesture.challenge_id, Typed(withdraw.shown, "2" * 8, "pts/1"), self.command("stamp")
        )
        self.app.withdraw_receipt(last, "the artifact is gone", withdraw, self.command("receipt_withdraw"))
        self.evidence(5)
        bumped = self.command("system_blocks_reconcile")
        block = self.app._block("sb_harbour_quay_00000001")
        known = block.state.receipts
        cause = block.bump_boundary("reconcile", baseline, bumped)
        staled = self.app._stale_receipts(known, "boundary", cause, block.state.scope, bumped)
        self.app.save(block, *staled)

    def evidence(self, second: int, expires_on: str | None = None) -> str:
        block = self.app.block("sb_harbour_quay_00000001")
        assert block is not None
        body = receipt_values.ReceiptBody(
            type="test",
            emitter=receipt_values.Emitter(kind="ci", id="nightly"),
            scope=receipt_values.Scope.of(block.scope),
            evidence=receipt_values.Evidence(
                command="cargo test",
                cwd=".",
                exit_status=second % 2,
                started_at="2026-01-02T02:00:00Z",
                ended_at=f"2026-01-02T02:30:00.{second}Z",
                artifact_hash="b" * 64,
                stdout_excerpt="ünïcode",
                evidence_refs=("https://ci.example/run/7",),
            ),
            validity=receipt_values.Validity(expires_on=expires_on),
        )
        landing = Landing("token 00000009")
        return self.app.import_receipt(body, landing, self.command("receipt_import")).receipt_id

    def outside(self) -> None:
        move = SymbolMove(symbol_id=first_sight_id(OTHER), source=OTHER, target=RENAMED)
        self.app.record_rematched(move, "same body", self.command("ingest"))
        self.app.record_lost(move.symbol_id, RENAMED, "nothing alike", self.command("ingest"))

    def claim(self, digits: str, supersedes: str = "", confidence: float | None = 0.5) -> ClaimFields:
        return ClaimFields(
            claim_id=f"clm_{digits}",
            label="tide height",
            claim="Heights are in centimetres – ünïcode",
            state=State.AUTHORED,
            confidence=confidence,
            evidence=(
                Anchor(
                    kind="symbol",
                    symbol_id=SYMBOL,
                    path="src/tide.rs",
                    place=FROM,
                    label="harbour::tide::height",
                    sha256="a" * 64,
                    loose="b" * 64,
                ),
                Anchor(kind="file", path="README.md", sha256="c" * 64),
            ),
            markers=(Marker(glyph="⟁", kind="depends_on", value="moon"),),
            supersedes=supersedes,
            source_agent=AGENT.id,
        )

    def remember(self) -> None:
        self.app.record_claim(self.claim("000000000001"), self.command("memorize", AGENT))
        better = self.claim("000000000002", "clm_000000000001", 0.75)
        self.app.record_claim(better, self.command("memorize", AGENT))
        node = PaintedNode(symbol_id=SYMBOL, place=FROM, tag=PaintState.BEDROCK, reason="a test reaches it")
        survey = Survey("src", 3, {PaintState.BEDROCK: 1, PaintState.UNPROVEN: 2}, (node,))
        self.app.record_paint(survey, 0, self.command("xray_paint", AGENT))
        tagged = [TaggedNode(symbol_id=SYMBOL, place=FROM)]
        self.app.record_retag("add", ("hot",), "harbour", tagged, 1, self.command("xray_retag", AGENT))
        for digits in ("000000000001", "000000000002"):
            self.antibody(f"anb_{digits}")
        self.app.disable_antibody("anb_000000000001", self.command("antibody_disable"))
        self.app.enable_antibody("anb_000000000001", self.command("antibody_enable"))
        self.app.delete_antibody("anb_000000000002", self.command("antibody_delete"))

    def antibody(self, id: str) -> None:
        taker = PatternNode(role="taker", node_type="fn", text_contains="unwrap()")
        pattern = Pattern(nodes=(taker, PatternNode(role="test", required_tags=("hot",))))
        fields = AntibodyFields(
            antibody_id=id,
            name="unwrap in a hot path",
            pattern=pattern,
            specificity=pattern.specificity,
            created_by=AGENT.id,
        )
        self.app.record_antibody(fields, self.command("antibody_create", AGENT))

    def refuse(self) -> None:
        with patch.object(refusals, "DAILY_LIMIT", 4):
            for verb in ("transplant_preview", "search", "search"):
                self.app.record_refusal(
                    Refusal("same_file", "source and destination are the same file"),
                    verb=verb,
                    request_digest="d" * 64,
                    command=self.command(verb, AGENT),
                    field="dest_file",
                )


def views_of(app: M1nd, folder: Path) -> str:
    """The digests of every table that the log folds to, as text."""
    views = open_views(str(folder), app)
    tables = {f"{d.view}.{d.table}": {"rows": d.rows, "sha256": d.digest} for d in views.digests()}
    views.close()
    return json.dumps(tables, indent=2, sort_keys=True) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=REPOSITORY)
    target: Path = parser.parse_args().into
    topics = target / "tests" / "golden" / "topics.txt"
    logs = target / "seeds" / "logs"
    for folder in (topics.parent, logs):
        folder.mkdir(parents=True, exist_ok=True)
    topics.write_text("".join(f"{name}\n" for name in EVENT_KINDS), encoding="utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        app = open_app(scratch, {})
        Story(app).tell()
        (logs / f"v{__version__}.jsonl").write_bytes(b"".join(line + b"\n" for line in export(app.log)))
        (logs / f"v{__version__}.views.json").write_text(views_of(app, Path(scratch)), encoding="utf-8")
        app.close()
    print(f"golden files of {__version__} written")


if __name__ == "__main__":
    main()
