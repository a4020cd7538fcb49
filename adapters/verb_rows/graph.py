"""Verbs that build the graph and read it."""

from m1nd.adapters.verb_shape import APPENDS, CASES, REFRESHES, SYMBOL, Verb, fields

ITEM = "{name, kind, path, line, end_line, module, full_path, symbol_id, external_id, signature, is_test}"
SURE = """
    verdict string act, reverify, abstain or unprovable: how far the answer can be trusted
    tier string index or precise: which of the two resolvers answered
"""

GRAPH = (
    Verb(
        "ingest",
        f"{CASES}.ingest:ingest",
        "m1nd ingest [PATH]",
        "Build the graph, or bring it up to date; only what changed is read again.",
        fields("""
            path! string a folder inside the repository; the current one where it is left out
            project_root? string your own repository, absolute, where this attach is bound to another one
        """),
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
            orphans array .rs files that no crate reaches
            notes array files without facts, and what else the reader should know: {path, reason}
            symbols_rematched integer items recognised elsewhere after an edit outside of m1nd
            symbols_lost integer items that were not recognised again
        """),
        APPENDS,
        own=False,
    ),
    Verb(
        "search",
        f"{CASES}.queries:search",
        "m1nd search Q",
        "Find items by name, part of a name, or path; exit status 1 where there is none.",
        fields("""
            query string what to look for
            limit? integer{1..1000} at most so many; 20 where it is left out
        """),
        fields(f"""
            query string as asked
            results array best first: {{path, how, score, item}}; item is null for a file, else {ITEM}
        """),
        REFRESHES,
        own=False,
    ),
    Verb(
        "surgical_context",
        f"{CASES}.context:surgical_context",
        "m1nd context SYMBOL [--budget N]",
        "An item's source, what is remembered of it, what it uses, who uses it, which tests reach it; within a token budget.",
        fields(f"""
            {SYMBOL}
            budget? integer about so many tokens at most; 4000 where it is left out
        """),
        fields(f"""
            symbol object {ITEM}
            source object {{path, start_line, end_line, text, truncated}}
            uses array items with {{edge, surety, depth}}, and via where the way leads over another item
            used_by array the same, the other way round
            tests array tests that reach it
            claims array claims that rest on it or on its file, as claim_show tells them
            tags array its tags
            blocks array live blocks that its file belongs to, the owning one first: {{block_id, name, role, boundary_version, receipts: [{{receipt_id, type, stage, reason}}]}}
            open_references array what the index tier could not place: {{text, reason}}
            dropped array what the budget cost: {{part, count}}
            budget integer as asked
            tokens integer about so many tokens is the answer
            {SURE}
        """),
        REFRESHES,
        own=False,
    ),
    Verb(
        "impact",
        f"{CASES}.queries:impact",
        "m1nd impact SYMBOL [--depth N] [--by-name]",
        "What a change of an item may reach, hop by hop.",
        fields(f"""
            {SYMBOL}
            depth? integer follow users of users so far; 3 where it is left out
            by_name? boolean also follow edges that were found by bare name
        """),
        fields(f"""
            symbol object {ITEM}
            depth integer as asked
            reached array items with {{edge, surety, depth}}, nearest first
            files array their files
            tests integer how many of them are tests
            {SURE}
        """),
        REFRESHES,
        own=False,
    ),
    Verb(
        "why",
        f"{CASES}.queries:why",
        "m1nd why A B",
        "The shortest way from one item to another; exit status 1 where there is none.",
        fields("""
            source string where the way begins
            target string where it ends
        """),
        fields(f"""
            source object {ITEM}
            target object the same
            path array the way, edge by edge: {{source, target, edge, surety, reverse}}
            {SURE}
        """),
        REFRESHES,
        own=False,
    ),
    Verb(
        "stats",
        f"{CASES}.queries:stats",
        "m1nd stats",
        "Counts of the graph: files, modules, items by kind, edges by kind and by how sure they are.",
        (),
        fields("""
            files integer files in the graph
            modules integer Rust modules
            items integer Rust items
            edges integer edges between them
            unresolved integer references that could not be placed
            tests integer tests among the items
            items_by_kind object kind to count
            edges_by_kind object kind to {resolved, method, name_only}, whichever occur
            open_by_reason object why references could not be placed, to count
            orphans array .rs files that no crate reaches
            notes array {path, reason}
            tier string index
        """),
        REFRESHES,
    ),
)
