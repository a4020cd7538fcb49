"""A human as a test needs one: reads what is shown, and types."""

from collections.abc import Sequence

from attrs import define, field

from m1nd.application.brain import Brain
from m1nd.application.use_cases import stamping


@define
class Human:
    """The port `Terminal`: types the digits that the page names, or `types` if given."""

    types: str | None = None
    pages: list[tuple[str, ...]] = field(factory=list)

    def name(self) -> str:
        return "pts/1"

    def ask(self, lines: Sequence[str], prompt: str) -> str:
        self.pages.append(tuple(lines))
        digest = next(line.split()[1] for line in lines if line.split()[:1] == ["digest"])
        return f"{digest[:8]}\n" if self.types is None else self.types


def give(brain: Brain, challenge: str) -> Human:
    """The human of that brain gives this stamp."""
    human = Human()
    stamping.give(brain, challenge, human)
    return human
