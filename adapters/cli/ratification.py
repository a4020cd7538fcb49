"""The guided session of `m1nd blocks ratify`: three signatures in turn, each shown and stamped on the terminal (D19)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from m1nd.adapters.cli.stamps import with_stamp
from m1nd.domain.blocks.signatures import PARTS, Part

if TYPE_CHECKING:
    from m1nd.adapters.cli.context import Call
    from m1nd.application.use_cases.ratifying import Ratified

TITLES = {"names": "Names", "boundaries": "Boundaries", "contract": "Receipt contract"}


def session(call: Call, block_ids: Sequence[str] | None) -> list[Ratified]:
    """Ask for the signatures that are not given yet, in order; each one stands by itself if the next is left.

    Raises Refused as `ratifying.sign`; what was signed before stays signed.
    """
    done: list[Ratified] = []
    ids = _candidates(call, block_ids)
    for number, part in enumerate(PARTS, 1):
        if _is_signed(call, part, ids):
            call.err.print(f"{number} of 3: {TITLES[part]}: signed already", style="quiet")
            continue
        call.err.print(f"{number} of 3: {TITLES[part]}", style="name")
        done.append(_give(call, part, ids))
        call.clear_progress()
    return done or [_give(call, "boundaries", block_ids)]


def _give(call: Call, part: Part, block_ids: Sequence[str] | None) -> Ratified:
    from m1nd.application.use_cases.ratifying import sign

    return with_stamp(call, lambda: sign(call.brain(), part, block_ids, progress=call.progress("refresh")))


def _candidates(call: Call, block_ids: Sequence[str] | None) -> Sequence[str] | None:
    """The named blocks, else every candidate; None where there is none and boundaries alone may wait."""
    if block_ids is not None:
        return block_ids
    skeleton = call.brain().app.skeleton()
    return tuple(skeleton.candidates) or None if skeleton is not None else None


def _is_signed(call: Call, part: Part, ids: Sequence[str] | None) -> bool:
    """Whether that signature is there for all of them; without candidates nothing but boundaries is asked for."""
    skeleton = call.brain().app.skeleton()
    if skeleton is None:
        return False
    if ids is None:
        return part != "boundaries"
    return bool(ids) and all(id in skeleton.signed[part] for id in ids)
