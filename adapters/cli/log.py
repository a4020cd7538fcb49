"""The auditor's commands: `m1nd log`, `m1nd audit`, `m1nd projections`. Thin: arguments in, `application/audit.py` out."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.domain.refusal import refuse

if TYPE_CHECKING:
    from rich.console import Console

    from m1nd.application.brain import Brain
    from m1nd.application.event_log import LogHead
    from m1nd.application.views import TableDigest, TrailRow

POSITION = click.IntRange(min=0, max=(1 << 63) - 1)
LIMIT = click.IntRange(min=1, max=10_000)


def register(group: click.Group) -> None:
    for command in (log, audit, projections):
        group.add_command(command)


# m1nd log


@click.group("log", invoke_without_command=True)
@click.option(
    "--after", type=POSITION, help="Events after this position, oldest first (default: the last ones)."
)
@click.option(
    "--stream", default="", help="Of this stream only (graph, transplant:…), or of a kind (transplant)."
)
@click.option("--topic", default="", help="Of this name only (graph_changed, …).")
@click.option("--follow", is_flag=True, help="Go on with what is appended, until Ctrl-C.")
@click.option("--limit", type=LIMIT, default=20, show_default=True, help="At most so many.")
@click.pass_context
def log(context: click.Context, after: int | None, stream: str, topic: str, follow: bool, limit: int) -> int:
    """The events of this repository, in the order in which they were recorded."""
    if context.invoked_subcommand is not None:
        return 0
    show = follow_log if follow else list_log
    return show(after=after, stream=stream, topic=topic, limit=limit)


@verb("log")
def list_log(call: Call, *, after: int | None, stream: str, topic: str, limit: int) -> Answer:
    brain = call.brain()
    rows = _trail(brain, after, stream, topic, limit)
    return _listing(brain, rows, brain.app.log_head())


log.callback.wire_name = "log"  # type: ignore[union-attr]
log.callback.answers = list_log.answers  # type: ignore[union-attr, attr-defined]


@verb("log")
def follow_log(call: Call, *, after: int | None, stream: str, topic: str, limit: int) -> Answer:
    """Prints as it goes: under --json one envelope a line for each batch, else lines."""
    from m1nd.adapters.cli.output import print_answer

    brain = call.brain()
    rows = _trail(brain, after, stream, topic, limit)
    head = brain.app.log_head()
    print_answer(call, _listing(brain, rows, head))
    position = head.count
    with brain.app.follow(position) as coming:
        for notification in coming:
            while position < notification.id:
                rows = brain.views.trail(position, stream, topic, 1000)
                position = rows[-1].position if len(rows) == 1000 else brain.app.log_head().count
                if rows:
                    print_answer(call, _listing(brain, rows, brain.app.log_head()))
    return Answer({"events": []}, lambda console: None)


def _trail(brain: Brain, after: int | None, stream: str, topic: str, limit: int) -> Sequence[TrailRow]:
    if after is None:
        return brain.views.trail_tail(stream, topic, limit)
    return brain.views.trail(after, stream, topic, limit)


def _listing(brain: Brain, rows: Sequence[TrailRow], head: LogHead) -> Answer:
    from m1nd.adapters.cli.log_lines import event_object, print_events

    stored = [brain.app.log.rows(after=row.position - 1, limit=1, until=row.position)[0] for row in rows]
    events = [event_object(row, stored_row.state) for row, stored_row in zip(rows, stored, strict=True)]
    data = {"events": events, "log": {"count": head.count, "head": head.head}}

    def show(console: Console) -> None:
        if not rows:
            console.print(
                "no events yet: `m1nd ingest` records the first"
                if head.count == 0
                else "no events of that kind"
            )
            return
        print_events(console, rows, [brain.app.event_of(row) for row in stored])

    return Answer(data, show, warnings=tuple(brain.views.notes))


@log.command("export")
@click.argument("file", required=False, default="-")
@verb("log_export")
def export_log(call: Call, file: str) -> Answer:
    """Write the whole log with its chain to FILE, one JSON object a line (default: stdout)."""
    from m1nd.application.audit import export

    if file == "-" and call.json:
        refuse("usage", "with --json the export needs a FILE", "m1nd log export FILE --json")
    source = call.brain().app
    head = source.log_head()
    lines = (line + b"\n" for line in export(source.log))
    if file == "-":
        sys.stdout.flush()
        for line in lines:
            sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
        return Answer({}, lambda console: None)
    call.brain().deny_if_read_only("log_export")
    _require_place(file)
    _write_whole(file, lines)
    return _moved("exported", "to", file, head)


@log.command("import")
@click.argument("file")
@verb("log_import")
def import_log(call: Call, file: str) -> Answer:
    """Take a log from FILE (of `m1nd log export`) into this repository, which must have none."""
    from m1nd.application.audit import import_lines

    brain = call.brain()
    brain.deny_if_read_only("log_import")
    with open(file, "rb") as lines:
        head = import_lines(brain.app.log, lines)
    return _moved("imported", "from", file, head)


def _require_place(file: str) -> None:
    """An earlier export may be replaced, and no other file. Raises Refused(usage)."""
    from m1nd.application.audit import is_export

    if not os.path.lexists(file):
        return
    if os.path.isfile(file) and not os.path.islink(file):
        with open(file, "rb") as there:
            if is_export(there.readline(4096)):
                return
    refuse(
        "usage",
        f"`{os.path.basename(file)}` is there, and is no export of a log; it stays as it is",
        "name another file: m1nd log export FILE",
    )


def _write_whole(file: str, lines: Iterable[bytes]) -> None:
    """Write beside `file`, then put it in its place, so that nobody ever reads half an export."""
    descriptor, partial = tempfile.mkstemp(prefix=".m1nd-", suffix=".part", dir=os.path.dirname(file) or ".")
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.writelines(lines)
            out.flush()
            os.fsync(out.fileno())
        os.replace(partial, file)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(partial)
        raise


def _moved(done: str, preposition: str, file: str, head: LogHead) -> Answer:
    def show(console: Console) -> None:
        console.print(
            f"{done} {head.count:,} events {preposition} {file}; head {head.head[:16]}…", soft_wrap=True
        )

    return Answer({"file": file, "count": head.count, "head": head.head}, show)


# m1nd audit


@click.group("audit")
def audit() -> None:
    """Check that the log is whole and untampered; fold it again."""


@audit.command("verify")
@click.option("--since", type=POSITION, default=0, help="From the event after this position on.")
@click.option("--head", default="", help="The head that was published at --since (64 hex digits).")
@verb("audit_verify")
def verify_log(call: Call, since: int, head: str) -> Answer:
    """Check the hash chain over every stored byte, from the first event or from a published head."""
    from m1nd.application.audit import require_sound_file, verify
    from m1nd.application.event_log import RESTORE

    if head and not since:
        refuse("usage", "--head needs --since, the position at which it was published")
    if head and (len(head) != 64 or set(head) - set("0123456789abcdef")):
        refuse("usage", "--head takes 64 hex digits, as `m1nd audit seal` prints them")
    log = call.brain().app.log
    require_sound_file(log)
    result = verify(log, since, head)
    if result.finding is not None:
        refuse(
            "chain_broken",
            result.finding.message,
            f"events before this position can be trusted; to go on, {RESTORE}",
            position=result.finding.position,
            kind=result.finding.kind,
            sound=result.count,
        )
    data = {
        "holds": True,
        "count": result.count,
        "head": result.head,
        "checked": result.checked,
        "since": result.since,
    }

    def show(console: Console) -> None:
        console.print(f"the chain holds: {result.checked:,} events checked", style="good")
        console.print(f"head {result.head} at event {result.count:,}", soft_wrap=True)

    return Answer(data, show)


@audit.command("seal")
@verb("audit_seal")
def seal(call: Call) -> Answer:
    """Print the log's head, to be kept where the log cannot reach (git, a receipt)."""
    head = call.brain().app.log_head()

    def show(console: Console) -> None:
        console.print(f"{head.count} {head.head}", soft_wrap=True)

    return Answer({"count": head.count, "head": head.head}, show)


