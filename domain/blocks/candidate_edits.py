"""Carrying out a batch of edits on the candidates: all of it or nothing (reference: `candidate_edit`, phases and refusals).

Phases, whatever the order of the list: merges, then members (a block that was absorbed stands for its survivor), then
splits, then contracts and sockets, then names. A failing edit is named by its index.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, Never

from attrs import define, field

from m1nd.domain.blocks.block_state import BlockDraft, CandidateBlock, CandidateMeta
from m1nd.domain.blocks.candidate_ops import (
    AssignUnmapped,
    Merge,
    MoveMember,
    Op,
    Rename,
    ResolveSeam,
    SetContract,
    SetRole,
    SetSockets,
    Split,
)
from m1nd.domain.blocks.contract import Contract
from m1nd.domain.blocks.membership import Member, resolve
from m1nd.domain.blocks.naming import check_runner_text
from m1nd.domain.blocks.ownership import settle
from m1nd.domain.blocks.sockets import Socket, Sockets
from m1nd.domain.blocks.templates import template
from m1nd.domain.refusal import Refused, refuse

Seat = Literal["owner", "runner"]
Candidates = Mapping[str, CandidateBlock]


def apply_ops(
    candidates: Candidates,
    ops: Sequence[Op],
    by: Seat,
    files: Collection[str],
    others: Collection[str] = (),
) -> dict[str, CandidateBlock]:
    """The candidates after the batch. `files` are all of the repository; `others` ids that sockets may lead to as well.

    Raises Refused(candidate_edit_rejected | unsafe_text | human_gesture_required), with `op_index` where one edit is at
    fault; nothing was applied then.
    """
    batch = Batch(dict(candidates), by, frozenset(files), frozenset(others))
    batch.absorb([(at, op) for at, op in enumerate(ops) if isinstance(op, Merge)])
    for phase in (
        (MoveMember, ResolveSeam, AssignUnmapped, SetRole),
        (Split,),
        (SetContract, SetSockets),
        (Rename,),
    ):
        for at, op in enumerate(ops):
            if isinstance(op, phase):
                batch.at = at
                batch.carry_out(op)
    batch.check(candidates, ops)
    return dict(sorted(batch.blocks.items()))


@define
class Batch:
    """The candidates while a batch is carried out. `survivors` maps an absorbed id to the one that took its members."""

    blocks: dict[str, CandidateBlock]
    by: Seat
    files: frozenset[str]
    others: frozenset[str]
    at: int = 0
    survivors: dict[str, str] = field(factory=dict)

    def reject(self, why: str, at: int | None = None) -> Never:
        index = self.at if at is None else at
        refuse(
            "candidate_edit_rejected",
            f"candidate_edit rejected at op {index}: {why}; nothing was applied",
            "m1nd blocks show",
            op_index=index,
        )

    def get(self, block_id: str) -> CandidateBlock:
        """The candidate of that id, or of the survivor that absorbed it."""
        found = self.blocks.get(self.survivors.get(block_id, block_id))
        if found is None:
            self.reject(f"there is no candidate {block_id}")
        return found

    def put(self, block: CandidateBlock, **parts: Any) -> None:
        draft = block.draft.model_copy(update=parts)
        self.blocks[block.block_id] = block.model_copy(update={"draft": draft})

    def carry_out(self, op: Op) -> None:
        acts: dict[type, Callable[[Any], None]] = {
            MoveMember: self.move_member,
            ResolveSeam: self.resolve_seam,
            AssignUnmapped: self.assign,
            SetRole: self.set_role,
            Split: self.split,
            SetContract: self.set_contract,
            SetSockets: self.set_sockets,
            Rename: self.rename,
        }
        acts[type(op)](op)

    # Merges

    def absorb(self, merges: Sequence[tuple[int, Merge]]) -> None:
        survivors: dict[str, str] = {}
        for at, op in merges:
            for victim in op.block_ids:
                if op.into not in self.blocks or victim not in self.blocks:
                    missing = victim if op.into in self.blocks else op.into
                    self.reject(f"there is no candidate {missing}", at)
                if victim == op.into:
                    self.reject(f"{victim} would be merged into itself", at)
                if victim in survivors:
                    self.reject(f"{victim} would be absorbed twice, which is ambiguous", at)
                survivors[victim] = op.into
        for at, op in merges:
            if op.into in survivors:
                self.reject(f"{op.into} is itself absorbed: a victim takes nobody in", at)
        self.survivors = survivors
        for victim, into in survivors.items():
            self._absorb(self.blocks.pop(victim), self.blocks[into])
        if survivors:
            self._rewrite_sockets()

    def _absorb(self, victim: CandidateBlock, into: CandidateBlock) -> None:
        mine, theirs = into.draft, victim.draft
        declared = {member.path for member in mine.membership}
        sockets = Sockets(
            inputs=(*mine.sockets.inputs, *theirs.sockets.inputs),
            outputs=(*mine.sockets.outputs, *theirs.sockets.outputs),
            external=(*mine.sockets.external, *theirs.sockets.external),
        )
        members = (*mine.membership, *(m for m in theirs.membership if m.path not in declared))
        self.put(into, membership=members, sockets=sockets)

    def _rewrite_sockets(self) -> None:
        """Lead every socket to the survivor; drop doubles and those that lead home."""
        for block in list(self.blocks.values()):
            lists = {
                name: self._led(block.block_id, getattr(block.draft.sockets, name))
                for name in ("inputs", "outputs", "external")
            }
            self.put(block, sockets=Sockets(**lists))

    def _led(self, own: str, sockets: Iterable[Socket]) -> tuple[Socket, ...]:
        led = (s.model_copy(update={"to": self.survivors.get(s.to, s.to)}) for s in sockets)
        return tuple(dict.fromkeys(socket for socket in led if socket.to != own))

    # Members

    def move_member(self, op: MoveMember) -> None:
        source, target = self.get(op.source), self.get(op.target)
        if source.block_id == target.block_id:
            self.reject("source and target are the same block")
        entry = next((m for m in source.draft.membership if m.path == op.path), None)
        if entry is not None:
            kept = tuple(m for m in source.draft.membership if m.path != op.path)
            self.put(source, membership=kept)
        elif not self._claims(source, op.path):
            self.reject(f"{source.block_id} neither declares nor claims {op.path}")
        self._declare(self.get(op.target), entry or Member(path=op.path, role="primary"))

    def assign(self, op: AssignUnmapped) -> None:
        target = self.get(op.block_id)
        if op.path not in self.files:
            self.reject(f"there is no file {op.path}")
        owner = next((b.block_id for b in self.blocks.values() if self._claims(b, op.path)), "")
        if owner:
            self.reject(f"{op.path} is not unmapped: {owner} claims it")
        self._declare(target, Member(path=op.path, role="primary"))

    def set_role(self, op: SetRole) -> None:
        block = self.get(op.block_id)
        if not any(m.path == op.path for m in block.draft.membership) and not self._claims(block, op.path):
            self.reject(f"{block.block_id} neither declares nor claims {op.path}")
        self._declare(block, Member(path=op.path, role=op.role, optional=op.optional))

    def resolve_seam(self, op: ResolveSeam) -> None:
        holders = [b for b in self.blocks.values() if any(m.path == op.path for m in b.draft.membership)]
        if len(holders) < 2:
            self.reject(f"{op.path} is no seam: fewer than two blocks declare it")
        winner = op.resolution.partition(":")[2]
        if winner and self.get(winner).block_id not in {b.block_id for b in holders}:
            self.reject(f"{winner} does not declare {op.path}")
        for block in holders:
            rest = tuple(m for m in block.draft.membership if m.path != op.path)
            if not winner:
                self._declare(block, Member(path=op.path, role="shared"))
            elif block.block_id == self.get(winner).block_id:
                self._declare(block, Member(path=op.path, role="primary"))
            else:
                self.put(block, membership=rest)

    def _claims(self, block: CandidateBlock, path: str) -> bool:
        return any(member.claims(path) for member in block.draft.membership)

    def _declare(self, block: CandidateBlock, member: Member) -> None:
        """Add an entry in the place of the one of the same path; the newest decides."""
        kept = tuple(m for m in block.draft.membership if m.path != member.path)
        self.put(block, membership=(*kept, member), membership_source="manual")

    # Splits

    def split(self, op: Split) -> None:
        block = self.get(op.block_id)
        groups = op.by.paths
        if len(groups) < 2 or not all(groups):
            self.reject("a split needs at least two groups, none of them empty")
        entries = {member.path: member for member in block.draft.membership}
        roles = {m.path: m.role for m in resolve(block.draft.membership, self.files).members}
        named: set[str] = set()
        covered: set[str] = set()
        children: list[tuple[Member, ...]] = []
        for group in groups:
            members = tuple(self._entry_or_file(block, path, entries, roles) for path in group)
            files = set(resolve(members, self.files).paths)
            if files & covered or named & set(group):
                self.reject(
                    f"the groups overlap in {', '.join(sorted(files & covered or named & set(group)))}"
                )
            covered |= files
            named |= set(group)
            children.append(members)
        if left := sorted(set(roles) - covered):
            self.reject(f"the groups leave out {', '.join(left[:5])}")
        del self.blocks[block.block_id]
        for number, members in enumerate(children, 1):
            self._child(block, f"{block.block_id}_split{number}", members, number)

    def _entry_or_file(
        self,
        block: CandidateBlock,
        path: str,
        entries: Mapping[str, Member],
        roles: Mapping[str, Any],
    ) -> Member:
        if path in entries:
            return entries[path]
        if path not in roles:
            self.reject(f"{block.block_id} neither declares nor claims {path}")
        return Member(path=path, role=roles[path])

    def _child(self, parent: CandidateBlock, block_id: str, members: tuple[Member, ...], number: int) -> None:
        if block_id in self.blocks:
            self.reject(f"{block_id} exists already")
        draft = parent.draft.model_copy(
            update={
                "name": f"{parent.draft.name} {number}",
                "membership": members,
                "sockets": Sockets(),
                "membership_source": "manual",
                "candidate_meta": CandidateMeta(named_by="heuristic", needs_owner_naming=True),
            }
        )
        self.blocks[block_id] = CandidateBlock(block_id=block_id, draft=draft)

    # Contracts, sockets, names

    def set_contract(self, op: SetContract) -> None:
        self._owner_only("declares a contract")
        block = self.get(op.block_id)
        base = template(op.template) if op.template else block.draft.contract
        given = {
            name: value
            for name in ("required", "optional", "waived")
            if (value := getattr(op, name)) is not None
        }
        contract = Contract(
            **{"required": base.required, "optional": base.optional, "waived": base.waived} | given,
            waiver=op.waiver,
        )
        self._checked(lambda: contract.check(block.block_id))
        self.put(block, contract=contract)

    def set_sockets(self, op: SetSockets) -> None:
        block = self.get(op.block_id)
        self._checked(lambda: op.sockets.check(block.block_id))
        self.put(block, sockets=op.sockets)

    def rename(self, op: Rename) -> None:
        block = self.get(op.block_id)
        texts = {field: text for field in ("name", "purpose") if (text := getattr(op, field)) is not None}
        if not texts:
            self.reject("a rename gives a name, a purpose, or both")
        for part, text in texts.items():
            if self.by == "runner":
                check_runner_text(part, text)
            elif not text.strip():
                self.reject(f"an empty {part}")
        meta = block.draft.candidate_meta
        if "name" in texts and meta is not None:
            meta = meta.model_copy(update={"named_by": self.by, "needs_owner_naming": False})
        self.put(block, candidate_meta=meta, **texts)

    def _owner_only(self, what: str) -> None:
        if self.by == "runner":
            self.reject(f"only the owner {what}")

    def _checked(self, check: Callable[[], None]) -> None:
        try:
            check()
        except Refused as refused:
            self.reject(refused.refusal.message)

    # The whole

    def check(self, before: Candidates, ops: Sequence[Op]) -> None:
        """What must hold of the map after the batch: no socket to nowhere, no empty block, no new contest."""
        known = {*self.blocks, *self.others}
        splits = {op.block_id: at for at, op in enumerate(ops) if isinstance(op, Split)}
        for block in self.blocks.values():
            for target in block.draft.sockets.targets:
                if target not in known:
                    self.reject(
                        f"a socket of {block.block_id} would dangle: {target} is gone",
                        splits.get(target, len(ops) - 1),
                    )
            self._checked(lambda draft=block.draft, id=block.block_id: _check_members(draft, id))  # type: ignore[misc]
        after = settle({id: b.draft.membership for id, b in self.blocks.items()}, self.files)
        earlier = settle({id: b.draft.membership for id, b in before.items()}, self.files)
        for block in self.blocks.values():
            if block.draft.kind == "scanned" and not block.draft.membership:
                self.reject(f"{block.block_id} would be empty", self._culprit(ops, block.block_id))
            known_block = before.get(block.block_id)
            if (
                known_block is not None
                and earlier.blocks[block.block_id].members
                and not after.blocks[block.block_id].members
            ):
                self.reject(f"{block.block_id} would hold no file", self._culprit(ops, block.block_id))
        for path, ids in after.contested.items():
            if path not in earlier.contested:
                self.reject(f"{path} would be primary in {' and '.join(ids)}", len(ops) - 1)

    def _culprit(self, ops: Sequence[Op], block_id: str) -> int:
        """The last edit that took something out of the block."""
        return max(
            (at for at, op in enumerate(ops) if isinstance(op, MoveMember) and op.source == block_id),
            default=len(ops) - 1,
        )


def _check_members(draft: BlockDraft, block_id: str) -> None:
    for member in draft.membership:
        member.check(block_id)
