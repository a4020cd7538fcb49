"""Verbs about the process that serves a repository to agents."""

from m1nd.adapters.verb_shape import READS, Verb, fields

OWNER = """
    running boolean whether one runs
    version? string of m1nd in that process
    pid? integer its process
    clients? integer agents connected
"""

SERVING = (
    Verb(
        "owner_status",
        "m1nd.adapters.mcp.owner:ask_owner",
        "m1nd owner status",
        "Whether an owner process serves this repository, and whom.",
        (),
        fields(OWNER),
        READS,
    ),
    Verb(
        "owner_stop",
        "m1nd.adapters.mcp.owner:ask_owner",
        "m1nd owner stop",
        "End the owner process of this repository after what it writes; the next agent starts another.",
        (),
        fields(OWNER),
        READS,
    ),
)