@audit.command("topics")
@verb("audit_topics")
def topics(call: Call) -> Answer:
    """Every name of an event, how often it stands in the log, and whether this m1nd can read it."""
    from m1nd.adapters.cli.render import table
    from m1nd.application.audit import topics as count_topics

    found = count_topics(call.brain().app.log)
    if unknown := [row.topic for row in found if not row.known]:
        refuse(
            "unknown_topic",
            f"the log holds {', '.join(unknown)}, which this m1nd does not know",
            topics=unknown,
        )
    data = {"topics": [{"topic": row.topic, "events": row.events} for row in found]}

    def show(console: Console) -> None:
        rows = table("topic", "events", right=(1,))
        for row in found:
            rows.add_row(row.topic, f"{row.events:,}", style=None if row.events else "quiet")
        console.print(rows)

    return Answer(data, show)


@audit.command("replay")
@click.option("--to", type=POSITION, help="Up to this position (default: the end).")
@click.option("--out", default="", help="Keep the views of that position in this new SQLite file.")
@verb("audit_replay")
def replay(call: Call, to: int | None, out: str) -> Answer:
    """Decode every event, fold every aggregate, and fold the views as they were at a position."""
    from m1nd.application.audit import replay as fold

    brain = call.brain()
    if out:
        brain.deny_if_read_only("audit_replay")
    count = brain.app.log_head().count
    if to is not None and to > count:
        refuse(
            "usage",
            f"the log has {count} events; there is no position {to}",
            f"m1nd audit replay --to {count}",
        )
    if out and os.path.lexists(out):
        refuse("usage", f"{out} exists; the replay wants a new file", "name another file with --out")
    result = fold(brain.app, to)
    digests = brain.views.replay(result.position, out)
    data = {
        "position": result.position,
        "events": result.events,
        "streams": result.streams,
        "tables": _tables(digests),
        "out": out,
    }

    def show(console: Console) -> None:
        console.print(
            f"{result.events:,} events in {result.streams:,} streams fold without a fault", style="good"
        )
        _print_tables(console, digests)
        if out:
            console.print(f"views at event {result.position:,} are in {out}", soft_wrap=True)

    return Answer(data, show)


