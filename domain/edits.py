"""Edits as values: what a plan wants to write, before anything is written."""

from collections.abc import Iterable, Mapping

from attrs import field, frozen


@frozen(order=True)
class Edit:
    """Replace bytes `start..end` of one file by `text`; an insertion has `start == end`."""

    start: int
    end: int
    text: bytes


@frozen
class FilePlan:
    """One file of a plan: its bytes before and after; `before` is None for a file to create, `after` None for one to remove."""

    path: str
    before: bytes | None
    after: bytes | None
    came_from: str = ""
    """Today's path of a file that takes this name: the new file keeps that one's mode."""


class OverlappingEdits(ValueError):
    """Two edits of one file touch the same bytes."""


def apply_edits(source: bytes, edits: Iterable[Edit]) -> bytes:
    """`source` with all edits applied at once; equal edits count once, insertions at one place keep their order.

    Raises OverlappingEdits.
    """
    parts: list[bytes] = []
    position = 0
    for edit in sorted(dict.fromkeys(edits), key=lambda e: (e.start, e.end)):
        if edit.start < position:
            raise OverlappingEdits(f"bytes {edit.start}..{edit.end} are edited twice")
        parts += (source[position : edit.start], edit.text)
        position = edit.end
    parts.append(source[position:])
    return b"".join(parts)


@frozen
class EditSet:
    """Edits by file path."""

    by_path: Mapping[str, tuple[Edit, ...]] = field(factory=dict)

    def apply(self, sources: Mapping[str, bytes]) -> dict[str, bytes]:
        """New bytes of every edited file that really changes."""
        changed = {path: apply_edits(sources[path], edits) for path, edits in self.by_path.items()}
        return {path: text for path, text in changed.items() if text != sources[path]}
