"""Verbs of delegation: a packet for another agent, its one answer."""

from m1nd.adapters.verb_shape import APPENDS, CASES, READS, Verb, fields

_PACKET = """
    schema string m1nd-delegation-packet-v0
    delegation_id string to be named in the debrief; empty in the clipboard form
    mode string direct or clipboard
    verdict string packet, abstain or needs_ingest
    abstain_class? string unscopable, where the verdict is abstain
    task string as asked, without secrets
    mission object {binding: {workspace_root, generation, log}, block?}
    context array items that answer the task's words: {symbol_id, label, kind, path, line, signature, score, why}
    foreseen object {in_scope, expected_change, dependent_contact}: files
    memory array claims that came up: {claim_id, claim, tier, origin_brain, source_agent, stale}
    honest_gaps array what the packet does not know; never empty
    non_claims array what it does not say
    report_protocol array how to answer
    hygiene object {screenshot, redacted, appends}
    expires_at string when it is out of date (UTC)
"""

_ASKED = """
    task string what is to be done
    block_id? string the block that it is about; without one no evidence of it becomes a receipt
"""

DELEGATION = (
    Verb(
        "delegate",
        f"{CASES}.delegation:delegate",
        "m1nd delegate give TASK [--block ID]",
        "Compose a packet for another agent and keep it for its debrief, for 24 hours.",
        fields(_ASKED),
        fields(_PACKET),
        APPENDS,
        idempotent=False,
        own=False,
    ),
    Verb(
        "delegate_clipboard",
        f"{CASES}.delegation:compose",
        "m1nd delegate copy TASK [--block ID]",
        "The same packet to be copied by hand: nothing is refreshed, nothing is recorded.",
        fields(_ASKED),
        fields(_PACKET),
        READS,
    ),
    Verb(
        "delegations",
        "m1nd.application.views:Views.delegations",
        "m1nd delegate list [--limit N]",
        "The delegations, newest change first, with their answers.",
        fields("limit? integer{1..1000} at most so many; 50 where it is left out"),
        fields(
            "delegations array one object a delegation: {delegation_id, task, block_id, issued_by, issued_at, expires_at, "
            "outcome, outcome_state, touched, findings, candidate_id, late, answered_at}"
        ),
        READS,
    ),
    Verb(
        "debrief",
        f"{CASES}.delegation:debrief",
        "m1nd debrief ID --outcome success|failure|partial [--touched PATH…] [--finding TEXT…] [--evidence FILE]",
        "Answer a delegation, once. With evidence it composes a review candidate for the human; without, the outcome stays unverified.",
        fields("""
            delegation_id string the delegation
            outcome string{success|failure|partial} how it went
            touched_paths? array{string} every file that was changed
            findings? array{string} what was learnt
            evidence? object {artifact_hash, evidence_refs, command?, cwd?, exit_status?, started_at?, ended_at?, stdout_excerpt?}
        """),
        fields("""
            schema string m1nd-debrief-v0
            delegation_id string the delegation
            outcome string as said
            outcome_state string evidence_attached or outcome_unverified
            late boolean the packet had expired
            touched array one object a file: {path, grade: in_scope | expected_change | dependent_contact | unpredicted}
            candidate_id string the candidate that waits for the human, or empty
            candidate? object the candidate
            honest_gaps array what this answer does not show
        """),
        APPENDS,
        idempotent=False,
        own=False,
    ),
)
