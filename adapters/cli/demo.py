"""`m1nd demo`: sets the stage for the story (a folder, an environment of its own) and clears it away again."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.domain.codes import Exit
from m1nd.domain.refusal import refuse

if TYPE_CHECKING:
    from rich.console import Console

    from m1nd.adapters.demo.story import Story


def register(group: click.Group) -> None:
    group.add_command(demo)


@click.command("demo")
@click.option("--into", type=click.Path(file_okay=False), help="Use this folder, new or empty, and keep it.")
@verb("demo")
def demo(call: Call, into: str | None) -> Answer:
    """Move a function and land a mission in a bundled Rust crate, in a temporary folder, and show every step."""
    stage = Path(tempfile.mkdtemp(prefix="m1nd-demo-")).resolve()
    try:
        return _play(call, stage, _kept(into) if into else stage / "harbour")
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _kept(into: str) -> Path:
    folder = Path(into).resolve()
    if folder.is_dir() and any(folder.iterdir()):
        refuse("usage", f"`{into}` is not empty", "name a folder that does not exist yet")
    return folder


def _play(call: Call, stage: Path, root: Path) -> Answer:
    from m1nd.adapters.demo import cargo
    from m1nd.adapters.demo.story import Story

    started = time.monotonic()
    root.mkdir(parents=True, exist_ok=True)
    environment = _environment(call.environment, stage)
    screen = None if call.json else call.out
    story = Story(root, call, screen, cargo.present(environment), environment)
    ok = story.tell()
    folder = None if root.is_relative_to(stage) else str(root)
    data = {
        "ok": ok,
        "steps": [step.wire() for step in story.steps],
        "folder": folder,
        "cargo": story.has_cargo,
        "ms": round((time.monotonic() - started) * 1000),
    }
    return Answer(data, lambda console: _close(console, story, folder), Exit.DONE if ok else Exit.NO)


def _environment(environment: Mapping[str, str], stage: Path) -> dict[str, str]:
    """The caller's, without their own m1nd settings, and with every cache inside the stage."""
    kept = {key: value for key, value in environment.items() if not key.startswith("M1ND_")}
    return {**kept, "XDG_CACHE_HOME": str(stage / "cache")}


def _close(console: Console, story: Story, folder: str | None) -> None:
    from rich.text import Text

    console.print()
    if any(step.problem for step in story.steps):
        console.print(Text("The demo went wrong at the step above. That is a bug; please report it.", "bad"))
        return
    if not story.has_cargo:
        console.print(
            "cargo is not installed here: no compiler has judged the result, and the receipt says so."
        )
        console.print()
    gone = ", in a folder that is gone now" if folder is None else ""
    console.print(f"That was one function and one mission{gone}. In a repository of your own:")
    console.print()
    for command in ("m1nd ingest", "m1nd search NAME", "m1nd transplant preview SYMBOL SOURCE DEST --diff"):
        console.print(Text.assemble(("$ ", "quiet"), (command, "command")))
    if folder is not None:
        console.print()
        console.print(
            Text.assemble("The crate stays in ", (folder, "path"), "; `m1nd undo` there takes the move back.")
        )
