"""When a card may be rendered (D13): silence is the default, and the log is the only memory."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from attrs import evolve
from tests.support.log import command, opened

from m1nd.domain.card.cadence import Beat, Cadence, Occasion, Reason, Shown, cadence
from m1nd.domain.card.facts import Reception
from m1nd.domain.card.showing import Cards, stream_name
from m1nd.domain.refusal import Refused
from m1nd.infrastructure.views import open_views

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
CLEAN = "full_trust|bell:0|coh:none|recv:match"
RINGING = "full_trust|bell:2|coh:none|recv:match"
FOREIGN = "full_trust|bell:-|coh:-|recv:mismatch"
BEAT = Beat(CLEAN, Reception.MATCH, 0, "s-1", Occasion.NONE, NOW)


def after(*signatures: str, minutes: float = 5) -> Shown:
    return Shown(signatures, NOW - timedelta(minutes=minutes), True)


@pytest.mark.parametrize(
    ("beat", "render", "reason"),
    [
        (BEAT, True, Reason.FIRST_ORIENT),
        (evolve(BEAT, session=""), False, Reason.NO_SESSION),
        (evolve(BEAT, shown=after(CLEAN)), False, Reason.ALREADY_SHOWN),
        (evolve(BEAT, shown=after(CLEAN, RINGING)), False, Reason.ALREADY_SHOWN),
        (evolve(BEAT, signature=RINGING, bell=2), True, Reason.FIRST_OF_DAY),
        (evolve(BEAT, signature=RINGING, bell=2, shown=Shown((), None, True)), True, Reason.FIRST_ORIENT),
        (evolve(BEAT, signature=RINGING, bell=2, shown=after(CLEAN)), True, Reason.BELL_CHANGED),
        (
            evolve(BEAT, signature=RINGING.replace("2", "1"), bell=1, shown=after(RINGING)),
            True,
            Reason.MISSION_LANDED,
        ),
        (
            evolve(BEAT, signature=CLEAN.replace("none", "sick"), shown=after(CLEAN)),
            True,
            Reason.STATE_CHANGED,
        ),
        (
            evolve(BEAT, signature=CLEAN.replace("full_trust", "needs_ingest"), shown=after(CLEAN)),
            True,
            Reason.STATE_CHANGED,
        ),
        (
            evolve(BEAT, signature=FOREIGN, reception=Reception.MISMATCH, shown=after(CLEAN)),
            True,
            Reason.RECEPTION_CHANGED,
        ),
        (
            evolve(BEAT, signature=RINGING, bell=2, shown=after(CLEAN, minutes=0.5)),
            False,
            Reason.RIGHT_AFTER_CARD,
        ),
        (
            evolve(BEAT, session="", occasion=Occasion.ASKED, shown=after(CLEAN, minutes=0)),
            True,
            Reason.ASKED,
        ),
        (evolve(BEAT, occasion=Occasion.WRITE, shown=after(CLEAN)), False, Reason.ALREADY_SHOWN),
        (
            evolve(
                BEAT,
                signature=FOREIGN,
                reception=Reception.MISMATCH,
                occasion=Occasion.WRITE,
                shown=after(FOREIGN, minutes=0),
            ),
            True,
            Reason.WRITE_UNDER_MISMATCH,
        ),
        (
            evolve(BEAT, signature=FOREIGN, reception=Reception.MISMATCH, shown=after(FOREIGN)),
            False,
            Reason.ALREADY_SHOWN,
        ),
    ],
)
def test_a_card_is_due_at_a_moment_with_news_and_never_twice(
    beat: Beat, render: bool, reason: Reason
) -> None:
    assert cadence(beat) == Cadence(render, reason)


def test_shown_cards_are_remembered_by_session_by_day_and_as_of_a_moment(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        views = open_views(str(tmp_path), app)
        app.record_card_shown("s-1", CLEAN, command(1, minutes=1))
        app.record_card_shown("s-2", RINGING, command(2, minutes=2))
        app.record_card_shown("s-1", RINGING, command(3, minutes=3))
        at = command(3, minutes=3).at
        assert views.cards_shown("s-1", at) == Shown((CLEAN, RINGING), at, True)
        assert views.cards_shown("s-1", at - timedelta(minutes=1)) == Shown(
            (CLEAN,), at - timedelta(minutes=2), True
        )
        assert views.cards_shown("s-1", at - timedelta(minutes=9)) == Shown((), None, False)
        assert views.cards_shown("", at) == Shown((), None, True)
        assert views.cards_shown("s-9", at + timedelta(days=1)) == Shown((), None, False)
        assert views.check() == ()
        views.close()


def test_a_day_of_cards_is_one_stream_and_the_next_day_another(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        app.record_card_shown("s-1", CLEAN, command(1))
        app.record_card_shown("s-1", RINGING, command(2, minutes=5))
        app.record_card_shown("s-1", CLEAN, command(3, minutes=60 * 24))
        events = [app.event_of(row) for row in app.log.rows()]
        assert [(event.TOPIC, event.originator_version) for event in events] == [
            ("cards_opened", 0),
            ("card_shown", 1),
            ("card_shown", 2),
            ("cards_opened", 0),
            ("card_shown", 1),
        ]
        opened_days = [event.day for event in events if isinstance(event, Cards.CardsOpened)]
        assert opened_days == ["2026-05-01", "2026-05-02"]
        assert stream_name(command(3, minutes=60 * 24).at) == "cards:2026-05-02"


@pytest.mark.parametrize(
    ("session", "signature"),
    [
        ("s" * 201, CLEAN),
        ("s", "clean"),
        ("s", f"{CLEAN}|pulse:1"),
        ("s", CLEAN.replace("0", "x")),
        ("s", ""),
    ],
)
def test_what_is_no_signature_or_no_session_is_refused_and_nothing_is_kept(
    tmp_path: Path, session: str, signature: str
) -> None:
    with opened(tmp_path) as app:
        with pytest.raises(Refused) as refused:
            app.record_card_shown(session, signature, command(1))
        assert refused.value.refusal.code == "usage"
        assert app.log_head().count == 0
