"""What a command gets and gives: `Call` in, `Answer` out, and the decorator `verb` between click and a use case.

A command module holds no rule: it turns arguments into a use case's command and its result into an `Answer`. Every error
is answered in one place (`program.run`), so that a command never prints or exits by itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

import click
from attrs import define, evolve, field, frozen

from m1nd.domain.codes import Exit
from m1nd.domain.refusal import Refusal, refuse

if TYPE_CHECKING:
    from rich.console import Console

    from m1nd.adapters.cli.progress import ProgressLine
    from m1nd.application.brain import Brain
    from m1nd.application.ports import Progress

P = ParamSpec("P")

READ_ONLY_DISK = "the state folder cannot be written: this answer is worked out anew, and nothing is recorded"


@frozen
class Answer:
    """A verb's result: `data` for `--json`, `show` for people; both complete alone.

    `data` holds plain JSON values under the keys of docs/wire.md. `show` writes to the console that it is given and
    nowhere else. `warnings` go to stderr, and into the envelope.
    """

    data: dict[str, Any]
    show: Callable[[Console], None]
    exit: Exit = Exit.DONE
    warnings: tuple[str, ...] = ()


@frozen
class Flags:
    """The global flags, which may stand anywhere on the line."""

    root: str = ""
    caller_root: str = ""
    json: bool = False
    ascii: bool = False
    color: str = "auto"
    quiet: bool = False
    read_only: bool = False
    debug: bool = False


@define
class Call:
    """One run of one command: its flags, its consoles, and the brain of its repository, opened when first asked for."""

    flags: Flags = Flags()
    environment: Mapping[str, str] = field(factory=lambda: dict(os.environ))
    arguments: tuple[str, ...] = ()
    """The command line without its global flags."""
    verb: str = "usage"
    """Wire name of the verb, for the envelope's `schema`; `usage` until a command is chosen."""
    opened: Brain | None = None
    silent: bool = False
    """Print nothing; the caller reads `answer` or `refusal` (the demo)."""
    answer: Answer | None = None
    refusal: Refusal | None = None
    remarks: tuple[str, ...] = ()
    """What the opening of the brain found or mended; warnings of the answer."""
    bars: list[ProgressLine] = field(factory=list)
    _consoles: dict[str, Console] = field(factory=dict)

    @property
    def json(self) -> bool:
        return self.flags.json

    @property
    def out(self) -> Console:
        """The console of the answer (stdout). Only a command that streams (`log --follow`) uses it directly."""
        return self._console("stdout")

    @property
    def err(self) -> Console:
        """The console of progress and warnings (stderr)."""
        return self._console("stderr")

    def _console(self, stream: str) -> Console:
        if stream not in self._consoles:
            from m1nd.adapters.cli.render import console

            self._consoles[stream] = console(self.flags, self.environment, stream)
        return self._consoles[stream]

    def root(self) -> str:
        """The repository's root, absolute: `--root`, M1ND_ROOT, CLAUDE_PROJECT_DIR, then the nearest enclosing one.

        Raises Refused(no_project), naming candidates below the current folder.
        """
        from m1nd.adapters.cli.roots import choose_root

        return choose_root(self.flags.root, self.environment)

    def brain(self) -> Brain:
        """The brain of the chosen root; opened once per call."""
        if self.opened is None:
            from m1nd.adapters.bootstrap import can_write, mend, open_brain

            root = self.root()
            self.deny_if_foreign(root)
            degraded = (
                not self.flags.read_only and self.is_pure_read() and not can_write(root, self.environment)
            )
            self.opened = open_brain(
                root, environment=self.environment, read_only=self.flags.read_only or degraded
            )
            self.remarks = (READ_ONLY_DISK,) if degraded else mend(self.opened)
        return self.opened

    def close(self) -> None:
        """Let go of the repository; for who runs many commands in one process."""
        brain, self.opened = self.opened, None
        if brain is not None:
            brain.close()

    def progress(self, title: str = "") -> Progress:
        """A `ports.Progress` that draws one line on a terminal's stderr, and nothing elsewhere or under `--quiet`.

        Pass it as it is: `brain.graph.refresh(call.progress())`. It is wiped before the answer is printed.
        """
        from m1nd.adapters.cli.progress import ProgressLine

        bar = ProgressLine(self, title)
        self.bars.append(bar)
        return bar

    def clear_progress(self) -> None:
        while self.bars:
            self.bars.pop().close()

    def deny_if_read_only(self) -> None:
        """Raise Refused(read_only) before anything happens, unless the verb is a pure read by the verb table (D42)."""
        if not self.flags.read_only:
            return
        if not self.is_pure_read():
            refuse(
                "read_only", f"`{self.verb}` appends or writes, and this attach is read-only", verb=self.verb
            )

    def deny_if_foreign(self, root: str) -> None:
        """Raise Refused(root_mismatch) where the verb would append or write in a repository the caller does not work in."""
        if self.is_pure_read():
            return
        import shlex

        from m1nd.adapters.caller_root import check_caller_root
        from m1nd.adapters.cli.roots import choose_caller

        caller = choose_caller(self.flags.caller_root, self.flags.root, self.environment)
        check_caller_root(self.verb, root, caller, f"m1nd --root {{}} {shlex.join(self.arguments)}")

    def is_pure_read(self) -> bool:
        """Whether the verb table says so; a verb that is not in it is none."""
        from m1nd.adapters.verbs import VERBS

        return self.verb in VERBS and VERBS[self.verb].pure_read

    def confirm(self, yes: bool, what: str, again: str) -> None:
        """Raise Refused(confirm_required) unless `--yes` was given; `again` is the command that confirms."""
        if not yes:
            refuse("confirm_required", f"{what} needs an explicit confirmation", again)


def current_call() -> Call:
    call = click.get_current_context().find_object(Call)
    if call is None:
        raise RuntimeError("commands run inside m1nd.adapters.cli.program.run")
    return call


def verb(name: str) -> Callable[[Callable[Concatenate[Call, P], Answer]], Callable[P, int]]:
    """Make a function `(call, …) -> Answer` a click callback that prints the answer and returns the exit status.

    Stands below click's own decorators. `name` is the wire name (adapters/verbs.py), which is also set on the callback
    as `wire_name`, and the function as `answers`. The function may raise Refused; `program.run` answers it.

    The function's parameters are the verb's arguments by their wire names, with their wire types, so that any door can
    call it; click is one way to fill them. What only the command line has (`--diff`) is a parameter more, that click
    gives a default. A click type or callback reads a named file, never the function.
    """

    def decorate(function: Callable[Concatenate[Call, P], Answer]) -> Callable[P, int]:
        def callback(*args: P.args, **kwargs: P.kwargs) -> int:
            call = current_call()
            call.verb = name
            call.deny_if_read_only()
            answer = function(call, *args, **kwargs)
            call.answer = answer = evolve(answer, warnings=call.remarks + answer.warnings)
            if call.silent:
                call.clear_progress()
                return int(answer.exit)
            from m1nd.adapters.cli.output import print_answer

            return print_answer(call, answer)

        callback.wire_name = name  # type: ignore[attr-defined]
        callback.answers = function  # type: ignore[attr-defined]
        return update_wrapper(callback, function)

    return decorate
