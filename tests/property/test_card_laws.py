"""Laws of every card (CARD.md §4, Properties), over wide, combining, bidirectional and hostile text."""

import unicodedata

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from tests.support.cards import CLEAN, MAPS, signal

from m1nd.domain.card.compact import compact
from m1nd.domain.card.deep import DeepDetails, MapLine, WaitingMission, deep
from m1nd.domain.card.facts import CardFacts, Coherence, Reception, Signal
from m1nd.domain.card.sanitising import HIDDEN, sanitised
from m1nd.domain.card.skins import BODY, BREATH, HEAD, WRAPPED, ascii_skin
from m1nd.domain.card.width import columns
from m1nd.domain.card.wrapping import wrap, wrap_within
from m1nd.domain.north.gaps import TEXTS

NASTY = (
    "港湾の記録",
    "e\u0301a\u0308",
    "\u202egnp.exe\u202c",
    "\u200b\u200d\ufeff",
    "🔔⛩️👩‍👩‍👧",
    "```\n# x\n```",
    "\x1b[31mred\x1b[0m",
    "\x1b]8;;http://x\x07link\x1b]8;;\x07",
    "│·—…",
    "┃║╔░▓█◆●■▶★◈⣿",
    "nodes memories trust maps merge_wait",
    "a" * 90,
    "漢" * 60,
    "\r\n\t\0\x7f\x9b2J",
    "; ",
)
texts = st.lists(
    st.one_of(
        st.sampled_from(NASTY), st.text(max_size=12), st.from_regex(r"[a-z/_.-]{1,30}", fullmatch=True)
    ),
    max_size=6,
).map(" ".join)
counts = st.integers(0, 10**9)


@st.composite
def signals(draw: st.DrawFn) -> Signal:
    code = draw(st.sampled_from([code for code in TEXTS if code not in ("reception", "graph_empty")]))
    verdict = draw(st.sampled_from(["wrong_workspace_binding", "degraded_host_tool_surface"]))
    args = {name: draw(texts) for name in ("expected", "found", "block", "reason", "others", "path")}
    numbers = {name: draw(counts) for name in ("count", "have", "need")}
    return signal(code, verdict=verdict, **args, **numbers)


@st.composite
def facts(draw: st.DrawFn) -> CardFacts:
    trust, extra = draw(
        st.sampled_from(
            [
                ("full_trust", ()),
                ("needs_ingest", (signal("graph_empty"),)),
                ("orientation_only", (signal("graph_empty"),)),
            ]
        )
    )
    found = evolve(
        CLEAN,
        trust=trust,
        nodes=draw(counts),
        memories=draw(counts),
        maps=draw(counts),
        bell=draw(counts),
        coherence=draw(st.sampled_from(Coherence)),
        reception=draw(st.sampled_from([Reception.MATCH, Reception.UNKNOWN])),
        signals=(*draw(st.lists(signals(), max_size=4, unique_by=lambda s: s.code)), *extra),
    )
    if draw(st.booleans()):
        return found
    root = sanitised(draw(texts))
    return evolve(
        found,
        reception=Reception.MISMATCH,
        signals=(*found.signals, signal("reception")),
        bound=sanitised(draw(texts)),
        yours=root,
        next_move=f"ingest project_root={root}",
    )


def content(lines: tuple[str, ...]) -> list[str]:
    """Lines below the first without the spine."""
    return [
        line.removeprefix(WRAPPED) if line.startswith(WRAPPED) else line.removeprefix(BODY)
        for line in lines[1:]
    ]


@given(facts())
def test_a_card_has_one_to_four_lines_of_eighty_columns_behind_the_spine(found: CardFacts) -> None:
    lines = compact(found).lines
    assert 1 <= len(lines) <= 4
    assert all(columns(line) <= 80 for line in lines)
    assert lines[0].startswith(HEAD)
    assert all(line.startswith(BODY) for line in lines[1:])
    assert not any(line != line.rstrip() and line.strip() for line in lines)


