"""The three signatures of a ratification: names, boundaries, contract, each over a digest of what was shown (D19).

A signature stands block by block, so that a part of the map can be ratified; an edit of a block voids its own only.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

from attrs import frozen

from m1nd.domain.blocks.block_state import BlockDraft
from m1nd.domain.blocks.membership import Resolution, resolution_hash
from m1nd.domain.digests import sha256

Part = Literal["names", "boundaries", "contract"]
PARTS: tuple[Part, ...] = get_args(Part)

Signed = Mapping[Part, Mapping[str, str]]
"""Digest of what was signed, by part and block id."""


def _digest(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode())


def shown_part(part: Part, block_id: str, draft: BlockDraft, resolution: Resolution) -> dict[str, Any]:
    """What a person is shown of one block before a signature, and what the signature is over."""
    if part == "names":
        return {"block_id": block_id, "name": draft.name, "purpose": draft.purpose, "kind": draft.kind}
    if part == "boundaries":
        return {
            "block_id": block_id,
            "membership": [member.wire() for member in draft.membership],
            "sockets": draft.sockets.wire(),
            "resolution_hash": resolution_hash(resolution.members),
            "files": len(resolution.members),
            "missing": list(resolution.missing),
        }
    return {"block_id": block_id, **draft.contract.terms()}


@frozen
class Shown:
    """What one signature is over: a digest for each block, and one over all of them, which the stamp is bound to."""

    part: Part
    blocks: Mapping[str, str]

    @classmethod
    def of(cls, part: Part, shown: Iterable[Mapping[str, Any]]) -> "Shown":
        return cls(part, {str(block["block_id"]): _digest([part, block]) for block in shown})

    @property
    def digest(self) -> str:
        return _digest([self.part, sorted(self.blocks.items())])


def complete(signed: Signed, today: Mapping[Part, Mapping[str, str]]) -> tuple[str, ...]:
    """Ids of the blocks whose three signatures are over what stands today, sorted."""
    return tuple(
        sorted(
            block_id
            for block_id in today["names"]
            if all(signed[part].get(block_id) == today[part][block_id] for part in PARTS)
        )
    )


def outdated(
    signed: Signed, today: Mapping[Part, Mapping[str, str]]
) -> tuple[tuple[Part, tuple[str, ...]], ...]:
    """Signatures over something that is no longer so, by part."""
    found: list[tuple[Part, tuple[str, ...]]] = []
    for part in PARTS:
        ids = tuple(
            sorted(
                id for id, digest in signed[part].items() if id in today[part] and today[part][id] != digest
            )
        )
        if ids:
            found.append((part, ids))
    return tuple(found)
