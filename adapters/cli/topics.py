"""The texts of `m1nd help TOPIC`, made from the tables that the product itself uses."""

from m1nd.domain.codes import CODES, Code, Exit

EXITS = {
    Exit.DONE: "done",
    Exit.NO: "the answer is no: refused, not found, differences",
    Exit.USAGE: "the command line is not of the verb's form",
    Exit.NO_PROJECT: "no project, or its root is refused",
    Exit.STAMP: "a human's stamp is needed",
    Exit.CONFLICT: "conflict, or a stale base",
    Exit.BUSY: "busy; try again",
    Exit.DAMAGED: "the store is damaged",
    Exit.PARTIAL: "done in part",
    Exit.BUG: "a bug in m1nd",
    Exit.INTERRUPTED: "Ctrl-C",
    Exit.TERMINATED: "SIGTERM",
}

SETTINGS = {
    "M1ND_ROOT": "the repository, where --root is not given",
    "M1ND_HOME": "a folder that holds the state of every repository, instead of .m1nd in each",
    "CLAUDE_PROJECT_DIR": "the repository, after M1ND_ROOT",
    "M1ND_PROOF_GATE": "0 lets agents write files that they were not shown",
    "M1ND_TOOLS": "all lists every tool to agents, core (the default) the usual ones",
    "M1ND_READ_ONLY": "1 lets an agent read and nothing more",
    "M1ND_AGENT": "the name under which an agent's previews and marks are kept (default: its host's process)",
    "M1ND_OWNER_IDLE": "seconds without an agent after which the owner process ends (900)",
    "M1ND_LOG_URL": "a PostgreSQL server that keeps the log, instead of .m1nd/log.db (guide, Several machines)",
    "M1ND_TOKEN": "the token by which CI may import test receipts (m1nd token create)",
    "NO_COLOR": "no colour, when set and not empty",
    "NO_UNICODE": "no sign outside ASCII, when set and not empty",
    "FORCE_COLOR": "colour in a pipe too",
    "COLUMNS": "the width of the answer (40 to 200)",
}

SETTINGS_OF_LOG = {
    "verify.agents": "check, or none: whether the writes of agents may start the compiler here (m1nd config set)",
}
"""What `m1nd config set` sets for this repository."""

TOPICS: dict[str, str] = {
    "codes": "every error code, its meaning and its exit status",
    "exits": "the exit statuses",
    "settings": "the environment variables that are read",
    "output": "the JSON envelope, and what goes to which stream",
    "symbols": "how to name a symbol",
    "receipts": "the evidence that `m1nd receipts import` takes, and who may earn which",
    "edits": "the plans that `m1nd edit preview` reads",
    "blocks": "the map: edits of candidates, roles, contract templates, signatures",
    "missions": "the acts of `m1nd missions post`, and the way of a mission",
}

OUTPUT = """\
The answer goes to stdout; progress and warnings go to stderr. With --json, anywhere on the line, the answer is one object:

  {"schema": "m1nd.VERB/1", "ok": true,  "data": {…}, "graph_rev": N, "warnings": […]}
  {"schema": "m1nd.VERB/1", "ok": false, "error": {"code", "message", "hint", "retryable", "details"}, "graph_rev": N, "warnings": []}

An error's envelope goes to stdout too; without --json the message and the next step go to stderr. graph_rev is the
generation of the graph, 0 before the first ingest. The keys of `data` of every verb are listed in docs/wire.md.
"""

SYMBOLS = """\
A symbol is named in one of four ways:

  height                  its name, where the file is named beside it or no other item bears it
  crate::tide::height     its path
  src/tide.rs:42          a line inside it
  sym_1f0c9a7b3d2e        its identity, which stays through moves and renames that m1nd makes

Paths are relative to the repository's root.
"""