@given(facts())
def test_the_signal_is_the_gap_or_a_beginning_of_it(found: CardFacts) -> None:
    top = found.top
    if top is None or found.reception is Reception.MISMATCH:
        return
    shown = " ".join(content(compact(found).lines))
    if shown == top.text:
        return
    assert compact(found).lines[1].startswith(BODY)
    wide = any(columns(word) >= 71 for word in top.text.split())
    if shown.endswith("…") and top.text != shown:
        kept = shown.removesuffix("…").rstrip()
        if not wide:
            assert top.text.startswith(kept)
            assert top.text[len(kept)] == " ", "whole words"
        assert top.text.replace(" ", "").startswith(kept.replace(" ", ""))
    else:
        assert wide
        assert shown.replace(" ", "") == top.text.replace(" ", "")


@given(facts())
def test_nothing_that_a_terminal_obeys_or_hides_is_on_a_card(found: CardFacts) -> None:
    for line in compact(found).lines + deep(found, DeepDetails((), MAPS)):
        kept = line.translate({ord(sign): None for sign in "│·—…"})
        assert "```" not in line
        assert not any(unicodedata.category(sign) in (*HIDDEN, "Cc", "Zl", "Zp") for sign in kept)


@given(facts())
def test_the_other_skin_has_the_same_width_none_of_the_four_signs_and_no_third_form(found: CardFacts) -> None:
    for line in compact(found).lines + deep(found, DeepDetails((), MAPS)):
        other = ascii_skin(line)
        assert (len(other), columns(other)) == (len(line), columns(line))
        assert not set(other) & set("│·—…")
        assert ascii_skin(other) == other


@given(facts())
def test_under_mismatch_no_word_of_the_other_brain_is_said(found: CardFacts) -> None:
    if found.reception is not Reception.MISMATCH:
        return
    bare = evolve(found, bound="/a", yours="/b", next_move="ingest project_root=/b")
    said = " ".join(compact(bare).lines) + " ".join(deep(bare, DeepDetails((), MAPS)))
    assert not any(word in said for word in ("nodes", "memories", "trust", "maps", "merge_wait"))
    assert not any(sign.isdigit() for sign in said.replace("m1nd", ""))
    assert compact(found).signature == f"{found.trust}|bell:-|coh:-|recv:mismatch"


@given(facts())
def test_the_same_input_gives_the_same_card(found: CardFacts) -> None:
    assert compact(found) == compact(evolve(found, signals=tuple(reversed(found.signals))))


@given(facts(), st.lists(texts, max_size=20), st.lists(st.tuples(texts, texts), max_size=4))
def test_the_deep_form_has_at_most_fourteen_lines_of_the_same_geometry(
    found: CardFacts, slugs: list[str], missions: list[tuple[str, str]]
) -> None:
    details = DeepDetails(
        tuple(WaitingMission(sanitised(id), sanitised(gate), "sha256:5b58d701") for id, gate in missions),
        tuple(MapLine(sanitised(slug), "ok") for slug in slugs),
    )
    lines = deep(found, details)
    assert len(lines) <= 14
    assert all(columns(line) <= 80 for line in lines)
    assert lines[0].startswith(HEAD)
    assert all(line == BREATH or line.startswith(BODY) for line in lines[1:])


@given(texts)
def test_sanitised_text_is_one_line_and_stays_as_it_is(text: str) -> None:
    once = sanitised(text)
    assert sanitised(once) == once
    assert once == " ".join(once.split(" "))
    assert all(columns(sign) > 0 for sign in once)


@given(texts.map(sanitised), st.integers(1, 4))
def test_wrapped_lines_fit_and_say_all_or_a_beginning(text: str, most: int) -> None:
    whole = wrap(text, 73, 71)
    assert all(columns(line) <= (71 if at else 73) for at, line in enumerate(whole))
    assert "".join(whole).replace(" ", "") == text.replace(" ", "")
    part = wrap_within(text, 73, 71, most)
    assert len(part) == min(most, len(whole))
    assert all(columns(line) <= (71 if at else 73) for at, line in enumerate(part))
    if len(whole) > most:
        assert part[-1].endswith("…")
    else:
        assert part == whole
