"""Every error code of the product, in one table: group, meaning, exit status, whether a retry can help.

The documentation, the command line's exit statuses and the refusals come from here (PORTS.md, "One table in
code"). A code is a keyword on the wire and never changes its meaning.
"""

from enum import IntEnum, StrEnum

from attrs import frozen


class Exit(IntEnum):
    """Exit statuses of the command line (PORTS.md)."""

    DONE = 0
    NO = 1
    USAGE = 2
    NO_PROJECT = 3
    STAMP = 4
    CONFLICT = 5
    BUSY = 6
    DAMAGED = 7
    PARTIAL = 8
    BUG = 70
    INTERRUPTED = 130
    TERMINATED = 143


class Group(StrEnum):
    REQUEST = "request"
    FRONTIER = "frontiers"
    SYMBOL = "symbol"
    MEANING = "meaning"
    GATE = "gates"
    RESULT = "result"
    COMMIT = "commit"
    BLOCKS = "blocks"
    LOG = "log"
    STORE = "store"
    MEMORY = "memory"
    MISSION = "missions"
    USAGE = "usage"


@frozen
class Code:
    name: str
    group: Group
    meaning: str
    hint: str
    """The default next step; `{placeholders}` are filled from the refusal's details where it gives none of its own."""
    exit: Exit = Exit.NO
    retryable: bool = False


def _codes(*rows: Code) -> dict[str, Code]:
    table = {row.name: row for row in rows}
    if len(table) != len(rows):
        raise ValueError("two rows of the code table bear one name")
    return table


R, F, S, M, G, V, C, B, W, L, T = (
    Group.REQUEST, Group.FRONTIER, Group.SYMBOL, Group.MEANING, Group.GATE, Group.RESULT, Group.COMMIT, Group.BLOCKS,
    Group.MISSION, Group.LOG, Group.STORE,
)  # fmt: skip

