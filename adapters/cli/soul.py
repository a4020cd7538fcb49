"""`m1nd soul check`: the invariants that the repository declares, held against the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.domain.codes import Exit

if TYPE_CHECKING:
    from rich.console import Console

    from m1nd.application.use_cases.soul import SoulReport


def register(group: click.Group) -> None:
    group.add_command(soul)


@click.group("soul")
def soul() -> None:
    """The invariants that the repository declares of itself."""


@soul.command("check")
@click.option("--block", "block_id", metavar="ID", help="Compose a handoff candidate for this block.")
@verb("soul_check")
def check(call: Call, block_id: str | None) -> Answer:
    """Hold the claims of docs/soul.md against the graph; exit status 1 where one is broken."""
    from m1nd.application.use_cases.soul import soul_check
    from m1nd.domain.missions.soul import Verdict

    found = soul_check(call.brain(), block_id or "", call.progress())
    broken = found.count(Verdict.BROKEN)
    data = {
        "path": found.path,
        "sha256": found.sha256,
        "holds": found.count(Verdict.HOLDS),
        "broken": broken,
        "unprovable": found.count(Verdict.UNPROVABLE),
        "claims": [
            {
                "line": each.claim.line,
                "text": each.claim.text,
                "verdict": each.verdict.value,
                "evidence": list(each.claim.evidence),
                "missing": list(each.missing),
            }
            for each in found.claims
        ],
        "candidate_id": found.candidate_id,
        "candidate": found.candidate,
        "why_none": found.why_none,
    }
    return Answer(data, lambda console: _show_soul(console, found), Exit.NO if broken else Exit.DONE)


def _show_soul(console: Console, found: SoulReport) -> None:
    from rich.text import Text

    from m1nd.adapters.cli.render import one_line, table

    styles = {"holds": "good", "broken": "bad", "unprovable": "quiet"}
    shown = table("line", "verdict", "claim", right=(0,))
    for each in found.claims:
        missing = f" (not there: {', '.join(each.missing)})" if each.missing else ""
        verdict = Text(each.verdict.value, styles[each.verdict.value])
        shown.add_row(str(each.claim.line), verdict, one_line(each.claim.text) + missing)
    console.print(shown)
    if found.candidate_id:
        console.print(f"\nwaits for the human: m1nd land {found.candidate_id}", soft_wrap=True)
    elif found.why_none:
        console.print(f"\nno candidate: {found.why_none}")
