"""The command line. This file answers `--version` and plain `mcp` lines by itself: both must start at once (G14, G15)."""

import os
import sys

WORKERS = ("concurrent.futures", "multiprocessing", "coverage")
"""Who loads one of these may have something to end, or to write down, when the interpreter does."""


def main() -> None:
    """The console script: run the command line of this process and exit with its status (PORTS.md)."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from m1nd import __version__

        sys.stdout.write(f"m1nd {__version__}\n")
        raise SystemExit(0)
    if "mcp" in sys.argv[1:]:
        from m1nd.adapters.mcp import relay

        options = relay.wanted(sys.argv[1:])
        if options is not None:
            raise SystemExit(relay.main(options))
    try:
        from m1nd.adapters.cli.program import main as program

        status = program(sys.argv[1:])
    except KeyboardInterrupt:
        # Before the program could answer for itself (while it was imported), or after it has.
        status = 130
    _leave(status)


def _leave(status: int) -> None:
    """End this process.

    Where nothing else can be at work the interpreter is not taken apart object by object: with a large graph in memory that takes
    longer than many an answer. The program has closed what it opened by now.
    """
    threads = sys.modules.get("threading")
    alone = threads is None or threads.active_count() == 1
    if alone and not any(name in sys.modules for name in WORKERS):
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except (OSError, ValueError):
            raise SystemExit(status) from None  # a stream that is gone: let the interpreter say what it says
        os._exit(status)
    raise SystemExit(status)
