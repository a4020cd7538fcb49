"""Verbs of the human: stamps, and the tokens that stand in for one."""

from m1nd.adapters.verb_shape import APPENDS, CASES, READS, Verb, fields

_STAMP = "{challenge, action, target, digest, asked_by, expires_at}"

GESTURES = (
    Verb(
        "stamp",
        f"{CASES}.stamping:give",
        "m1nd stamp [CHALLENGE]",
        "What waits for the human's stamp; with CHALLENGE, show that one and take it on this terminal, never otherwise.",
        fields("challenge? string as `human_gesture_required` names it"),
        fields(f"""
            given? object what was stamped: {_STAMP}; null where only asked
            waiting array one object a challenge that waits: {_STAMP}
        """),
        APPENDS,
        idempotent=False,
        terminal=True,
    ),
    Verb(
        "token_create",
        f"{CASES}.tokens:create",
        "m1nd token create --for ci [--label LABEL]",
        "Make a token that lets a machine import `test` receipts; shown this once, kept as a hash.",
        fields("""
            purpose string{ci} who will hold it
            label? string what the owner will know it by
        """),
        fields("""
            token_id string names it
            purpose string as asked
            label string as asked
            token string what is presented in M1ND_TOKEN
        """),
        APPENDS,
        idempotent=False,
        needs_stamp=True,
        terminal=True,
    ),
    Verb(
        "token_list",
        "m1nd.application.views:Views.tokens",
        "m1nd token list",
        "The tokens of this repository, newest first; never their secrets.",
        (),
        fields("tokens array one object a token: {token_id, purpose, label, created_at, revoked_at}"),
        READS,
        terminal=True,
    ),
    Verb(
        "token_revoke",
        f"{CASES}.tokens:revoke",
        "m1nd token revoke ID",
        "Take the right of a token away, at once.",
        fields("token_id string the token"),
        fields("token_id string the token"),
        APPENDS,
        idempotent=False,
        terminal=True,
    ),
)
