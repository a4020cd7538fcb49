"""The program around every command: global flags, the command tree, and the one place where errors become answers.

`run(argv)` may be called any number of times in one process (tests do); only `main` touches the process itself (signals,
streams). No traceback leaves here without `--debug`.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import Any

import click

from m1nd.adapters.cli.context import Call
from m1nd.adapters.cli.envelope import failure
from m1nd.adapters.cli.errors import refusal_of
from m1nd.adapters.cli.flags import BadFlag, split_flags
from m1nd.adapters.cli.menu import COMMANDS, front_page
from m1nd.domain.codes import Exit
from m1nd.domain.plain import unfit
from m1nd.domain.refusal import Refusal

CLICK: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


COMPLETE = "_M1ND_COMPLETE"
"""The variable through which a shell asks for completions (click's protocol)."""


STAYING = frozenset(("mcp", "serve", "owner", "tray", "demo"))
"""Commands of processes that stay."""

YOUNG = 200_000
"""So many new objects before the collector looks at them. A command makes few cycles and ends soon; by Python's own number, 700, a
tenth of a fresh `north` would be spent on looking at what was just loaded."""


class Terminated(KeyboardInterrupt):
    """SIGTERM, raised where the program stands, so that every clean-up for Ctrl-C serves it too."""


class Program(click.Group):
    """The top of the command tree; a command's module is imported when that command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self.commands:
            importlib.import_module(COMMANDS[cmd_name].module).register(self)
        return self.commands.get(cmd_name)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write(front_page())

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            raise click.UsageError(f"no such command: {name}.{_nearest(name)}", ctx)
        return super().resolve_command(ctx, args)


def _nearest(name: str) -> str:
    import difflib

    near = difflib.get_close_matches(name, COMMANDS, n=2)
    return f" Nearest: {', '.join(near)}." if near else ""


def program() -> Program:
    return Program("m1nd", context_settings=CLICK, invoke_without_command=False, no_args_is_help=False)


def run(arguments: Sequence[str], call: Call | None = None) -> int:
    """Run one command line; answers on stdout and stderr; the exit status.

    A given `call` brings its environment and keeps what came of it (`call.answer` or `call.refusal`). A silent one stays
    open, because its answer is shown later; its owner closes it.
    """
    call = call or Call()
    try:
        return _answered(call, arguments)
    finally:
        if not call.silent:
            call.close()


def _answered(call: Call, arguments: Sequence[str]) -> int:
    """The exit status of a line whose answer or error was printed."""
    try:
        return _dispatch(call, arguments)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        return _answer_missing_command(call, error)
    except (KeyboardInterrupt, click.Abort) as stop:
        return _answer_stop(call, stop)
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 (outermost port)
        stop_behind = _stop_behind(error)
        if stop_behind is not None:
            return _answer_stop(call, stop_behind)
        return _answer_error(call, refusal_of(error, call.flags.debug))


def _dispatch(call: Call, arguments: Sequence[str]) -> int:
    try:
        rest, call.flags = split_flags(arguments)
    except BadFlag as bad:
        call.flags = bad.flags
        raise click.UsageError(str(bad)) from None
    if rest in (["--version"], ["-V"]):
        from m1nd.adapters.cli.basics import version_answer
        from m1nd.adapters.cli.output import print_answer

        call.verb = "version"
        return print_answer(call, version_answer())
    if not rest:
        rest = ["--help"]
    for argument in rest:
        if problem := unfit(argument):
            raise click.UsageError(f"the argument {ascii(argument)[:60]} {problem}")
    call.arguments = tuple(rest)
    with program().make_context("m1nd", rest, obj=call) as context:
        status = context.command.invoke(context)
    return status if isinstance(status, int) else 0


def _answer_missing_command(call: Call, error: click.exceptions.NoArgsIsHelpError) -> int:
    """A group without one of its commands: its help on stderr, or the usage error in the envelope."""
    path = error.ctx.command_path if error.ctx is not None else "m1nd"
    if call.json:
        return _answer_error(call, Refusal("usage", f"`{path}` needs one of its commands", f"{path} --help"))
    sys.stderr.write(error.format_message() + "\n")
    return int(Exit.USAGE)


def _answer_stop(call: Call, stop: BaseException) -> int:
    """Say that a signal ended the command; its exit status (130 or 143)."""
    with contextlib.suppress(BrokenPipeError):
        _answer_error(call, Refusal("interrupted", "stopped before the end; nothing is half-written"))
    return int(Exit.TERMINATED if isinstance(stop, Terminated) else Exit.INTERRUPTED)


def _stop_behind(error: BaseException | None) -> BaseException | None:
    """The signal behind an error: Python turns one that comes while a class is made into an error of its own."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return error
        error = error.__cause__ or error.__context__
    return None


def _answer_error(call: Call, refusal: Refusal) -> int:
    """Print a refusal: the envelope on stdout under `--json`, else message and next step on stderr."""
    call.clear_progress()
    call.refusal = refusal
    if call.silent:
        return int(refusal.row.exit)
    if call.json:
        from m1nd.adapters.cli.output import write_json

        write_json(failure(call, refusal))
        sys.stdout.flush()
    else:
        from m1nd.adapters.cli.render import refusal_lines

        sys.stdout.flush()
        for line in refusal_lines(refusal):
            call.err.print(line, soft_wrap=True)
    return int(refusal.row.exit)


def complete_or_run(arguments: Sequence[str]) -> int:
    """Answer a shell's request for completions (`m1nd completion`), or run the command line."""
    instruction = os.environ.get(COMPLETE, "")
    if not instruction:
        return run(arguments)
    from click.shell_completion import shell_complete

    return shell_complete(program(), {"obj": Call()}, "m1nd", COMPLETE, instruction)


def _terminate(signum: int, frame: FrameType | None) -> None:
    raise Terminated


def main(arguments: Sequence[str]) -> int:
    """Run this process's command line: signals, a reader that went away, and streams of any encoding."""
    signal.signal(signal.SIGTERM, _terminate)
    # No package that happens to be installed here has a say in our values; looking for one costs 20 ms.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    if STAYING.isdisjoint(arguments):
        gc.set_threshold(YOUNG)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = complete_or_run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has what it wanted (`m1nd log | head -1`): end quietly, and keep the interpreter's own flush at exit quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    except Terminated:
        status = int(Exit.TERMINATED)
    return status
