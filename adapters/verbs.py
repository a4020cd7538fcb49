"""Every verb of the product, in one table: name, use case, arguments, result keys, effects, command (PORTS.md).

The deny list of a read-only attach, the hints that MCP clients get, docs/wire.md and the tests of both come from here. It
holds no code of any verb and imports none, so that reading it costs nothing.
"""

from m1nd.adapters.verb_shape import Effect, Verb, fields, table

READS = frozenset({Effect.READS})
REFRESHES = frozenset({Effect.READS, Effect.RUNS_PROCESS})
"""A read that brings the graph up to date first (D41); git lists the files. The refresh is an act of its own."""
APPENDS = frozenset({Effect.READS, Effect.APPENDS, Effect.RUNS_PROCESS})
WRITES = APPENDS | {Effect.WRITES_FILES}

_CASES = "m1nd.application.use_cases"

_SYMBOL = "symbol string a name, crate::a::name, sym_… or path:line"
_MOVE = f"""
    {_SYMBOL}
    source_file string the file that defines it, relative to the root
    dest_file string the file that will define it
    allow_protected? string why a protected zone may be crossed; needs a stamp
"""

_MOVED_LOG = """
    file string the file
    count integer events in it
    head string the digest that stands for all of them
"""

GRAPH = (
    Verb(
        "ingest",
        f"{_CASES}.ingest",
        "m1nd ingest [PATH]",
        "Build the graph, or bring it up to date; only what changed is read again.",
        fields("path? string a folder inside the repository to ingest"),
        fields("""
            files integer files in the graph
            modules integer Rust modules
            items integer Rust items
            edges integer edges between them
            unresolved integer references that the index tier could not place
            added integer files new since the last ingest
            changed integer files whose content changed
            removed integer files that are gone
            ms integer milliseconds
            orphans array Rust files that no crate reaches
            notes array what is in the graph without facts, and manifests that cannot be read: {path, reason}
            symbols_rematched integer items recognised at another place after an edit made outside
            symbols_lost integer items that vanished in an edit made outside
        """),
        APPENDS,
        own=False,
    ),
    Verb(
        "search",
        f"{_CASES}.queries",
        "m1nd search Q",
        "Find items by name, part of a name, or path.",
        fields("""
            query string what to look for
            limit? integer at most so many
        """),
        fields("""
            query string as asked
            results array best first: {path, how, score, item}; item is null when a file is the answer
        """),
        REFRESHES,
        own=False,
    ),
    Verb(
        "surgical_context",
        f"{_CASES}.queries",
        "m1nd context SYMBOL",
        "An item's source, what it uses, who uses it, which tests reach it; within a token budget.",
        fields(f"""
            {_SYMBOL}
            budget? integer about so many tokens at most (4000)
        """),
        fields("""
            symbol object the item
            source object its text: {path, start_line, end_line, text, truncated}
            uses array items it uses, with edge and surety
            used_by array items that use it, with edge and surety
            tests array tests that reach it
            open_references array what the index tier could not place in it: {text, reason}
            dropped array what the budget left out: {part, count}
            budget integer as asked
            tokens integer about how many the answer takes
            verdict string reverify, or abstain where it rests on bare names alone
            tier string index
        """),
        REFRESHES,
        own=False,
    ),
    Verb(
        "impact",
        f"{_CASES}.queries",
        "m1nd impact SYMBOL",
        "What a change of an item reaches, hop by hop.",
        fields(f"""
            {_SYMBOL}
            depth? integer follow users of users so far (3)
            by_name? boolean also follow edges that were found by bare name
        """),
        fields("""
            symbol object the item
            depth integer as asked
            reached array what a change may reach, nearest first, with depth, edge and surety
            files array files of what is reached
            tests integer how many of what is reached are tests
            verdict string reverify, or abstain where it rests on bare names alone
            tier string index
        """),
        REFRESHES,
        own=False,
    ),
    Verb(
        "why",
        f"{_CASES}.queries",
        "m1nd why A B",
        "The shortest way from one item to another.",
        fields("""
            source string where the way begins
            target string where it ends
        """),
        fields("""
            source object where the way begins
            target object where it ends
            path array the way, edge by edge; empty when nothing connects the two
            verdict string reverify, or abstain where an edge was found by bare name alone
            tier string index
        """),
        REFRESHES,
        own=False,
    ),
    Verb(
        "stats",
        f"{_CASES}.queries",
        "m1nd stats",
        "Counts of the graph: files, modules, items by kind, edges by kind and tier.",
        (),
        fields("""
            files integer files in the graph
            modules integer Rust modules
            items integer Rust items
            edges integer edges between them
            unresolved integer references that the index tier could not place
            tests integer test functions
            items_by_kind object items by kind
            edges_by_kind object edges by kind, each by how sure they are: resolved, method, name_only
            open_by_reason object references that could not be placed, by reason
            orphans array Rust files that no crate reaches
            notes array what is in the graph without facts, and manifests that cannot be read: {path, reason}
            tier string index
        """),
        REFRESHES,
        own=True,
    ),
)

