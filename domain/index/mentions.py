"""Who mentions a name: which scopes looked up a token with it, which items ask for it behind `Self::` or derive it.

What is no longer written may stay in it; whoever asks looks again.
"""

from collections.abc import Iterable, Iterator, Sequence

from m1nd.domain.index.columns import Columns
from m1nd.domain.index.headers import derived
from m1nd.domain.index.imports import Names
from m1nd.domain.index.scopes import Scope


class Mentions:
    """Tokens by the words in them. `tokens` has the scope and the token in turn, word by word."""

    def __init__(self) -> None:
        self._tokens: dict[str, list[Scope | str]] = {}
        self._items: dict[str, list[int]] = {}

    def add(self, token: str, scope: Scope) -> None:
        """A token that a scope has looked up."""
        known = self._tokens
        for word in words(token):
            found = known.get(word)
            if found is None:
                known[word] = [scope, token]
            else:
                found += (scope, token)

    def add_own(self, token: str, item: int) -> None:
        """A `Self::…` of an item."""
        for word in words(token):
            self._add_item(word, item)

    def add_derived(self, path: Sequence[str], item: int) -> None:
        """What an item derives."""
        for word in path:
            self._add_item(word, item)

    def _add_item(self, word: str, item: int) -> None:
        known = self._items.setdefault(word, [])
        if not known or known[-1] != item:
            known.append(item)

    def tokens(self, names: Iterable[str]) -> set[tuple[Scope, str]]:
        """Scopes and tokens that were looked up with one of these names."""
        return {pair for name in names for pair in _pairs(self._tokens.get(name, []))}

    def items(self, names: Iterable[str]) -> set[int]:
        """Items that ask for one of these names behind `Self::`, or derive it."""
        return {item for name in names for item in self._items.get(name, ())}


def _pairs(flat: list[Scope | str]) -> Iterator[tuple[Scope, str]]:
    return zip(flat[::2], flat[1::2], strict=True)  # type: ignore[arg-type]


def words(token: str) -> list[str]:
    """Names in a token: `a::b::c(`, `.c(`, `c!`, `a`."""
    plain = token.strip(".(!")
    return plain.split("::") if ":" in plain else [plain]


def mentions_of(columns: Columns, names: Names) -> Mentions:
    """All mentions in a linked repository."""
    found = Mentions()
    for scope in (*names.tree.scopes, *names.blocks.values()):
        for token in scope.memo:
            found.add(token, scope)
    for number, packed in enumerate(columns.facts):
        items = columns.items_of(number)
        for place, joined in enumerate(packed.tokens[:-1]):
            if "Self::" in joined:
                for token in joined.split(" "):
                    if token.startswith("Self::"):
                        found.add_own(token, items[place])
        for row in packed.attributes:
            for path in derived(row[1:]):
                found.add_derived(path, items[row[0]])
    return found