CODES: dict[str, Code] = _codes(
    Code(
        "usage",
        Group.USAGE,
        "the command line or the arguments are not of the verb's form",
        "m1nd --help",
        Exit.USAGE,
    ),
    Code(
        "no_project", Group.USAGE, "no repository encloses this folder", "m1nd --root DIR …", Exit.NO_PROJECT
    ),
    Code(
        "bug",
        Group.USAGE,
        "m1nd failed in a way it does not know",
        "run again with --debug and report it",
        Exit.BUG,
    ),
    Code(
        "interrupted",
        Group.USAGE,
        "stopped by a signal; nothing is half-written",
        "run the command again",
        Exit.INTERRUPTED,
        True,
    ),
    Code(
        "io_failed",
        Group.USAGE,
        "the system refused a file operation that no rule expected",
        "m1nd doctor",
    ),
    Code("not_found", Group.USAGE, "nothing of that name is known", "m1nd search NAME"),
    # request
    Code("same_file", R, "source and destination are the same file", "name another destination file"),
    Code(
        "unreadable",
        R,
        "the file cannot be read as text (missing, binary, non-UTF-8, too large)",
        "m1nd search SYMBOL",
    ),
    Code(
        "bad_destination",
        R,
        "the destination cannot hold a Rust module",
        "name a .rs file whose stem is an identifier",
    ),
    Code(
        "outside_root",
        R,
        "the path leads out of the repository",
        "name a path inside the repository, relative to its root",
    ),
    Code(
        "dest_missing",
        R,
        "the destination file does not exist and is not to be made, or no module is its parent",
        "leave --no-create (create_dest: false) out, or name a file beside a module that exists",
    ),
    Code(
        "dest_unwired",
        R,
        "the file belongs to no crate: no `mod` reaches it",
        "add a `mod` line for it, then try again",
    ),
    Code(
        "module_not_found",
        R,
        "the file holds no inline module of that name",
        "name one of the modules that the refusal lists",
    ),
    Code(
        "manifest_broken",
        R,
        "a Cargo.toml that decides about the move is missing or cannot be read",
        "mend the manifest (cargo metadata names the place), then try again",
    ),
    Code(
        "other_target",
        R,
        "source and destination are compiled into different targets of one package, and this item cannot change its target",
        "name a destination of the same target",
    ),
    Code("read_only", R, "this attach is read-only", "run without --read-only"),
    Code("root_mismatch", R, "the caller works in another repository", "m1nd --root DIR ingest"),
    Code(
        "confirm_required",
        R,
        "a commit needs an explicit confirmation",
        "m1nd transplant commit {preview_id} --yes",
    ),
    Code(
        "bad_plan",
        R,
        "the plan of an edit is not of the form that is read",
        "m1nd help edits",
        Exit.USAGE,
    ),
    Code("empty_plan", R, "the plan of an edit changes nothing", "name a change: m1nd help edits"),
    Code(
        "overlapping_edits",
        R,
        "two changes of a plan touch the same lines",
        "join the two to one, then preview again",
    ),
    # frontiers
    Code(
        "stem_reserved",
        F,
        "a new file of that name would be a crate root",
        "name a file after the module that it is to be",
    ),
    Code(
        "module_nested",
        F,
        "a module that a body or a macro call holds, or that a macro makes, is no place for a move",
        "name the file itself, or a module that its text spells",
    ),
    Code(
        "cross_crate",
        F,
        "a move between these two crates is closed, or this item cannot leave its crate",
        "move inside one crate, or do first what the message asks for",
    ),
    Code(
        "target_unnameable",
        F,
        "after the move one crate would need what a program, test, example, bench or build script holds, which nobody outside can name",
        "name a destination in the library that both can name, or move what needs it too (--also)",
    ),
    Code(
        "non_exhaustive",
        F,
        "after the move another crate would build, take apart or match whole what `#[non_exhaustive]` keeps for its own",
        "give the type a fn for it, or the match an arm `_`, then preview again",
    ),
    Code(
        "dependency_missing",
        F,
        "after the move one crate would name another that it does not depend on in every build",
        "add the dependency to the manifest, then preview again",
    ),
    Code(
        "dependency_cycle",
        F,
        "after the move two crates would need each other",
        "move what needs the other too (--also), or choose a destination that both depend on",
    ),
    Code(
        "orphan_rule",
        F,
        "an impl that stays behind would be legal only in the crate of the moved type",
        "move the impl into the file of the type first",
    ),
    Code(
        "not_top_level_fn",
        F,
        "the item is none that moves by itself: no top-level fn, type, trait, const, static, macro or module file",
        "name a top-level item of the file",
    ),
    Code(
        "multiple_mounts",
        F,
        "the file is compiled as more than one module",
        "give the file one `mod` line only",
    ),
    # symbol
    Code("symbol_not_found", S, "the file defines no such item", "m1nd search {symbol}"),
    Code("symbol_elsewhere", S, "the symbol lives in another file", "name that file as the source"),
    Code(
        "ambiguous_symbol",
        S,
        "several items bear that name",
        "name one by path:line, or make the twins one item",
    ),
    Code("already_moved", S, "an earlier move took the symbol away", "m1nd transplant show {transplant_id}"),
    Code("unparsed_item", S, "the item does not parse", "mend the syntax error, then try again"),
    Code("macro_generated", S, "a macro makes the item", "move the macro call by hand"),
    Code(
        "entry_point",
        S,
        "the item is an entry point that the compiler looks for where it is",
        "leave it where it is",
    ),
    # meaning
    Code(
        "collision",
        M,
        "the destination has an item of that name in that namespace",
        "rename one of the two first",
    ),
    Code(
        "import_conflict",
        M,
        "an import the move needs takes a name that means something else",
        "rename that import first",
    ),
    Code(
        "shadows_glob_import",
        M,
        "the newcomer would shadow a name that a glob import provides",
        "import that name explicitly first",
    ),
    Code("shadows_prelude", M, "the newcomer would shadow a name of the prelude", "rename the item first"),
    Code(
        "glob_ambiguity",
        M,
        "another module would see two things under one name",
        "make that glob import explicit first",
    ),
    Code(
        "textual_macro_scope",
        M,
        "a macro in textual scope is not visible there",
        "export the macro by path first",
    ),
    Code(
        "trait_method_ambiguity",
        M,
        "a method call would mean another trait's method",
        "write the call as Trait::method(…) first",
    ),
    Code(
        "location_sensitive_macro",
        M,
        "a macro's result depends on where it stands",
        "replace the macro call first",
    ),
    Code(
        "cfg_mismatch",
        M,
        "the two places are compiled under different conditions",
        "move between places of one condition",
    ),
    Code(
        "not_movable",
        M,
        "the body needs what cannot be seen from there",
        "make the named thing visible first",
    ),
    Code(
        "unresolved_references",
        M,
        "some references cannot be proven",
        "m1nd transplant move … --accept-unresolved, or --verify check",
    ),
    # gates
    Code(
        "protected_zone",
        G,
        "a planned file lies in a protected zone",
        "leave it, or cross with --allow-protected REASON and a stamp",
    ),
    Code(
        "zone_config_broken",
        G,
        "ci/protected-zones.json cannot be read: every write is refused",
        "mend ci/protected-zones.json",
    ),
    Code(
        "proof_gate", G, "a planned file was not shown to this agent", "m1nd context on each named file first"
    ),
    Code(
        "human_gesture_required",
        G,
        "only a human at a terminal may do this",
        "ask the owner of the repository",
        Exit.STAMP,
    ),
    Code("stamp_unknown", G, "nobody asked for that stamp", "m1nd stamp"),
    Code("stamp_spent", G, "the stamp was given or used already: one stamp, one act", "m1nd stamp"),
    Code(
        "stamp_expired",
        G,
        "nobody waits for that stamp any more",
        "run the command that needs it again: it asks anew",
        Exit.CONFLICT,
    ),
    Code("stamp_mismatch", G, "other digits than those of the digest were typed", "m1nd stamp {challenge}"),
    # result
    Code(
        "result_does_not_parse", V, "the planned text would not parse", "report the case; nothing was written"
    ),
    Code(
        "verification_failed",
        V,
        "the compiler finds new errors in the planned tree",
        "mend what the errors name, then try again",
    ),
    Code("verification_unavailable", V, "cargo cannot be run here", "m1nd transplant commit … --verify none"),
    # commit
    Code("preview_unknown", C, "no such preview", "m1nd transplant preview SYMBOL SOURCE DEST"),
    Code(
        "preview_expired",
        C,
        "the preview is older than five minutes",
        "m1nd transplant preview SYMBOL SOURCE DEST",
        Exit.CONFLICT,
    ),
    Code("preview_wrong_agent", C, "another agent made the preview", "make a preview of your own"),
    Code(
        "source_modified",
        C,
        "a file the plan rests on has changed",
        "m1nd transplant preview SYMBOL SOURCE DEST",
        Exit.CONFLICT,
        True,
    ),
    Code(
        "hunk_failed",
        C,
        "a hunk of the diff does not fit the file as it is",
        "make the diff anew from the file as it is, then preview again",
        Exit.CONFLICT,
        True,
    ),
    Code("undo_unknown", C, "no committed move or edit of that id", "m1nd transplant list"),
    Code(
        "undo_modified",
        C,
        "a file was changed after the move or edit",
        "undo by hand: m1nd transplant show {transplant_id}",
        Exit.CONFLICT,
    ),
    # blocks
    Code("no_store", B, "this repository has no map of blocks yet", "m1nd blocks candidate"),
    Code("unknown_block", B, "no block of that id", "m1nd blocks show"),
    Code("block_not_ratified", B, "the block is a candidate", "m1nd blocks ratify"),
    Code("block_archived", B, "the block is archived", "m1nd blocks restore {block_id}"),
    Code("block_not_candidate", B, "the block is ratified already", "m1nd blocks amend {block_id}"),
    Code("already_present", B, "there is a map already", "m1nd blocks import FILE --force"),
    Code("skeleton_not_candidate", B, "nothing on the map is a candidate", "m1nd blocks candidate"),
    Code(
        "candidate_transaction",
        B,
        "the expected version does not fit: null where there is no store, its version where there is one",
        "m1nd blocks show",
        Exit.CONFLICT,
    ),
    Code(
        "candidate_edit_rejected",
        B,
        "an edit of a batch cannot be carried out; none of the batch was",
        "m1nd blocks show",
    ),
    Code("unsafe_text", B, "a runner's text for a person holds what could act", "use plain words"),
    Code(
        "needs_owner_naming",
        B,
        "a guessed name is not signed: the owner names the block first",
        "m1nd blocks edit --rename BLOCK NAME",
    ),
    Code(
        "primary_conflict",
        B,
        "a file would have two primary owners",
        "give it to one block, or make it shared",
    ),
    Code("block_empty", B, "no file lies in the block", "declare its paths"),
    Code(
        "contract_empty",
        B,
        "a contract that requires nothing needs an explicit waiver",
        "m1nd blocks edit --contract BLOCK TEMPLATE",
    ),
    Code("socket_dangling", B, "a socket leads to no block", "name a block of the map"),
    Code("nothing_to_sign", B, "nothing waits for that signature", "m1nd blocks show"),
    Code("no_revision", B, "no revision lies beside the map", "m1nd blocks candidate"),
    Code(
        "bad_seed", B, "the seed file is not of the form that is read", "mend the file; nothing was imported"
    ),
    Code(
        "seed_leak",
        B,
        "a seed holds no path of one machine, no host and no secret",
        "write paths relative to the repository",
    ),
    Code(
        "delete_unsafe",
        B,
        "the block is live, has live receipts, open missions, or sockets lead to it",
        "m1nd blocks archive {block_id}",
    ),
    Code("lease_held", B, "somebody else curates just now", "wait until it lapses: the answer says when"),
    Code("lease_lapsed", B, "the lease is over", "m1nd blocks lease acquire"),
    Code("no_drift", B, "the block has no drift", "m1nd blocks show"),
    Code(
        "expected_version_required",
        B,
        "a change of the map says which version it rests on",
        "m1nd blocks show names the versions",
        Exit.USAGE,
    ),
    Code(
        "store_conflict",
        B,
        "the map has another version than the caller believes",
        "m1nd blocks show, then try again with its versions",
        Exit.CONFLICT,
        True,
    ),
    Code(
        "contract_broken",
        B,
        "required, optional and waived of a contract are not disjoint",
        "name every type once",
    ),
    Code(
        "socket_leak",
        B,
        "an external socket is no class or alias: hosts, values of the environment and credentials stay out",
        "name a class (package_registry) or an alias (mail_provider)",
    ),
    # receipts
    Code(
        "receipt_malformed",
        B,
        "the receipt is not of the schema",
        "m1nd help receipts",
        Exit.USAGE,
    ),
    Code(
        "stale_scope",
        B,
        "the receipt is of another version of the block than the present one",
        "run what earned it again on the present version: m1nd blocks show names it",
        Exit.CONFLICT,
    ),
    Code(
        "evidence_incomplete",
        B,
        "the receipt lacks hard evidence",
        "add the named fields; a receipt without evidence is none",
    ),
    Code(
        "emitter_not_allowed",
        B,
        "that kind of producer cannot earn a receipt of that type",
        "m1nd help receipts",
    ),
    Code(
        "time_incoherent",
        B,
        "the captured times of the evidence contradict each other, the clock or the form",
        "import what was captured, unchanged",
    ),
    Code("excerpt_too_long", B, "the excerpt of the output is too long to keep", "cut it to 4 KiB"),
    Code("receipt_ended", B, "the receipt does not count any more", "m1nd receipts list"),
    # memory
    Code("claim_unknown", Group.MEMORY, "no claim of that id", "m1nd memory list"),
    Code(
        "claim_superseded",
        Group.MEMORY,
        "another claim has taken this one's place already",
        "m1nd memory show {superseded_by}",
    ),
    Code(
        "claim_weaker",
        Group.MEMORY,
        "a claim gives its place only to one that is at least as strong in state and in confidence",
        "m1nd memory add … without --supersedes, or with the state and confidence that it deserves",
    ),
    Code(
        "light_unreadable",
        Group.MEMORY,
        "the file is no L1GHT note",
        "name a .light.md file with the line `Protocol: L1GHT/1.0`",
    ),
    Code(
        "paint_conflict",
        Group.MEMORY,
        "the paint has another version than the caller saw",
        "m1nd paint run, look at what it says now, then again with --yes",
        Exit.CONFLICT,
        True,
    ),
    Code("antibody_unknown", Group.MEMORY, "no antibody of that id", "m1nd antibody list"),
    Code(
        "antibody_vague",
        Group.MEMORY,
        "the pattern says too little and would be found everywhere",
        "name a label, a text, a tag or an edge: m1nd antibody create --help",
    ),
    Code(
        "antibody_duplicate",
        Group.MEMORY,
        "an antibody with nearly that pattern is there",
        "m1nd antibody list",
        Exit.CONFLICT,
    ),
    Code("antibody_limit", Group.MEMORY, "there are as many antibodies as may be", "m1nd antibody delete ID"),
    Code(
        "bad_pattern",
        Group.MEMORY,
        "the pattern of an antibody is not of the form that is read",
        "m1nd antibody create --help",
        Exit.USAGE,
    ),
    # missions
    Code("unknown_mission", W, "no mission of that id", "m1nd missions list"),
    Code(
        "illegal_transition", W, "a mission cannot take that step from where it is", "m1nd missions show ID"
    ),
    Code(
        "wrong_author",
        W,
        "the step is another seat's: nobody approves their own work",
        "m1nd missions show ID",
    ),
    Code(
        "not_approved",
        W,
        "no reviewer approved the packet",
        "m1nd missions post judge ID --decision APPROVE, by somebody else",
    ),
    Code("packet_mismatch", W, "the packet is not the one that was meant", "m1nd missions show ID"),
    Code("execution_mismatch", W, "that is not the mission's live execution", "m1nd missions show ID"),
    Code(
        "stale_head",
        W,
        "the mission changed since it was looked at",
        "m1nd missions show ID",
        Exit.CONFLICT,
        True,
    ),
    Code(
        "missing_receipt_candidate",
        W,
        "there is no complete candidate of a green gate",
        "m1nd missions post gate ID with exit status 0 first",
    ),
    Code("mission_not_merge_wait", W, "the mission does not wait for the human", "m1nd tray"),
    Code(
        "candidate_mismatch",
        W,
        "another candidate waits than the one that was shown",
        "m1nd tray",
        Exit.CONFLICT,
    ),
    Code(
        "scope_moved",
        W,
        "the block changed since the mission was dispatched: its evidence is of another version",
        "archive it in m1nd tray, then open the work anew",
        Exit.CONFLICT,
    ),
    Code("unknown_delegation", W, "no delegation of that id", "m1nd delegate list"),
    Code("delegation_answered", W, "a delegation is debriefed once", "m1nd delegate list"),
    Code("candidate_unknown", W, "no candidate of that id waits", "m1nd tray --list"),
    Code(
        "soul_missing",
        W,
        "the repository declares no invariants",
        "write docs/soul.md: m1nd soul check --help",
    ),
    Code("no_runner", W, "no live runner can take the work", "m1nd missions post dispatch ID --runner AGENT"),
    Code(
        "extra_missing",
        Group.USAGE,
        "what was asked for needs a library that is not installed",
        "pip install 'm1nd[{extra}]'",
        Exit.USAGE,
    ),
    # log and store
    Code(
        "idempotency_conflict",
        L,
        "the command id was used for another command",
        "use a new command id",
        Exit.CONFLICT,
    ),
    Code(
        "write_conflict",
        L,
        "another process changed the same thing first",
        "run the command again",
        Exit.CONFLICT,
        True,
    ),
    Code("busy", T, "another process holds the repository", "run the command again", Exit.BUSY, True),
    Code(
        "write_failed",
        T,
        "the files could not be written; the old ones are in place",
        "free space or restore permissions, then try again",
    ),
    Code(
        "write_interrupted",
        T,
        "some files could not be put back; the journal keeps the old and the new bytes",
        "m1nd doctor",
        Exit.DAMAGED,
    ),
    Code("store_damaged", T, "the log or a view cannot be read", "m1nd audit verify", Exit.DAMAGED),
    Code(
        "log_unreachable",
        T,
        "the server that keeps the log does not answer",
        "start the server, or correct M1ND_LOG_URL, then run the command again",
        Exit.BUSY,
        True,
    ),
    Code(
        "chain_broken",
        L,
        "the hash chain of the log does not hold",
        "restore the log from a copy",
        Exit.DAMAGED,
    ),
    Code(
        "unknown_topic", L, "the log holds an event this version does not know", "update m1nd", Exit.DAMAGED
    ),
    Code(
        "log_not_empty",
        L,
        "a log can be imported into an empty one only",
        "import in a repository without a log",
        Exit.CONFLICT,
    ),
    Code("views_differ", L, "a rebuilt view differs from the live one", "m1nd projections rebuild"),
    Code("unknown_setting", T, "a setting in the environment is not known", "unset it", Exit.USAGE),
)
