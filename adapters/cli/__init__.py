"""The command line. This file answers `--version` and plain `mcp` lines by itself: both must start at once (G14, G15)."""

import sys


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
    raise SystemExit(status)
