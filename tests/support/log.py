"""What the tests of the log share: commands without a clock, a planned move, an application in a folder."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from m1nd.application.app import M1nd
from m1nd.domain.base import Actor, Command
from m1nd.domain.edit import RECEIPT_FIELDS as EDIT_RECEIPT_FIELDS
from m1nd.domain.edit import EditPreview
from m1nd.domain.graph import GraphChange
from m1nd.domain.planned_files import PlannedFile, WrittenFile
from m1nd.domain.symbol_move import SymbolMove
from m1nd.domain.symbols import Address, first_sight_id
from m1nd.domain.transplant import RECEIPT_FIELDS, MoveRequest, Preview, preview_id
from m1nd.infrastructure.log import open_app

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
OWNER = Actor(kind="owner", id="ada")
TIDE = Address(kind="fn", module="harbour::tide", name="height")
MOON = Address(kind="fn", module="harbour::moon", name="height")
SYMBOL = first_sight_id(TIDE)
UNTOUCHED: dict[str, Any] = {"blocks_touched": [], "receipts_staled": []}
RECEIPT: dict[str, Any] = dict.fromkeys(RECEIPT_FIELDS, 0) | UNTOUCHED
EDIT_RECEIPT: dict[str, Any] = dict.fromkeys(EDIT_RECEIPT_FIELDS, 0) | UNTOUCHED
WRITTEN = (WrittenFile(file_path="src/tide.rs", before_hash="a" * 64, after_hash="b" * 64),)


def command(number: int = 1, *, minutes: float = 0, verb: str = "test", actor: Actor = OWNER) -> Command:
    return Command.of(
        verb, {"number": number}, id=f"command-{number}", at=START + timedelta(minutes=minutes), actor=actor
    )


def ingest(*paths: str, kind: str = "ingest", cause: str = "") -> GraphChange:
    files = [{"path": path, "sha256": "a" * 64} for path in paths]
    return GraphChange.of(kind, {"added": files}, {"files": len(files)}, cause)  # type: ignore[arg-type]


def preview(digits: str = "00000001", agent: str = "agent-7", minutes: float = 5) -> Preview:
    return Preview(
        preview_id=preview_id(digits),
        agent_id=agent,
        request=MoveRequest(
            symbol="harbour::tide::height",
            source_file="src/tide.rs",
            dest_file="src/moon.rs",
            symbol_id=SYMBOL,
        ),
        candidate={"moved_symbol": "height"},
        files=(PlannedFile(file_path="src/tide.rs", base_hash="a" * 64, after_hash="b" * 64),),
        plan_digest="c" * 64,
        graph_generation=1,
        expires_at=START + timedelta(minutes=minutes),
    )


def commit(app: M1nd, digits: str, number: int) -> str:
    """Record the preview and the commit of one move; its id."""
    app.record_preview(preview(digits), command(number))
    return app.record_commit(
        preview_id(digits),
        agent_id="agent-7",
        receipt=RECEIPT,
        files=WRITTEN,
        journal_id=f"journal-{digits}",
        change=ingest("src/tide.rs", kind="transplant", cause=f"tra_{digits}"),
        moves=[SymbolMove(symbol_id=SYMBOL, source=TIDE, target=MOON)],
        command=command(number + 1),
    ).transplant_id


def undo(app: M1nd, id: str, number: int) -> int:
    return app.record_rollback(
        id,
        restored=WRITTEN,
        journal_id=f"undo-{id}",
        change=ingest("src/tide.rs", kind="rollback", cause=id),
        moves=[SymbolMove(symbol_id=SYMBOL, source=MOON, target=TIDE)],
        command=command(number),
    ).generation


@contextmanager
def opened(folder: Path, *, read_only: bool = False) -> Iterator[M1nd]:
    app = open_app(str(folder), {}, read_only=read_only)
    try:
        yield app
    finally:
        app.close()


def edit_preview(digits: str = "00000001", agent: str = "agent-7", minutes: float = 5) -> EditPreview:
    return EditPreview(
        preview_id=f"edp_{digits}",
        agent_id=agent,
        files=(PlannedFile(file_path="src/tide.rs", base_hash="a" * 64, after_hash="b" * 64),),
        plan_digest="d" * 64,
        graph_generation=1,
        expires_at=START + timedelta(minutes=minutes),
    )


def commit_edit(app: M1nd, digits: str, number: int) -> str:
    """Record the preview and the commit of one edit; its id."""
    app.record_edit_preview(edit_preview(digits), command(number))
    app.record_edit_commit(
        f"edp_{digits}",
        agent_id="agent-7",
        receipt=EDIT_RECEIPT,
        files=WRITTEN,
        journal_id=f"journal-e{digits}",
        change=ingest("src/tide.rs", kind="edit", cause=f"edt_{digits}"),
        command=command(number + 1),
    )
    return f"edt_{digits}"


def undo_edit(app: M1nd, id: str, number: int) -> int:
    return app.record_edit_rollback(
        id,
        restored=WRITTEN,
        journal_id=f"undo-{id}",
        change=ingest("src/tide.rs", kind="rollback", cause=id),
        command=command(number),
    )
