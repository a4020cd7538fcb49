"""Every command of the line: where it lives and the one sentence about it. Imports nothing, so that help is fast."""

from typing import NamedTuple


class Entry(NamedTuple):
    module: str
    """Has `register(group)`, which adds this command (and maybe others)."""
    heading: str
    summary: str


def _rows(heading: str, module: str, **summaries: str) -> dict[str, Entry]:
    return {
        name.replace("_", "-"): Entry(f"m1nd.adapters.cli.{module}", heading, summary)
        for name, summary in summaries.items()
    }


COMMANDS: dict[str, Entry] = {
    **_rows(
        "See it work", "demo", demo="move a function and land a mission in a bundled crate, step by step"
    ),
    **_rows("Where things stand", "status", status="one screen: root, log, graph, moves, tools"),
    **_rows(
        "Where things stand",
        "north",
        north="where you stand for a task: focus, memory, gaps, next move",
        card="the human's card: at most four lines",
        card_shown="note that a card was shown in a session",
    ),
    **_rows(
        "Read the graph",
        "graph",
        ingest="build or refresh the graph",
        search="find an item by name or path",
        context="an item's source, what it uses, who uses it",
        impact="what a change of an item reaches",
        why="the shortest way from one item to another",
        stats="counts of the graph",
    ),
    **_rows(
        "Move code",
        "transplant",
        transplant="preview, commit or move an item; list and show moves",
        undo="take a move or an edit back",
    ),
    **_rows("Move code", "edit", edit="a plan over any files: preview, commit, list, show"),
    **_rows("Remember", "memory", memory="claims about the code that follow it: add, recall, list, show"),
    **_rows("Remember", "paint", paint="tags that follow items: proven, unproven, overgrown, eroding"),
    **_rows("Remember", "antibody", antibody="patterns that are a warning sign, and where they are found"),
    **_rows("The map", "blocks", blocks="which files form which block, and its evidence: show, edit, ratify"),
    **_rows("The map", "receipts", receipts="evidence: import, hold against the present, list, withdraw"),
    **_rows("Your stamp", "stamps", stamp="what waits for your stamp; give it on this terminal"),
    **_rows("Your stamp", "tokens", token="tokens that let CI import test receipts: create, list, revoke"),
    **_rows(
        "Delegate", "missions", missions="delegated work: propose, judge, dispatch, report; list and show"
    ),
    **_rows(
        "Delegate",
        "delegation",
        delegate="a packet for another agent; copy, list",
        debrief="answer a delegation, with evidence or without",
    ),
    **_rows("Delegate", "soul", soul="hold the invariants that docs/soul.md declares against the graph"),
    **_rows(
        "Delegate",
        "tray",
        tray="what waits for you, with its exact evidence; stamp, archive or skip",
        land="land the candidate of one mission, with your stamp",
    ),
    **_rows(
        "Audit",
        "log",
        log="the events, in order; export and import",
        audit="verify the log's chain; seal, topics, replay",
        projections="rebuild the views; compare with the live ones",
    ),
    **_rows("Audit", "why_state", why_state="why a block stands as it does: the chain of causes"),
    **_rows("Serve agents", "setup", setup="tell an agent host: claude-code, codex, cursor, vscode, zed, …"),
    **_rows(
        "Serve agents",
        "serve",
        mcp="serve an agent over stdin and stdout (MCP); what hosts start",
        serve="serve agents over HTTP, on this machine alone",
        owner="the process that serves this repository: status, stop",
    ),
    **_rows("Daily comfort", "doctor", doctor="tools, folders and log: what works here, what does not"),
    **_rows(
        "Daily comfort",
        "config",
        config="the settings that are in force; `config set` for one of this repository",
    ),
    **_rows(
        "Daily comfort",
        "cleaning",
        clean="drop caches, shadow and the journal of ended writes; the log stays",
        forget="drop everything of this repository, with your stamp",
    ),
    **_rows(
        "Daily comfort",
        "basics",
        completion="shell completion for bash, zsh or fish",
        help="a topic: codes, exits, settings, output, symbols, edits, blocks, missions, receipts; or a code",
    ),
}

FLAGS = (
    ("--root DIR", "the repository (else M1ND_ROOT, CLAUDE_PROJECT_DIR, the nearest enclosing one)"),
    ("--caller-root DIR", "where the caller works; writes into another repository are refused"),
    ("--json", "the answer as one JSON object on stdout"),
    ("--color WHEN", "auto, always or never"),
    ("--ascii", "no sign outside ASCII"),
    ("--quiet, -q", "no progress, no warnings"),
    ("--read-only", "refuse whatever would append or write"),
    ("--debug", "a traceback where m1nd itself fails"),
    ("--version, -V", "the version"),
)


def front_page() -> str:
    """The text of `m1nd --help`."""
    lines = ["m1nd: a code graph that remembers, and that writes.", "", "Usage: m1nd [FLAGS] COMMAND …", ""]
    heading = ""
    for name, entry in COMMANDS.items():
        if entry.heading != heading:
            heading = entry.heading
            lines += [heading]
        lines.append(f"  {name:<13}{entry.summary}")
    lines += ["", "Flags, anywhere on the line"]
    lines += [f"  {flag:<19}{meaning}" for flag, meaning in FLAGS]
    lines += ["", "New here? `m1nd demo`. One command's own page: `m1nd COMMAND --help`."]
    return "\n".join(lines) + "\n"
