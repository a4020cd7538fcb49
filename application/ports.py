"""What the application needs from outside, as protocols. Infrastructure implements them; tests fake them.

All paths are relative to the repository's root, POSIX, normalised by `m1nd.domain.path_law`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from attrs import frozen

if TYPE_CHECKING:
    # For the type checker only: whoever needs a port does not pay for all that ports speak of.
    from m1nd.domain.edits import FilePlan
    from m1nd.domain.index.graph import IndexGraph
    from m1nd.domain.index.identity import Fates
    from m1nd.domain.memory.drift import Mention
    from m1nd.domain.proof_gate import Mark
    from m1nd.domain.rust.cargo import CargoWorkspace
    from m1nd.domain.rust.facts import FileFacts
    from m1nd.domain.rust.known_files import KnownFiles
    from m1nd.domain.rust.workspace import Workspace
    from m1nd.domain.symbols import SymbolTable

Progress = Callable[[str, int, int], None]
"""`progress(stage, done, total)`; called often, must be cheap."""


class Clock(Protocol):
    def now(self) -> datetime:
        """An aware UTC time."""
        ...


class Identities(Protocol):
    """Which item is which, across moves (D30)."""

    def table(self) -> SymbolTable:
        """As of the log's newest event."""
        ...


class IdSource(Protocol):
    def hex(self, digits: int) -> str:
        """`digits` random hex digits (ids of previews, transplants, commands)."""
        ...


@frozen
class RustSnapshot:
    """The repository's Rust side at one moment, for the precise tier: manifests, facts and bytes of every `.rs` file.

    `unreadable` maps the path of each `.rs` file that yields no facts to the reason (`binary`, `non-utf-8`,
    `unreadable`); such a file may still hold references (TRANSPLANT.md, plan 7). `sources` loads bytes lazily.
    """

    cargo: CargoWorkspace
    facts: Mapping[str, FileFacts]
    sources: Mapping[str, bytes]
    unreadable: Mapping[str, str]
    generation: int
    known: KnownFiles
    """What earlier looks at the same bytes found out; a look adds to it."""
    workspace: Workspace
    """Facts and bytes as the resolver sees them; the same one as before where nothing has changed since."""


@frozen
class IngestReport:
    """Counts of one refresh; all integers (PORTS.md, `m1nd ingest`)."""

    files: int
    modules: int
    items: int
    edges: int
    unresolved: int
    added: int
    changed: int
    removed: int
    ms: int
    generation: int = 0
    orphans: tuple[str, ...] = ()
    """`.rs` files that no crate reaches."""
    notes: tuple[tuple[str, str], ...] = ()
    """`(path, reason)` of files that are in the graph without facts."""


