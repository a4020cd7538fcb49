"""`system_blocks_seed_import`, `system_blocks_seed_export`: the map as a file that is reviewed (seed 001 §1, §10; D24)."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from m1nd.application.brain import Brain
from m1nd.application.map_views import BlockRow, MapRows
from m1nd.application.ports import Progress
from m1nd.application.stamp_records import Used
from m1nd.application.use_cases.file_plans import digest_of
from m1nd.application.use_cases.map_reading import look, require_map
from m1nd.application.use_cases.requests import answered, new_command, refresh_after_write
from m1nd.application.use_cases.stamping import require_stamp
from m1nd.application.use_cases.zone_gate import require_reason
from m1nd.domain.blocks.block_state import Lifecycle
from m1nd.domain.blocks.generation import slug
from m1nd.domain.blocks.seed import Seed, block_wire, canonical, read_seed, refuse_leaks, seed_wire
from m1nd.domain.digests import sha256
from m1nd.domain.edits import FilePlan
from m1nd.domain.path_law import normalise
from m1nd.domain.refusal import refuse
from m1nd.domain.stamps.gesture import Gesture, shown

ACTION = "import_ratified_seed"
MOST_RECEIPTS = 1_000_000


@frozen
class Imported:
    """`overwritten`: there was a map. `says_ratified`: the seed calls itself so, whether or not it was taken so."""

    store_version: int
    block_count: int
    overwritten: bool
    as_ratified: bool
    says_ratified: bool
    warnings: tuple[str, ...] = ()


@frozen
class Exported:
    """`path` is empty where nothing was written."""

    text: str
    digest: str
    block_count: int
    path: str = ""
    warnings: tuple[str, ...] = ()


def default_path(brain: Brain) -> str:
    """Where a served repository's seed lies (BLOCKS.md)."""
    return f"docs/system-blocks/{slug(brain.project_name).replace('_', '-')}.seed.v0.json"


def import_seed(
    brain: Brain,
    content: bytes,
    *,
    force: bool = False,
    ratified: bool = False,
    progress: Progress | None = None,
) -> Imported:
    """Take a seed's map. Its blocks are candidates; with `ratified` and a stamp over its bytes they are what it says.

    Raises Refused(already_present | bad_seed | seed_leak | block_not_ratified | human_gesture_required | read_only | …);
    nothing is imported then.
    """
    brain.deny_if_read_only("system_blocks_seed_import")
    arguments = {"seed": sha256(content), "force": force, "ratified": ratified}
    return answered(
        brain,
        "system_blocks_seed_import",
        arguments,
        lambda: _import(brain, content, force, ratified, arguments, progress),
    )


def _import(
    brain: Brain,
    content: bytes,
    force: bool,
    ratified: bool,
    arguments: Mapping[str, Any],
    progress: Progress | None,
) -> Imported:
    before = brain.app.store_version()
    if before and not force:
        refuse(
            "already_present",
            f"there is a map already, at store version {before}; nothing was imported",
            "m1nd blocks import FILE --force",
            store_version=before,
        )
    seed = read_seed(content)
    digest = sha256(content)
    if seed.receipts and not ratified:
        refuse(
            "block_not_ratified",
            "the seed brings receipts, and its blocks would be candidates; nothing was imported",
            "m1nd blocks import FILE --ratified, with a stamp; or take the receipts out of the seed",
            block_ids=sorted(seed.receipts),
        )
    stamp = _stamp(brain, seed, digest) if ratified else None
    tree = look(brain, progress)
    version = brain.app.record_seed(
        seed,
        digest,
        forced=bool(before),
        stamp=stamp,
        tree=tree,
        command=new_command(brain, "system_blocks_seed_import", arguments),
    )
    warnings: tuple[str, ...] = ()
    if seed.says_ratified and not ratified:
        warnings = (
            (
                "the seed says ratified; its blocks are candidates: `m1nd blocks import FILE --force --ratified` takes its "
                "word, with a stamp"
            ),
        )
    return Imported(version, len(seed.proposal.blocks), bool(before), ratified, seed.says_ratified, warnings)


