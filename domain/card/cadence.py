"""When a card may be rendered (seed 000 §2, D13): the default is silence. Decided from the log's `card_shown` alone."""

from datetime import UTC, datetime, timedelta
from enum import StrEnum

from attrs import field, frozen

from m1nd.domain.card.facts import Reception

RULE = (
    "Do NOT render the m1nd card unless ALL three hold: (a) m1nd contributed STRUCTURALLY to this beat; (b) the card's "
    "state signature differs from the last card shown in this session; (c) the previous assistant message did not carry "
    "a card. Never render two identical cards in one session. Never render in consecutive messages. When in doubt, stay "
    "silent — silence is the honest card."
)
"""The negative rule, verbatim (seed 000 §2). The documents and skills that carry it are compared with this text."""

STRUCTURALLY = (
    "focus_nodes or anchors of `north` shaped the stated plan",
    "a memory of the packet was USED in the answer",
    "a signal state is present (S1 to S4, or degraded trust)",
    "a mission event happened in this beat (verify, close, landing)",
)
"""The four tests of condition (a); one that holds is enough (seed 000 §2)."""

MOMENTS = (
    "the first orient of the session",
    "the bell rang, or its count changed",
    "trust or coherence changed its state",
    "a mission landed (the bell fell)",
    "the close of a session in which m1nd was structural",
)
"""The natural moments, and the only ones (seed 000 §2)."""

LONGEST_SESSION = 200
"""Characters of a session's name."""

QUIET = timedelta(seconds=60)
"""How long a session is silent after a card: the server sees no messages, so a minute stands for the next one."""


def day_of(at: datetime) -> str:
    """The UTC date that a card belongs to."""
    return f"{at.astimezone(UTC):%Y-%m-%d}"


class Occasion(StrEnum):
    """Why the caller asks beyond orientation: the human asked for the card, or a write is about to happen."""

    NONE = ""
    ASKED = "asked"
    WRITE = "write"


class Reason(StrEnum):
    """`human_view.render_reason`; the first eight go with `render: true`."""

    ASKED = "asked"
    WRITE_UNDER_MISMATCH = "write_under_mismatch"
    FIRST_OF_DAY = "first_of_day"
    FIRST_ORIENT = "first_orient"
    MISSION_LANDED = "mission_landed"
    BELL_CHANGED = "bell_changed"
    STATE_CHANGED = "state_changed"
    RECEPTION_CHANGED = "reception_changed"
    NO_SESSION = "no_session"
    ALREADY_SHOWN = "already_shown"
    RIGHT_AFTER_CARD = "right_after_card"


@frozen
class Shown:
    """The cards that the log knows of: signatures shown in this session, oldest first; when the last one was; whether any
    session saw one on this UTC date."""

    signatures: tuple[str, ...] = ()
    last_at: datetime | None = None
    today: bool = False


@frozen
class Cadence:
    render: bool
    reason: Reason


@frozen
class Beat:
    """One moment at which a card could be shown. `session` is empty where the caller named none."""

    signature: str
    reception: Reception
    bell: int
    session: str
    occasion: Occasion
    as_of: datetime
    shown: Shown = field(factory=Shown)


def cadence(beat: Beat) -> Cadence:
    """Whether the rule lets a card be rendered now; condition (a) stays the agent's to judge (D13)."""
    if beat.occasion is Occasion.ASKED:
        return Cadence(True, Reason.ASKED)
    if beat.occasion is Occasion.WRITE and beat.reception is Reception.MISMATCH:
        return Cadence(True, Reason.WRITE_UNDER_MISMATCH)
    if not beat.session:
        return Cadence(False, Reason.NO_SESSION)
    if beat.signature in beat.shown.signatures:
        return Cadence(False, Reason.ALREADY_SHOWN)
    if beat.shown.last_at is not None and beat.as_of - beat.shown.last_at < QUIET:
        return Cadence(False, Reason.RIGHT_AFTER_CARD)
    return Cadence(True, _moment(beat))


def _moment(beat: Beat) -> Reason:
    """Which of the seed's moments this is: a signature not yet shown is always one of them."""
    if not beat.shown.signatures:
        return Reason.FIRST_OF_DAY if beat.bell and not beat.shown.today else Reason.FIRST_ORIENT
    _, bell_before, _, reception_before = beat.shown.signatures[-1].split("|")
    _, bell_now, _, reception_now = beat.signature.split("|")
    if reception_now != reception_before:
        return Reason.RECEPTION_CHANGED
    if bell_now != bell_before:
        return Reason.MISSION_LANDED if _count(bell_now) < _count(bell_before) else Reason.BELL_CHANGED
    return Reason.STATE_CHANGED


def _count(part: str) -> int:
    count = part.partition(":")[2]
    return int(count) if count.isdigit() else 0
