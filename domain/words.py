"""Words of texts and names, for questions asked in plain language. Pure and stable: the same text, the same words."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log

_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
"""Pieces of identifiers: `parseHTTPRequest2` is parse, HTTP, Request, 2."""

_STOP_TEXT = (
    "a an and are as at be but by can do does for from has have if in into is it its no not of on or so than that the "
    "their then there these they this those to was we were what when where which while who why will with you your"
)
STOP = frozenset(_STOP_TEXT.split())
"""Words that say nothing about the subject."""

SATURATION, LENGTH = 1.2, 0.75
"""The usual constants of BM25: how fast repetition stops counting, how much a long text is held back."""


def pieces(text: str) -> list[str]:
    """The telling words of a text or an identifier, lower-case as they are written, in order, with repetitions."""
    found = [piece.lower() for piece in _PIECE.findall(text)]
    return [piece for piece in found if piece not in STOP and (len(piece) > 1 or piece.isdigit())]


def words(text: str) -> list[str]:
    """The same, stemmed."""
    return [stem(piece) for piece in pieces(text)]


def stem(word: str) -> str:
    """A word without its commonest English endings, so that `moves` finds `move` and `moving`."""
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            stemmed = word.removesuffix(ending)
            return stemmed[:-1] if ending in ("ing", "ed") and stemmed[-1] == stemmed[-2] else stemmed
    return word


def rank(question: Iterable[str], texts: Sequence[Sequence[str]]) -> list[float]:
    """How well each text answers the question, by BM25 over words; 0 where they share none."""
    wanted = set(question)
    counts = [Counter(text) for text in texts]
    holders = Counter(word for count in counts for word in wanted & count.keys())
    average = sum(map(len, texts)) / len(texts) if texts else 0.0
    rarity = {word: log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for word, n in holders.items()}
    return [_score(rarity, count, len(text), average) for count, text in zip(counts, texts, strict=True)]


def _score(rarity: dict[str, float], count: Counter[str], length: int, average: float) -> float:
    held_back = SATURATION * (1 - LENGTH + LENGTH * length / (average or 1))
    # Sorted, because the sum of floats depends on its order.
    return sum(
        rarity[word] * count[word] * (SATURATION + 1) / (count[word] + held_back)
        for word in sorted(rarity.keys() & count.keys())
    )
