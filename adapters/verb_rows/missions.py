"""Verbs of delegated work: missions, their letters, the tray, and the check of the declared invariants."""

from m1nd.adapters.verb_shape import CASES, READS, Effect, Verb, fields

APPENDS = READS | {Effect.APPENDS}

_ROW = """
    mission_id string names the mission
    block_id string the block that it works on
    state string judging, revising, dispatched, executing, stalled, gate, review, merge_wait, landed, failed, cancelled or archived
    iteration integer how often its packet was written
    author string who proposed it, as kind:id
    runner_id string who works on it; empty before the dispatch
    message string the first line of what is to be done
    opened_at string when it was opened (UTC)
    updated_at string its last event
    seen_at? string the runner's last sign of life
    deadline? string when the next one is due
    retries_of string the failed mission that it takes up again, or empty
    retried_by string the mission that takes it up again, or empty
    candidate_id string the receipt candidate that waits or landed, or empty
    receipt_id string the receipt that landed, or empty
    reason string the last reviewer's words, or why it ended
    question string what its runner waits to hear, or empty
    progress string the runner's last word
    exit_status? integer of its gate
"""

_STANDS = """
    mission_id string names the mission
    state string its state after the act
    phase string the phase of its newest letter
    mission_seq integer the number of that letter
    letter_id string its id, 12 hex digits
    deduped boolean the act wrote no letter of its own
    version integer to be given as expected_version by who wants to lose no race unseen
    iteration integer how often its packet was written
    packet_digest string what a reviewer's word is about
    execution_id string the live execution, or empty
    candidate_id string the candidate that waits for the human, or empty
"""

