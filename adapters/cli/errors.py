"""Every exception that a verb can end with, as the refusal that its caller gets: whatever the door (PORTS.md).

No answer holds a traceback, the message of an unknown exception, or an absolute path.
"""

from __future__ import annotations

import os
import sys
import traceback

import click

from m1nd.domain.refusal import Refusal, Refused


def refusal_of(error: Exception, debug: bool = False) -> Refusal:
    """The refusal that tells of `error`; with `debug` a bug's traceback goes to stderr."""
    if isinstance(error, Refused):
        return error.refusal
    if isinstance(error, click.UsageError):
        command = error.ctx.command_path if error.ctx is not None else "m1nd"
        return Refusal("usage", error.format_message(), f"{command} --help")
    if isinstance(error, click.ClickException):
        return Refusal("usage", error.format_message())
    if isinstance(error, OSError):
        return _system_error(error)
    if debug:
        traceback.print_exception(error, file=sys.stderr)
    return _bug(error)


def _system_error(error: OSError) -> Refusal:
    """A file operation that the system refused and that no rule expected; names the file, never its absolute path."""
    reason = error.strerror or type(error).__name__
    name = os.path.basename(str(error.filename)) if error.filename else ""
    where = f" (`{name}`)" if name else ""
    return Refusal(
        "io_failed", f"the system refused a file operation{where}: {reason}", "", {"errno": error.errno}
    )


def _bug(error: Exception) -> Refusal:
    place = _place(error)
    return Refusal(
        "bug", f"{type(error).__name__} in {place}", "", {"type": type(error).__name__, "place": place}
    )


def _place(error: Exception) -> str:
    """The innermost line of ours on the way to an error, as `folder/file.py:line` inside the package."""
    place = "unknown code"
    for frame in traceback.extract_tb(error.__traceback__):
        name = frame.filename.replace(os.sep, "/")
        for layer in ("/domain/", "/application/", "/infrastructure/", "/adapters/"):
            if layer in name and "site-packages" not in name.rsplit(layer, 1)[1]:
                place = f"{layer[1:]}{name.rsplit(layer, 1)[1]}:{frame.lineno}"
    return place