EDITS = """\
`m1nd edit preview FILE` (or - for stdin) reads a plan in one of two forms. JSON:

  {"files": [
    {"path": "src/tide.rs", "base_hash": "…", "edits": [{"start_line": 3, "end_line": 4, "text": "fn new() {}\\n"}]},
    {"path": "src/moon.rs", "content": "pub fn age() {}\\n"},
    {"path": "src/old.rs", "remove": true}
  ]}

  edits      lines count from 1, both ends belong to it; end_line = start_line - 1 inserts before start_line, and
             start_line one behind the last line appends. The file's line ending is kept.
  content    the whole file, new or old, just as it is written here
  base_hash  sha256 of the file that the plan rests on; empty: there must be no file. Left out: as it is now.

Or a unified diff with lines of context, as git writes it. Every hunk must fit where it says, line by line; renames, modes
and binary patches are refused. Paths are relative to the repository's root in both.

The preview is kept for five minutes. `m1nd edit commit` writes all of its files or none, and only while each still is as
the preview saw it; `m1nd undo` brings the old bytes back.
"""


RECEIPTS = """\
`m1nd receipts import FILE` (or - for stdin) takes one receipt:

  {"type": "test",
   "emitter": {"kind": "ci", "id": "nightly"},
   "scope": {"block_id": "sb_…", "boundary_version": 1, "contract_version": 1, "resolution_hash": "…"},
   "evidence": {"command": "cargo test", "cwd": ".", "exit_status": 0,
                "started_at": "2026-05-01T12:00:00Z", "ended_at": "2026-05-01T12:01:30.5Z",
                "artifact_hash": "sha256 of the raw artifact", "stdout_excerpt": "at most 4 KiB",
                "evidence_refs": ["https://ci.example/run/7"]},
   "validity": {"expires_on": null, "stales_on": ["member_change"]}}

  scope      the block as it is now (m1nd blocks show); a receipt of another version is refused
  evidence   artifact_hash and evidence_refs always; the rest also for test and runtime; both times or none
  expires_on a date or a UTC time after ended_at
  stales_on  member_change, repaint, contract_change, boundary_change; those of the contract count too

  type         earned by
  structural   verb (a commit of xray_paint)
  handoff      verb (soul_check)
  spec         verb (the ratification itself), owner
  test         ci, runnerd
  review       verb (a debrief with evidence), owner
  runtime      ci, runnerd, verb; never required, for nothing reads it yet

Times are kept as they were captured, never re-dated. What looks like a secret is taken out of command, stdout_excerpt and
evidence_refs before anything is kept. A failing run is evidence too: it turns the block red until a later one passes.
"""


BLOCKS = """\
A map is proposed (`m1nd blocks candidate`) or taken from a seed (`m1nd blocks import`), edited, and ratified by three
signatures: names, boundaries, contract. Each signature is over what was shown, and needs a stamp.

`m1nd blocks edit FILE` (or - for stdin) reads a JSON list of edits, all of them carried out or none:

  {"op": "rename", "block_id": "sb_…", "name": "…", "purpose": "…"}
  {"op": "merge", "into": "sb_…", "block_ids": ["sb_…"]}
  {"op": "split", "block_id": "sb_…", "by": {"paths": [["src/a/**"], ["src/b.rs"]]}}
  {"op": "move_member", "path": "src/a.rs", "from": "sb_…", "to": "sb_…"}
  {"op": "resolve_seam", "path": "src/a.rs", "resolution": "both" or "primary:sb_…"}
  {"op": "assign_unmapped", "path": "src/a.rs", "block_id": "sb_…"}
  {"op": "set_role", "block_id": "sb_…", "path": "tests/**", "role": "test"}
  {"op": "set_contract", "block_id": "sb_…", "template": "rust_core", "required": [{"type": "spec"}], "waiver": "why nothing"}
  {"op": "set_sockets", "block_id": "sb_…", "sockets": {"outputs": [{"to": "sb_…", "type": "calls"}]}}

  roles      @ROLES
  templates  @TEMPLATES
  types      @TYPES

Paths are globs as in .gitignore: `*` stays in its folder, `**` crosses. Of several entries that match a file the last one gives
its role; of several blocks that claim it as primary its owner keeps it, then the more specific claim has it. What is claimed
alike is contested, and stays unmapped until somebody decides.
"""


