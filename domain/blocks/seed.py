"""The seed file: the map as a reviewable file of the repository (seed 001 §10, BLOCKS.md).

Canonical form: sorted keys, two blanks, blocks by id, final newline. `export(import(s)) == s` byte for byte for a canonical
seed, but for the resolution cache, which is read and dropped. Both directions refuse what would leak.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, Never

from attrs import frozen
from pydantic import Field, ValidationError

from m1nd.domain.blocks.block_state import (
    BLOCK_ID,
    BlockDraft,
    BlockKind,
    CandidateBlock,
    CandidateMeta,
    MembershipSource,
)
from m1nd.domain.blocks.contract import Contract, Slot, Waived
from m1nd.domain.blocks.layout import Layout
from m1nd.domain.blocks.membership import Member
from m1nd.domain.blocks.proposal import Proposal, Ratification
from m1nd.domain.blocks.skeleton import UNMAPPED_POLICY
from m1nd.domain.blocks.sockets import Socket, Sockets
from m1nd.domain.path_law import normalise
from m1nd.domain.plain import unfit
from m1nd.domain.refusal import Refused, refuse
from m1nd.domain.values import JsonObject, Value

SCHEMA = "m1nd-system-block-seed-v0"
MOST_BYTES = 8 << 20
CACHES = ("resolved", "resolved_members", "membership_fingerprint", "pre_archive_state")
"""Keys of a block that older files carry and that are derived: read, and not kept."""

LEAKS = (
    ("an absolute path", re.compile(r"(?:^|[\s\"'(=:,])/(?:Users|home|root|tmp|var|private|etc|opt|mnt|srv|Volumes)/")),
    ("a home marker", re.compile(r"(?:^|[\s\"'(=:,])~(?:[/\\]|[A-Za-z]+/|$)")),
    ("a drive prefix", re.compile(r"(?<![A-Za-z])[A-Za-z]:(?:\\|/(?!/))")),
)  # fmt: skip


class _Repo(Value):
    repo_id: str = Field(min_length=1, max_length=200)
    root: str = "."
    source_commit: str = Field(default="", max_length=80)


class _Skeleton(Value):
    skeleton_id: str = Field(pattern=r"^sk_[a-z0-9][a-z0-9_-]*$", max_length=160)
    version: int = Field(ge=1)
    state: Literal["candidate", "ratified"]
    ratification: Ratification = Field(default_factory=Ratification)


class _Contract(Value):
    version: int = Field(ge=1)
    required: tuple[Slot, ...]
    optional: tuple[Slot, ...] = ()
    waived: tuple[Waived, ...] = ()
    waiver: str = Field(default="", max_length=400)
    declared_by: str = Field(default="", max_length=200)
    declared_at: str = Field(default="", max_length=64)

    def terms(self) -> Contract:
        parts = {name: getattr(self, name) for name in Contract.model_fields}
        return Contract(**parts)


class _Block(Value):
    block_id: str = Field(pattern=BLOCK_ID.pattern, max_length=160)
    name: str = Field(min_length=1, max_length=200)
    purpose: str = Field(min_length=1, max_length=1000)
    kind: BlockKind
    state: Literal["candidate", "ratified", "archived"]
    boundary_version: int = Field(ge=1)
    contract_version: int = Field(ge=1)
    membership_source: MembershipSource
    membership: tuple[Member, ...]
    sockets: Sockets
    receipt_contract: _Contract
    receipts: tuple[JsonObject, ...] = ()
    layout: Layout = Field(default_factory=Layout)
    unmapped_residue: tuple[str, ...] = ()
    candidate_meta: CandidateMeta | None = None

    def candidate(self) -> CandidateBlock:
        draft = BlockDraft(
            name=self.name,
            purpose=self.purpose,
            kind=self.kind,
            membership=self.membership,
            sockets=self.sockets,
            contract=self.receipt_contract.terms(),
            layout=self.layout,
            membership_source=self.membership_source,
            unmapped_residue=self.unmapped_residue,
            candidate_meta=self.candidate_meta,
        )
        return CandidateBlock(
            block_id=self.block_id,
            draft=draft,
            boundary_version=self.boundary_version,
            contract_version=self.contract_version,
        )


class _File(Value):
    schema_: str = Field(alias="schema")
    repo: _Repo
    skeleton: _Skeleton
    blocks: tuple[_Block, ...]
    unmapped_policy: JsonObject


@frozen
class Seed:
    """A seed that passed every check. `receipts` by block id, as they were written; `ratified` holds archived ids too."""

    proposal: Proposal
    ratification: Ratification
    says_ratified: bool
    ratified: tuple[str, ...]
    archived: tuple[str, ...]
    receipts: Mapping[str, tuple[Mapping[str, Any], ...]]


def canonical(seed: Mapping[str, Any]) -> str:
    """The one text of a seed."""
    return json.dumps(seed, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def read_seed(content: bytes) -> Seed:
    """Read and check a seed file. Raises Refused(bad_seed | seed_leak | outside_root | socket_leak | contract_broken)."""
    document = _parsed(content)
    refuse_leaks(document)
    file = _validated(document)
    if file.schema_ != SCHEMA:
        _bad(f"seed schema mismatch: expected {SCHEMA}, found {file.schema_}", "schema")
    if normalise(file.repo.root) != ".":
        _bad("repo.root is not `.`: a seed's paths are relative to the repository", "repo.root")
    if file.unmapped_policy != UNMAPPED_POLICY:
        _bad(
            "unmapped_policy leaves files unmapped until a person ratifies; nothing else is known",
            "unmapped_policy",
        )
    blocks = _checked(file)
    says = file.skeleton.state == "ratified"
    ratified = [block for block in file.blocks if block.state != "candidate"]
    if ratified and not says:
        _bad(f"{ratified[0].block_id} is {ratified[0].state} in a skeleton that is not", "skeleton.state")
    if says:
        _check_times(file)
    return Seed(
        Proposal(
            skeleton_id=file.skeleton.skeleton_id,
            blocks=blocks,
            repo_id=file.repo.repo_id,
            source_commit=file.repo.source_commit,
            algorithm="seed",
            version=file.skeleton.version,
        ),
        file.skeleton.ratification,
        says,
        tuple(sorted(block.block_id for block in ratified)),
        tuple(sorted(block.block_id for block in ratified if block.state == "archived")),
        {block.block_id: tuple(block.receipts) for block in file.blocks if block.receipts},
    )


def _parsed(content: bytes) -> dict[str, Any]:
    if len(content) > MOST_BYTES:
        _bad(f"the seed is larger than {MOST_BYTES >> 20} MiB", "")
    try:
        document = json.loads(content.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        _bad(f"the seed is no JSON: {error}", "")
    if not isinstance(document, dict):
        _bad("the seed is no JSON object", "")
    if problem := unfit(document):
        _bad(f"the seed {problem}", "")
    blocks = document.get("blocks")
    if isinstance(blocks, list):
        document["blocks"] = [
            {key: value for key, value in block.items() if key not in CACHES}
            if isinstance(block, dict)
            else block
            for block in blocks
        ]
    return document


def _no_constant(text: str) -> Never:
    raise ValueError(f"{text} is no JSON number")


def _validated(document: Mapping[str, Any]) -> _File:
    try:
        return _File.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        what = (
            f"seed is missing required field {field}"
            if first["type"] == "missing"
            else f"{field}: {first['msg']}"
        )
        _bad(what, field)


def _checked(file: _File) -> tuple[CandidateBlock, ...]:
    """The blocks, by id, each in itself and all together as they must be."""
    ids = [block.block_id for block in file.blocks]
    if twice := sorted({id for id in ids if ids.count(id) > 1}):
        _bad(f"{twice[0]} stands twice", "blocks")
    names = _names(file.blocks)
    candidates: list[CandidateBlock] = []
    for block in file.blocks:
        if block.receipt_contract.version != block.contract_version:
            _bad(
                f"receipt_contract.version of {block.block_id} is not its contract_version",
                "receipt_contract.version",
            )
        if block.kind == "scanned" and not block.membership:
            _bad(f"{block.block_id} has no membership", "membership")
        if block.receipts and block.state == "candidate":
            refuse(
                "block_not_ratified",
                f"{block.block_id} is a candidate and brings receipts; nothing was imported",
                block_id=block.block_id,
            )
        for path in block.unmapped_residue:
            normalise(path)
        candidate = _with_ids(block.candidate(), names, set(ids))
        try:
            candidate.draft.check(block.block_id)
        except Refused as refused:
            if refused.refusal.code == "usage":
                _bad(refused.refusal.message, "membership")
            raise
        candidates.append(candidate)
    return tuple(sorted(candidates, key=lambda block: block.block_id))


def _names(blocks: Sequence[_Block]) -> dict[str, str]:
    """Block id by display name, for older seeds whose sockets lead to names; empty where two bear it."""
    names: dict[str, str] = {}
    for block in blocks:
        names[block.name] = "" if block.name in names else block.block_id
    return names


def _with_ids(block: CandidateBlock, names: Mapping[str, str], ids: set[str]) -> CandidateBlock:
    """The same with every socket leading to an id."""

    def led(sockets: Iterable[Socket]) -> tuple[Socket, ...]:
        found: list[Socket] = []
        for socket in sockets:
            target = socket.to if socket.to in ids or not socket.to else names.get(socket.to, "")
            if socket.to and not target:
                _bad(f"a socket of {block.block_id} leads to {socket.to!r}, which is no block", "sockets")
            found.append(socket.model_copy(update={"to": target}))
        return tuple(found)

    old = block.draft.sockets
    new = Sockets(inputs=led(old.inputs), outputs=led(old.outputs), external=old.external)
    return block.model_copy(update={"draft": block.draft.model_copy(update={"sockets": new})})


def _check_times(file: _File) -> None:
    """A ratified seed says when: no placeholders."""
    times = {"skeleton.ratification.ratified_at": file.skeleton.ratification.ratified_at}
    for block in file.blocks:
        if block.state != "candidate":
            times[f"{block.block_id}.receipt_contract.declared_at"] = block.receipt_contract.declared_at
    for field, text in times.items():
        try:
            datetime.fromisoformat(text)
        except ValueError:
            _bad(f"{field} of a ratified seed is no time: {text!r}", field)


def refuse_leaks(value: Any) -> None:
    """Raises Refused(seed_leak) where any text holds a path of one machine; the place is named, the text is not."""
    for place, text in _texts(value, ""):
        for what, pattern in LEAKS:
            if pattern.search(text) and not text.startswith(("http://", "https://")):
                refuse("seed_leak", f"{place or 'the seed'} holds {what}", field=place, kind=what)


def _texts(value: Any, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield f"{place} (key)", str(key)
            yield from _texts(inner, f"{place}.{key}".lstrip("."))
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from _texts(inner, f"{place}[{index}]")


def _bad(what: str, field: str) -> Never:
    refuse("bad_seed", f"{what}; nothing was imported", field=field)


def block_wire(
    block_id: str,
    draft: BlockDraft,
    state: str,
    versions: tuple[int, int],
    receipts: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """One block as a seed and a snapshot show it."""
    wire: dict[str, Any] = {
        "block_id": block_id,
        "name": draft.name,
        "purpose": draft.purpose,
        "kind": draft.kind,
        "state": state,
        "boundary_version": versions[0],
        "contract_version": versions[1],
        "membership_source": draft.membership_source,
        "membership": [member.wire() for member in draft.membership],
        "sockets": draft.sockets.wire(),
        "receipt_contract": draft.contract.wire(versions[1]),
        "receipts": list(receipts),
        "layout": draft.layout.wire(),
        "unmapped_residue": list(draft.unmapped_residue),
    }
    if draft.candidate_meta is not None:
        wire["candidate_meta"] = draft.candidate_meta.wire()
    return wire


def seed_wire(
    repo_id: str,
    source_commit: str,
    skeleton_id: str,
    version: int,
    ratified: bool,
    ratification: Ratification,
    blocks: Iterable[Mapping[str, Any]],
) -> dict[str, Any]:
    """The whole file; its text is `canonical` of it."""
    return {
        "schema": SCHEMA,
        "repo": {"repo_id": repo_id, "root": ".", "source_commit": source_commit},
        "skeleton": {
            "skeleton_id": skeleton_id,
            "version": version,
            "state": "ratified" if ratified else "candidate",
            "ratification": ratification.model_dump(),
        },
        "blocks": sorted(blocks, key=lambda block: str(block["block_id"])),
        "unmapped_policy": UNMAPPED_POLICY,
    }
