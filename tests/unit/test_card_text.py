"""The card's text rules one by one: wrapping (D5), overflow (D6), line 1 (D10, D11), sanitising (D12)."""

import pytest
from attrs import evolve
from tests.support.cards import CLEAN, INGEST, NEEDS_INGEST, bell, with_gap

from m1nd.domain.card.compact import compact, identity
from m1nd.domain.card.facts import Coherence, Reception
from m1nd.domain.card.sanitising import sanitised
from m1nd.domain.card.width import columns, head
from m1nd.domain.card.wrapping import wrap, wrap_within


def test_words_go_on_a_line_while_they_fit() -> None:
    text = "alpha beta gamma delta epsilon zeta and then comes eta"
    assert wrap(text, 10, 24) == ["alpha beta", "gamma delta epsilon zeta", "and then comes eta"]


def test_one_word_behind_a_semicolon_goes_down_with_the_break() -> None:
    assert wrap("only a signal; reads and writes remain available", 21, 40) == [
        "only a signal;",
        "reads and writes remain available",
    ]
    assert wrap("only a signal; reads or writes remain available", 30, 40) == [
        "only a signal; reads or writes",
        "remain available",
    ], "two words behind it stay"


def test_a_short_last_line_takes_words_from_the_line_above() -> None:
    assert wrap("the landing of a mission awaits the human now", 41, 40) == [
        "the landing of a mission",
        "awaits the human now",
    ]


def test_a_word_wider_than_a_line_is_broken_and_fills_the_line_that_it_begins_on() -> None:
    assert wrap("at /" + "a" * 30, 20, 16) == ["at /" + "a" * 16, "a" * 14]
    assert wrap("漢" * 12, 9, 9) == ["漢" * 4, "漢" * 4, "漢" * 4], "no letter is cut in two"


def test_overflow_cuts_whole_words_until_the_sign_fits() -> None:
    assert wrap_within("aaaa bbbb cccc dddd eeee ffff gggg", 9, 9, 2) == ["aaaa bbbb", "cccc…"]
    assert wrap_within("aaaa bbbb ccc dddd eeee ffff ggggggggggg", 9, 9, 2) == ["aaaa bbbb", "ccc dddd…"]
    assert wrap_within("aaaa bbbb", 9, 9, 2) == ["aaaa bbbb"]
    assert wrap_within("a" * 40, 10, 10, 2) == ["a" * 10, "a" * 9 + "…"], "a broken word is cut where it must"


@pytest.mark.parametrize(
    ("text", "width"),
    [("abc", 3), ("漢字", 4), ("e\u0301", 1), ("a\u200bb", 2), ("│·—…", 4), ("", 0), ("\x1b[2J", 3)],
)
def test_width_counts_columns(text: str, width: int) -> None:
    assert columns(text) == width


def test_a_beginning_never_splits_a_wide_letter() -> None:
    assert head("漢字x", 3) == "漢"
    assert head("ab", 9) == "ab"


def test_line_one_says_what_is_measured_and_leaves_out_zeros() -> None:
    assert identity(evolve(CLEAN, memories=0, maps=0)) == "m1nd │ full trust · 9,024 nodes"
    assert identity(evolve(CLEAN, nodes=0, memories=0)) == "m1nd │ full trust · 4 maps ratified"
    assert identity(evolve(CLEAN, nodes=1, memories=1, maps=1)) == (
        "m1nd │ full trust · 1 nodes · 1 memories · 1 maps ratified"
    )
    assert identity(evolve(NEEDS_INGEST, nodes=0)) == "m1nd │ needs_ingest · 0 nodes"


def test_line_one_drops_from_the_right_and_trust_never_falls() -> None:
    wide = evolve(CLEAN, trust="degraded_host_tool_surface", nodes=1_234_567, memories=98_765, maps=12_345)
    assert identity(wide) == "m1nd │ degraded host tool surface · 1,234,567 nodes · 98,765 memories"
    assert columns(identity(evolve(wide, nodes=10**40, memories=10**9))) <= 80
    assert identity(evolve(wide, nodes=10**60)) == "m1nd │ degraded host tool surface"


def test_the_bells_count_is_written_plainly() -> None:
    assert compact(bell(1234)).lines[1].startswith("     │ 1234 mission(s)")


def test_the_next_move_rides_whole_or_not_at_all() -> None:
    assert not any("next:" in line for line in compact(NEEDS_INGEST).lines)
    short = compact(evolve(NEEDS_INGEST, next_move="ingest"))
    assert short.lines[-1] == "     │ next: ingest"
    assert len(short.lines) == 4
    assert columns(f"next: {INGEST}") > 73
    assert not any("next:" in line for line in compact(bell(3)).lines)


def test_the_signature_has_four_parts() -> None:
    facts = evolve(
        CLEAN, trust="needs_ingest", bell=12, coherence=Coherence.NONE, reception=Reception.UNKNOWN
    )
    assert facts.signature == "needs_ingest|bell:12|coh:none|recv:unknown"
    assert evolve(facts, reception=Reception.MISMATCH).signature == "needs_ingest|bell:-|coh:-|recv:mismatch"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain/path.rs", "plain/path.rs"),
        ("a\tb\r\n  c", "a b c"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]8;;http://x\x07link\x1b]8;;\x07", "link"),
        ("\x1b]0;title\x1b\\x", "x"),
        ("\x9b2Jx", "x"),
        ("a\x00\x07\x7fb", "ab"),
        ("````x```", "`x`"),
        ("``x``", "``x``"),
        ("e\u0301", "e?"),
        ("a\u200db\u202ec", "a?b?c"),
        ("🔔⛩\ufe0f", "???"),
        ("■◆⣿┃", "????"),
        ("漢字", "漢字"),
        ("café", "café"),
        ("│·—…", "?·—…"),
        ("\ud800", "?"),
    ],
)
def test_text_from_the_repository_is_made_fit(text: str, shown: str) -> None:
    assert sanitised(text) == shown


def test_a_hostile_slug_cannot_leave_its_line() -> None:
    card = compact(with_gap("coherence", expected="a\n```\x1b[2J", found="b\u202e"))
    assert "\n" not in "".join(card.lines)
    assert "`a ``, but" in card.lines[1] + card.lines[2]
