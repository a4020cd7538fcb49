"""`m1nd blocks …`: the map of the repository, its candidates, its ratification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from m1nd.adapters.cli.block_options import (
    EXPECTED,
    OPS,
    seed_file,
    shortcut,
)
from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.adapters.cli.stamps import is_human_here, with_stamp
from m1nd.adapters.cli.text import counted
from m1nd.domain.refusal import refuse

if TYPE_CHECKING:
    from rich.console import Console

Versions = Mapping[str, int] | None


def register(group: click.Group) -> None:
    from m1nd.adapters.cli.ratified_blocks import register as register_ratified

    register_ratified(blocks)
    group.add_command(blocks)


@click.group("blocks")
def blocks() -> None:
    """The map: which files form which block, which evidence each block needs and has."""


@blocks.command("show")
@click.argument("block_id", metavar="BLOCK", required=False, default="")
@click.option("--as-of", default="", metavar="TIME", help="Judge expiry at this time instead of now.")
@verb("system_blocks_snapshot")
def show(call: Call, block_id: str, as_of: str) -> Answer:
    """Show the map, or one BLOCK of it with all its parts."""
    from m1nd.adapters.cli.block_views import show_block, show_map, show_none
    from m1nd.adapters.cli.block_wire import snapshot_object
    from m1nd.application.use_cases.map_reading import snapshot

    found = snapshot(call.brain(), as_of, call.progress("refresh"))
    data = snapshot_object(found, block_id)
    if found is None:
        return Answer(data, show_none)
    if block_id:
        wire = data["store"]["blocks"][0]
        return Answer(data, lambda console: show_block(console, wire))
    return Answer(data, lambda console: show_map(console, found))


@blocks.command("candidate")
@EXPECTED
@click.option("--review-limit", type=click.IntRange(1, 1000), default=16, show_default=True, help="Echoed.")
@click.option("--promote", "revision", flag_value="promote", help="Make the revision's blocks candidates.")
@click.option("--discard", "revision", flag_value="discard", help="Throw the revision away.")
@verb("skeleton_candidate")
def candidate(
    call: Call, expected_store_version: int | None, review_limit: int, revision: str | None
) -> Answer:
    """Propose blocks from the folders and the graph; on a ratified map, a revision beside it."""
    from m1nd.application.use_cases import candidates as use_case

    brain = call.brain()
    if revision == "promote":
        ids = use_case.promote(brain, expected_store_version)
        return _proposed(call, "promoted_revision", ids, review_limit, None)
    if revision == "discard":
        use_case.discard(brain, expected_store_version)
        return _proposed(call, "discarded_revision", (), review_limit, None)
    made = use_case.propose(brain, expected_store_version, call.progress("clustering"))
    ids = tuple(block.block_id for block in made.generated.proposal.blocks)
    return _proposed(call, made.transaction, ids, review_limit, dict(made.generated.report))


def _proposed(
    call: Call, state: str, ids: Sequence[str], review_limit: int, report: dict[str, Any] | None
) -> Answer:
    data = {
        "store_version": call.brain().app.store_version(),
        "transaction_state": state,
        "candidate_revision_written": state == "wrote_candidate_revision",
        "block_count": len(ids),
        "review_limit": review_limit,
        "block_ids": list(ids),
        "report": report,
    }

    def show(console: Console) -> None:
        console.print(f"{state.replace('_', ' ')}: {counted(len(ids), 'block')}")
        if report is not None:
            console.print(
                f"{report['claimed_file_count']:,} of {report['repo_file_count']:,} files claimed "
                f"({report['coverage_ratio']:.0%}), {report['unmapped_total']:,} unmapped, "
                f"{len(report['multi_owner_seams'])} shared; {report['algorithm']}"
            )
            console.print("names are guesses: m1nd blocks edit --rename BLOCK NAME")
        console.print("see the map with: m1nd blocks show")

    return Answer(data, show)


@blocks.command("edit")
@shortcut(
    "--rename", 2, "BLOCK NAME", "Name a block.", lambda a: {"op": "rename", "block_id": a[0], "name": a[1]}
)
@shortcut(
    "--purpose",
    2,
    "BLOCK TEXT",
    "Say what a block is for.",
    lambda a: {"op": "rename", "block_id": a[0], "purpose": a[1]},
)
@shortcut(
    "--contract",
    2,
    "BLOCK TEMPLATE",
    "Pre-fill a contract.",
    lambda a: {"op": "set_contract", "block_id": a[0], "template": a[1]},
)
@shortcut(
    "--waive",
    2,
    "BLOCK REASON",
    "A contract that requires nothing, and why.",
    lambda a: {
        "op": "set_contract",
        "block_id": a[0],
        "required": [],
        "optional": [],
        "waived": [],
        "waiver": a[1],
    },
)
@shortcut(
    "--merge",
    2,
    "INTO VICTIM",
    "Merge a block into another.",
    lambda a: {"op": "merge", "into": a[0], "block_ids": [a[1]]},
)
@shortcut(
    "--move",
    3,
    "PATH FROM TO",
    "Move an entry or a file.",
    lambda a: {"op": "move_member", "path": a[0], "from": a[1], "to": a[2]},
)
@shortcut(
    "--assign",
    2,
    "PATH BLOCK",
    "Give an unmapped file to a block.",
    lambda a: {"op": "assign_unmapped", "path": a[0], "block_id": a[1]},
)
@shortcut(
    "--role",
    3,
    "BLOCK PATH ROLE",
    "Set the role of an entry or a file.",
    lambda a: {"op": "set_role", "block_id": a[0], "path": a[1], "role": a[2]},
)
@shortcut(
    "--seam", 2, "PATH both|primary:BLOCK", "Decide who owns a shared file.",
    lambda a: {"op": "resolve_seam", "path": a[0], "resolution": a[1]},
)  # fmt: skip
@OPS
@click.option("--by", type=click.Choice(("owner", "runner")), help="Edit from a weaker seat.")
@EXPECTED
@verb("candidate_edit")
def edit(
    call: Call, ops: Sequence[Mapping[str, Any]], by: str | None, expected_store_version: int | None
) -> Answer:
    """Edit the candidates: a JSON list of edits in FILE (- for stdin), and the options; all or nothing."""
    from m1nd.application.use_cases.candidates import edit as carry_out

    brain = call.brain()
    version = carry_out(brain, ops, expected_store_version, by or "", call.progress("refresh"))
    skeleton = brain.app.skeleton()
    assert skeleton is not None
    data = {
        "store_version": version,
        "block_count": len(skeleton.candidates),
        "ops_applied": len(ops),
        "candidates": list(skeleton.candidates),
    }
    words = f"{counted(len(ops), 'edit')} applied; {counted(len(skeleton.candidates), 'candidate')}"
    return Answer(data, lambda console: console.print(words))


@blocks.command("lease")
@click.argument("action", type=click.Choice(("acquire", "refresh", "release")))
@click.option("--ttl", "ttl_secs", type=click.IntRange(1, 86400), default=900, show_default=True)
@verb("candidate_lease")
def lease(call: Call, action: str, ttl_secs: int) -> Answer:
    """Say who is curating the candidates; advisory, it blocks nobody."""
    from m1nd.application.use_cases.candidates import curate

    done = curate(call.brain(), action, ttl_secs)  # type: ignore[arg-type]
    data = {
        "state": done.outcome,
        "curating_by": done.holder or None,
        "curating_until": done.until.isoformat() if done.until else None,
        "store_version": done.store_version,
    }
    until = f" until {done.until:%H:%M:%S} UTC" if done.until else ""
    words = f"{done.outcome.replace('_', ' ')}{f' by {done.holder}' if done.holder else ''}{until}"
    return Answer(data, lambda console: console.print(words))


@blocks.command("ratify")
@click.argument("block_ids", nargs=-1, metavar="[BLOCK]…")
@click.option(
    "--sign",
    type=click.Choice(("names", "boundaries", "contract")),
    help="Give this signature alone. On a terminal, without it: all three in turn.",
)
@EXPECTED
@verb("system_blocks_ratify")
def ratify(
    call: Call,
    block_ids: Sequence[str],
    sign: str | None,
    expected_store_version: int | None,
    expected_versions: Versions = None,
) -> Answer:
    """Sign names, boundaries and contract of the candidates; each signature needs your stamp."""
    from m1nd.adapters.cli.block_views import ratified_answer
    from m1nd.application.use_cases.ratifying import sign as give

    ids = tuple(block_ids) or None
    if sign is not None:
        done = with_stamp(
            call,
            lambda: give(
                call.brain(),
                str(sign),
                ids,
                expected_store_version,
                expected_versions,
                call.progress("refresh"),
            ),
        )
        return ratified_answer([done])
    if call.json or call.silent or not is_human_here():
        refuse(
            "usage",
            "a ratification is three signatures; without a terminal they are given one by one",
            "m1nd blocks ratify --sign names",
        )
    from m1nd.adapters.cli.ratification import session

    return ratified_answer(session(call, ids))


@blocks.command("import")
@click.argument("seed_json", metavar="[FILE]", required=False, callback=seed_file)
@click.option("--force", is_flag=True, help="Although there is a map; versions go on counting.")
@click.option("--ratified", is_flag=True, help="Take a ratified seed's word; needs your stamp.")
@verb("system_blocks_seed_import")
def import_seed(call: Call, seed_json: str | bytes | None, force: bool, ratified: bool) -> Answer:
    """Take the map of the seed in FILE (- for stdin); without it, the repository's own seed."""
    from m1nd.application.use_cases import seeds

    brain = call.brain()
    if seed_json is None:
        path = seeds.default_path(brain)
        seed_json = brain.files.read(path)
        if seed_json is None:
            refuse("usage", f"there is no seed file {path}", "m1nd blocks import FILE")
    content = seed_json.encode() if isinstance(seed_json, str) else seed_json
    done = with_stamp(
        call,
        lambda: seeds.import_seed(
            brain, content, force=force, ratified=ratified, progress=call.progress("refresh")
        ),
    )
    data = {
        "present": True,
        "store_version": done.store_version,
        "block_count": done.block_count,
        "overwritten": done.overwritten,
        "as_ratified": done.as_ratified,
    }
    how = "ratified blocks" if done.as_ratified else "candidates"
    words = f"{counted(done.block_count, 'block')} of the seed are {how} now"
    return Answer(data, lambda console: console.print(words), warnings=done.warnings)


@blocks.command("export")
@click.argument("path", metavar="[FILE|-]", required=False)
@click.option(
    "--receipts", is_flag=True, help="With the live receipts; who imports them needs the same files."
)
@verb("system_blocks_seed_export")
def export_seed(call: Call, path: str | None, receipts: bool) -> Answer:
    """Write the map as a seed into FILE of the repository (- for stdout); without it, the repository's own seed."""
    from m1nd.application.use_cases import seeds

    brain = call.brain()
    if path == "-":
        made = seeds.export_seed(brain, receipts)
    else:
        made = seeds.write_seed(brain, path or seeds.default_path(brain), receipts)
    data = {
        "seed": made.text,
        "digest": made.digest,
        "block_count": made.block_count,
        "path": made.path or None,
    }

    def show(console: Console) -> None:
        if made.path:
            console.print(f"{counted(made.block_count, 'block')} written to {made.path}")
        else:
            console.print(made.text, end="", soft_wrap=True)

    return Answer(data, show, warnings=made.warnings)
