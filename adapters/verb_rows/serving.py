"""Verbs about the process that serves a repository to agents."""

from m1nd.adapters.verb_shape import READS, WRITES, Verb, fields

OWNER = """
    running boolean whether one runs
    version? string of m1nd in that process
    pid? integer its process
    clients? integer agents connected
"""

SERVING = (
    Verb(
        "setup",
        "m1nd.adapters.hosts",
        "m1nd setup HOST [--print]",
        "Write the entry that makes an agent host start m1nd, and the skills where the host reads them; keeps what stands there.",
        fields("""
            host string{claude-code|codex|cursor|vscode|zed|opencode|gemini} the host
            print! boolean write nothing
        """),
        fields("""
            host string as asked
            file string the host's file, relative to the repository or to ~
            entry string our entry, as it would stand in an empty file
            written boolean whether the file was changed
            skills array the skill files that were written
        """),
        WRITES,
    ),
    Verb(
        "owner_status",
        "m1nd.adapters.mcp.asking:ask_owner",
        "m1nd owner status",
        "Whether an owner process serves this repository, and whom.",
        (),
        fields(OWNER),
        READS,
    ),
    Verb(
        "owner_stop",
        "m1nd.adapters.mcp.asking:ask_owner",
        "m1nd owner stop",
        "End the owner process of this repository after what it writes; the next agent starts another.",
        (),
        fields(OWNER),
        READS,
    ),
)