class Graph(Protocol):
    """The derived code graph of the repository. Rebuilt from disk whenever its cache is missing or damaged."""

    def refresh(self, progress: Progress | None = None) -> IngestReport:
        """Bring the graph up to date with the working tree; incremental by content hash.

        Writes the cache; appends nothing: the use case turns the report into a `graph_changed` event.
        """
        ...

    def file_changes(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """What refreshes found since the last `acknowledge`: `{added, removed, changed}`, each `[{path, sha256, before}]`."""
        ...

    def fates(self) -> Fates:
        """What became of items in those changes (D30)."""
        ...

    def acknowledged(self) -> int:
        """Position of the log as of the last `acknowledge`; 0 when the cache is new."""
        ...

    def acknowledge(self, log_position: int, generation: int) -> None:
        """The log knows every change up to now."""
        ...

    def hashes(self) -> Mapping[str, str]:
        """sha256 of every file of the graph."""
        ...

    def stale_files(self) -> int:
        """How many files are not as the graph last read them; looks, and changes nothing."""
        ...

    def stale_paths(self) -> Sequence[str]:
        """Those files, sorted; the ones that are gone too."""
        ...

    def remembered(self) -> IndexGraph:
        """The index tier as of the last refresh, of whichever process (D41); read anew only where its cache is lost."""
        ...

    def index(self) -> IndexGraph:
        """The index tier, as of the last refresh."""
        ...

    def rust(self) -> RustSnapshot:
        """The input of the precise tier, as of the last refresh."""
        ...

    def text(self, path: str) -> bytes | None:
        """Bytes of a file of the graph as they are now; None when it cannot be read."""
        ...


@frozen
class WriteOutcome:
    """What the one writer did. `journal_id` names the kept old and new bytes (D45)."""

    journal_id: str
    files: tuple[str, ...]
    repairs: tuple[str, ...] = ()
    """One line per batch of an earlier process that was mended first."""


class Writer(Protocol):
    """The one door to the working tree (`apply_batch`, D45)."""

    def real_path(self, path: str) -> str:
        """Where `path` lies after every link is followed, relative to the root. Raises Refused(outside_root)."""
        ...

    def read(self, path: str) -> bytes | None:
        """The bytes that a batch would replace; None where there is no file.

        Raises Refused(outside_root | unreadable); for a folder, a pipe or a link to nothing too.
        """
        ...

    def apply(
        self,
        journal_id: str,
        plans: Sequence[FilePlan],
        record: Callable[[], None],
        base: Mapping[str, str] | None = None,
    ) -> WriteOutcome:
        """Write all files or none, then call `record` (the append). A failing `record` restores the old bytes.

        `base` maps paths to the sha256 that must still hold under the lock (default: that of each plan's `before`).
        Raises Refused(source_modified | write_failed | busy | outside_root); never leaves a mixture.
        """
        ...

    def restore(self, journal_id: str, record: Callable[[], None]) -> WriteOutcome:
        """Write back the old bytes of a journal, if every file still has the hash the batch left.

        The undo is a batch of its own; `WriteOutcome.journal_id` and the journal that `is_recorded` is asked about are
        `undo_<journal_id>`. Raises Refused(undo_unknown | undo_modified | write_failed | busy).
        """
        ...

    def undo_plans(self, journal_id: str) -> tuple[FilePlan, ...]:
        """What `restore` would write, for the gates in front of it; touches nothing.

        Raises Refused(undo_unknown | undo_modified).
        """
        ...

    def recover(self, is_recorded: Callable[[str], bool]) -> tuple[str, ...]:
        """Finish or undo what a crash left; one human-readable line per repair. `is_recorded(journal_id)` asks the log."""
        ...


@frozen
class Verification:
    """Outcome of the reverse gate (receipt field `verification`); counts are of compiler messages."""

    mode: str
    verified: bool
    errors_before: int
    errors_after: int
    warnings_added: int
    ms: int
    reason: str = ""
    """Why `verified` is false."""
    new_errors: tuple[Mapping[str, Any], ...] = ()
    """`{file, line, code, message}` of errors that today's tree does not have; paths of the real tree."""


class Verifier(Protocol):
    """`cargo check` over a shadow of the workspace with the planned files in it (D29, D32)."""

    def available(self) -> bool: ...

    def check(self, plans: Sequence[FilePlan], progress: Progress | None = None) -> Verification: ...


class Files(Protocol):
    """Reads single files of the repository that are no Rust source (`ci/protected-zones.json`)."""

    def read(self, path: str) -> bytes | None:
        """The bytes of a file inside the root; None when there is none. Raises Refused(outside_root | unreadable)."""
        ...

    def is_left_out(self, path: str) -> bool:
        """A file made at `path` would be no file of the graph: ignored, or in a folder that is never walked."""
        ...


class Terminal(Protocol):
    """The terminal of the human in front of this process; never a pipe, a file or an argument (D44)."""

    def name(self) -> str:
        """Which terminal it is (`pts/3`)."""
        ...

    def ask(self, lines: Sequence[str], prompt: str) -> str:
        """Show the lines and the prompt, and answer the one line that is typed after it.

        What a terminal would obey in the lines is shown as a mark. Raises Refused(human_gesture_required) where there is
        no terminal.
        """
        ...


class Places(Protocol):
    """Where folders lie, by what their paths lead to and never by how they are spelled (CARD.md, Caller root)."""

    def inside(self, path: str) -> str | None:
        """An absolute path relative to the root (`.` for the root itself); None where the root does not cover it."""
        ...

    def home(self, folder: str) -> str:
        """The root of the repository around a folder, resolved; the folder itself where there is none."""
        ...


class Proof(Protocol):
    """Keeps the marks of the proof gate (D43) for one process; decides nothing."""

    enabled: bool
    """False with M1ND_PROOF_GATE=0."""

    def arm(self, marks: Iterable[Mark]) -> None: ...

    def take(self, choose: Callable[[Sequence[Mark]], Sequence[Mark]]) -> tuple[Mark, ...]:
        """Remove what `choose` picks out of all marks, in one step; nothing when it raises."""
        ...


class Plans(Protocol):
    """Keeps the planned bytes of edits between preview and commit; bounded, so that a plan may be gone."""

    def keep(self, preview_id: str, contents: Mapping[str, bytes | None]) -> None:
        """New bytes by path; None for a file to remove. Raises Refused(write_failed)."""
        ...

    def load(self, preview_id: str) -> Mapping[str, bytes | None] | None:
        """None when the plan is lost or damaged."""
        ...

    def drop(self, preview_ids: Iterable[str]) -> None: ...


class Documents(Protocol):
    """Reads Markdown."""

    def mentions(self, text: str) -> Sequence[Mention]:
        """Code in back-ticks and targets of links, in the order of the text; fenced code is left out."""
        ...


class Formatter(Protocol):
    """rustfmt, for text that we wrote only (TRANSPLANT.md, plan 6)."""

    def format(
        self, path: str, text: bytes, edition: int, ranges: Sequence[tuple[int, int]]
    ) -> tuple[bytes, str]:
        """`text` with the lines of `ranges` (byte ranges of what we wrote) formatted, and a note.

        Note: `applied`, `rustfmt unavailable`, `rustfmt failed: …`. Bytes outside the ranges' lines never change.
        """
        ...
