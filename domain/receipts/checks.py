"""The checks of an import, one small function each, in the order of BLOCKS.md; the first failure answers.

Pure: what the log knows comes in as `Circumstances`. Read-only attach, authority and idempotency are judged before, by the
use case and the append.
"""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType

from attrs import frozen

from m1nd.domain.blocks.block_state import BlockState
from m1nd.domain.blocks.map_head import Expected
from m1nd.domain.path_law import DRIVE, normalise
from m1nd.domain.receipts.evidence import Evidence, ReceiptBody
from m1nd.domain.receipts.times import parse_end, parse_time
from m1nd.domain.refusal import Refused, refuse

LONGEST_EXCERPT = 4096
"""Bytes of UTF-8, after redaction."""

LONGEST_RUN = timedelta(hours=24)

EXECUTED = ("test", "runtime")
"""Types that are of a run, and so must say all of it (D35)."""

EXECUTION_FIELDS = ("command", "cwd", "exit_status", "started_at", "ended_at")

EMITTERS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "structural": frozenset({"verb"}),
        "handoff": frozenset({"verb"}),
        "spec": frozenset({"verb", "owner"}),
        "test": frozenset({"ci", "runnerd"}),
        "review": frozenset({"verb", "owner"}),
        "runtime": frozenset({"ci", "runnerd", "verb"}),
    }
)
"""Who may produce which type: the honest map of seed 001 §3."""

