"""A long, varied and deterministic history, through the aggregates' own methods: for rebuilds, benchmarks, and CI.

Every command is drawn by a seeded generator over what the log holds so far; several commands share one save, because their
number of events is the point, not the number of syncs.
"""

import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from m1nd.application.app import M1nd
from m1nd.domain.base import Actor, Aggregate, Command
from m1nd.domain.blocks.block_state import Baseline, BlockDraft
from m1nd.domain.blocks.contract import Contract, Slot
from m1nd.domain.blocks.map_head import MapHead
from m1nd.domain.blocks.membership import Member, ResolvedMember
from m1nd.domain.blocks.system_block import SystemBlock
from m1nd.domain.edit import RECEIPT_FIELDS as EDIT_FIELDS
from m1nd.domain.edit import Edit, EditPreview
from m1nd.domain.graph import Graph, GraphChange
from m1nd.domain.planned_files import PlannedFile, WrittenFile
from m1nd.domain.receipts.evidence import Emitter, Evidence, ReceiptBody, Scope, Validity
from m1nd.domain.receipts.receipt import Receipt
from m1nd.domain.refusals import Refusals, RefusedRequest
from m1nd.domain.stamps.gesture import Gesture, Typed, shown
from m1nd.domain.stamps.stamp import Stamp
from m1nd.domain.symbol_move import SymbolMove
from m1nd.domain.symbols import Address, first_sight_id
from m1nd.domain.transplant import RECEIPT_FIELDS, MoveRequest, Preview, Transplant

START = datetime(2026, 1, 1, tzinfo=UTC)
ACTORS = (Actor(kind="owner", id="ada"), Actor(kind="agent", id="ana"), Actor(kind="ci", id="0a1b2c3d"))
BLOCKS, FILES = 40, 400
COMMANDS_A_SAVE = 25
CONTRACT = Contract(
    required=(Slot(type="spec"), Slot(type="test", stales_on=("member_change",))),
    optional=(Slot(type="review"),),
)


ORDER: tuple[type[Aggregate], ...] = (
    Transplant,
    Edit,
    Graph,
    SystemBlock,
    Receipt,
    MapHead,
    Stamp,
    Refusals,
)
"""Of the aggregates in one save: what causes lies before what it causes."""


