"""The second half of the story: a map that is signed, and one mission from its proposal to its landing, and its ageing.

What the owner does is done at a pseudo-terminal (`hand.py`); what agents do is said with their seat on the command line.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from attrs import define

from m1nd.adapters.demo import cargo, hand
from m1nd.domain.digests import sha256

if TYPE_CHECKING:
    from m1nd.adapters.demo.story import Done, Story, Went

DRAFTER, CRITIC, RUNNER = "agent:drafter", "agent:critic", "runner:rig-1"
PLAN = "tide-note.json"
NOTE = "//! Heights are rounded down.\n"


@define
class MissionChapters:
    """Tells its chapters through the story's own commands; keeps what one chapter needs of another."""

    story: Story
    block: str = ""
    paper: str = ""
    mission: str = ""
    execution: str = ""

    def chapters(self) -> list[tuple[str, Callable[[str], Done]]]:
        return [
            ("Draw the map", self._draw),
            ("Sign it", self._sign),
            ("Delegate a piece of work", self._delegate),
            ("Work inside the mission", self._work),
            ("Let the gate speak", self._gate),
            ("Hear the bell", self._bell),
            ("Land it", self._land),
            ("See it age", self._age),
        ]

    def _draw(self, title: str) -> Done:
        self.story.say(
            "Which files belong together? m1nd proposes blocks; the owner names them and says what evidence each must have."
        )
        went = self.story.m1nd(title, "blocks", "candidate")
        ids = went.data.get("block_ids", [])
        self.block = next((id for id in ids if "_src_" in id), "")
        self.paper = next((id for id in ids if id != self.block), "")
        if not self.block:
            return went.judged("no block holds src/")
        names = ["--rename", self.block, "Harbour", "--contract", self.block, "rust_core"]
        if self.paper:
            names += ["--rename", self.paper, "Paper", "--contract", self.paper, "docs"]
        return self.story.judge(self.story.m1nd(title, "blocks", "edit", *names), lambda d: "")

    def _sign(self, title: str) -> Done:
        self.story.say(
            "A map counts when a human signs its names, its boundaries and its contract. Each signature is a stamp: on a terminal, "
            "over just what was shown, good for one use. The demo plays the owner's hand here, at a terminal of its own."
        )
        went = self._sit(title, "blocks", "ratify")
        return self.story.judge(
            went, lambda d: "" if d["stamps"] == 3 else "not three signatures were asked for"
        )

    def _delegate(self, title: str) -> Done:
        self.story.say(
            "An agent proposes a piece of work on a block, another one judges the packet (nobody approves their own), and it goes to a "
            "runner. The dispatch captures the block's versions: evidence will count for these and no others."
        )
        opened = self._post(
            title, "open", "--block", self.block, "--message", "Say how heights are rounded.", by=DRAFTER
        )
        self.mission = str(opened.data.get("mission_id", ""))
        for act in (
            ("judge", self.mission, "--decision", "APPROVE", "--gist", "small and clear"),
            ("dispatch", self.mission, "--runner", "rig-1"),
        ):
            went = self._post(title, *act, by=CRITIC if act[0] == "judge" else DRAFTER)
            if went.exit:
                break
        self.execution = str(went.data.get("execution_id", ""))
        went = self._run(title, "start")
        return self.story.judge(
            went, lambda d: "" if d["state"] == "executing" else f"the mission is {d['state']}"
        )

    def _work(self, title: str) -> Done:
        self.story.say(
            "The runner's change goes through the same door as every other. Made inside the mission, its receipt becomes evidence."
        )
        line = {"start_line": 1, "end_line": 0, "text": NOTE}
        plan = {"files": [{"path": "src/tide.rs", "edits": [line]}]}
        (self.story.root / ".m1nd" / PLAN).write_text(json.dumps(plan))
        previewed = self.story.m1nd(title, "edit", "preview", f"{self.story.root}/.m1nd/{PLAN}")
        preview = str(previewed.data.get("preview_id", ""))
        went = self.story.m1nd(title, "edit", "commit", preview, "--yes", "--mission", self.mission)
        return self.story.judge(
            went, lambda d: "" if d["receipt"]["files_changed"] == ["src/tide.rs"] else "another file changed"
        )

    def _gate(self, title: str) -> Done:
        """The crate's own tests where cargo is; else the log's own check, which the receipt then says."""
        self.story.say(
            "Work that is over goes through its gate. A red one fails the mission; a green one waits for the human."
        )
        started = _now()
        if self.story.has_cargo:
            command, verdict = "cargo test", cargo.test(self.story.root, self.story.environment)
            ok, says = verdict.ok, verdict.says
        else:
            command = "m1nd audit verify"
            checked = self.story.m1nd(title, "audit", "verify")
            ok, says = checked.exit == 0, f"{checked.data.get('count', 0)} events hold"
        digest = sha256(says.encode())
        self._run(title, "output", "--exit-status", "0", "--artifact-hash", digest)
        self._run(title, "open_gate")
        self._run(
            title,
            *("gate", "--command", command, "--exit-status", "0" if ok else "1", "--artifact-hash", digest),
            *("--started-at", started, "--ended-at", _now(), "--excerpt", says),
        )
        went = self._post(title, "wait", self.mission, by=RUNNER)
        return self.story.judge(
            went, lambda d: "" if d["state"] == "merge_wait" else f"the mission is {d['state']}"
        )

    def _bell(self, title: str) -> Done:
        self.story.say(
            "From this moment the bell rings, on the card and in every agent's orientation, until a human has looked."
        )
        went = self.story.m1nd(title, "card")
        return self.story.judge(went, lambda d: self._rings(d, 1))

    def _land(self, title: str) -> Done:
        self.story.say(
            "The owner is shown the exact candidate: the command, its exit status, the hash, and what happened to the block since the "
            "dispatch. Eight digits land it: receipt, mission and stamp in one append, or nothing."
        )
        went = self._sit(title, "land", self.mission)
        done = self.story.judge(
            went, lambda d: "" if d["stamps"] == 1 else "the stamp was not asked for once"
        )
        if done.problem:
            return done
        card = self.story.m1nd(title, "card")
        return self.story.judge(card, lambda d: self._rings(d, 0))

    def _age(self, title: str) -> Done:
        self.story.say(
            "Evidence is of one version. The note is taken back, the block is another one now, and the receipt says so by itself."
        )
        self.story.m1nd(title, "undo", "--verify", "none")
        went = self.story.m1nd(title, "receipts", "list", self.block)

        def problem(data: dict[str, Any]) -> str:
            stages = {receipt["stage"] for receipt in data["receipts"] if receipt["type"] == "test"}
            return (
                ""
                if stages == {"staled"}
                else f"the landed receipt is {', '.join(sorted(stages)) or 'not there'}"
            )

        return self.story.judge(went, problem)

    def _rings(self, data: dict[str, Any], count: int) -> str:
        sig = str(data.get("human_view", data).get("state_sig", ""))
        return "" if f"bell:{count}|" in sig else f"the bell does not say {count}: {sig}"

    def _post(self, title: str, *line: str, by: str) -> Went:
        return self.story.m1nd(title, "missions", "post", *line, "--as", by)

    def _run(self, title: str, act: str, *more: str) -> Went:
        return self._post(title, act, self.mission, "--execution", self.execution, *more, by=RUNNER)

    def _sit(self, title: str, *arguments: str) -> Went:
        """A command of the owner, at the hand's terminal; what was on it is shown."""
        command = shlex.join(("m1nd", *arguments))
        self.story.prompt(command)
        sat = hand.sit(self.story.root, arguments, self.story.environment)
        self.story.terminal(sat.screen)
        return self.story.went(title, command, sat.exit, {"stamps": sat.stamps})


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
