"""Verbs of memory: claims that follow the code, and their notes in the L1GHT form."""

from m1nd.adapters.verb_shape import APPENDS, CASES, REFRESHES, Verb, fields

CLAIM = """
    claim_id string names the claim
    label string what it is about, in a few words
    claim string what is said
    state string verified, authored or outdated: how far its author checked it
    confidence? number 0 to 1; null where nobody said
    evidence array what it rests on, as it stands now: {kind, name, symbol_id, path, freshness, made_at: {path, label}}; freshness is fresh, moved, changed or gone
    freshness string that of the worst evidence; empty where there is none
    markers array other remarks of a note: {glyph, kind, value}
    source_agent string who said it
    origin string memorized or light (from a note)
    created_at string when it was first said
    age_ms integer how long ago
    stale boolean older than thirty days
    supersedes string the claim whose place it took; empty where it took none
    superseded_by string the claim that took its place; empty while it stands
"""

MEMORY = (
    Verb(
        "memorize",
        f"{CASES}.memory:memorize",
        "m1nd memory add TEXT [--state S] [--confidence C] [--evidence SYMBOL|PATH]… [--supersedes ID] [--label L]",
        "Remember a sentence about the code and what it rests on; the evidence follows the code through moves.",
        fields("""
            claim string what is said
            state? string{verified|authored|outdated} how far it was checked; authored where it is left out
            confidence? number 0 to 1; unknown where it is left out
            evidence? array{string} names of items (a name, crate::a::name, sym_…, path:line) or paths of files
            supersedes? string the claim whose place it takes: only one that is at most as strong gives it
            label? string what it is about; its first words where it is left out
        """),
        fields(CLAIM),
        APPENDS,
        idempotent=False,
        own=False,
    ),
    Verb(
        "recall",
        f"{CASES}.memory:recall",
        "m1nd memory recall [QUESTION] [--limit N]",
        "Claims that answer a question, best first, each with what its evidence says now; all of them, newest first, without one.",
        fields("""
            query? string a question in plain words
            limit? integer{1..1000} at most so many; 8 where it is left out
        """),
        fields("""
            query string as asked
            claims array what claim_show says of each, with its score
            live integer how many claims stand in all
        """),
        REFRESHES,
        own=False,
    ),
    Verb(
        "claim_list",
        f"{CASES}.memory:listed",
        "m1nd memory list [--limit N]",
        "All claims, superseded ones too, newest first.",
        fields("limit? integer{1..1000} at most so many; 50 where it is left out"),
        fields("claims array what claim_show says of each"),
        REFRESHES,
    ),
    Verb(
        "claim_show",
        f"{CASES}.memory:show",
        "m1nd memory show ID",
        "One claim, with what its evidence says now.",
        fields("claim_id string the claim"),
        fields(CLAIM),
        REFRESHES,
    ),
    Verb(
        "light_import",
        f"{CASES}.notes:light_import",
        "m1nd memory import PATH…",
        "Take claims from notes in the L1GHT form (.light.md), all of them or none; what stands already is not taken twice.",
        fields(
            "notes array{object} one object a note: {name, text}; the command line takes files and folders"
        ),
        fields("""
            claims array ids of the new claims
            known integer claims that stood already
            unanchored array evidence that names nothing here; kept, as gone or as a marker
        """),
        APPENDS,
    ),
    Verb(
        "light_export",
        f"{CASES}.notes:light_export",
        "m1nd memory export [DIR] [--claim ID]…",
        "Live claims as notes in the L1GHT form, one claim a file; into the folder DIR, or on stdout.",
        fields("claim_ids? array{string} only these claims, superseded ones too"),
        fields("notes array one object a note: {name, text}"),
        REFRESHES,
    ),
    Verb(
        "document_drift",
        f"{CASES}.drift:document_drift",
        "m1nd memory drift [PATH]…",
        "Names in Markdown documents that lead to no code, to two things, or to what moved; exit status 1 where there are any.",
        fields("paths? array{string} documents or folders; every Markdown file where it is left out"),
        fields("""
            documents integer how many were read
            bindings integer names that can only mean this repository
            findings array {class, document, line, binding, target, message, confidence, heuristic}
            counts object class to count: doc_claim_unbacked, binding_missing, binding_ambiguous, binding_moved, code_change_unreflected
            unread array documents that are no text
        """),
        REFRESHES,
        own=False,
    ),
)
