"""The lexicon of every string that the product says by itself (seed 000 §3, §6): facts, no praise, no ornament."""

import re

from m1nd.adapters.mcp import teaching
from m1nd.adapters.skills import SKILLS, text
from m1nd.adapters.verbs import VERBS
from m1nd.domain.card import cadence
from m1nd.domain.codes import CODES
from m1nd.domain.north import packet, trust
from m1nd.domain.north.gaps import TEXTS
from m1nd.domain.north.reception import FrontDesk, wire
from m1nd.domain.north.trust import Standing, Trust

PRAISE = re.compile(
    r"\b(?:smart|intelligent|powerful|amazing|awesome|blazing(?:ly)?|lightning|seamless(?:ly)?|effortless(?:ly)?|robust|"
    r"cutting-edge|state-of-the-art|revolutionary|magic(?:al)?|superior|world-class|best-in-class|supercharge[ds]?|"
    r"delight(?:ful)?|beautiful(?:ly)?|elegant(?:ly)?|guarantee[ds]?|flawless(?:ly)?|10x)\b",
    re.IGNORECASE,
)
NEVER = re.compile(
    "[\u2500-\u2501\u2503-\u257f\u2580-\u259f\u25a0-\u25ff\u2600-\u27bf\u2800-\u28ff\ufe0f\u200d\U0001f000-\U0001faff]"
)
"""Box drawing but the spine, blocks, geometrics, symbols, Braille, joiners, emoji."""


def strings() -> dict[str, str]:
    said = {f"gap {code}": text for code, text in TEXTS.items()}
    said |= {f"next {at}": text for at, text in enumerate((packet.FOCUSED, packet.EMPTY, packet.UNFOCUSED))}
    said |= {f"non-claim {at}": text for at, text in enumerate(packet.NON_CLAIMS)}
    said |= {f"verb {verb.name}": verb.summary for verb in VERBS.values()}
    said |= {
        f"argument {verb.name}.{field.name}": field.meaning
        for verb in VERBS.values()
        for field in (*verb.arguments, *verb.result)
    }
    said |= {f"code {code.name}": f"{code.meaning} {code.hint}" for code in CODES.values()}
    said |= {f"skill {name}": text(name) for name in SKILLS}
    said |= {"rule": cadence.RULE, "instructions": teaching.instructions()}
    said |= {f"options {at}": str(option) for at, option in enumerate(_options())}
    said |= {f"playbook {mode}": str(trust.playbook(mode, Standing(0, False, False, ()))) for mode in Trust}
    return said


def _options() -> list[object]:
    return list(wire(FrontDesk("/a", "/b", covered=False), "task")["options"])


def test_no_string_praises() -> None:
    found = {where: hit.group() for where, said in strings().items() if (hit := PRAISE.search(said))}
    assert found == {}


def test_no_string_shouts_or_draws() -> None:
    for where, said in strings().items():
        assert "!!!" not in said, where
        assert not NEVER.search(said), where


def test_the_name_is_always_lower_case() -> None:
    for where, said in strings().items():
        bare = re.sub(r"M1ND_[A-Z_]+", "", said)
        assert "M1nd" not in bare, where
        assert "M1ND" not in bare, where