# m1nd projections


@click.group("projections")
def projections() -> None:
    """The views that are derived from the log."""


@projections.command("rebuild")
@click.option("--check", is_flag=True, help="Change nothing: rebuild beside the live views and compare.")
@verb("projections_rebuild")
def rebuild(call: Call, check: bool) -> Answer:
    """Drop the views and fold the log anew; with --check, compare byte for byte (exit 1 on a difference)."""
    brain = call.brain()
    if check:
        return _compare(brain)
    brain.deny_if_read_only("projections_rebuild")
    position = brain.views.rebuild()
    digests = brain.views.digests()

    def show(console: Console) -> None:
        console.print(f"views rebuilt from {position:,} events", style="good")
        _print_tables(console, digests)

    data = {"position": position, "same": True, "tables": _tables(digests)}
    return Answer(data, show, warnings=tuple(brain.views.notes))


def _compare(brain: Brain) -> Answer:
    position = brain.views.catch_up()
    if differences := brain.views.check():
        names = ", ".join(difference.live.table for difference in differences)
        refuse(
            "views_differ",
            f"a rebuild differs from the live views in: {names}",
            differences=[
                {"live": _table(difference.live), "rebuilt": _table(difference.rebuilt)}
                for difference in differences
            ],
        )
    digests = brain.views.digests()

    def show(console: Console) -> None:
        console.print(f"the views are what the log says: {position:,} events folded again", style="good")
        _print_tables(console, digests)

    data = {"position": position, "same": True, "tables": _tables(digests)}
    return Answer(data, show, warnings=tuple(brain.views.notes))


def _tables(digests: Sequence[TableDigest]) -> list[dict[str, Any]]:
    return [_table(digest) for digest in digests]


def _table(digest: TableDigest) -> dict[str, Any]:
    return {"view": digest.view, "table": digest.table, "rows": digest.rows, "digest": digest.digest}


def _print_tables(console: Console, digests: Sequence[TableDigest]) -> None:
    from m1nd.adapters.cli.render import table

    rows = table("view", "table", "rows", "sha256", right=(2,))
    for digest in digests:
        rows.add_row(digest.view, digest.table, f"{digest.rows:,}", digest.digest[:16])
    console.print(rows)
