"""Verbs of every day: where things stand, what works here, help."""

from m1nd.adapters.verb_shape import CASES, READS, REFRESHES, WRITES, Effect, Verb, fields

DAILY = (
    Verb(
        "status",
        f"{CASES}.status:status",
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
            landing_bell integer missions that wait for the human
            missions_at_work integer missions that are dispatched, executing or stalled
            tools object {git, cargo, rustfmt}: whether each can be started
        """),
        REFRESHES,
    ),
    Verb(
        "doctor",
        f"{CASES}.doctor:doctor",
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
        "config_set",
        f"{CASES}.settings:config_set",
        "m1nd config set",
        "Set something for this repository: `verify.agents none` keeps agents from starting the compiler here.",
        fields("""
            key string verify.agents
            value string its value: check, or none
        """),
        fields("""
            key string as given
            value string what holds now
            changed boolean false where it held already
        """),
        frozenset({Effect.READS, Effect.APPENDS}),
        terminal=True,
    ),
    Verb(
        "clean",
        f"{CASES}.cleaning:clean_all",
        "m1nd clean",
        "Throw away caches, views, the shadow and the journal of ended writes; the log and the repository's files stay.",
        fields("""
            keep_undo? boolean leave the journal, so that earlier writes can be undone
            yes? boolean confirm the end of undo for earlier writes, where there are any
        """),
        fields("""
            freed object bytes by kind: {graph, views, shadow, journal}
            bytes integer all of them
        """),
        READS | {Effect.WRITES_FILES},
        destructive=True,
        terminal=True,
    ),
    Verb(
        "forget",
        f"{CASES}.cleaning:forget",
        "m1nd forget",
        "Throw away everything that m1nd keeps of this repository, the log too; its own files stay.",
        (),
        fields("""
            events integer how many the log had
            head string the digest that stood for all of them
        """),
        WRITES,
        destructive=True,
        needs_stamp=True,
        terminal=True,
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
        fields(
            "topic? string codes, exits, settings, output, symbols, edits, blocks, missions, receipts, or a code"
        ),
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
        "Move a function and land a mission in a bundled crate, in a temporary folder, step by step.",
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
