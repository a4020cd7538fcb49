"""Which remembered claims answer a question: by the words that they share, rare words first. No weights are learnt."""

from collections.abc import Iterable, Sequence
from datetime import timedelta

from attrs import frozen

from m1nd.domain.words import rank, words

AGED = timedelta(days=30)
"""A claim older than this is called stale (reference, north packet, `memory` row)."""


@frozen
class Remembered:
    """What of a claim is searched: its sentence, its label, the names of what it rests on."""

    claim: str
    label: str
    names: tuple[str, ...]

    def words(self) -> list[str]:
        # The label and the anchors say what the claim is about, so each counts once more than the sentence's words.
        named = [word for name in (self.label, *self.names) for word in words(name)]
        return words(self.claim) + named


def recalled(question: str, claims: Sequence[Remembered]) -> list[tuple[int, float]]:
    """`(index, score)` of the claims that share a word with the question, best first; ties keep their order."""
    scores = rank(words(question), [claim.words() for claim in claims])
    found = [(index, score) for index, score in enumerate(scores) if score > 0]
    return sorted(found, key=lambda pair: -pair[1])


def names_of(anchors: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """`(label, path)` of anchors as names to search."""
    return tuple(name for pair in anchors for name in pair if name)
