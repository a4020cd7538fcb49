"""What an agent is told beside the schemas: instructions, descriptions that teach the retry, prompts for the usual flows.

Fixed text: nothing of a repository is ever in it, so that a change of it is a release and not data (PORTS.md, MCP).
"""

from m1nd.adapters.verb_shape import Effect, Verb
from m1nd.domain.card.cadence import RULE, STRUCTURALLY

MOST_INSTRUCTIONS, MOST_DESCRIPTION = 1500, 400

TEACHES = {
    "ingest": "Call it when `north` says needs_ingest; later every verb refreshes by itself.",
    "search": "Start here when you do not know the exact name; then pass `path:line` or a full path on.",
    "surgical_context": "Read this instead of the whole file. A file that it shows in full may then be written by a commit "
    "within five minutes (proof gate).",
    "impact": "Ask before you change a signature. A `reverify` verdict means: check by name too (by_name: true).",
    "transplant_preview": "Read the diff, then call transplant_commit with the preview_id. On a refusal do what its hint says; "
    "nothing was written.",
    "transplant_commit": "confirm must be true. On source_modified or preview_expired make a new preview; on proof_gate read the "
    "named files with surgical_context, or preview again; on verification_failed mend what it names.",
    "transplant": "Only for files that you were shown in full within five minutes; else preview and commit.",
    "transplant_undo": "Refused with undo_modified when a file changed since; preview the opposite then.",
    "edit_preview": "Give whole content or line edits with base_hash, or a unified diff. Read the diff, then edit_commit.",
    "edit_commit": "confirm must be true. On source_modified or hunk_failed make the plan anew from the file as it is.",
    "log": "The last events without `after`; page on with the last position.",
}
"""By verb: when to use it, and what to do when it says no."""

ORIENT = """\
1. Call `north` with {task}. It says where you stand, what is stale and what needs the human.
2. Follow its `next_move`. Trust an answer as far as its `verdict` says: act, reverify, abstain, unprovable.
3. Read one item with `surgical_context` rather than its whole file.
"""
MOVE = """\
1. `transplant_preview` with symbol, source_file and dest_file{move}; read the diff that it answers.
2. Refused? Do what `error.hint` says and preview again. Nothing was written.
3. `transplant_commit` with the preview_id and confirm: true. The compiler has the last word before a byte changes.
4. Report the receipt as it stands: files changed, refs_unresolved, verification. Claim no more than it says.
5. Wrong after all? `transplant_undo` restores the bytes.
"""
LAND = """\
1. Gather the evidence: the command, its exit status, the hash of its output.
2. Post it as a candidate (`mission_post`, `debrief`); only a human stamp lands it.
3. `human_gesture_required` names the exact command. Show it to the human and stop; never answer it yourself.
"""

KEY = "Call `north` first, with your task. Read with `surgical_context`, not whole files."
REVISIONS = (
    "Every answer carries `graph_rev`; pass it back as `since_rev` to learn what changed. `root_mismatch`: this m1nd serves "
    "another repository than yours; write nothing."
)
HUMAN = "`human_gesture_required`: only the owner can do this, at a terminal, with the command in the hint."
CARD = "The card of `north` goes into a fenced block, geometry and words untouched."
WRITES = "Writes go preview, diff, commit; a refusal changes no byte and its `hint` is the next step."


def instructions() -> str:
    """At most 1,500 characters, the key sentence first; the negative rule of the card and its four tests verbatim (D13)."""
    return "\n".join(
        [f"{KEY} {WRITES} {REVISIONS}", HUMAN, f"{CARD} {RULE}", f"STRUCTURALLY: {'; '.join(STRUCTURALLY)}."]
    )


def description(verb: Verb) -> str:
    """At most 400 characters: what it does, then when and what to do when it refuses."""
    lesson = TEACHES.get(verb.name, "")
    if not lesson and verb.needs_stamp:
        lesson = "Needs a human stamp: the refusal names the command that the owner runs at a terminal."
    elif not lesson and Effect.WRITES_FILES in verb.effects:
        lesson = WRITES
    return f"{verb.summary} {lesson}".strip()


def prompts(names: frozenset[str]) -> dict[str, tuple[str, dict[str, str]]]:
    """Prompt → what it is for, its arguments and their meaning; only flows whose verbs exist."""
    found = {
        "orient": ("Find out where you stand before you do anything.", {"task": "what you are about to do"})
    }
    if "transplant_preview" in names:
        found["move"] = (
            "Move an item to another module, proven before it is written.",
            {"symbol": "the item", "source_file": "where it is", "dest_file": "where it goes"},
        )
    if "mission_post" in names:
        found["land"] = ("Hand finished work to the human, with its evidence.", {})
    return found


def prompt_text(name: str, given: dict[str, str]) -> str:
    """The text of one prompt; what the caller gave is quoted as data."""
    if name == "orient":
        return ORIENT.format(task=f"task {given['task']!r}" if given.get("task") else "your task")
    if name == "move":
        move = ", ".join(
            f"{key}={given[key]!r}" for key in ("symbol", "source_file", "dest_file") if given.get(key)
        )
        return MOVE.format(move=f" ({move})" if move else "")
    return LAND
