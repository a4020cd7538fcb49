"""What every verb but `north` and `card` does first: the graph is brought up to date (D41).

Where nothing has changed since the log was last told, no event is made and none of their classes is loaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

if TYPE_CHECKING:
    from m1nd.application.brain import Brain
    from m1nd.application.ports import IngestReport, Progress


def bring_up_to_date(brain: Brain, progress: Progress | None = None) -> IngestReport:
    """Refresh, and record what is new; on a read-only attach nothing is recorded (D34, D42)."""
    report = brain.graph.refresh(progress)
    if brain.read_only:
        return report
    unchanged = nothing_new(brain, report)
    if unchanged is not None:
        return unchanged
    # Late, as the module says.
    from m1nd.application.use_cases.ingest import record

    return record(brain, report).report


def nothing_new(brain: Brain, report: IngestReport) -> IngestReport | None:
    """The report with its generation where the log knows all that the refresh found; else None."""
    if any(brain.graph.file_changes().values()):
        return None
    generation = brain.log.generation()
    return evolve(report, generation=generation) if generation else None