class History:
    """Grows a log by random commands. Aggregates are kept in memory between saves: nobody else writes."""

    def __init__(self, app: M1nd, seed: int = 1) -> None:
        self.app = app
        self.random = random.Random(seed)
        self.number = 0
        self.touched: dict[int, Aggregate] = {}
        first = self.command()
        self.graph = Graph.open(first)
        self.map = MapHead.open(first)
        self.blocks = [self._ratified(index) for index in range(BLOCKS)]
        self.receipts: dict[str, Receipt] = {}
        self.refusals: Refusals | None = None
        self._keep(self.graph, self.map, *self.blocks)

    def grow(self, events: int) -> int:
        """Add commands until the log has at least so many events; answers how many it has."""
        acts: tuple[Callable[[], None], ...] = (
            *((self.ingest,) * 6),
            *((self.move,) * 4),
            *((self.edit,) * 2),
            *((self.evidence,) * 8),
            self.bump,
            self.content,
            self.refuse,
            self.stamp,
        )
        count = self.save()
        while count < events:
            for _ in range(COMMANDS_A_SAVE):
                self.random.choice(acts)()
            count = self.save()
        return count

    def save(self) -> int:
        self.app.save(*sorted(self.touched.values(), key=lambda aggregate: ORDER.index(type(aggregate))))
        self.touched.clear()
        return self.app.log_head().count

    # The commands

    def ingest(self) -> None:
        command = self.command()
        self.graph.change(self._change("ingest", self._paths(self.random.randint(1, 6))), command)
        self._keep(self.graph)

    def move(self) -> None:
        digits, command = f"{self.number:016x}", self.command(1)
        path = self._path()
        file = PlannedFile(file_path=path, base_hash="a" * 64, after_hash="b" * 64, lines_added=3)
        address, home = self._address(), self._address()
        symbol = first_sight_id(address)
        request = MoveRequest(symbol=address.name, source_file=path, dest_file=self._path(), symbol_id=symbol)
        made = Preview(
            preview_id=f"pre_{digits}",
            agent_id=command.actor.id,
            request=request,
            candidate={"moved_symbol": address.name},
            files=(file,),
            plan_digest="c" * 64,
            graph_generation=self.graph.generation,
            expires_at=command.at + timedelta(minutes=5),
        )
        transplant = Transplant.preview_move(made, command)
        self._keep(transplant)
        if self.random.random() < 0.2:
            transplant.discard(self.command())
            return
        written = (WrittenFile(file_path=path, before_hash="a" * 64, after_hash="b" * 64),)
        receipt = dict.fromkeys(RECEIPT_FIELDS) | {"moved_symbol": address.name, "dest_module": home.module}
        commit = self.command(1)
        event = transplant.commit(command.actor.id, receipt, written, f"jrn_{digits}", commit)
        follow = commit.caused_by(event)
        self.graph.change(self._change("transplant", [path], f"tra_{digits}"), follow)
        self.graph.move_symbols(
            [SymbolMove(symbol_id=symbol, source=address, target=home)], f"tra_{digits}", follow
        )
        self._keep(self.graph)
        self._age(self.random.choice(self.blocks), path, follow)

    def edit(self) -> None:
        digits, command = f"{self.number:016x}", self.command(1)
        path = self._path()
        file = PlannedFile(file_path=path, base_hash="a" * 64, after_hash="b" * 64)
        edit = Edit.preview_edit(
            EditPreview(
                preview_id=f"edp_{digits}",
                agent_id=command.actor.id,
                files=(file,),
                plan_digest="d" * 64,
                graph_generation=self.graph.generation,
                expires_at=command.at + timedelta(minutes=5),
            ),
            command,
        )
        written = (WrittenFile(file_path=path, before_hash="a" * 64, after_hash="b" * 64),)
        commit = self.command(1)
        event = edit.commit(command.actor.id, dict.fromkeys(EDIT_FIELDS), written, f"jrn_{digits}", commit)
        follow = commit.caused_by(event)
        self.graph.change(self._change("edit", [path], f"edt_{digits}"), follow)
        self._keep(edit, self.graph)

    def evidence(self) -> None:
        """A receipt lands on a block; the one before it of its type is superseded."""
        block, command = self.random.choice(self.blocks), self.command(2)
        run = START + timedelta(seconds=self.number)
        type = self.random.choice(("test", "test", "spec", "review"))
        kind = "ci" if type == "test" else "verb"
        validity = Validity(expires_on=f"{run:%Y-%m-%d}T23:59:59Z" if self.random.random() < 0.3 else None)
        runs = {
            "command": "cargo test",
            "cwd": ".",
            "exit_status": int(self.random.random() < 0.1),
            "started_at": f"{run - timedelta(minutes=2):%Y-%m-%dT%H:%M:%SZ}",
            "ended_at": f"{run:%Y-%m-%dT%H:%M:%SZ}",
            "stdout_excerpt": "test result: ok. 441 passed",
        }
        body = ReceiptBody(
            type=type,
            emitter=Emitter(kind=kind, id="nightly"),
            scope=Scope.of(block.state.scope),
            evidence=Evidence(
                artifact_hash=f"{self.number:064x}",
                evidence_refs=(f"https://ci.example/run/{self.number}",),
                **(runs if type == "test" else {}),
            ),
            validity=validity,
        )
        receipt = Receipt.import_body(body, ("member_change",), True, "token 0a1b2c3d", command)
        for id, held in block.state.receipts.items():
            if held == type and self.receipts[id].supersede(receipt.receipt_id, command):
                self._keep(self.receipts[id])
        block.register_receipt(receipt.receipt_id, type, command)
        self.receipts[receipt.receipt_id] = receipt
        self._advance("receipt_import", command)
        self._keep(receipt, block)

    def bump(self) -> None:
        self._age(self.random.choice(self.blocks), self._path(), self.command())

    def content(self) -> None:
        block, command = self.random.choice(self.blocks), self.command()
        live = [id for id in block.state.receipts if self.receipts[id].state.is_live]
        cause = block.change_content((self._path(),), f"{self.number:064x}", self.number, live, command)
        assert cause is not None
        self._stale(live, "content", cause, block, command)

    def refuse(self) -> None:
        command = self.command()
        if self.refusals is None or self.number % 50 == 0:
            day = START + timedelta(days=self.number)
            opening = Command(command.id, command.digest, day, command.actor)
            self.refusals = Refusals.open(opening)
        request = RefusedRequest(verb="search", keyword="usage", request_digest="e" * 64)
        self.refusals.record(request, command)
        self._keep(self.refusals)

    def stamp(self) -> None:
        gesture = Gesture(action="archive_block", target="sb_x", digest=f"{self.number:064x}")
        stamp = Stamp.open(gesture, self.command())
        what = shown(["the block goes", "its files are nobody's"])
        stamp.challenge(what, self.command())
        if self.random.random() < 0.7:
            owner = self.command(0)
            stamp.give(Typed(what, gesture.typed, "pts/1"), owner)
            stamp.consume(what, owner)
        self._keep(stamp)

    # Inside

    def command(self, actor: int | None = None) -> Command:
        self.number += 1
        who = self.random.choice(ACTORS) if actor is None else ACTORS[actor]
        return Command(f"long-{self.number:08}", "f" * 64, START + timedelta(seconds=self.number), who)

    def _ratified(self, index: int) -> SystemBlock:
        command = self.command(0)
        block = SystemBlock.open(f"sb_long_{index:08x}", command)
        files = tuple(ResolvedMember(path=_file(n), role="primary") for n in range(index, FILES, BLOCKS))
        draft = BlockDraft(
            name=f"Block {index}",
            purpose="",
            membership=tuple(Member(path=file.path, role="primary") for file in files),
            contract=CONTRACT,
        )
        block.ratify(draft, Baseline(members=files, content_hash="a" * 64, generation=0), "session", command)
        return block

    def _age(self, block: SystemBlock, path: str, command: Command) -> None:
        known = dict(block.state.receipts)
        cause = block.bump_boundary("transplant", block.state.baseline, command, touched=(path,))
        self._stale(known, "boundary", cause, block, command)
        self._advance("transplant_commit", command)

    def _stale(self, ids: Any, reason: Any, cause: Any, block: SystemBlock, command: Command) -> None:
        for id in ids:
            if self.receipts[id].stale(reason, cause, block.state.scope, command):
                self._keep(self.receipts[id])
        self._keep(block)

    def _advance(self, cause: str, command: Command) -> None:
        self.map.advance(cause, command)
        self._keep(self.map)

    def _keep(self, *aggregates: Aggregate) -> None:
        self.touched.update({id(aggregate): aggregate for aggregate in aggregates})

    def _change(self, kind: Any, paths: Any, cause: str = "") -> GraphChange:
        files = {"changed": [{"path": path, "sha256": "b" * 64, "before": "a" * 64} for path in paths]}
        return GraphChange.of(kind, files, {"files": FILES}, cause)

    def _paths(self, count: int) -> Iterator[str]:
        return (_file(n) for n in sorted(self.random.sample(range(FILES), count)))

    def _path(self) -> str:
        return _file(self.random.randrange(FILES))

    def _address(self) -> Address:
        return Address(kind="fn", module=f"long::m{self.random.randrange(60)}", name=f"f{self.number}")


def _file(number: int) -> str:
    return f"src/part_{number % BLOCKS:02}/file_{number:03}.rs"
