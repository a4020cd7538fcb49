"""What was found out about files and stays true while their bytes do: kept from one workspace to the next."""

from collections.abc import Iterable, MutableMapping

from attrs import field, frozen

from m1nd.domain.rust.bodies.sketch import Sketch
from m1nd.domain.rust.overlay import Layer


@frozen
class KnownFiles:
    """What was found out about files, by path: the names that each spells, and its sketch. True for the bytes it was made from."""

    names: MutableMapping[str, frozenset[str]] = field(factory=dict)
    sketches: MutableMapping[str, Sketch] = field(factory=dict)

    def without(self, paths: Iterable[str]) -> "KnownFiles":
        """A copy of its own, without those files."""
        left = KnownFiles(dict(self.names), dict(self.sketches))
        for path in paths:
            left.names.pop(path, None)
            left.sketches.pop(path, None)
        return left

    def beside(self, paths: Iterable[str]) -> "KnownFiles":
        """The same, but for those files: what is found out of any other file is known to both."""
        own = frozenset(paths)
        return KnownFiles(Layer(self.names, own), Layer(self.sketches, own))
