"""Verbs of the auditor, over the log and its views."""

from m1nd.adapters.verb_shape import APPENDS, CASES, READS, Verb, fields

MOVED_LOG = """
    file string the file
    count integer events in it
    head string the digest that stands for all of them
"""

TABLES = "tables array one object a table: {view, table, rows, digest}"

TOLD = "{position, event_id, at, topic, actor, says, cause}"

AUDIT = (
    Verb(
        "why_state",
        f"{CASES}.why_state:why_state",
        "m1nd why-state BLOCK [--as-of TIME]",
        "Why a block stands as it does, now or at a time: its evidence, and the chain of causes behind each piece of it.",
        fields("""
            block_id string the block
            as_of? string as it was at that time (UTC)
        """),
        fields(f"""
            block_id string the block
            name string its name
            as_of string the time that was asked for
            position integer of the log, up to which it was folded
            lifecycle string ratified, archived or tombstoned
            boundary_version integer as of then
            contract_version integer as of then
            standing string broken, unknown, evidence_backed or needs_evidence
            have integer required types with a live passing receipt
            need integer required types
            reasons array why it is broken
            types array one object a type of evidence: {{type, required, receipt_id, outcome, counts, reason, chain[]}}; the chain is of {TOLD}, nearest cause first
            story array what happened to the block and its receipts, oldest first: {TOLD}
        """),
        READS,
    ),
    Verb(
        "log",
        "m1nd.application.views:Views",
        "m1nd log [--after N] [--stream S] [--topic T] [--limit N] [--follow]",
        "The events, in the order in which they were recorded; with --follow, one answer a batch as they come.",
        fields("""
            after? integer{0..} only what follows this position, oldest first; without it the last ones
            stream? string only this stream, or all of a kind
            topic? string only events of this name
            limit? integer{1..10000} at most so many; 20 where it is left out
            follow! boolean go on as events arrive
        """),
        fields("""
            events array one object an event
            log object {count, head}
        """),
        READS,
    ),
    Verb(
        "log_export",
        "m1nd.application.audit:export",
        "m1nd log export [FILE]",
        "Write the whole log with its chain to a file, one JSON object a line; without FILE to stdout, in no envelope.",
        fields("file? string the file to write; of what is there, only an earlier export is replaced"),
        fields(MOVED_LOG),
        READS,
        terminal=True,
    ),
    Verb(
        "log_import",
        "m1nd.application.audit:import_lines",
        "m1nd log import FILE",
        "Take an exported log into this repository, which must have none; the chain is checked on the way.",
        fields("file string what `log export` wrote"),
        fields(MOVED_LOG),
        APPENDS,
        idempotent=False,
        terminal=True,
    ),
    Verb(
        "audit_verify",
        "m1nd.application.audit:verify",
        "m1nd audit verify [--since N [--head H]]",
        "Check the hash chain over every stored byte; name the first place where it does not hold.",
        fields("""
            since? integer{0..} begin after this position
            head? string the head that was published there
        """),
        fields("""
            holds boolean always true; a chain that does not hold is refused with chain_broken
            count integer events in the log
            head string the digest that stands for all of them
            checked integer events checked
            since integer where the check began
        """),
        READS,
    ),
    Verb(
        "audit_seal",
        "m1nd.application.app:M1nd.log_head",
        "m1nd audit seal",
        "Print the log's head, to be kept where the log cannot reach.",
        (),
        fields("""
            count integer events in the log
            head string the digest that stands for all of them
        """),
        READS,
    ),
    Verb(
        "audit_topics",
        "m1nd.application.audit:topics",
        "m1nd audit topics",
        "Every name of an event, how often it stands in the log; refused where one is not known.",
        (),
        fields("topics array one object a name: {topic, events}"),
        READS,
    ),
    Verb(
        "audit_replay",
        "m1nd.application.audit:replay",
        "m1nd audit replay [--to N] [--out FILE]",
        "Decode every event, fold every aggregate, and fold the views as they were at a position.",
        fields("""
            to? integer{0..} the position; the end where it is left out
            out! string a new SQLite file that keeps the views of then
        """),
        fields(f"""
            position integer up to here
            events integer events decoded
            streams integer aggregates folded
            {TABLES}
            out string the file, or empty
        """),
        READS,
    ),
    Verb(
        "projections_rebuild",
        "m1nd.application.views:Views.rebuild",
        "m1nd projections rebuild [--check]",
        "Fold the views anew from the first event; with --check only compare, byte for byte.",
        fields("check? boolean change nothing; refused with views_differ where a table is not the same"),
        fields(f"""
            position integer events folded
            same boolean always true
            {TABLES}
        """),
        READS,
    ),
)