MOVES = (
    Verb(
        "transplant_preview",
        f"{_CASES}.transplant",
        "m1nd transplant preview SYMBOL SOURCE DEST [--allow-protected REASON] [--diff]",
        "Plan the move of one item and keep the plan for five minutes; no file changes.",
        fields(_MOVE),
        fields("""
            preview_id string names the plan for the commit
            ttl_ms integer how long it is kept
            expires_at string when it ends (UTC)
            candidate object the receipt that a commit would give
            files array one object a planned file: {file_path, base_hash, after_hash, lines_added, lines_removed}
            diff string the plan as a unified diff
            verification object what is known before the commit
        """),
        APPENDS,
        idempotent=False,
        own=False,
    ),
    Verb(
        "transplant_commit",
        f"{_CASES}.transplant",
        "m1nd transplant commit PREVIEW_ID --yes [--verify check|none] [--accept-unresolved]",
        "Carry out a preview: every file or none.",
        fields("""
            preview_id string the plan
            confirm boolean must be true
            verify? string check (cargo, in a shadow, before any byte changes) or none
            accept_unresolved? boolean go on although some references cannot be proven
        """),
        fields("""
            transplant_id string names the move
            receipt object what was done, every field explicit
        """),
        WRITES,
        destructive=True,
        idempotent=False,
        own=False,
    ),
    Verb(
        "transplant",
        f"{_CASES}.transplant",
        "m1nd transplant move SYMBOL SOURCE DEST --yes [--verify check|none] [--accept-unresolved]",
        "Preview and commit in one call.",
        fields(
            _MOVE
            + """
            verify? string check or none
            accept_unresolved? boolean go on although some references cannot be proven
            """
        ),
        fields("""
            transplant_id string names the move
            preview_id string the plan it carried out
            receipt object what was done, every field explicit
        """),
        WRITES,
        destructive=True,
        idempotent=False,
        own=False,
    ),
    Verb(
        "transplant_list",
        f"{_CASES}.transplant",
        "m1nd transplant list",
        "The moves of this repository, newest first.",
        fields("limit? integer at most so many; 50 where it is left out"),
        fields("""
            moves array one object a move or preview: what transplant_show says of it, without the receipt
        """),
        READS,
    ),
    Verb(
        "transplant_show",
        f"{_CASES}.transplant",
        "m1nd transplant show ID",
        "One move or preview, with its receipt.",
        fields("id string a transplant or preview id"),
        fields("""
            transplant_id string names the move
            preview_id string the plan it came from
            symbol string as asked
            symbol_id string the identity that stays, or empty
            source_file string where it was
            dest_file string where it went
            stage string previewed, committed, expired, discarded or rolled_back
            previewed_at string when it was planned
            ended_at? string when it came to its end
            receipt object of the move, or of what a commit would do
        """),
        READS,
    ),
    Verb(
        "transplant_discard",
        f"{_CASES}.transplant",
        "m1nd transplant discard ID",
        "Throw a preview away.",
        fields("preview_id string the plan"),
        fields("preview_id string the plan"),
        APPENDS,
    ),
    Verb(
        "transplant_undo",
        f"{_CASES}.undo",
        "m1nd undo [ID]",
        "Restore the bytes that a move replaced, while every file still is as the move left it.",
        fields("transplant_id? string the move; the last one where it is left out"),
        fields("""
            transplant_id string the move taken back
            files array the restored files
        """),
        WRITES,
        destructive=True,
        idempotent=False,
    ),
)

