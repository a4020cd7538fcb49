"""`m1nd memory …`: claims about the code, kept and recalled. Thin: arguments in, `use_cases/memory.py` out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.adapters.cli.graph import joined
from m1nd.adapters.cli.text import counted
from m1nd.domain.codes import Exit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console


def register(group: click.Group) -> None:
    group.add_command(memory)


def _notes(
    context: click.Context, parameter: click.Parameter, paths: Sequence[str]
) -> tuple[dict[str, str], ...]:
    """The files that the line names, as the verb takes them. Raises Refused(usage | light_unreadable)."""
    from m1nd.adapters.cli.note_files import read_notes

    return tuple({"name": note.name, "text": note.text} for note in read_notes(paths))


@click.group("memory")
def memory() -> None:
    """Remember what is known about the code; it follows the code through moves."""


@memory.command("add")
@click.argument("claim", metavar="TEXT")
@click.option(
    "--state",
    type=click.Choice(["verified", "authored", "outdated"]),
    default="authored",
    show_default=True,
    help="How far it was checked.",
)
@click.option("--confidence", type=click.FloatRange(0, 1), help="0 to 1; unknown where it is left out.")
@click.option("--evidence", multiple=True, metavar="SYMBOL|PATH", help="What it rests on; may be repeated.")
@click.option("--supersedes", default="", metavar="ID", help="The claim whose place it takes.")
@click.option("--label", default="", help="What it is about, in a few words.")
@verb("memorize")
def add(
    call: Call,
    *,
    claim: str,
    state: str,
    confidence: float | None,
    evidence: Sequence[str],
    supersedes: str,
    label: str,
) -> Answer:
    """Remember TEXT and what it rests on."""
    from m1nd.adapters.cli.memory_views import claim_wire, show_claim
    from m1nd.application.use_cases.memory import MemorizeRequest, memorize

    request = MemorizeRequest(claim, state, confidence, tuple(evidence or ()), supersedes, label)
    kept = memorize(call.brain(), request, call.progress("refresh")).told
    return Answer(claim_wire(kept), lambda console: show_claim(console, kept))


@memory.command("recall")
@click.argument("query", nargs=-1, metavar="[QUESTION]", callback=joined)
@click.option("--limit", type=click.IntRange(1, 1000), default=8, show_default=True, help="At most so many.")
@verb("recall")
def recall(call: Call, *, query: str, limit: int) -> Answer:
    """Show the claims that answer QUESTION, and whether their evidence still stands; all of them without one."""
    from m1nd.adapters.cli.memory_views import claim_wire, show_recalled
    from m1nd.application.use_cases.memory import recall as remember

    found = remember(call.brain(), query, limit, call.progress("refresh"))
    data = {
        "query": found.query,
        "claims": [{**claim_wire(told), "score": round(told.score, 4)} for told in found.claims],
        "live": found.live,
    }
    status = Exit.DONE if found.claims else Exit.NO
    return Answer(data, lambda console: show_recalled(console, found), status)


@memory.command("list")
@click.option("--limit", type=click.IntRange(1, 1000), default=50, show_default=True, help="At most so many.")
@verb("claim_list")
def list_claims(call: Call, *, limit: int) -> Answer:
    """List all claims, superseded ones too, newest first."""
    from m1nd.adapters.cli.memory_views import claim_wire, show_claims
    from m1nd.application.use_cases.memory import listed

    rows = listed(call.brain(), limit, call.progress("refresh"))
    return Answer({"claims": [claim_wire(row) for row in rows]}, lambda console: show_claims(console, rows))


@memory.command("show")
@click.argument("claim_id", metavar="ID")
@verb("claim_show")
def show(call: Call, *, claim_id: str) -> Answer:
    """Show one claim, with what its evidence says now."""
    from m1nd.adapters.cli.memory_views import claim_wire, show_claim
    from m1nd.application.use_cases.memory import show as look

    told = look(call.brain(), claim_id, call.progress("refresh"))
    return Answer(claim_wire(told), lambda console: show_claim(console, told))


@memory.command("import")
@click.argument("notes", nargs=-1, required=True, metavar="PATH...", callback=_notes)
@verb("light_import")
def import_notes(call: Call, *, notes: Sequence[Mapping[str, str]]) -> Answer:
    """Take the claims of notes in the L1GHT form; a folder stands for every .light.md file in it."""
    from m1nd.adapters.cli.note_files import given_notes
    from m1nd.application.use_cases.notes import light_import

    done = light_import(call.brain(), given_notes(notes), call.progress("refresh"))
    data = {"claims": list(done.claims), "known": done.known, "unanchored": list(done.unanchored)}
    warnings = tuple(f"evidence names nothing here: {written}" for written in done.unanchored[:10])

    def show(console: Console) -> None:
        console.print(f"{counted(len(done.claims), 'claim')} taken, {done.known:,} stood already")

    return Answer(data, show, warnings=warnings)


@memory.command("export")
@click.argument("folder", required=False, metavar="[DIR]")
@click.option("--claim", "claim_ids", multiple=True, metavar="ID", help="Only this claim; may be repeated.")
@verb("light_export")
def export_notes(call: Call, *, claim_ids: Sequence[str], folder: str | None = None) -> Answer:
    """Write the claims that stand as notes in the L1GHT form into DIR, or show them."""
    from m1nd.adapters.cli.note_files import write_notes
    from m1nd.application.use_cases.notes import light_export

    brain = call.brain()
    if folder is not None:
        brain.deny_if_read_only("light_export")
    made = light_export(brain, claim_ids or (), call.progress("refresh"))
    if folder is not None:
        write_notes(folder, made.notes)

    def show(console: Console) -> None:
        if folder is not None:
            console.print(f"{counted(len(made.notes), 'note')} written to {folder}", soft_wrap=True)
            return
        for note in made.notes:
            console.print(note.text, soft_wrap=True)

    return Answer({"notes": [{"name": note.name, "text": note.text} for note in made.notes]}, show)


@memory.command("drift")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@verb("document_drift")
def drift(call: Call, *, paths: Sequence[str]) -> Answer:
    """Show where documents and code have come apart: names that lead to nothing, to two things, or to what moved.

    PATH is a document or a folder (default: every Markdown file).
    """
    from m1nd.adapters.cli.memory_views import drift_wire, show_drift
    from m1nd.application.use_cases.drift import document_drift

    found = document_drift(call.brain(), tuple(paths or ()), call.progress("refresh"))
    data = {
        "documents": found.documents,
        "bindings": found.bindings,
        "findings": [drift_wire(drift) for drift in found.findings],
        "counts": dict(found.counts),
        "unread": list(found.unread),
    }
    status = Exit.DONE if found.is_sound else Exit.NO
    return Answer(data, lambda console: show_drift(console, found), status)
