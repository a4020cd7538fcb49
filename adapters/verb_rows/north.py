"""Verbs of orientation: the packet, the card, and the note that a card was shown."""

from m1nd.adapters.verb_shape import APPENDS, CASES, REFRESHES, Verb, fields

NORTH = (
    Verb(
        "north",
        f"{CASES}.north:north",
        "m1nd north TASK [--deep] [--caller-root D] [--scope P] [--session S] [--occasion O] [--as-of T]",
        "Where you stand for a task, in one packet: what to look at, what is remembered, what is missing, what to do next.",
        fields("""
            task string what you are about to do, in your own words; without words there is no focus
            agent_id? string who asks; the actor of the attach where it is left out
            session? string your conversation; without it no card is ever due
            occasion? string{asked|write} the human asked for the card, or a write is about to happen
            client_tools? array{string} the tools that your client offers
            top_k? integer{1..50} at most so many focus nodes; 8 where it is left out
            scope? string only files at or below this path
            caller_root? string the repository that you work in, absolute
            as_of? string ISO 8601 with a zone; ages count to it, now where it is left out
        """),
        fields("""
            schema string m1nd-north-packet-v0
            task string as asked
            log_position integer events in the log
            binding object {trust_mode, ok, fingerprint, graph_populated, generation, stale_files, log, roots}
            context? object {focus_nodes, anchors, coverage}; each node says why it is there
            sufficiency? object {state: sufficient | gathering | saturated, why}
            memory? array claims that the task brought up: {claim_id, claim, state, source_agent, age_ms, stale, …}
            memory_exists? integer claims in all
            next_move string one suggestion
            honest_gaps array what is not known, as sentences
            gaps array the same as {code, args}
            reception object {match}; under mismatch also {caller_root, bound_workspace, honest, options}
            needs? string needs_ingest
            recovery_playbook? object {next_action, why, call}
            landing_bell? object {merge_wait}
            map? object {ratified_blocks, stale_blocks, evidence_backed}
            skeleton_coherence? object {status}; on a mismatch also {expected_slug, found_slug}
            non_claims array what this packet does not say
            human_view object {schema, state, state_sig, lines, render, render_reason}
            truncated? object field to how many rows the budget dropped
        """),
        REFRESHES,
        own=False,
        sparse=True,
    ),
    Verb(
        "card",
        f"{CASES}.north:card",
        "m1nd card [--deep] [--caller-root D] [--session S] [--occasion O] [--as-of T]",
        "The human's card: at most four lines, the most urgent signal only.",
        fields("""
            session? string your conversation
            occasion? string{asked|write} the human asked for the card, or a write is about to happen
            caller_root? string the repository that you work in, absolute
            as_of? string ISO 8601 with a zone
        """),
        fields("""
            schema string m1nd-human-view-v0
            state string clean, bell, coherence, mismatch, needs_ingest, degraded or gap
            state_sig string what must differ before a card is shown again
            lines array the card, Unicode skin, spine included
            render boolean whether a card is due now
            render_reason string why, or why not
        """),
        REFRESHES,
    ),
    Verb(
        "card_shown",
        f"{CASES}.card_shown:card_shown",
        "m1nd card-shown SESSION STATE_SIG",
        "Note that a card was shown in a session; the cadence counts on it.",
        fields("""
            session string your conversation
            state_sig string of the card that was shown, as the packet had it
        """),
        fields("""
            session string as given
            state_sig string as given
            first_in_session boolean no card was shown in this session before
            first_of_day boolean no card was shown on this UTC date before
        """),
        APPENDS,
        idempotent=False,
    ),
)
