"""Planned files in the shapes in which they are compared, shown and recorded; shared by moves and edits. Pure."""

import difflib
from collections.abc import Sequence

from m1nd.domain.digests import sha256
from m1nd.domain.edits import FilePlan
from m1nd.domain.graph import ChangeKind, FileChange, GraphChange
from m1nd.domain.planned_files import PlannedFile, WrittenFile
from m1nd.domain.unified_diff import quoted, split_lines

NO_NEWLINE = "\n\\ No newline at end of file\n"


def digest_of(content: bytes | None) -> str:
    """sha256, or an empty text where there is no file."""
    return "" if content is None else sha256(content)


def plan_digest(files: Sequence[FilePlan]) -> str:
    """sha256 over every planned file's path, bytes before and bytes after: equal digests are equal plans."""
    lines = [f"{f.path}\0{digest_of(f.before)}\0{digest_of(f.after)}" for f in files]
    return sha256("\n".join(lines).encode())


def unified_diff(files: Sequence[FilePlan]) -> str:
    """The plan as git would write it; a binary file by one line that says so."""
    return "".join(map(_diff, files))


def _diff(file: FilePlan) -> str:
    old, new = quoted(f"a/{file.path}"), quoted(f"b/{file.path}")
    head = [f"diff --git {old} {new}\n"]
    if file.before is None:
        head.append("new file mode 100644\n")
    if file.after is None:
        head.append("deleted file mode 100644\n")
    if not is_shown(file):
        return "".join((*head, f"Binary files {old} and {new} differ\n"))
    body = _body(file)
    if body:
        head.append(f"--- {'/dev/null' if file.before is None else old}\n")
        head.append(f"+++ {'/dev/null' if file.after is None else new}\n")
    return "".join((*head, *body))


def is_shown(file: FilePlan) -> bool:
    """Whether a diff of the file can be read: both sides are text."""
    return all(_is_text(content) for content in (file.before, file.after) if content is not None)


def _is_text(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return b"\0" not in content


def _body(file: FilePlan) -> list[str]:
    """The hunks, each line with its ending; no file names."""
    before, after = (
        [line.decode("utf-8", "replace") for line in split_lines(content or b"")]
        for content in (file.before, file.after)
    )
    lines = list(difflib.unified_diff(before, after))[2:]
    return [line if line.endswith("\n") else line + NO_NEWLINE for line in lines]


def shown_files(files: Sequence[FilePlan]) -> tuple[tuple[str, str], ...]:
    """`(path, sha256 before)` of the files whose diff the answer carries; what a preview arms (D43)."""
    return tuple((file.path, digest_of(file.before)) for file in files if is_shown(file))


def planned_file(file: FilePlan) -> PlannedFile:
    """The file with its hashes and how many lines come and go."""
    body = _body(file)
    return PlannedFile(
        file_path=file.path,
        base_hash=digest_of(file.before),
        after_hash=digest_of(file.after),
        lines_added=sum(line.startswith("+") for line in body),
        lines_removed=sum(line.startswith("-") for line in body),
    )


def written_file(file: FilePlan) -> WrittenFile:
    return WrittenFile(
        file_path=file.path, before_hash=digest_of(file.before), after_hash=digest_of(file.after)
    )


def swapped(file: WrittenFile) -> WrittenFile:
    """What undoing that write writes."""
    return WrittenFile(file_path=file.file_path, before_hash=file.after_hash, after_hash=file.before_hash)


def graph_change(kind: ChangeKind, files: Sequence[WrittenFile], cause: str) -> GraphChange:
    """The graph's change by a write; `cause` is the id of the move or edit."""

    def changes(of: Sequence[WrittenFile]) -> tuple[FileChange, ...]:
        return tuple(FileChange(path=f.file_path, sha256=f.after_hash, before=f.before_hash) for f in of)

    return GraphChange(
        kind,
        added=changes([f for f in files if not f.before_hash]),
        removed=changes([f for f in files if not f.after_hash]),
        changed=changes([f for f in files if f.before_hash and f.after_hash]),
        cause=cause,
    )