def topic_text(topic: str) -> str:
    """The text of a topic of TOPICS, or of one code of CODES."""
    if topic in CODES:
        return _code_page(CODES[topic])
    if topic == "codes":
        return _codes_page()
    if topic == "exits":
        return "".join(f"{int(status):>4}  {meaning}\n" for status, meaning in EXITS.items())
    if topic == "settings":
        width = max(map(len, SETTINGS))
        return "".join(f"{name:<{width}}  {meaning}\n" for name, meaning in SETTINGS.items())
    if topic == "missions":
        return _missions_page()
    if topic == "blocks":
        return _blocks_page()
    return {"output": OUTPUT, "symbols": SYMBOLS, "edits": EDITS, "receipts": RECEIPTS, "blocks": BLOCKS}[
        topic
    ]


def _blocks_page() -> str:
    """The edits of candidates, with the words that they may use."""
    from m1nd.domain.blocks.contract import RECEIPT_TYPES
    from m1nd.domain.blocks.membership import ROLES
    from m1nd.domain.blocks.templates import TEMPLATES

    words = {"@ROLES": ROLES, "@TEMPLATES": tuple(TEMPLATES), "@TYPES": RECEIPT_TYPES}
    page = BLOCKS
    for mark, names in words.items():
        page = page.replace(mark, ", ".join(names))
    return page


def _missions_page() -> str:
    """The way of a mission and the arguments of every act, from the tables that the acts themselves use."""
    from m1nd.application.use_cases.missions import ACTS
    from m1nd.domain.missions.states import EDGES, State

    lines = ["From here, it goes to (and whose step it is):", ""]
    for state in State:
        ways = [
            f"{target.value} ({', '.join(sorted(seat.value for seat in seats))})"
            for (source, target), seats in EDGES.items()
            if source is state
        ]
        lines += [f"  {state.value:<11} {way}" for way in ways[:1]] + [f"{'':<14}{way}" for way in ways[1:]]
    lines += ["", "m1nd missions post ACT [ID] --…; in brackets what may be left out:", ""]
    for act, (needed, possible) in ACTS.items():
        words = [*needed, *(f"[{name}]" for name in possible)]
        lines.append(f"  {act:<16} {', '.join(words)}")
    return "\n".join([*lines, "", MISSIONS])


MISSIONS = """\
On the command line: --block, --runner, --execution, --include, --effect, --retries, --patience, --evidence and --excerpt stand
for block_id, runner_id, execution_id, includes, effects, retries_of, patience_seconds, evidence_refs and stdout_excerpt.

Nobody judges a packet that they wrote, or reviews work that they ran. Acts of the runner name the execution that the
dispatch gave out. `wait` needs a gate with exit status 0; what waits then is a receipt candidate with the block's
versions of the dispatch. Only a human lands or archives it, with a stamp: m1nd tray. A mission without a sign of life
for longer than its patience is stalled; a beat brings it back.
"""


def _codes_page() -> str:
    lines: list[str] = []
    width = max(map(len, CODES))
    for group in dict.fromkeys(code.group for code in CODES.values()):
        lines += ["", group.value] if lines else [group.value]
        lines += [
            f"  {c.name:<{width}}  {int(c.exit):>3}  {c.meaning}" for c in CODES.values() if c.group is group
        ]
    return "\n".join(lines) + "\n"


def _code_page(code: Code) -> str:
    retry = "yes" if code.retryable else "no"
    return (
        f"{code.name}\n\n"
        f"  meaning      {code.meaning}\n"
        f"  next step    {code.hint}\n"
        f"  exit status  {int(code.exit)} ({EXITS[code.exit]})\n"
        f"  retryable    {retry}\n"
        f"  group        {code.group.value}\n"
    )
