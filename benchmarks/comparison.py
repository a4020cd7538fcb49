"""This run's figures beside the committed ones: what got worse, in words. Pure: it reads no file and measures nothing."""

from collections.abc import Iterable, Mapping

from attrs import frozen

from benchmarks.figures import Figure

RATIO = "x"
WORSE = 1.25
"""A ratio that grew (or, where more is better, shrank) by more than this factor is named."""


@frozen
class Comparison:
    """`worse` and `gone` are lines for people; `compared` counts the ratios that both runs have."""

    worse: tuple[str, ...]
    gone: tuple[str, ...]
    """Committed ratios that a run of the whole did not give: what is no longer measured cannot be guarded."""
    compared: int

    @property
    def status(self) -> int:
        """0 where nothing got worse and nothing is gone, else 1; 2 where there was nothing to compare."""
        if not self.compared:
            return 2
        return 1 if self.worse or self.gone else 0


def compare(now: Iterable[Figure], committed: Mapping[str, Figure], *, rooms: Iterable[str]) -> Comparison:
    """`rooms` are those that were measured whole: only their figures can be missed.

    Ratios alone are compared, because two machines agree on nothing else; a figure that is new is no regression.
    """
    measured = {figure.name: figure for figure in now}
    whole = frozenset(rooms)
    pairs = [
        (figure, committed[name])
        for name, figure in measured.items()
        if name in committed and figure.unit == committed[name].unit == RATIO
    ]
    gone = [
        f"gone: {name}: {figure.value:.3f} then, not measured now"
        for name, figure in committed.items()
        if figure.unit == RATIO and figure.room in whole and name not in measured
    ]
    return Comparison(tuple(_named(*pair) for pair in pairs if _is_worse(*pair)), tuple(gone), len(pairs))


def _is_worse(now: Figure, then: Figure) -> bool:
    """A ratio of zero says that one side was too small to measure: nothing follows from it."""
    if not now.value or not then.value:
        return False
    factor = then.value / now.value if now.least else now.value / then.value
    return factor > WORSE


def _named(now: Figure, then: Figure) -> str:
    crossed = " and missed its bar" if then.met and now.met is False else ""
    return f"worse: {now.name}: {then.value:.3f} then, {now.value:.3f} now{crossed}"