def _stamp(brain: Brain, seed: Seed, digest: str) -> Used:
    if not seed.says_ratified:
        refuse("usage", "the seed does not say that it is ratified", "m1nd blocks import FILE")
    lines = [
        (
            f"{seed.proposal.skeleton_id}, ratified by {seed.ratification.ratifier or 'nobody named'} "
            f"({seed.ratification.method or 'no method'}, {seed.ratification.ratified_at})"
        ),
        *(
            f"{block.block_id}: {block.draft.name}, boundary {block.boundary_version}, contract {block.contract_version}"
            for block in seed.proposal.blocks
        ),
        *(f"{id} brings {len(receipts)} receipt(s)" for id, receipts in sorted(seed.receipts.items())),
    ]
    needed = Used(Gesture(action=ACTION, target=seed.proposal.skeleton_id, digest=digest), shown(lines))
    require_stamp(brain, needed)
    return needed


def export_seed(brain: Brain, with_receipts: bool = False) -> Exported:
    """The map as the text of a seed, or the map and its live receipts; a pure read. Raises Refused(no_store | seed_leak | socket_leak)."""
    rows = brain.views.blocks_map()
    if rows is None:
        refuse("no_store", "no system-block store here yet; import a seed or make a candidate")
    document = _document(rows, brain.project_name, _receipts(brain) if with_receipts else {})
    refuse_leaks(document)
    text = canonical(document)
    return Exported(text, sha256(text.encode()), len(document["blocks"]))


def write_seed(brain: Brain, path: str, with_receipts: bool = False) -> Exported:
    """Write the map's seed to a file of the repository, through the one writer, and note it in the log.

    Raises Refused(outside_root | protected_zone | write_failed | read_only), and as `export_seed`.
    """
    brain.deny_if_read_only("system_blocks_seed_export")
    arguments = {"path": path, "receipts": with_receipts}
    return answered(
        brain, "system_blocks_seed_export", arguments, lambda: _write(brain, path, with_receipts, arguments)
    )


def _write(brain: Brain, path: str, with_receipts: bool, arguments: Mapping[str, Any]) -> Exported:
    require_map(brain)
    place = normalise(path)
    if not place.endswith(".json"):
        refuse("usage", f"a seed's name ends with .json, not {place!r}", "m1nd blocks export")
    made = export_seed(brain, with_receipts)
    before = brain.writer.read(place)
    after = made.text.encode()
    plan = FilePlan(place, before, after)
    warnings: tuple[str, ...] = ()
    if digest_of(before) != made.digest:
        require_reason(brain, [plan], otherwise="name another file")
        command = new_command(brain, "system_blocks_seed_export", arguments)
        outcome = brain.writer.apply(
            f"jrn_{brain.ids.hex(16)}",
            [plan],
            lambda: brain.app.record_export(made.digest, place, command),
        )
        warnings = (*outcome.repairs, *refresh_after_write(brain))
    return Exported(made.text, made.digest, made.block_count, place, warnings)


def _receipts(brain: Brain) -> dict[str, list[Mapping[str, Any]]]:
    """Live receipts by block id, as their evidence was written, in the order of their ids."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in sorted(brain.views.receipts(limit=MOST_RECEIPTS), key=lambda row: row.receipt_id):
        state = brain.app.receipt(row.receipt_id) if row.stage == "live" else None
        if state is not None:
            found.setdefault(row.block_id, []).append(state.body.wire())
    return found


def _document(
    rows: MapRows, project: str, receipts: Mapping[str, Sequence[Mapping[str, Any]]]
) -> dict[str, Any]:
    blocks = [
        _block(block, receipts.get(block.block_id, ()))
        for block in rows.blocks
        if block.lifecycle is not Lifecycle.TOMBSTONED
    ]
    known = {block["block_id"] for block in blocks}
    blocks += [
        block_wire(
            block.block_id,
            block.draft,
            "candidate",
            (block.boundary_version, block.contract_version),
        )
        for block in rows.candidates
        if block.block_id not in known
    ]
    skeleton = rows.skeleton
    return seed_wire(
        skeleton.repo_id or project,
        skeleton.source_commit,
        skeleton.skeleton_id,
        skeleton.version,
        bool(rows.blocks),
        skeleton.ratification,
        blocks,
    )


def _block(block: BlockRow, receipts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    state = "ratified" if block.is_live else "archived"
    versions = (block.boundary_version, block.contract_version)
    return block_wire(block.block_id, block.draft, state, versions, receipts)
