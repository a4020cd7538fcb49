"""What agents are told about the card: the same words everywhere, and true to the product."""

import re
from pathlib import Path

import pytest

from m1nd.adapters.skills import SKILLS, text
from m1nd.adapters.verbs import VERBS
from m1nd.domain.card.cadence import MOMENTS, RULE, STRUCTURALLY
from m1nd.domain.card.skins import WIDTH
from m1nd.domain.card.width import columns

REPOSITORY = Path(__file__).resolve().parents[2]
AGENTS = (REPOSITORY / "docs" / "agents.md").read_text(encoding="utf-8")
TEXTS = {"agents.md": AGENTS, **{name: text(name) for name in SKILLS}}
SPINE = re.compile(r"^(?:m1nd|    ) [│|](?: .*)?$", re.MULTILINE)


@pytest.mark.parametrize("name", TEXTS)
def test_the_negative_rule_stands_verbatim_with_its_tests_and_moments(name: str) -> None:
    said = TEXTS[name]
    assert f"> {RULE}\n" in said
    for heading, rows in (
        ("STRUCTURALLY means at least one of:", STRUCTURALLY),
        ("The moments, and the only ones:", MOMENTS),
    ):
        listed = said.partition(f"{heading}\n\n")[2].partition("\n\n")[0]
        assert listed == "\n".join(f"- {row}" for row in rows)


@pytest.mark.parametrize("name", TEXTS)
def test_the_duties_of_who_shows_a_card_are_told(name: str) -> None:
    said = TEXTS[name]
    for duty in (
        "fenced code",
        "card_shown",
        "`│` to `|`, `·` to `.`, `—` to `-`, `…` to `~`",
        "state tokens",
        "fields",
    ):
        assert duty in said, duty


@pytest.mark.parametrize("name", TEXTS)
def test_no_text_for_agents_names_a_verb_that_does_not_exist(name: str) -> None:
    words = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", TEXTS[name]))
    named = {
        word for word in words if word.split("_")[0] in ("transplant", "edit", "card", "surgical", "system")
    }
    assert named <= set(VERBS), named - set(VERBS)


@pytest.mark.parametrize("name", TEXTS)
def test_the_name_is_lower_case_and_no_emoji_shouts(name: str) -> None:
    assert "M1ND" not in TEXTS[name].replace("M1ND_", "")
    assert "M1nd" not in TEXTS[name]
    assert "!!!" not in TEXTS[name]
    assert not re.search("[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f]", TEXTS[name])


def test_every_card_in_the_documents_keeps_its_width() -> None:
    pages = [*sorted((REPOSITORY / "docs").glob("*.md")), REPOSITORY / "README.md"]
    cards = [line for page in pages for line in SPINE.findall(page.read_text(encoding="utf-8"))]
    assert cards
    assert all(columns(line) <= WIDTH for line in cards)


def test_a_skill_of_another_name_is_none() -> None:
    with pytest.raises(KeyError):
        text("fly")
