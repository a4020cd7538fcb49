"""Verbs that move code, and those that tell of the moves."""

from m1nd.adapters.verb_shape import APPENDS, CASES, READS, WRITES, Verb, fields

MOVE = """
    symbol string a name, inner::name, crate::a::name, sym_… or path:line
    source_file string the file that defines it (of a whole module, the one with its `mod` line), relative to the root; an inline module of it is `src/a.rs::inner`
    dest_file string the file, or the inline module of a file, that will define it; of a whole module, that of its new parent
    also? array{string} more items of that file to move in the same plan, each named like symbol
    create_dest? boolean whether a destination that does not exist is made, with its `mod` line; true where it is left out
    publish? boolean between crates: make public what the other crate would have to see; false where it is left out
    allow_protected? string why a protected zone may be crossed; needs a stamp
"""

MOVES = (
    Verb(
        "transplant_preview",
        f"{CASES}.transplant",
        "m1nd transplant preview SYMBOL SOURCE DEST [--also SYMBOL]… [--no-create] [--publish] [--allow-protected REASON] [--diff]",
        "Plan the move of one item and keep the plan for five minutes; no file changes.",
        fields(MOVE),
        fields("""
            preview_id string names the plan for the commit
            ttl_ms integer how long it is kept
            expires_at string when it ends (UTC)
            candidate object the receipt that a commit would give
            files array one object a planned file: {file_path, base_hash, after_hash, lines_added, lines_removed}
            diff string the plan as a unified diff
            verification object what is known before the commit
            stamp? object where it crosses a protected zone, the stamp that the commit needs: {challenge, command, expires_at}
        """),
        APPENDS,
        idempotent=False,
        own=False,
    ),
    Verb(
        "transplant_commit",
        f"{CASES}.transplant",
        "m1nd transplant commit PREVIEW_ID --yes [--verify check|none] [--accept-unresolved] [--mission ID]",
        "Carry out a preview: every file or none.",
        fields("""
            preview_id string the plan
            confirm boolean must be true
            verify? string{check|none} check (cargo, in a shadow, before any byte changes) or none
            accept_unresolved? boolean go on although some references cannot be proven
            mission_id? string the mission that this is made inside of; it gets the receipt as evidence
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
        f"{CASES}.transplant",
        "m1nd transplant move SYMBOL SOURCE DEST --yes [--also SYMBOL]… [--no-create] [--publish] [--verify check|none] [--accept-unresolved]",
        "Preview and commit in one call.",
        fields(
            MOVE
            + """
            confirm boolean must be true
            verify? string{check|none} check or none
            accept_unresolved? boolean go on although some references cannot be proven
            mission_id? string the mission that this is made inside of; it gets the receipt as evidence
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
        f"{CASES}.transplant",
        "m1nd transplant list",
        "The moves of this repository, newest first.",
        fields("limit? integer{1..1000} at most so many; 50 where it is left out"),
        fields("""
            moves array one object a move or preview: what transplant_show says of it, without the receipt
        """),
        READS,
    ),
    Verb(
        "transplant_show",
        f"{CASES}.transplant",
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
        f"{CASES}.transplant",
        "m1nd transplant discard ID",
        "Throw a preview away.",
        fields("preview_id string the plan"),
        fields("preview_id string the plan"),
        APPENDS,
    ),
    Verb(
        "transplant_undo",
        f"{CASES}.undo",
        "m1nd undo [ID] [--verify check|none]",
        "Restore the bytes that a move or an edit replaced, while every file still is as it left it.",
        fields("""
            transplant_id? string the move or edit; the last one where it is left out
            verify? string{check|none} check or none
            allow_protected? string why a protected zone may be crossed; needs a stamp
        """),
        fields("""
            transplant_id? string the move taken back
            edit_id? string the edit taken back
            files array the restored files
            verification object what the compiler said of the restored tree: {mode, verified, errors_before, errors_after, warnings_added, ms, reason}
            blocks_touched array blocks whose boundary rose: {block_id, from, to}
            receipts_staled array receipts that went stale by it: {receipt_id, block_id, type, reason}
        """),
        WRITES,
        destructive=True,
        idempotent=False,
    ),
)
