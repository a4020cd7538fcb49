"""The soul of a repository: the invariants that `docs/soul.md` declares, each with the code that it says carries it. Pure.

A claim is a list item at the left margin (with its indented continuation). Its evidence is what it names in back-ticks: a
path of a file, `crate::a::name`, `sym_…` or `path:line`. What else stands in back-ticks is no evidence.
"""

import re
from enum import StrEnum

from attrs import frozen

MOST_CLAIMS = 200

_ITEM = re.compile(r"(?:[-*+]|\d+[.)])\s+(?P<text>.+)")
_CODE = re.compile(r"`([^`\n]+)`")
_EVIDENCE = re.compile(
    r"(?:crate|[A-Za-z_]\w*)(?:::[A-Za-z_]\w*)+|sym_[0-9a-f]{12}|[\w.@-]+(?:/[\w.@-]+)+(?::\d+)?|[\w.-]+\.(?:rs|md|toml):?\d*"
)


class Verdict(StrEnum):
    """`holds`: everything it names is there. `broken`: something is not. `unprovable`: it names nothing."""

    HOLDS = "holds"
    BROKEN = "broken"
    UNPROVABLE = "unprovable"


@frozen
class SoulClaim:
    """One declared invariant; `line` counts from 1."""

    line: int
    text: str
    evidence: tuple[str, ...]


@frozen
class Judged:
    """A claim against the graph; `missing` are those of its evidence that the graph does not have."""

    claim: SoulClaim
    verdict: Verdict
    missing: tuple[str, ...] = ()


def read_soul(text: str) -> tuple[SoulClaim, ...]:
    """The claims of a soul file, in order. Fenced blocks hold none."""
    claims: list[tuple[int, list[str]]] = []
    fenced = open_item = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced, open_item = not fenced, False
            continue
        if fenced:
            continue
        item = _ITEM.match(line)
        if item is not None:
            claims.append((number, [item["text"].strip()]))
            open_item = True
        elif open_item and line[:1].isspace() and line.strip():
            claims[-1][1].append(line.strip())
        else:
            open_item = False
    return tuple(_claim(number, " ".join(parts)) for number, parts in claims[:MOST_CLAIMS])


def _claim(line: int, text: str) -> SoulClaim:
    named = (code.strip() for code in _CODE.findall(text))
    return SoulClaim(line, text, tuple(dict.fromkeys(name for name in named if _EVIDENCE.fullmatch(name))))


def judge(claim: SoulClaim, missing: tuple[str, ...]) -> Judged:
    """`missing` are those of its evidence that nothing in the graph answers to."""
    if not claim.evidence:
        return Judged(claim, Verdict.UNPROVABLE)
    return Judged(claim, Verdict.BROKEN if missing else Verdict.HOLDS, missing)
