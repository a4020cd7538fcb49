"""What a person signs, and when it is refused: the rules of the three signatures over the map as it stands (D19, D40).

Pure: the map and the files come in as values. Whatever refuses here has changed nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from attrs import frozen

from m1nd.domain.blocks.block_state import BlockDraft, BlockState
from m1nd.domain.blocks.membership import Resolution
from m1nd.domain.blocks.ownership import Settled, primary_owners, settle
from m1nd.domain.blocks.signatures import PARTS, Part, Shown, shown_part
from m1nd.domain.blocks.skeleton import SkeletonState
from m1nd.domain.blocks.tree import Tree
from m1nd.domain.refusal import refuse


@frozen(slots=False)
class MapNow:
    """The whole map at one moment: skeleton, every block ever ratified, and the files."""

    skeleton: SkeletonState
    blocks: Mapping[str, BlockState]
    tree: Tree

    @cached_property
    def live(self) -> dict[str, BlockState]:
        return {id: block for id, block in self.blocks.items() if block.is_live}

    @cached_property
    def owners(self) -> dict[str, str]:
        """Primary owner by file, as the baselines of the live blocks say."""
        return primary_owners((id, block.baseline.members) for id, block in self.live.items())

    @cached_property
    def settled(self) -> Settled:
        """The files of every live block and every candidate, as their declarations say today.

        A candidate takes the place of the live block of its id.
        """
        declared = {id: block.membership for id, block in self.live.items()}
        declared |= {id: block.draft.membership for id, block in self.skeleton.candidates.items()}
        return settle(declared, self.tree.files, self.owners)

    @cached_property
    def live_settled(self) -> Settled:
        """The files of the live blocks alone, as their declarations say today."""
        declared = {id: block.membership for id, block in self.live.items()}
        return settle(declared, self.tree.files, self.owners)

    def resolution(self, block_id: str) -> Resolution:
        return self.settled.blocks[block_id]

    def draft(self, block_id: str) -> BlockDraft:
        candidate = self.skeleton.candidates.get(block_id)
        return candidate.draft if candidate is not None else self.blocks[block_id].draft

    @property
    def socket_targets(self) -> frozenset[str]:
        """Ids that a socket may lead to."""
        return frozenset({*self.live, *self.skeleton.candidates})


def selected(now: MapNow, part: Part, block_ids: Sequence[str] | None) -> tuple[str, ...]:
    """The blocks that a signature is for: the named ones, else every candidate, and ratified ones with a moved boundary.

    Raises Refused(no_store | unknown_block | block_archived | block_not_candidate | nothing_to_sign).
    """
    if now.skeleton.stage == "absent":
        refuse("no_store", "no system-block store here yet")
    candidates = now.skeleton.candidates
    if block_ids is None:
        moved = [id for id, b in now.live.items() if b.needs_signature] if part == "boundaries" else []
        ids = tuple(sorted({*candidates, *(id for id in moved if id not in candidates)}))
        if not ids:
            refuse("nothing_to_sign", f"nothing waits for a signature of the {part}")
        return ids
    for id in block_ids:
        if id in candidates:
            continue
        if id not in now.blocks:
            refuse("unknown_block", f"unknown block_id {id}; nothing was signed", block_id=id)
        now.blocks[id].require_live()
        if part != "boundaries":
            refuse(
                "block_not_candidate",
                f"{id} is ratified; its {part} is changed by m1nd blocks amend, or by a revision",
                block_id=id,
            )
    return tuple(sorted(set(block_ids)))


def check_part(now: MapNow, part: Part, ids: Iterable[str]) -> None:
    """Raises Refused(needs_owner_naming | primary_conflict | block_empty | contract_empty | …), naming every offender."""
    checks = {"names": _check_names, "boundaries": _check_boundaries, "contract": _check_contract}
    checks[part](now, tuple(ids))


def _check_names(now: MapNow, ids: Sequence[str]) -> None:
    metas = {id: now.draft(id).candidate_meta for id in ids}
    unnamed = [id for id, meta in metas.items() if meta is not None and meta.needs_owner_naming]
    if unnamed:
        refuse(
            "needs_owner_naming",
            f"needs_owner_naming: {', '.join(unnamed)} still bear a guessed name",
            f"m1nd blocks edit --rename {unnamed[0]} NAME",
            block_ids=unnamed,
        )


def _check_boundaries(now: MapNow, ids: Sequence[str]) -> None:
    known = now.socket_targets
    for id in ids:
        draft = now.draft(id)
        draft.check(id)
        lost = [target for target in draft.sockets.targets if target not in known]
        if lost and id in now.skeleton.candidates:
            refuse(
                "socket_dangling",
                f"sockets of {id} lead to no block: {', '.join(lost)}",
                block_id=id,
                targets=lost,
            )
    conflicts = {path: owners for path, owners in now.settled.contested.items() if set(owners) & set(ids)}
    for id in ids:
        conflicts |= _taken(now, id)
    if conflicts:
        path, owners = next(iter(sorted(conflicts.items())))
        refuse(
            "primary_conflict",
            f"{len(conflicts)} file(s) would have two primary owners, first {path}: {' and '.join(owners)}",
            "give it to one of them, or make it shared: m1nd blocks edit",
            files={path: list(owners) for path, owners in sorted(conflicts.items())[:100]},
        )
    empty = [id for id in ids if now.draft(id).kind == "scanned" and not now.resolution(id).members]
    if empty:
        refuse(
            "block_empty",
            f"no file of this repository lies in {', '.join(empty)}",
            "declare its paths, or make its kind planned",
            block_ids=empty,
        )


def _taken(now: MapNow, id: str) -> dict[str, tuple[str, ...]]:
    """Files that a candidate claims as primary, exactly by name, and that another live block owns."""
    found: dict[str, tuple[str, ...]] = {}
    mine = {member.path for member in now.resolution(id).members}
    for member in now.draft(id).membership:
        owner = now.owners.get(member.path)
        if member.role == "primary" and owner not in (None, id) and member.path not in mine:
            found[member.path] = tuple(sorted((id, str(owner))))
    return found


def _check_contract(now: MapNow, ids: Sequence[str]) -> None:
    for id in ids:
        now.draft(id).contract.check(id)
    bare = [id for id in ids if not now.draft(id).contract.required and not now.draft(id).contract.waiver]
    if bare:
        refuse(
            "contract_empty",
            f"the contract of {', '.join(bare)} requires nothing, and nobody waived that",
            f"m1nd blocks edit --contract {bare[0]} TEMPLATE, or with a waiver",
            block_ids=bare,
        )


def shown(now: MapNow, part: Part, ids: Iterable[str]) -> tuple[Shown, tuple[dict[str, Any], ...]]:
    """What the signature is over, and the same as a person reads it."""
    rows = tuple(shown_part(part, id, now.draft(id), now.resolution(id)) for id in ids)
    return Shown.of(part, rows), rows


def signed_today(now: MapNow) -> dict[Part, dict[str, str]]:
    """For every candidate, the digest that a signature of each part would be over now."""
    ids = tuple(now.skeleton.candidates)
    return {part: dict(shown(now, part, ids)[0].blocks) for part in PARTS}
