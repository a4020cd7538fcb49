"""How answers about memory look, and their wire form. No rule lives here."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from m1nd.adapters.cli.render import facts, one_line, table
from m1nd.adapters.cli.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from m1nd.application.use_cases.drift import Drifted
    from m1nd.application.use_cases.memory import Recalled
    from m1nd.application.use_cases.telling import Standing, Told
    from m1nd.domain.memory.anchors import Anchor
    from m1nd.domain.memory.drift import Drift

STYLES = {"fresh": "good", "moved": "good", "changed": "warn", "gone": "bad"}


# ---- wire


def claim_wire(told: Told) -> dict[str, Any]:
    row = told.row
    return {
        "claim_id": row.claim_id,
        "label": row.label,
        "claim": row.claim,
        "state": row.state.value,
        "confidence": row.confidence,
        "evidence": [standing_wire(standing) for standing in told.evidence],
        "freshness": told.freshness,
        "markers": [marker.model_dump() for marker in row.markers],
        "source_agent": row.source_agent,
        "origin": row.origin,
        "created_at": row.created_at.isoformat(),
        "age_ms": max(0, round(told.age / timedelta(milliseconds=1))),
        "stale": told.stale,
        "supersedes": row.supersedes,
        "superseded_by": row.superseded_by,
    }


def standing_wire(standing: Standing) -> dict[str, Any]:
    anchor = standing.anchor
    return {
        **anchor_wire(anchor, standing.path, standing.label),
        "freshness": standing.freshness.value,
        "made_at": {"path": anchor.path, "label": anchor.label},
    }


def anchor_wire(anchor: Anchor, path: str, label: str) -> dict[str, Any]:
    return {"kind": anchor.kind, "name": label or path, "symbol_id": anchor.symbol_id, "path": path}


def drift_wire(drift: Drift) -> dict[str, Any]:
    return {
        "class": drift.finding.value,
        "document": drift.document,
        "line": drift.line,
        "binding": drift.binding,
        "target": drift.target,
        "message": drift.message,
        "confidence": drift.confidence,
        "heuristic": drift.heuristic,
    }


# ---- terminal


def show_drift(console: Console, found: Drifted) -> None:
    if found.findings:
        shown = table("where", "class", "says", "but")
        for drift in found.findings:
            shown.add_row(
                f"{drift.document}:{drift.line}", drift.finding.value, one_line(drift.binding), drift.message
            )
        console.print(shown)
    read = counted(found.documents, "document")
    console.print(
        f"{read} read, {counted(found.bindings, 'binding')} looked at, {len(found.findings):,} drifted"
    )


def age(told: Told) -> str:
    days, seconds = told.age.days, max(0, told.age.seconds)
    if days > 0:
        return counted(days, "day")
    return counted(seconds // 3600, "hour") if seconds >= 3600 else counted(seconds // 60, "minute")


def sureness(told: Told) -> str:
    return (
        told.row.state.value
        if told.row.confidence is None
        else f"{told.row.state.value} {told.row.confidence:g}"
    )


def show_claim(console: Console, told: Told) -> None:
    from rich.text import Text

    row = told.row
    console.print(Text(row.claim))
    place = f"superseded by {row.superseded_by}" if row.superseded_by else "stands"
    rows = [
        ("claim", row.claim_id),
        ("about", one_line(row.label)),
        ("says", f"{one_line(row.source_agent)}, {age(told)} ago"),
        ("state", sureness(told)),
        ("place", place + (f"; took that of {row.supersedes}" if row.supersedes else "")),
    ]
    console.print(facts(rows))
    for standing in told.evidence:
        console.print(_evidence(standing))
    for marker in row.markers:
        console.print(
            Text(f"  {marker.glyph} {one_line(marker.kind)}: {one_line(marker.value)}", style="quiet")
        )


def _evidence(standing: Standing) -> Any:
    from rich.text import Text

    name, was = standing.label or standing.path, standing.anchor.name
    line = Text("  evidence ", style="key")
    line.append(standing.freshness.value, STYLES[standing.freshness.value])
    line.append(f"  {one_line(name)}", "name")
    if name != was:
        line.append(f"  was {one_line(was)}", "quiet")
    elif standing.path != standing.anchor.path:
        line.append(f"  was in {one_line(standing.anchor.path)}", "quiet")
    return line


def show_recalled(console: Console, found: Recalled) -> None:
    if not found.claims:
        said = "nothing is remembered yet" if not found.live else "no claim answers that"
        more = f"; {counted(found.live, 'claim stands', 'claims stand')}" if found.live else ""
        console.print(f"{said}{more}")
        return
    show_claims(console, found.claims)


def show_claims(console: Console, rows: Sequence[Told]) -> None:
    from rich.text import Text

    if not rows:
        console.print("nothing is remembered yet")
        return
    shown = table("claim", "says", "state", "evidence", "age")
    for told in rows:
        evidence = Text(told.freshness or "-", STYLES.get(told.freshness, "quiet"))
        text = one_line(told.row.claim)
        if told.row.superseded_by:
            text = f"{text} (superseded by {told.row.superseded_by})"
        shown.add_row(told.row.claim_id, text, sureness(told), evidence, age(told))
    console.print(shown)
