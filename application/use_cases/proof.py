"""What the proof gate asks of every verb that writes, and what arms it (D43, `domain/proof_gate.py`).

A mark is taken before the write and given back when the write does not happen: a refusal burns nothing (W50).
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from m1nd.application.brain import Brain
from m1nd.domain.edits import FilePlan
from m1nd.domain.proof_gate import armed, must_prove, needs_of, spend


def is_gated(brain: Brain) -> bool:
    return must_prove(brain.actor) and brain.proof.enabled


def arm(brain: Brain, shown: Iterable[tuple[str, str]]) -> None:
    """The answer under way shows these files whole, or their diffs: `(path, sha256)`, empty where there is no file."""
    if is_gated(brain):
        brain.proof.arm(armed(brain.actor.id, shown, brain.clock.now()))


@contextmanager
def proven(brain: Brain, plans: Sequence[FilePlan], hint: str) -> Iterator[None]:
    """Around the rest of a write: every planned file has a mark, and the marks are used up if the block ends well.

    Raises Refused(proof_gate) naming the files without one; `hint` is the step that arms them.
    """
    if not is_gated(brain):
        yield
        return
    needs = needs_of(plans)
    agent, now = brain.actor.id, brain.clock.now()
    taken = brain.proof.take(lambda marks: spend(marks, needs, agent, now, hint))
    try:
        yield
    except BaseException:
        brain.proof.arm(taken)
        raise
