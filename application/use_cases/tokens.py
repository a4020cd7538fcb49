"""`token_create`, `token_revoke`: the owner lets a machine import `test` receipts (D25)."""

from attrs import frozen

from m1nd.application.brain import Brain
from m1nd.application.stamp_records import Used
from m1nd.application.use_cases.requests import answered, new_command
from m1nd.application.use_cases.stamping import require_stamp
from m1nd.domain.commands import request_digest
from m1nd.domain.refusal import refuse
from m1nd.domain.stamps.gesture import Gesture, shown
from m1nd.domain.tokens import Presented, Purpose

VARIABLE = "M1ND_TOKEN"
LONGEST_LABEL = 80
RIGHTS = {Purpose.CI: "import `test` receipts into this repository, without a stamp, until it is revoked"}


@frozen
class Created:
    """`secret` is the whole token, as it is presented; nobody can be told it again."""

    id: str
    purpose: Purpose
    label: str
    secret: str


def create(brain: Brain, purpose: Purpose, label: str) -> Created:
    """Make a token, with the human's stamp. Raises Refused(human_gesture_required | usage | read_only)."""
    brain.deny_if_read_only("token_create")
    arguments = {"for": purpose.value, "label": label}
    return answered(brain, "token_create", arguments, lambda: _create(brain, purpose, label, arguments))


def _create(brain: Brain, purpose: Purpose, label: str, arguments: dict[str, str]) -> Created:
    if len(label) > LONGEST_LABEL or not label.isprintable():
        refuse(
            "usage", f"a label is at most {LONGEST_LABEL} printable characters", "m1nd token create --help"
        )
    gesture = Gesture(
        action="create_token", target=purpose.value, digest=request_digest("token_create", arguments)
    )
    lines = [f"a token for {purpose.value}, labelled {label!r}", f"who holds it may {RIGHTS[purpose]}"]
    needed = Used(gesture, shown(lines))
    require_stamp(brain, needed)
    token = Presented(purpose.value, brain.ids.hex(8), brain.ids.hex(40))
    brain.app.record_token(token, label, needed, new_command(brain, "token_create", arguments))
    return Created(token.id, purpose, label, token.text)


def revoke(brain: Brain, id: str) -> str:
    """Take a token's right away; needs no stamp, for it gives nothing. Raises Refused(not_found | read_only)."""
    brain.deny_if_read_only("token_revoke")
    arguments = {"token_id": id}

    def work() -> str:
        brain.app.revoke_token(id, new_command(brain, "token_revoke", arguments))
        return id

    return answered(brain, "token_revoke", arguments, work)