MISSIONS = (
    Verb(
        "missions",
        "m1nd.application.views:Views.missions",
        "m1nd missions list [--state S] [--block ID] [--limit N]",
        "The missions, newest change first, and the pins of agents at work on blocks.",
        fields("""
            state? string{judging|revising|dispatched|executing|stalled|gate|review|merge_wait|landed|failed|cancelled|archived} only these
            block_id? string only missions of this block
            limit? integer{1..1000} at most so many; 50 where it is left out
        """),
        fields("""
            missions array one object a mission: what mission_show says of it in short
            pins array one object an agent at work: {block_id, mission_id, agent, status, progress, outcome_ref, contract_version}
            landing_bell integer how many wait for the human
        """),
        READS,
    ),
    Verb(
        "mission_show",
        f"{CASES}.mission_reads:show",
        "m1nd missions show ID",
        "One mission whole: packet, verdict, execution, gate, candidate, and the chain of its letters.",
        fields("mission_id string names the mission"),
        fields(
            _ROW
            + """
            version integer to be given as expected_version
            packet object what was handed over
            packet_digest string sha256 over it
            policy object how it may be worked on
            verdict? object the reviewer's last word: {decision, gist, by}
            execution? object its run: {execution_id, runner_id, scope, patience_seconds, output_hash, output_status, debrief_due, conformance}
            gate? object what the gate command said
            evidence array receipts of moves and edits made inside it: {kind, ref, digest, summary}
            candidate? object the receipt candidate
            landed_by string who landed it, or empty
            letters array m1nd-mission-letter-v0, oldest first
            """
        ),
        READS,
    ),
    Verb(
        "mission_post",
        f"{CASES}.missions:post",
        "m1nd missions post ACT [ID] [--…]",
        "One act of a mission: propose, judge, dispatch, beat, report, gate, wait; m1nd help missions lists each act's arguments.",
        fields("""
            act string{open|judge|revise|dispatch|start|beat|ask|reply|output|request_debrief|debrief|open_gate|gate|ask_review|review|wait|fail|cancel} the act
            mission_id? string of every act but open
            expected_version? integer{0..} refuse with stale_head when the mission has another version
            block_id? string open: the block to work on
            message? string open, revise: what is to be done
            mode? string{clipboard|direct|spawn} open, revise: how it is handed over; direct where it is left out
            includes? array{string} open, revise: details, files, receipts, impact
            effects? array{string} open, revise: reads, edits, runs_process, appends
            retries_of? string open: the failed mission that this one takes up again
            decision? string{APPROVE|CHANGE|REJECT} judge, review
            gist? string judge, review: why
            packet_digest? string judge: the packet that was read (8 digits or more)
            approves_digest? string judge CHANGE: the one packet that is approved ahead
            runner_id? string dispatch: who works on it
            patience_seconds? integer{1..604800} dispatch: how long it may be silent; 1800 where it is left out
            execution_id? string what the dispatch named; of every act of the runner
            progress? string beat: a word about it
            question? string ask
            answer? string reply
            exit_status? integer output, gate
            artifact_hash? string output, gate, fail: sha256 of what shows it
            summary? string output, debrief
            conformance? string debrief: how the work fits the packet
            command? string gate: what was run
            cwd? string gate: where, relative to the root
            started_at? string gate: ISO 8601, UTC
            ended_at? string gate: ISO 8601, UTC
            stdout_excerpt? string gate: the end of its output, 4 KiB
            evidence_refs? array{string} gate: where the artifact lies
            reason? string fail, cancel
            seat! string act as a weaker seat: agent:ID or runner:ID
        """),
        fields(_STANDS),
        APPENDS,
        idempotent=False,
        own=False,
    ),
    Verb(
        "mission_sweep",
        f"{CASES}.missions:sweep_now",
        "m1nd missions sweep",
        "Say of every mission whose runner was not heard of in time that it stalled.",
        (),
        fields("stalled array their ids"),
        APPENDS,
    ),
    Verb(
        "mission_spawn",
        f"{CASES}.missions:spawn",
        "m1nd missions spawn RUNNER BLOCK MESSAGE",
        "Have a runner start the work in a process of its own; refused with no_runner while no runner is registered.",
        fields("""
            runner_id string the runner
            block_id string the block
            message string what is to be done
        """),
        (),
        APPENDS,
        idempotent=False,
        own=False,
    ),
    Verb(
        "mission_land",
        f"{CASES}.landing:land",
        "m1nd land ID [--candidate ID]",
        "Land the candidate of a mission that waits: its receipt counts from then on. Only with a human's stamp.",
        fields("""
            id string a mission's, or a candidate's outside of missions (cand:…)
            candidate_id? string refuse another candidate than this one
        """),
        fields("""
            id string as asked
            receipt_id string the receipt that landed
            candidate_id string the candidate that it was
            landed_by string who landed it
            store_version integer of the map, after it
        """),
        APPENDS,
        idempotent=False,
        needs_stamp=True,
    ),
    Verb(
        "mission_archive",
        f"{CASES}.landing:archive",
        "m1nd missions archive ID [--reason WORDS]",
        "Let the candidate of a mission that waits go; it never lands. Only with a human's stamp.",
        fields("""
            id string a mission's, or a candidate's outside of missions (cand:…)
            reason? string why
        """),
        fields("""
            id string as asked
            candidate_id string what will not land
            boundary_at_start integer the block's boundary version at the dispatch
            boundary_now integer and now
        """),
        APPENDS,
        idempotent=False,
        needs_stamp=True,
    ),
    Verb(
        "tray",
        f"{CASES}.tray:tray",
        "m1nd tray --list [--as-of T]",
        "What waits for the human: every mission in merge_wait with its exact candidate, and the rest of the tray in short.",
        fields("""
            as_of? string the time by which ages are counted; now where it is left out
        """),
        fields("""
            landing_bell integer how many wait for the human
            as_of string the time by which ages were counted
            entries array failed first, then newest: {mission_id, block_id, state, line, author, runner_id, message, updated_at, age_seconds, stagnant, candidate_id, candidate, scope_moved, changes}
            candidates array what waits outside of missions: {candidate_id, block_id, type, origin, source, composed_by, age_seconds, candidate, scope_moved}
        """),
        READS,
        own=False,
    ),
    Verb(
        "soul_check",
        f"{CASES}.soul:soul_check",
        "m1nd soul check [--block ID]",
        "Hold the invariants that docs/soul.md declares against the graph; with a block, compose a handoff candidate.",
        fields("block_id? string the block that the candidate would be for"),
        fields("""
            path string docs/soul.md
            sha256 string of the file
            holds integer claims of which everything they name is there
            broken integer claims that name something that is not
            unprovable integer claims that name nothing
            claims array one object a claim: {line, text, verdict, evidence, missing}
            candidate_id string the candidate that waits for the human, or empty
            candidate? object the candidate
            why_none string why there is no candidate, or empty
        """),
        APPENDS,
        own=False,
    ),
)
