"""Verbs that write a plan over any files, and those that tell of such edits."""

from m1nd.adapters.verb_shape import APPENDS, CASES, READS, WRITES, Verb, fields

_ROW = """
    edit_id string names the edit
    preview_id string the plan it came from
    files array the planned paths
    stage string previewed, committed, expired, discarded or rolled_back
    previewed_at string when it was planned
    ended_at? string when it came to its end
"""

EDITS = (
    Verb(
        "edit_preview",
        f"{CASES}.edit",
        "m1nd edit preview FILE|- [--allow-protected REASON] [--diff]",
        "Read a plan over any files, JSON or a unified diff, and keep it for five minutes; no file changes.",
        fields("""
            plan string JSON {files: [{path, base_hash?, content | edits: [{start_line, end_line, text}] | remove: true}]}, or a unified diff
            allow_protected? string why a protected zone may be crossed; needs a stamp
        """),
        fields("""
            preview_id string names the plan for the commit
            ttl_ms integer how long it is kept
            expires_at string when it ends (UTC)
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
        "edit_commit",
        f"{CASES}.edit",
        "m1nd edit commit PREVIEW_ID --yes [--verify check|none] [--mission ID]",
        "Carry out the preview of an edit: every file or none.",
        fields("""
            preview_id string the plan
            confirm boolean must be true
            verify? string{check|none} check (cargo, in a shadow, before any byte changes) or none
            mission_id? string the mission that this is made inside of; it gets the receipt as evidence
        """),
        fields("""
            edit_id string names the edit
            receipt object what was done, every field explicit: {files_changed, files_created, files_removed, lines_added, lines_removed, blocks_touched, receipts_staled, verification, elapsed_ms}
        """),
        WRITES,
        destructive=True,
        idempotent=False,
        own=False,
    ),
    Verb(
        "edit_list",
        f"{CASES}.edit",
        "m1nd edit list",
        "The edits of this repository, newest first.",
        fields("limit? integer{1..1000} at most so many; 50 where it is left out"),
        fields("edits array one object an edit or preview: what edit_show says of it, without the receipt"),
        READS,
    ),
    Verb(
        "edit_show",
        f"{CASES}.edit",
        "m1nd edit show ID",
        "One edit or preview, with its receipt.",
        fields("id string an edit's or a preview's id"),
        fields(
            _ROW
            + """
            planned array one object a planned file: {file_path, base_hash, after_hash, lines_added, lines_removed}
            receipt? object what was done; null before the commit
            """
        ),
        READS,
    ),
    Verb(
        "edit_discard",
        f"{CASES}.edit",
        "m1nd edit discard ID",
        "Throw the preview of an edit away.",
        fields("preview_id string the plan"),
        fields("preview_id string the plan"),
        APPENDS,
    ),
)
