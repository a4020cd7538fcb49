"""What one word of a task says for which node: by its name, its place, a tag on it, its text (CARD.md §1, Focus)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from m1nd.domain.north.texts import SHORT, Texts
from m1nd.domain.words import stem

if TYPE_CHECKING:
    from m1nd.domain.north.vocabulary import Vocabulary

Tagged = Mapping[str, Sequence[int]]
"""Words of tags → the nodes that bear such a tag."""
LABEL, NAME_PART, NAME_STEM, PATH_PART, PATH_STEM = 1.0, 0.92, 0.8, 1.0, 0.8
"""How well a word fits: the whole name, a word of it, one with another ending; the same for the words of its place."""
NAME, PLACE, MARK, TEXT, ENOUGH = 1.0, 4.0, 4.0, 0.3, 1.0
"""What a fit in the name, one in the place, a tag and one occurrence in the text add to a word's evidence e, which counts
e / (e + ENOUGH). Chosen on the commits behind the tasks of the recall figures (docs/decisions.md, 79)."""
LENGTH = 0.05
"""How much a long text's occurrences are held back."""
MOST_PLACED = 5_000
"""A place word that brings up more items is too common to bring up any by itself."""


@frozen
class Evidence:
    """Where one word is found: nodes by how well their name fits, modules and members by how well their place does, items by
    how much of it is in their text, and items with a tag of that word."""

    names: Mapping[int, float]
    modules: Mapping[int, float]
    members: Mapping[int, float]
    texts: Mapping[int, float]
    tagged: Collection[int]

    @property
    def holders(self) -> Collection[int]:
        """The nodes that have it in name or text: the fewer, the more it says."""
        return {*self.names, *self.texts, *self.tagged}


def evidence_of(
    words: Sequence[str], known: Vocabulary, tagged: Tagged, texts: Texts | None
) -> dict[str, Evidence]:
    found: dict[str, Evidence] = {}
    for word in words:
        names: dict[int, float] = {}
        for node, fit in _named(known, word):
            names[node] = max(fit, names.get(node, 0.0))
        modules = _placed(known, word)
        members = {
            node: fit
            for module, fit in modules.items()
            for node in (known.members.get(module, ()) if len(modules) <= MOST_PLACED else ())
        }
        members.update(dict.fromkeys(known.holder_stems.get(stem(word), ()), PATH_STEM))
        if len(members) > MOST_PLACED:
            members = {}
        occurrences = {} if texts is None else _in_texts(texts, _sought(word))
        found[word] = Evidence(names, modules, members, occurrences, frozenset(tagged.get(word, ())))
    return found


def _sought(word: str) -> str:
    """What of a word is looked for in texts: its stem, unless so little is left that it would be another word."""
    stemmed = stem(word)
    return stemmed if len(stemmed) >= SHORT else word


def _in_texts(texts: Texts, word: str) -> dict[int, float]:
    """Items by how often their text holds a word, long texts held back a little."""
    return {
        texts.items[place]: count / (1 - LENGTH + LENGTH * texts.length(place) / texts.mean)
        for place, count in texts.counts(word).items()
    }


def counts(name: float, place: float, tagged: bool, text: float) -> float:
    """What the evidence for one word counts, below 1."""
    evidence = NAME * name + PLACE * place + MARK * tagged + TEXT * text
    return evidence / (evidence + ENOUGH)


def _named(known: Vocabulary, word: str) -> list[tuple[int, float]]:
    rows = [(node, LABEL) for node in known.labels.get(word, ())]
    rows += [(node, NAME_PART) for node in known.name_parts.get(word, ())]
    return rows + [(node, NAME_STEM) for node in known.name_stems.get(stem(word), ())]


def _placed(known: Vocabulary, word: str) -> dict[int, float]:
    """Modules whose path holds the word."""
    places = dict.fromkeys(known.path_stems.get(stem(word), ()), PATH_STEM)
    places.update(dict.fromkeys(known.path_parts.get(word, ()), PATH_PART))
    return places
