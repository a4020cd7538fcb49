"""Every state of the card, byte for byte, in both skins. The golden files are the contract: nothing writes them anew."""

from pathlib import Path

import pytest
from attrs import evolve
from tests.support.cards import CLEAN, DEEP, FACTS, MISMATCH, NEEDS_INGEST, bell, degraded, sick, signal

from m1nd.domain.card.compact import compact
from m1nd.domain.card.deep import deep
from m1nd.domain.card.facts import Coherence
from m1nd.domain.card.skins import ascii_skin
from m1nd.domain.card.width import columns

CARDS = Path(__file__).parent / "cards"


def golden(name: str) -> tuple[list[str], list[str]]:
    unicode, ascii = (CARDS / f"{name}.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n\n")
    return unicode.split("\n"), ascii.split("\n")


def test_every_golden_card_is_compared() -> None:
    assert {path.stem for path in CARDS.glob("*.txt")} == {*FACTS, *DEEP, "translated"}


@pytest.mark.parametrize("name", FACTS)
def test_a_state_gives_its_card_its_word_and_its_signature(name: str) -> None:
    facts, state, signature = FACTS[name]
    card = compact(facts)
    unicode, ascii = golden(name)
    assert list(card.lines) == unicode
    assert [ascii_skin(line) for line in card.lines] == ascii
    assert (card.state.value, card.signature) == (state, signature)


@pytest.mark.parametrize("name", DEEP)
def test_the_deep_form_gives_its_card(name: str) -> None:
    lines = list(deep(*DEEP[name]))
    unicode, ascii = golden(name)
    assert lines == unicode
    assert [ascii_skin(line) for line in lines] == ascii


def test_a_translated_card_keeps_geometry_and_width_in_the_other_skin() -> None:
    unicode, ascii = golden("translated")
    assert [ascii_skin(line) for line in unicode] == ascii
    assert [columns(line) for line in unicode] == [70, 76] == [columns(line) for line in ascii]


def test_the_most_urgent_signal_is_the_card() -> None:
    ring = signal("bell", count=3)
    assert compact(evolve(MISMATCH, signals=(ring, *MISMATCH.signals))).lines == compact(MISMATCH).lines
    assert not any(
        character.isdigit() for line in compact(MISMATCH).lines for character in line.replace("m1nd", "")
    )
    asked = evolve(NEEDS_INGEST, bell=3, signals=(ring, *NEEDS_INGEST.signals))
    assert compact(asked).lines == compact(NEEDS_INGEST).lines
    bound = degraded("wrong_workspace_binding")
    assert compact(evolve(bound, bell=3, signals=(ring, *bound.signals))).lines == compact(bound).lines
    ill = evolve(bell(3), coherence=Coherence.SICK, signals=(*sick("a", "b").signals, ring))
    assert compact(ill).lines == compact(bell(3)).lines
    assert compact(ill).signature == "full_trust|bell:3|coh:sick|recv:match"
    gap = evolve(sick("a", "b"), signals=(signal("memory_empty"), *sick("a", "b").signals))
    assert compact(gap).lines == compact(sick("a", "b")).lines
    order = ("memory_unmatched", "focus_empty", "graph_stale")
    args = {"memory_unmatched": {"count": 30}, "graph_stale": {"count": 1, "path": "src/a.rs"}}
    gaps = tuple(signal(code, **args.get(code, {})) for code in order)
    assert compact(evolve(CLEAN, signals=gaps)).lines[1].startswith("     │ 1 file(s) changed on disk")
