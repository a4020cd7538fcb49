"""Verbs of the map: blocks, their candidates, their ratification, their seed (BLOCKS.md, Verbs)."""

from m1nd.adapters.verb_shape import APPENDS, CASES, REFRESHES, WRITES, Verb, fields

EXPECTED = """
    expected_store_version? integer{0..} the version of the map that the caller saw; the owner may leave it out
"""
FINE = """
    expected_versions? object instead of the whole: {block_id: version} of every block that would change
"""
VERSION = "store_version integer the map's version now"
BLOCK = (
    "{block_id, name, purpose, kind, state, boundary_version, contract_version, membership_source, membership, sockets, "
    "receipt_contract, receipts, layout, unmapped_residue, candidate_meta?, resolved, version, evidence, signed, drift, "
    "missing, broken_sockets}"
)

BLOCKS = (
    Verb(
        "system_blocks_snapshot",
        f"{CASES}.map_reading:snapshot",
        "m1nd blocks show [BLOCK]",
        "The map: blocks with their evidence N/M, drift, unmapped files, coherence.",
        fields("""
            block_id? string only this block
            as_of? string judge expiry at this time (ISO 8601 with a zone) instead of now
        """),
        fields(f"""
            present boolean whether there is a map
            honest? string what is missing, where there is none
            store_version integer the map's version; 0 without a map
            block_count integer live and candidate blocks
            skeleton_coherence? object {{status: ok}}, or {{status: mismatch, expected_slug, found_slug}}
            rollup? object counts of blocks by evidence: {{evidence_backed, needs_evidence, broken, unknown, planned, candidates, archived}}
            store? object {{schema, store_version, skeleton, blocks, unmapped_policy, unmapped_files, unmapped_total, contested, candidate_revision?, curating_by?, curating_until?}}; a block is {BLOCK}
        """),
        REFRESHES,
        own=False,
    ),
    Verb(
        "skeleton_candidate",
        f"{CASES}.candidates:propose",
        "m1nd blocks candidate [--expected N] [--promote | --discard]",
        "Propose blocks from folders and the graph; beside a ratified map it is a revision, to be promoted or discarded.",
        fields(
            EXPECTED
            + """
            review_limit? integer{1..1000} echoed, for the caller's own paging; 16 where it is left out
            revision? string{promote|discard} make the revision's blocks candidates, or throw it away
            """
        ),
        fields(f"""
            {VERSION}
            transaction_state string created_candidate_store, replaced_candidate_store, wrote_candidate_revision, promoted_revision or discarded_revision
            candidate_revision_written boolean whether a ratified map was left as it is
            block_count integer blocks proposed or promoted
            review_limit integer as asked
            block_ids array ids of these blocks
            report? object algorithm, counts, coverage_ratio, multi_owner_seams, unmapped, naming; null for a promotion
        """),
        APPENDS,
        idempotent=False,
        own=False,
    ),
    Verb(
        "candidate_edit",
        f"{CASES}.candidates:edit",
        "m1nd blocks edit [FILE|-] [--rename BLOCK NAME] [--purpose BLOCK TEXT] [--contract BLOCK TEMPLATE] [--merge INTO VICTIM] [--assign PATH BLOCK]",
        "Edit the candidates, all of a batch or nothing; signatures over what changed are void.",
        fields(
            """
            ops array{object} rename, merge, split, move_member, resolve_seam, assign_unmapped, set_contract, set_role, set_sockets
            by? string{owner|runner} the seat; the weakest that the caller can take where it is left out
            """
            + EXPECTED
        ),
        fields(f"""
            {VERSION}
            block_count integer candidates after the batch
            ops_applied integer edits carried out
            candidates array ids of the candidates
        """),
        APPENDS,
        idempotent=False,
        own=False,
    ),
    Verb(
        "candidate_lease",
        f"{CASES}.candidates:curate",
        "m1nd blocks lease acquire|refresh|release [--ttl SECONDS]",
        "Say who is curating the candidates; advisory, it blocks nobody and moves no version.",
        fields("""
            action string{acquire|refresh|release} what to do
            ttl_secs? integer{1..86400} how long; 900 where it is left out
        """),
        fields("""
            state string acquired, refreshed, released or already_free
            curating_by? string who holds it now
            curating_until? string until when (UTC)
            store_version integer the map's version, unmoved
        """),
        APPENDS,
        own=False,
    ),
    Verb(
        "system_blocks_ratify",
        f"{CASES}.ratifying:sign",
        "m1nd blocks ratify [BLOCK…] [--sign names|boundaries|contract]",
        "Give one of the three signatures, each with a human's stamp; the third ratifies. On a terminal, all three in turn.",
        fields(
            """
            sign string{names|boundaries|contract} which signature
            block_ids? array{string} only these; every candidate where it is left out, and for boundaries every moved block
            """
            + EXPECTED
            + FINE
        ),
        fields(f"""
            {VERSION}
            sign string as asked
            signed_block_ids array what the signature is over
            ratified_block_ids array the blocks that it completed
            voided array signatures over files that changed since: {{part, block_ids}}
            skeleton_state string candidate, partially_ratified or ratified
            ratifier? string who ratified
            ratified_at? string when
        """),
        APPENDS,
        idempotent=False,
        needs_stamp=True,
        own=False,
    ),
    Verb(
        "system_blocks_reconcile",
        f"{CASES}.amending:reconcile",
        "m1nd blocks reconcile [--expected N]",
        "Take the files as they are: a block with another set of files gets a new boundary, all others stay.",
        fields(EXPECTED + FINE),
        fields(f"""
            dirty boolean whether anything was recorded
            blocks array one object a block: {{block_id, outcome, boundary_version, resolved_count, added, removed, missing}}
            bumped_block_ids array blocks with a new boundary
            unmapped_total integer files of no block
            unmapped array the first 500 of them
            contested array files that several blocks claim alike: {{path, block_ids}}
            note? string what a bump means for receipts
            {VERSION}
            file_count integer files seen
        """),
        APPENDS,
        own=False,
    ),
    Verb(
        "system_blocks_amend",
        f"{CASES}.amending:amend",
        "m1nd blocks amend BLOCK [--add PATH=ROLE] [--remove PATH] [--template NAME] [--contract FILE] [--sockets FILE] [--snooze UNTIL] [--dismiss REASON]",
        "Change one part of a ratified block: boundary, contract (needs a stamp), sockets, or put its drift off.",
        fields(
            """
            block_id string the block
            add? array{object} boundary entries {path, role, optional?}; one of a declared path replaces it
            remove? array{string} declared entries to drop
            contract? object {template?, required?, optional?, waived?, waiver?}
            template? string rust_core, ui, docs, installer or runtime_service
            sockets? object {inputs, outputs, external}
            snooze_until? string hide the drift until then (ISO 8601 with a zone)
            dismiss? string why this drift is not to be shown again
            reason? string why the contract changes
            """
            + EXPECTED
            + FINE
        ),
        fields(f"""
            block_id string the block
            part string boundary, contract, sockets, snooze or dismiss
            boundary_version integer now
            contract_version integer now
            needs_signature boolean the boundary waits for the owner
            {VERSION}
        """),
        APPENDS,
        own=False,
    ),
    Verb(
        "system_blocks_archive",
        f"{CASES}.amending:change_life",
        "m1nd blocks archive BLOCK…",
        "Take blocks out of the map with a human's stamp; their files are unmapped, their history stays.",
        fields("block_ids array{string} the blocks; all of them or none\n" + EXPECTED + FINE),
        fields(f"""
            {VERSION}
            mode string archive
            changed_block_ids array those that were not archived before
        """),
        APPENDS,
        needs_stamp=True,
        own=False,
    ),
    Verb(
        "system_blocks_restore",
        f"{CASES}.amending:change_life",
        "m1nd blocks restore BLOCK…",
        "Bring archived blocks back, with the files that are still free.",
        fields("block_ids array{string} the blocks; all of them or none\n" + EXPECTED + FINE),
        fields(f"""
            {VERSION}
            mode string restore
            changed_block_ids array those that were archived
        """),
        APPENDS,
        needs_stamp=True,
    ),
    Verb(
        "system_blocks_delete",
        f"{CASES}.amending:delete",
        "m1nd blocks delete BLOCK",
        "Take an archived block off the map for good, where nothing hangs on it; the log keeps everything.",
        fields("block_id string the block\n" + EXPECTED + FINE),
        fields(f"""
            {VERSION}
            deleted_block_id string the block
        """),
        APPENDS,
        needs_stamp=True,
        own=False,
    ),
    Verb(
        "system_blocks_layout",
        f"{CASES}.amending:pin",
        "m1nd blocks layout BLOCK [--at X Y] [--unlock]",
        "Pin a block to its place on the drawn map, or let it go back to its first one.",
        fields(
            """
            block_id string the block
            x? integer{0..999} across; where it is now if left out
            y? integer{0..999} down
            locked? boolean false lets it go; true where it is left out
            """
            + EXPECTED
            + FINE
        ),
        fields(f"""
            block_id string the block
            layout object {{x, y, locked, algorithm_seed, version}}
            {VERSION}
        """),
        APPENDS,
        own=False,
    ),
    Verb(
        "system_blocks_seed_import",
        f"{CASES}.seeds:import_seed",
        "m1nd blocks import [FILE] [--force] [--ratified]",
        "Take the map of a seed file: as candidates, or with a stamp over its bytes as the ratified map that it says it is.",
        fields("""
            seed_json string the seed's text
            force? boolean take it although there is a map; versions go on counting
            ratified? boolean take a ratified seed's word; needs a stamp
        """),
        fields(f"""
            present boolean there is a map now
            {VERSION}
            block_count integer blocks of the seed
            overwritten boolean there was a map before
            as_ratified boolean its blocks are ratified
        """),
        APPENDS,
        idempotent=False,
        own=False,
    ),
    Verb(
        "system_blocks_seed_export",
        f"{CASES}.seeds:export_seed",
        "m1nd blocks export [FILE|-] [--receipts]",
        "The map as a seed file, in the one canonical form; the command line writes it into the repository.",
        fields("""
            path? string where to write it, relative to the root; - for stdout; the repository's own seed where it is left out
            receipts? boolean with the live receipts; they can be imported where the files are the same
        """),
        fields("""
            seed string the text
            digest string its sha256
            block_count integer blocks in it
            path? string where it was written; null where it was not
        """),
        WRITES,
        destructive=True,
        own=False,
        terminal=True,
    ),
)
