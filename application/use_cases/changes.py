"""What changed in the graph after a generation that the caller has seen (`since_rev`): the net effect, file by file.

Reads the log alone; brings nothing up to date.
"""

from typing import Any

from attrs import define

from m1nd.application.brain import Brain
from m1nd.domain.graph import Graph

MOST_STEPS = 500
"""Further back, the answer says that it is not complete."""


@define
class _Fate:
    """One file between then and now: its hash then (None where the first event does not say), and now."""

    then: str | None
    now: str


def changes_since(brain: Brain, since: int) -> dict[str, Any]:
    """`{since_rev, graph_rev, added, changed, removed, complete}`; the lists hold paths, sorted.

    `complete` is false where an event named only a part of its files, or where more than 500 changes lie between.
    """
    steps = brain.views.graph_changes(since, MOST_STEPS + 1)
    complete = len(steps) <= MOST_STEPS
    fates: dict[str, _Fate] = {}
    for step in steps[:MOST_STEPS]:
        for row in brain.app.log.rows(after=step.position - 1, limit=1, until=step.position):
            event = brain.app.event_of(row)
            assert isinstance(event, Graph.GraphChanged)
            complete = complete and not event.files.omitted
            for file in event.files.added:
                fates.setdefault(file.path, _Fate("", "")).now = file.sha256
            for file in event.files.changed:
                fates.setdefault(file.path, _Fate(file.before or None, "")).now = file.sha256
            for file in event.files.removed:
                fates.setdefault(file.path, _Fate(file.before or None, "")).now = ""
    return {
        "since_rev": since,
        "graph_rev": brain.log.generation(),
        "added": sorted(path for path, fate in fates.items() if fate.then == "" and fate.now),
        "changed": sorted(
            path for path, fate in fates.items() if fate.now and fate.then != "" and fate.then != fate.now
        ),
        "removed": sorted(path for path, fate in fates.items() if not fate.now and fate.then != ""),
        "complete": complete,
    }
