"""Verbs of receipts: hard evidence, bound to one version of one block."""

from m1nd.adapters.verb_shape import APPENDS, CASES, READS, Verb, fields

RECEIPTS = (
    Verb(
        "receipt_import",
        f"{CASES}.receipts:import_receipt",
        "m1nd receipts import FILE|- [--expected-store-version N]",
        "Take evidence in, by the human's stamp or CI's token, when every check holds; the first that does not answers.",
        fields("""
            receipt object {type, emitter: {kind, id}, scope: {block_id, boundary_version, contract_version, resolution_hash}, evidence: {command?, cwd?, exit_status?, started_at?, ended_at?, artifact_hash, stdout_excerpt?, evidence_refs[]}, validity?: {expires_on?, stales_on[]?}}
            expected_store_version? integer{0..} refuse if the map has another
            expected_versions? object {block_id: version}: refuse if the block has another
        """),
        fields("""
            receipt_id string names the receipt: a digest of its content
            block_id string the block that it is evidence of
            type string test, structural, runtime, review, handoff or spec
            outcome string pass or fail; a failing run is evidence too
            solicited boolean whether the block's contract asks for that type; what it does not ask for never counts
            stage string live, or superseded where later evidence of the type is there already
            store_version integer of the map, after the import
            receipt_count integer receipts of the block so far
            log_head object {count, head} of the log, after the import
        """),
        APPENDS,
        needs_stamp=True,
        own=False,
    ),
    Verb(
        "receipt_recompute",
        f"{CASES}.receipts:recompute",
        "m1nd receipts recompute [BLOCK] [--as-of TIME] [--apply]",
        "Hold every receipt against the present; --apply, for people, records the ends that are due.",
        fields("""
            block_id? string of this block only
            as_of? string as if it were that time (UTC)
            apply! boolean record the ends that are due
        """),
        fields("""
            block_count integer blocks looked at
            receipt_count integer receipts looked at
            fresh_count integer those that count
            stale_count integer those that do not
            receipts array one object a receipt: {block_id, receipt_id, receipt_type, outcome, fresh, reason}; reason is the first of block, boundary, contract, resolution, content, repaint, archived, tombstoned, superseded, withdrawn, expired
            expired array ids of the receipts whose end was recorded just now
            evaluated_at string the time that was held against them
        """),
        READS,
        own=False,
    ),
    Verb(
        "receipt_list",
        "m1nd.application.views:Views.receipts",
        "m1nd receipts list [BLOCK] [--limit N]",
        "The receipts, ended ones too, newest first.",
        fields("""
            block_id? string of this block only
            limit? integer{1..10000} at most so many; 100 where it is left out
        """),
        fields(
            "receipts array one object a receipt: {receipt_id, block_id, type, outcome, solicited, emitter, landed_by, stage, reason, cause, expires_at, imported_at, ended_at}"
        ),
        READS,
    ),
    Verb(
        "receipt_show",
        "m1nd.application.app:M1nd.receipt",
        "m1nd receipts show ID",
        "One receipt as it was imported, and what ended it.",
        fields("receipt_id string the receipt"),
        fields("""
            receipt_id string names it
            stage string live, staled, expired, superseded or withdrawn
            reason string why it ended; empty while it is live
            cause string the event or receipt that ended it; empty while it is live
            solicited boolean whether the contract asked for it
            landed_by string the stamp or token that let it in
            stales_on array what makes it stale beside another scope
            receipt object as it was imported, its secrets taken out
        """),
        READS,
    ),
    Verb(
        "receipt_withdraw",
        f"{CASES}.receipts:withdraw",
        "m1nd receipts withdraw ID --reason WHY",
        "Take a live receipt back, with the human's stamp; it stays in the history.",
        fields("""
            receipt_id string the receipt
            reason string why it stops counting
        """),
        fields("""
            receipt_id string the receipt
            block_id string its block
            reason string as given
        """),
        APPENDS,
        idempotent=False,
        needs_stamp=True,
    ),
)