_SHA256 = re.compile(r"(?:sha256:)?[0-9a-f]{64}")
_URL = re.compile(r"[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)


@frozen
class Circumstances:
    """What the log knows at the moment of the import. `candidates` are the ids of blocks that nobody ratified yet."""

    store_version: int
    expected: Expected
    block: BlockState | None
    candidates: frozenset[str]
    now: datetime
    emitters: frozenset[str] | None = None
    """The kinds of emitter that the importer may speak for; None for all."""


def check_import(body: ReceiptBody, around: Circumstances) -> BlockState:
    """The block that the receipt lands on, when every check holds.

    Raises Refused(no_store | store_conflict | unknown_block | block_not_ratified | block_archived | stale_scope |
    evidence_incomplete | outside_root | emitter_not_allowed | time_incoherent | excerpt_too_long).
    """
    check_store(around)
    block = check_block(body, around)
    check_scope(body, block)
    check_anchor(body.evidence)
    check_cwd(body.evidence)
    check_execution(body)
    check_emitter(body, around.emitters)
    check_times(body.evidence, around.now)
    check_expiry(body)
    check_excerpt(body.evidence)
    return block


def check_store(around: Circumstances) -> None:
    if around.store_version == 0:
        refuse("no_store", "there is no map of blocks here yet, so nothing can be evidence of one")
    around.expected.check_store(around.store_version)


def check_block(body: ReceiptBody, around: Circumstances) -> BlockState:
    block_id = body.scope.block_id
    if around.block is not None:
        around.block.require_live()
        around.expected.check_block(block_id, around.block.version)
        return around.block
    if block_id in around.candidates:
        refuse("block_not_ratified", f"{block_id} is a candidate: nobody ratified it", block_id=block_id)
    refuse("unknown_block", f"unknown block_id {block_id}", block_id=block_id)


def check_scope(body: ReceiptBody, block: BlockState) -> None:
    """Older and newer versions both refuse: a receipt counts for the version that it saw, and for no other (D18)."""
    differing = body.scope.block_scope.differences(block.scope)
    if differing:
        refuse(
            "stale_scope",
            f"the receipt is of another version of {block.block_id}; it differs in {', '.join(differing)}",
            parts=list(differing),
            given=body.scope.model_dump(),
            current={
                "block_id": block.scope.block_id,
                "boundary_version": block.scope.boundary_version,
                "contract_version": block.scope.contract_version,
                "resolution_hash": block.scope.resolution_hash,
            },
        )


def check_anchor(evidence: Evidence) -> None:
    """Every type has an artifact and says where it lies (D35). An absolute path says it to this machine only."""
    if not _SHA256.fullmatch(evidence.artifact_hash):
        _incomplete("artifact_hash", "`artifact_hash` is no sha256 of an artifact")
    if not evidence.evidence_refs or any(not ref.strip() for ref in evidence.evidence_refs):
        _incomplete("evidence_refs", "`evidence_refs` names no artifact, or has a blank entry")
    for ref in evidence.evidence_refs:
        if not _URL.fullmatch(ref) and (ref.startswith(("/", "~", "\\")) or DRIVE.match(ref)):
            _incomplete(
                "evidence_refs",
                f"`evidence_refs` holds an absolute path, {ref!r}: name a URL, or a relative one",
            )
        if ref.lower().startswith("file:"):
            _incomplete("evidence_refs", f"`evidence_refs` holds a path of one machine, {ref!r}")


def _incomplete(field: str, message: str) -> None:
    refuse("evidence_incomplete", f"receipt evidence incomplete: {message}", field=field, missing=[field])


def check_cwd(evidence: Evidence) -> None:
    if evidence.cwd is None:
        return
    try:
        normalise(evidence.cwd)
    except Refused as refused:
        refuse("outside_root", f"`cwd`: {refused.refusal.message}", field="cwd", path=evidence.cwd)


def check_execution(body: ReceiptBody) -> None:
    """A run says all of itself, every missing field named at once; the two times are both there or both absent (D35)."""
    evidence = body.evidence
    present = {name for name in EXECUTION_FIELDS if getattr(evidence, name) not in (None, "")}
    needed: tuple[str, ...] = ()
    if body.type in EXECUTED:
        needed = EXECUTION_FIELDS
    elif {"started_at", "ended_at"} & present:
        needed = ("started_at", "ended_at")
    missing = [name for name in needed if name not in present]
    if missing:
        refuse(
            "evidence_incomplete",
            f"receipt evidence incomplete: a `{body.type}` receipt lacks {', '.join(missing)}",
            field=missing[0],
            missing=missing,
        )


def check_emitter(body: ReceiptBody, spoken_for: frozenset[str] | None) -> None:
    allowed = EMITTERS[body.type] if spoken_for is None else EMITTERS[body.type] & spoken_for
    if body.emitter.kind not in allowed or not body.emitter.id.strip():
        refuse(
            "emitter_not_allowed",
            f"a `{body.type}` receipt comes from {' or '.join(sorted(allowed))}, not from {body.emitter.kind} "
            f"{body.emitter.id!r}",
            field="emitter",
            type=body.type,
            allowed=sorted(allowed),
        )


def check_times(evidence: Evidence, now: datetime) -> None:
    """Captured times are coherent: started before ended, neither in the future, no run of more than a day."""
    if evidence.started_at is None or evidence.ended_at is None:
        return
    started, ended = _time("started_at", evidence.started_at), _time("ended_at", evidence.ended_at)
    if started >= ended:
        _incoherent("started_at", "`started_at` is not before `ended_at`")
    if started > now:
        _incoherent("started_at", "`started_at` lies in the future")
    if ended > now:
        _incoherent("ended_at", "`ended_at` lies in the future")
    if ended - started > LONGEST_RUN:
        _incoherent("ended_at", "the run took more than 24 hours")


def _time(field: str, text: str) -> datetime:
    time = parse_time(text)
    if time is None:
        refuse(
            "time_incoherent",
            f"`{field}` is no ISO 8601 time in UTC (2026-05-01T12:00:00Z): {text!r}; nothing was re-dated",
            field=field,
        )
    return time


def _incoherent(field: str, message: str) -> None:
    refuse("time_incoherent", f"{message}; nothing was re-dated", field=field)


def check_expiry(body: ReceiptBody) -> None:
    text = body.validity.expires_on
    if text is None:
        return
    end = parse_end(text)
    if end is None:
        refuse("time_incoherent", f"`expires_on` is no date and no UTC time: {text!r}", field="expires_on")
    ended = parse_time(body.evidence.ended_at) if body.evidence.ended_at else None
    if ended is not None and end <= ended:
        _incoherent("expires_on", "`expires_on` does not lie after `ended_at`")


def check_excerpt(evidence: Evidence) -> None:
    size = len((evidence.stdout_excerpt or "").encode("utf-8", "surrogatepass"))
    if size > LONGEST_EXCERPT:
        refuse(
            "excerpt_too_long",
            f"`stdout_excerpt` has {size:,} bytes after redaction; at most {LONGEST_EXCERPT:,} are kept",
            field="stdout_excerpt",
            bytes=size,
        )