_TABLES = "tables array one object a table: {view, table, rows, digest}"

AUDIT = (
    Verb(
        "log",
        "m1nd.application.views:Views",
        "m1nd log [--after N] [--stream S] [--topic T] [--limit N] [--follow]",
        "The events, in the order in which they were recorded; with --follow, one answer a batch as they come.",
        fields("""
            after? integer only what follows this position, oldest first; without it the last ones
            stream? string only this stream, or all of a kind
            topic? string only events of this name
            limit? integer at most so many; 20 where it is left out
            follow? boolean go on as events arrive
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
        fields("file? string the file to write"),
        fields(_MOVED_LOG),
        READS,
    ),
    Verb(
        "log_import",
        "m1nd.application.audit:import_lines",
        "m1nd log import FILE",
        "Take an exported log into this repository, which must have none; the chain is checked on the way.",
        fields("file string what `log export` wrote"),
        fields(_MOVED_LOG),
        APPENDS,
        idempotent=False,
    ),
    Verb(
        "audit_verify",
        "m1nd.application.audit:verify",
        "m1nd audit verify [--since N [--head H]]",
        "Check the hash chain over every stored byte; name the first place where it does not hold.",
        fields("""
            since? integer begin after this position
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
            to? integer the position; the end where it is left out
            out? string a new SQLite file that keeps the views of then
        """),
        fields(f"""
            position integer up to here
            events integer events decoded
            streams integer aggregates folded
            {_TABLES}
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
            {_TABLES}
        """),
        READS,
    ),
)

DAILY = (
    Verb(
        "status",
        f"{_CASES}.status:status",
        "m1nd status",
        "One screen of where everything stands; refreshes nothing.",
        (),
        fields("""
            root string the repository
            version string of m1nd
            read_only boolean whether this attach may append or write
            log object {count, head}: how many events, and the digest that stands for all of them
            graph object {generation, files, modules, items, edges, unresolved}: as of the last ingest; zeros before it
            stale_files integer files that changed since the last ingest
            moves array the last moves, newest first: {transplant_id, symbol, source_file, dest_file, stage, at}
            open_previews integer plans that can still be committed
            tools object {git, cargo, rustfmt}: whether each can be started
        """),
        REFRESHES,
    ),
    Verb(
        "doctor",
        f"{_CASES}.doctor:doctor",
        "m1nd doctor",
        "What works here and what does not: Python, tools, folders, the log.",
        (),
        fields("""
            ok boolean no check failed
            checks array one object a check: {name, state: ok | warn | fail, says, hint}
        """),
        REFRESHES,
    ),
    Verb(
        "config",
        "m1nd.adapters.cli.config",
        "m1nd config",
        "The settings that are in force, and where each comes from.",
        (),
        fields("""
            root string the repository
            state string where its state lives
            settings array one object a setting: {name, value, source, meaning}
        """),
        READS,
    ),
    Verb(
        "completion",
        "m1nd.adapters.cli.basics",
        "m1nd completion SHELL",
        "The completion script of bash, zsh or fish.",
        fields("shell string bash, zsh or fish"),
        fields("""
            shell string as asked
            script string the script
        """),
        READS,
    ),
    Verb(
        "help",
        "m1nd.adapters.cli.basics",
        "m1nd help TOPIC",
        "A topic of the product, or one error code.",
        fields("topic? string codes, exits, settings, output, symbols, or a code"),
        fields("""
            topic string as asked
            text string the page
        """),
        READS,
    ),
    Verb(
        "version",
        "m1nd.adapters.cli.basics",
        "m1nd --version",
        "The version.",
        (),
        fields("version string of m1nd"),
        READS,
    ),
    Verb(
        "demo",
        "m1nd.adapters.demo.story",
        "m1nd demo",
        "Move a function in a bundled crate, in a temporary folder, step by step.",
        fields("into? string a folder to use and keep; must not exist or be empty"),
        fields("""
            ok boolean every step was right
            steps array one object a step: {title, command, exit, ok}
            folder? string where the crate was kept
            cargo boolean whether cargo had the last word
            ms integer milliseconds
        """),
        WRITES,
        idempotent=True,
    ),
)

VERBS = table(GRAPH + MOVES + AUDIT + DAILY)
"""By wire name."""
