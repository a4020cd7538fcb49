"""The refusals: bounded by the day, without payloads (D34)."""

from datetime import timedelta

import pytest
from pydantic import ValidationError
from tests.support.log import START, command

from m1nd.domain.refusals import DAILY_LIMIT, Refusals, RefusedRequest, refusals_id, stream_name

REQUEST = RefusedRequest(
    verb="transplant_preview", keyword="same_file", request_digest="d" * 64, field="dest_file"
)


def topics(refusals: Refusals) -> list[str]:
    return [event.TOPIC for event in refusals.pending_events]  # type: ignore[attr-defined]


def test_a_refused_move_and_another_refused_command_have_names_of_their_own() -> None:
    refusals = Refusals.open(command())
    assert refusals.record(REQUEST, command(2))
    assert refusals.record(REQUEST.model_copy(update={"verb": "search"}), command(3))
    assert topics(refusals) == ["refusals_opened", "transplant_refused", "command_refused"]


def test_a_day_takes_so_many_and_says_when_it_is_full() -> None:
    refusals = Refusals.open(command())
    kept = [refusals.record(REQUEST, command(n)) for n in range(DAILY_LIMIT + 50)]
    assert kept == [True] * (DAILY_LIMIT - 2) + [False] * 52
    assert len(topics(refusals)) == DAILY_LIMIT
    assert topics(refusals)[-1] == "refusals_capped"


def test_each_utc_day_has_a_stream_of_its_own() -> None:
    assert stream_name(START) == "refusals:2026-05-01"
    assert refusals_id(START) != refusals_id(START + timedelta(days=1))
    assert refusals_id(START) == refusals_id(START + timedelta(hours=11))


def test_a_resumed_day_goes_on_counting() -> None:
    refusals = Refusals.open(command())
    refusals.record(REQUEST, command(2))
    resumed = Refusals.resume(refusals.pending_events[-1])  # type: ignore[arg-type]
    assert (resumed.id, resumed.version) == (refusals.id, refusals.version)


@pytest.mark.parametrize("field", ["verb", "keyword", "field"])
def test_nothing_long_gets_in(field: str) -> None:
    with pytest.raises(ValidationError):
        RefusedRequest(**{**dict(REQUEST), field: "x" * 65})
