"""`clean` and `forget`: what m1nd keeps of a repository is thrown away, in part or whole (PORTS.md, D24).

Neither touches a file of the repository. What `clean` drops is derived; what `forget` drops is gone, so it needs a stamp.
"""

from collections.abc import Mapping

from attrs import frozen

from m1nd.application.brain import Brain
from m1nd.application.stamp_records import Used
from m1nd.application.use_cases.requests import answered
from m1nd.application.use_cases.stamping import require_stamp
from m1nd.domain.digests import sha256
from m1nd.domain.refusal import refuse
from m1nd.domain.stamps.gesture import Gesture, shown

WHAT_GOES = (
    "every event of this repository's log, for good: map, receipts, claims, missions, moves",
    "the views, the graph's cache, the shadow, and what undo needs",
    "no file of the repository itself",
    "to keep a copy of the log first: m1nd log export FILE",
)


@frozen
class Cleaned:
    """`freed`: bytes by kind (`graph`, `views`, `shadow`, `journal`)."""

    freed: Mapping[str, int]


@frozen
class Forgotten:
    """How many events the log had, and the digest that stood for all of them."""

    events: int
    head: str


def clean_caches(brain: Brain) -> Cleaned:
    """Drop what is made again when it is needed; every write can still be undone. Raises Refused(busy | write_failed | read_only)."""
    brain.deny_if_read_only("clean")
    freed = dict(brain.remains.caches())
    brain.remains.drop_caches()
    return Cleaned({**freed, "journal": 0})


def clean_all(brain: Brain) -> Cleaned:
    """Drop the caches, and the bytes with which earlier writes could be undone. Raises as `clean_caches`."""
    kept = brain.remains.kept_writes()
    cleaned = clean_caches(brain)
    brain.remains.drop_kept_writes()
    return Cleaned({**cleaned.freed, "journal": kept})


def forget(brain: Brain) -> Forgotten:
    """Drop everything of this repository, with the human's stamp; closes the brain, which must not be used after it.

    Raises Refused(human_gesture_required | not_found | busy | write_failed | outside_root | read_only).
    """
    brain.deny_if_read_only("forget")
    head = brain.log.head()
    if head.count == 0:
        refuse("not_found", "m1nd keeps nothing of this repository", "m1nd status")
    needed = Used(_gesture(brain), shown(WHAT_GOES))
    answered(brain, "forget", {}, lambda: require_stamp(brain, needed, "the whole log"))
    brain.close()
    brain.remains.drop_everything()
    return Forgotten(head.count, head.head)


def _gesture(brain: Brain) -> Gesture:
    """Bound to this very log, by its first event; the stamp's own events must not change what it is about."""
    first = brain.app.log.rows(0, 1)[0]
    return Gesture(action="forget", target="this repository", digest=sha256(b"forget\0" + first.chain))
