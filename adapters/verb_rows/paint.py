"""Verbs of paint and of antibodies: tags on items, and patterns that somebody warns of; both follow the code."""

from m1nd.adapters.verb_rows.graph import ITEM
from m1nd.adapters.verb_shape import APPENDS, CASES, READS, REFRESHES, Verb, fields

ANTIBODY = """
    antibody_id string names the antibody
    name string what it warns of
    description string why
    severity string info, warning or critical
    pattern object {nodes, edges, negative_edges}, as it was given
    specificity number how much the pattern says, 0 to 1
    created_by string who made it
    created_at string when
    enabled boolean whether a scan looks for it
"""
VERSION = "expect_version? integer{0..} the version of the paint that the caller saw; refused where there is a newer one"

PAINT = (
    Verb(
        "xray_paint",
        f"{CASES}.paint:paint",
        "m1nd paint run [PATH] [--symbol SYMBOL]… [--block ID] [--yes] [--expect-version N]",
        "Survey which items are proven, unproven, overgrown or eroding, and paint them so; a dry run unless confirmed.",
        fields(f"""
            path? string a file or folder; everything where it is left out
            symbols? array{{string}} only these items
            block_id? string only the files of this block; a commit then composes its `structural` receipt
            confirm? boolean true commits; else nothing changes
            {VERSION}
        """),
        fields(f"""
            scope string what was surveyed
            scanned integer how many items
            counts object state to count: xray:state:bedrock, overgrowth, unproven, erosion-candidate
            proof_coverage number bedrock over scanned
            changes array items whose state is another one: {{item, tag, reason}}; item is {ITEM}
            version integer the version of the paint now
            committed boolean whether it was painted
            candidate_id string the structural receipt that waits for the human (m1nd land), or empty
            candidate? object that receipt
        """),
        APPENDS,
        idempotent=False,
        own=False,
    ),
    Verb(
        "xray_retag",
        f"{CASES}.paint:retag",
        "m1nd paint retag add|remove|set [TAG]… [--symbol SYMBOL]… [--path P] [--kind K] [--tagged TAG]… [--yes] [--expect-version N]",
        "Add, remove or set tags on the items that all given conditions hold for; a dry run unless confirmed.",
        fields(f"""
            operation string{{add|remove|set}} what to do
            tags? array{{string}} the tags; set without one clears
            symbols? array{{string}} only these items
            path? string only in this file or folder
            kind? string only items of this kind
            filter_tags? array{{string}} only items that bear all of these
            confirm? boolean true commits; else nothing changes
            {VERSION}
        """),
        fields(f"""
            changed array items whose tags change: {ITEM}
            lost array ids of items that are gone and whose tags change
            version integer the version of the paint now
            committed boolean whether it was done
        """),
        APPENDS,
        idempotent=False,
        own=False,
    ),
    Verb(
        "xray_ledger",
        f"{CASES}.paint:ledger",
        "m1nd paint ledger [--limit N]",
        "Who painted and tagged what, newest first.",
        fields("limit? integer{1..1000} at most so many; 50 where it is left out"),
        fields(
            "commits array one object a commit: {version, kind, tags, scope, changed, scanned, counts, proof_coverage, actor, at}"
        ),
        READS,
        own=False,
    ),
    Verb(
        "xray_tags",
        f"{CASES}.paint:tags",
        "m1nd paint show [SYMBOL] [--tag TAG] [--limit N]",
        "The tags of an item, the items of a tag, or all tagged items.",
        fields("""
            symbol? string an item
            tag? string only items that bear it
            limit? integer{1..10000} at most so many; 200 where it is left out
        """),
        fields(f"items array {{symbol_id, item, tags}}; item is null where it is gone, else {ITEM}"),
        REFRESHES,
    ),
)

ANTIBODIES = (
    Verb(
        "antibody_create",
        f"{CASES}.antibodies:create",
        "m1nd antibody create FILE|-",
        "Keep a pattern of items and edges that is a warning sign, and look for it from now on.",
        fields("""
            name string what it warns of
            pattern object {nodes: [{role, node_type?, label?, label_contains?, text_contains?, required_tags?, symbol_id?}], edges?: [{source_idx, target_idx, relation?}], negative_edges?}; literals only
            severity? string{info|warning|critical} warning where it is left out
            description? string why
        """),
        fields(ANTIBODY),
        APPENDS,
        idempotent=False,
        own=False,
    ),
    Verb(
        "antibody_enable",
        f"{CASES}.antibodies:enable",
        "m1nd antibody enable ID",
        "Look for a pattern again.",
        fields("antibody_id string the antibody"),
        fields(ANTIBODY),
        APPENDS,
        own=False,
    ),
    Verb(
        "antibody_disable",
        f"{CASES}.antibodies:disable",
        "m1nd antibody disable ID",
        "Look for a pattern no more, and keep it.",
        fields("antibody_id string the antibody"),
        fields(ANTIBODY),
        APPENDS,
        own=False,
    ),
    Verb(
        "antibody_delete",
        f"{CASES}.antibodies:delete",
        "m1nd antibody delete ID",
        "Forget a pattern; the log keeps it.",
        fields("antibody_id string the antibody"),
        fields("antibody_id string the antibody"),
        APPENDS,
        idempotent=False,
        own=False,
    ),
    Verb(
        "antibody_list",
        f"{CASES}.antibodies:listed",
        "m1nd antibody list",
        "All antibodies, the disabled ones too, oldest first.",
        (),
        fields("antibodies array what antibody_create says of each"),
        READS,
        own=False,
    ),
    Verb(
        "antibody_scan",
        f"{CASES}.antibodies:scan",
        "m1nd antibody scan [ID]… [--path P] [--since REV] [--severity S] [--limit N]",
        "Where the enabled patterns, or the named ones, are found now; exit status 1 where any is. Changes nothing.",
        fields("""
            antibody_ids? array{string} only these, the disabled too
            path? string only in this file or folder
            since_rev? integer{0..} only in files that changed after this graph_rev
            severity? string{info|warning|critical} the lowest that counts; info where it is left out
            limit? integer{1..100} so many places of each pattern; 50 where it is left out
        """),
        fields(f"""
            matches array {{antibody_id, name, severity, nodes: [{{role, item}}]}}; item is {ITEM}
            scanned integer how many patterns were looked for
            exhausted array ids of patterns that may be found in more places than are shown
            unplaced array ids of patterns whose own item is gone
        """),
        REFRESHES,
        own=False,
    ),
)
