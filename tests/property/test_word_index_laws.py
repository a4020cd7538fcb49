"""The index of item texts answers what a pass over the text answers, whatever is looked for."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from m1nd.domain.north.texts import MOST_FOUND, MOST_PASSES, Texts

words = st.text("ab_1é", min_size=1, max_size=6)
items = st.recursive(
    st.lists(words, max_size=6), lambda inner: st.lists(st.one_of(words, inner), max_size=6), max_leaves=12
)


def texts_of(tree: Sequence[object]) -> Texts:
    """Every list of the tree is an item in braces, the outermost one included."""
    parts: list[bytes] = []
    starts: list[int] = []
    ends: list[int] = []
    holders: list[int] = []

    def write(node: object, holder: int) -> None:
        if isinstance(node, str):
            parts.append(f"{node} ".encode())
            return
        assert isinstance(node, list)
        place = len(starts)
        starts.append(sum(map(len, parts)))
        ends.append(0)
        holders.append(holder)
        parts.append(b"{")
        for child in node:
            write(child, place)
        parts.append(b"}")
        ends[place] = sum(map(len, parts))

    parts.append(b"\0")
    write(tree, -1)
    return Texts(b"".join(parts), starts, ends, list(range(len(starts))), holders, 10.0)


@given(items, st.lists(st.text("ab_1é", max_size=5), min_size=1, max_size=8))
def test_an_index_counts_what_a_pass_counts(tree: list[object], wanted: list[str]) -> None:
    passed = texts_of(tree)
    first = [dict(passed.counts(word)) for word in wanted]
    indexed = texts_of(tree)
    for _ in range(MOST_PASSES):
        indexed.counts("zz")
    assert [dict(indexed.counts(word)) for word in wanted] == first


def test_a_word_that_items_hold_too_often_counts_nowhere_with_and_without_an_index() -> None:
    texts = texts_of([["tide"] * (MOST_FOUND + 1), ["ebb"]])
    before = [texts.counts("tide"), dict(texts.counts("ebb"))]
    for _ in range(MOST_PASSES):
        texts.counts("zz")
    assert before == [{}, {2: 1}] == [texts.counts("tide"), dict(texts.counts("ebb"))]
