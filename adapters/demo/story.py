"""The story of `m1nd demo`, step by step. Every step is a command line that a user can type, run through the same program,
with a check of what it must have done; the first wrong step ends the story.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import define, field, frozen
from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from m1nd.adapters.cli.context import Call
from m1nd.adapters.cli.program import run
from m1nd.adapters.cli.text import clean
from m1nd.adapters.demo import cargo
from m1nd.adapters.demo.crate_copy import content, unpack
from m1nd.adapters.demo.mission import MissionChapters
from m1nd.domain.codes import Exit

PARAGRAPH = 88

SYMBOL, SOURCE, DEST, TAKEN = "clearance", "src/berth.rs", "src/draught.rs", "src/channel.rs"
TASK = "how much water is left under the keel: the clearance of a berth"

MOVED = {
    "src/berth.rs",
    "src/draught.rs",
    "src/fees.rs",
    "src/lib.rs",
    "src/pilot.rs",
    "src/report.rs",
    "src/schedule.rs",
    "src/window.rs",
    "examples/tonight.rs",
    "tests/arrivals.rs",
}
"""Every file that defines, re-exports or calls the moved function."""


@frozen
class Done:
    """One step as it went; `problem` is empty when it did what it must."""

    title: str
    command: str
    exit: int
    problem: str = ""

    def wire(self) -> dict[str, Any]:
        return {"title": self.title, "command": self.command, "exit": self.exit, "ok": not self.problem}


@define
class Story:
    """One telling of the story in `root`; `screen` is None where only the outcome is wanted (`--json`)."""

    root: Path
    call: Call
    screen: Console | None
    has_cargo: bool
    environment: Mapping[str, str]
    steps: list[Done] = field(factory=list)
    preview_id: str = ""
    fresh: bool = True
    """No command of this chapter was shown yet."""

    def tell(self) -> bool:
        """Run every step; True when each did what it must."""
        return all(not step.problem for step in self._steps())

    def _steps(self) -> Iterator[Done]:
        unpack(self.root)
        chapters = self._chapters()
        for number, (title, chapter) in enumerate(chapters, 1):
            self._head(f"{number}/{len(chapters)}  {title}")
            done = chapter(title)
            self.steps.append(done)
            if done.problem:
                self.say(Text.assemble(("wrong: ", "bad"), clean(done.problem)))
            yield done
            if done.problem:
                return

    def _chapters(self) -> list[tuple[str, Callable[[str], Done]]]:
        judges: list[tuple[str, Callable[[str], Done]]] = [
            ("Let the compiler judge", self._cargo_check),
            ("Let the tests judge", self._cargo_test),
        ]
        return [
            ("Read the crate", self._ingest),
            ("Ask where you stand", self._north),
            ("Find the function", self._search),
            ("Be refused", self._refusal),
            ("Preview the move", self._preview),
            ("Carry it out", self._commit),
            *(judges if self.has_cargo else []),
            *MissionChapters(self).chapters(),
            ("Audit the log", self._verify),
            ("Fold it again", self._rebuild),
        ]

    def _ingest(self, title: str) -> Done:
        self.say(
            "A harbour in twelve Rust files. First m1nd reads it into a graph: files, modules, items, who uses whom."
        )
        answer = self.m1nd(title, "ingest")
        return self.judge(
            answer, lambda d: "" if d["modules"] >= 12 and d["items"] > 40 else "the graph is too small"
        )

    def _north(self, title: str) -> Done:
        self.say(
            "An agent begins with its task in its own words. The card on top is for you: at most four lines, the most urgent "
            "thing only. Below it: where to look, and why."
        )
        answer = self.m1nd(title, "north", TASK)
        return self.judge(
            answer,
            lambda d: (
                ""
                if d["binding"]["ok"]
                and SYMBOL in [node["label"] for node in d["context"]["focus_nodes"][:3]]
                else "the function is not among the first three"
            ),
        )

    def _search(self, title: str) -> Done:
        self.say(
            "`berth.rs` says how much water is left under a keel. That belongs in `draught.rs`. Two items bear the name:"
        )
        answer = self.m1nd(title, "search", SYMBOL)
        return self.judge(answer, lambda d: "" if len(d["results"]) >= 2 else "search misses one of the two")

    def _refusal(self, title: str) -> Done:
        self.say(
            "A slip of the hand: the other one's home as the destination. m1nd refuses, says why, and touches nothing."
        )
        before = content(self.root)
        done = self.m1nd(title, "transplant", "preview", SYMBOL, SOURCE, TAKEN)
        if done.refusal != "collision":
            return done.judged(f"expected the refusal `collision`, got `{done.refusal or 'an answer'}`")
        return done.judged("" if content(self.root) == before else "a refusal changed a file")

    def _preview(self, title: str) -> Done:
        self.say(
            "Now the right one. The plan is complete before a byte changes: what travels, what stays, every caller rewritten."
        )
        before = content(self.root)
        answer = self.m1nd(title, "transplant", "preview", SYMBOL, SOURCE, DEST, "--diff")
        self.preview_id = str(answer.data.get("preview_id", ""))

        def problem(data: dict[str, Any]) -> str:
            planned = {entry["file_path"] for entry in data["files"]}
            if planned != MOVED:
                return f"the plan names other files: {', '.join(sorted(planned ^ MOVED))}"
            return "" if content(self.root) == before else "a preview changed a file"

        return self.judge(answer, problem)

    def _commit(self, title: str) -> Done:
        judge = "cargo judges the planned tree in a shadow first; then " if self.has_cargo else ""
        self.say(
            f"The commit: {judge}every file is written, or none. The receipt names everything that was done."
        )
        before = content(self.root)
        answer = self.m1nd(title, "transplant", "commit", self.preview_id, "--yes")

        def problem(data: dict[str, Any]) -> str:
            after = content(self.root)
            changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
            if changed != MOVED or changed != set(data["receipt"]["files_changed"]):
                return f"other files changed than planned: {', '.join(sorted(changed ^ MOVED))}"
            if self.has_cargo and not data["receipt"]["verification"]["verified"]:
                return "the receipt says that nothing was verified"
            return ""

        return self.judge(answer, problem)

    def _cargo_check(self, title: str) -> Done:
        self.say("Do not take m1nd's word for it.")
        return self._cargo(title, "cargo check --all-targets", cargo.check)

    def _cargo_test(self, title: str) -> Done:
        return self._cargo(title, "cargo test", cargo.test)

    def _verify(self, title: str) -> Done:
        self.say("Every step above is an event in an append-only log, each chained to the one before it.")
        answer = self.m1nd(title, "audit", "verify")
        return self.judge(answer, lambda d: "")

    def _rebuild(self, title: str) -> Done:
        self.say(
            "Whatever m1nd shows is folded from that log. Folded again from the first event, it is the same, byte for byte."
        )
        answer = self.m1nd(title, "projections", "rebuild", "--check")
        return self.judge(answer, lambda d: "")

    def judge(self, went: Went, problem: Callable[[dict[str, Any]], str]) -> Done:
        if went.exit != Exit.DONE:
            return went.judged(f"ended with exit status {went.exit} ({went.refusal or 'no refusal'})")
        return went.judged(problem(went.data))

    def m1nd(self, title: str, *arguments: str) -> Went:
        """Run one m1nd command line, shown as a user would type it."""
        command = shlex.join(("m1nd", *arguments))
        self.prompt(command)
        call = Call(environment=self.environment, silent=True)
        flags = [f"--root={self.root}", *(["--ascii"] if self.call.flags.ascii else []), "--quiet"]
        status = run([*flags, *arguments], call)
        if self.screen is not None:
            self._show(call)
        call.close()
        code = call.refusal.code if call.refusal is not None else ""
        return Went(title, command, status, call.answer.data if call.answer is not None else {}, code)

    def _show(self, call: Call) -> None:
        assert self.screen is not None
        if call.answer is not None:
            call.answer.show(self.screen)
        elif call.refusal is not None:
            from m1nd.adapters.cli.render import refusal_lines

            for line in refusal_lines(call.refusal):
                self.screen.print(line)

    def _cargo(
        self, title: str, command: str, judge: Callable[[Path, Mapping[str, str]], cargo.Verdict]
    ) -> Done:
        self.prompt(command)
        verdict = judge(self.root, self.environment)
        self._show_line(Text(clean(verdict.says), "good" if verdict.ok else "bad"))
        return Done(
            title, command, 0 if verdict.ok else 1, "" if verdict.ok else f"`{command}` is not content"
        )

    def _head(self, title: str) -> None:
        self.fresh = True
        if self.screen is not None:
            line = "-" if self.call.flags.ascii else "─"
            self.screen.print()
            self.screen.print(Rule(Text(title, "name"), style="quiet", align="left", characters=line))
            self.screen.print()

    def prompt(self, command: str) -> None:
        if not self.fresh:
            self._show_line(Text())
        self.fresh = False
        self._show_line(Text.assemble(("$ ", "quiet"), (command, "command")))
        self._show_line(Text())

    def say(self, what: str | Text) -> None:
        """A paragraph, no wider than is good to read."""
        if self.screen is not None:
            width = min(PARAGRAPH, self.screen.width)
            self.screen.print(what if isinstance(what, Text) else Text(what), width=width)
            self.screen.print()

    def terminal(self, screen: str) -> None:
        """What stood on another terminal, line by line, set in a little."""
        for line in screen.rstrip().splitlines():
            self._show_line(Text(f"  {clean(line)}", "quiet"))

    def went(self, title: str, command: str, exit: int, data: dict[str, Any]) -> Went:
        return Went(title, command, exit, data, "")

    def _show_line(self, what: Text) -> None:
        if self.screen is not None:
            self.screen.print(what, soft_wrap=True)


@frozen
class Went:
    """How one m1nd command went: exit status, its data, or the code of its refusal."""

    title: str
    command: str
    exit: int
    data: dict[str, Any]
    refusal: str

    def judged(self, problem: str) -> Done:
        return Done(self.title, self.command, self.exit, problem)
