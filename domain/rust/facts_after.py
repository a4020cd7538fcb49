"""Facts of a text that an edit made, from those of the text before: what stayed is shifted, the rest is read.

The answer is that of `walk.file_facts` over the whole text, at the cost of the sections that changed. Where that is
not sure, the whole text is read.
"""

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from m1nd.domain.rust.facts import FileFacts, ItemFact, UseFact
from m1nd.domain.rust.sections import Section, Sections
from m1nd.domain.rust.syntax import Parser
from m1nd.domain.rust.walk import file_facts

Stay = tuple[int, int, int]
"""Bytes `start..end` of the old text stand at `new_start` of the new one."""
BEFORE = b"const _:()=();\n"
"""Stands in for what is before a stretch that is read alone: it is not the head of its file."""
BLANK = b" \t\r\n"
HEAD = b"\xef\xbb\xbf \t\r\n"


@frozen
class _Reused:
    """A section of the old text that stands at byte `at` of the new one, as it was."""

    section: Section
    at: int

    @property
    def end(self) -> int:
        return self.at + self.section.end - self.section.start


def facts_after(
    text: bytes, stays: Iterable[Stay], old: bytes, before: FileFacts, parser: Parser
) -> FileFacts:
    """Facts of `text`, into which the edit of `old` took the `stays` over; `before` are those of `old`."""
    sections = Sections(before, len(old))
    if before.has_error or len(sections) < 2:
        return file_facts(text, parser)
    made = _Made()
    position = 0
    for reused in [*_reusable(text, old, sections, _merged(stays)), None]:
        end = reused.at if reused is not None else len(text)
        if end > position and not made.read(text, position, end, parser):
            return file_facts(text, parser)
        if reused is not None:
            made.take(reused, before)
            position = reused.end
    return FileFacts(items=tuple(made.items), uses=tuple(made.uses), inner_attributes=tuple(made.inner))


def _merged(stays: Iterable[Stay]) -> list[Stay]:
    """In order; those that adjoin before and after as one. Of two that change places the longer stays."""
    found: list[Stay] = []
    for start, end, new_start in sorted(stays):
        if found and found[-1][1] == start and found[-1][2] + start - found[-1][0] == new_start:
            found[-1] = (found[-1][0], end, found[-1][2])
            continue
        while found and new_start < found[-1][2] and found[-1][1] - found[-1][0] < end - start:
            found.pop()
        if not found or new_start >= found[-1][2]:
            found.append((start, end, new_start))
    return found


def _reusable(text: bytes, old: bytes, sections: Sections, stays: Sequence[Stay]) -> list[_Reused]:
    """The sections that stayed whole, and whose first trivia and item read as they did."""
    found = [one for one in _stayed(sections, stays) if (one.at == 0) == (one.section.start == 0)]
    inner = [s.start for s in sections if old.find(b"#![", s.start, s.end) >= 0]
    if inner:
        # Which of them an attribute of the file stands in is not told; the head alone has all of them.
        found = [one for one in found if one.section.start not in inner or inner == [0]]
    while found:
        loose = {position for here, there in _neighbours(found) for position in _loose(text, here, there)}
        if not loose:
            break
        found = [one for one in found if one.at not in loose]
    return found


def _neighbours(found: Sequence[_Reused]) -> Iterator[tuple[_Reused | None, _Reused | None]]:
    """Each with the one before it; the first and the last with what lies outside."""
    yield from zip([None, *found], [*found, None], strict=True)


def _stayed(sections: Sections, stays: Sequence[Stay]) -> Iterator[_Reused]:
    numbers = iter(sections)
    section = next(numbers, None)
    for start, end, new_start in stays:
        while section is not None and section.start < start:
            section = next(numbers, None)
        while section is not None and section.end <= end:
            yield _Reused(section, new_start + section.start - start)
            section = next(numbers, None)


def _loose(text: bytes, here: _Reused | None, there: _Reused | None) -> Iterator[int]:
    """Where one of two neighbours begins that did not follow each other, if trivia may belong to another item now."""
    if here is not None and there is not None and _adjoin(here, there):
        return
    if there is not None and there.at and not _stands_apart(text, there.at):
        yield there.at
    if here is not None:
        following = len(text) - len(text[here.end :].lstrip(BLANK))
        if following < len(text) and not _stands_apart(text, following):
            yield here.at


def _adjoin(here: _Reused, there: _Reused) -> bool:
    return here.end == there.at and here.section.end == there.section.start


def _stands_apart(text: bytes, position: int) -> bool:
    """What begins at `position` begins its line and is not the first of its file, and no trivia before it can belong to it."""
    end = len(text[:position].rstrip(BLANK))
    line = text[text.rfind(b"\n", 0, end) + 1 : end]
    lines = b"\n" in text[end:position]
    comment = b"*/" in line or b"//" in line
    return bool(text[:end].strip(HEAD)) and lines and not (comment or line.lstrip(BLANK).startswith(b"#"))


class _Made:
    """The facts put together so far, in the order of the new text."""

    def __init__(self) -> None:
        self.items: list[ItemFact] = []
        self.uses: list[UseFact] = []
        self.inner: list[str] = []

    def read(self, text: bytes, start: int, end: int, parser: Parser) -> bool:
        """Add the items of a stretch of the text; False where it holds an error."""
        alone = BEFORE if start else b""
        read = file_facts(alone + text[start:end], parser)
        first = 1 if start else 0
        self._add(read.items[first:], read.uses, start - len(alone), len(self.items) - first)
        self.inner += read.inner_attributes
        return not read.has_error

    def take(self, reused: _Reused, before: FileFacts) -> None:
        section = reused.section
        items = before.items[section.first : section.last]
        uses = before.uses[section.first_use : section.last_use]
        if not reused.at:
            self.inner += before.inner_attributes
        self._add(items, uses, reused.at - section.start, len(self.items) - section.first)

    def _add(self, items: Sequence[ItemFact], uses: Sequence[UseFact], by: int, numbers: int) -> None:
        """Items and leaves, moved `by` bytes, and their numbers by `numbers`."""
        if not (by or numbers):
            self.items += items
            self.uses += uses
            return
        self.items += (_item_moved(item, by, numbers) for item in items)
        self.uses += (_use_moved(use, by, numbers) for use in uses)


def _item_moved(item: ItemFact, by: int, numbers: int) -> ItemFact:
    body = by if item.has_body else 0
    return ItemFact(
        item.kind,
        item.name,
        item.parent + numbers if item.parent >= 0 else -1,
        item.start + by,
        item.end + by,
        item.extent_start + by,
        item.name_start + by,
        item.name_end + by,
        item.visibility,
        item.attributes,
        item.body_start + body,
        item.body_end + body,
        item.detail,
    )


def _use_moved(use: UseFact, by: int, numbers: int) -> UseFact:
    alias = by if use.alias is not None else 0
    return UseFact(
        use.item + numbers,
        use.path,
        tuple((start + by, end + by) for start, end in use.segments),
        use.start + by,
        use.end + by,
        use.alias,
        use.alias_start + alias,
        use.alias_end + alias,
        use.glob,
        use.is_self,
        use.absolute,
    )
