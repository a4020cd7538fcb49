"""The port `Graph` over the working tree and the cache: finds what changed, reads it, links it, answers from memory.

It appends nothing and decides nothing about the log; what the log does not know yet is kept as pending until
`acknowledge`. Any moment it is stopped at leaves a cache that serves. What reads and links is imported late: most processes
find the graph as it was.
"""

from __future__ import annotations

import os
import time
from collections.abc import Container, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from m1nd.domain.index.graph import IndexGraph
from m1nd.domain.index.identity import Fates
from m1nd.domain.index.packed import PackedFacts, packed_row
from m1nd.infrastructure.files import Listing, is_racy, list_files, sha256_of
from m1nd.infrastructure.folder_lock import waited_for
from m1nd.infrastructure.graph_cache.collector import facts_left_alone
from m1nd.infrastructure.graph_cache.in_memory import InMemory, linked_graph
from m1nd.infrastructure.graph_cache.snapshot import load_snapshot, save_snapshot
from m1nd.infrastructure.graph_cache.source_key import MANIFEST, SourceKey
from m1nd.infrastructure.graph_cache.store import CacheStore, FileRow, KnownTexts
from m1nd.infrastructure.state_dir import BEING_WRITTEN, WRITE_LOCK

if TYPE_CHECKING:
    from m1nd.application.ports import IngestReport, Progress, RustSnapshot
    from m1nd.domain.rust.cargo import CargoWorkspace
    from m1nd.infrastructure.graph_cache.rust_state import RustState

PATIENCE_SECONDS = 10.0
BATCH = 1_000_000
"""Bytes of facts held before they are stored, so that an interrupted ingest is not all lost."""
FEW = 50
"""Up to so many files are looked up one by one in the cache's file."""


class CachedGraph:
    """`application.ports.Graph` of one repository."""

    def __init__(self, root: str, state_dir: str, read_only: bool = False, workers: int = 2) -> None:
        self._root = root
        self._state_dir = state_dir
        self._read_only = read_only
        self._workers = min(workers, os.cpu_count() or 1)
        self._store = CacheStore(state_dir, read_only)
        self._rows: dict[str, FileRow] = self._store.files()
        self._listing: Listing | None = None
        self._facts: dict[str, PackedFacts] = {}
        """Facts by sha256, as far as they were needed."""
        self._cargo: tuple[int, CargoWorkspace] | None = None
        self._memory = InMemory()
        self._source = SourceKey(self._rows)
        self._rust: RustState | None = None
        """The precise tier's side as it was last asked for; what did not change since is used again."""
        self._notes: tuple[str, ...] = ()

    # ---- refresh

    def refresh(self, progress: Progress | None = None) -> IngestReport:
        """Bring the graph up to date with the working tree; incremental by content hash.

        Waits for a write of ours that is under way: half of a move is no state of the tree. Raises Refused(busy) where one
        does not end.
        """
        started = time.perf_counter()
        with self._between_writes(), facts_left_alone():
            looked_ns = time.time_ns()
            self._listing = listing = list_files(self._root)
            changed, removed = self._read_changes(listing, looked_ns, progress)
            added = sum(1 for path in changed if path not in self._rows)
            altered = {
                path
                for path, row in changed.items()
                if path in self._rows and self._rows[path].sha256 != row.sha256
            }
            pending = {path: self._rows[path].sha256 if path in self._rows else "" for path in changed}
            pending = {p: before for p, before in pending.items() if p not in self._rows or p in altered}
            pending |= {path: self._rows[path].sha256 for path in removed}
            before = {path: self._rows[path] for path in (*altered, *removed)}
            was = self._source.key
            self._rows.update(changed)
            for path in removed:
                del self._rows[path]
            self._source.follow(self._rows, changed, bool(added or removed))
            try:
                found = self._bring_up(progress, before, pending, was)
            except BaseException:
                # Stopped half-way: the next refresh starts from what is stored.
                self._rows = self._store.files()
                self._source.start(self._rows)
                self._memory = InMemory()
                raise
            if changed or removed:
                self._store.save_files(changed, removed, pending, found)
            if not self._memory.follows:
                self._keep_snapshot()
        return self._report(added, len(altered), len(removed), started)

    def _between_writes(self) -> AbstractContextManager[None]:
        return waited_for(Path(self._state_dir, WRITE_LOCK), PATIENCE_SECONDS, BEING_WRITTEN)

    def _read_changes(
        self, listing: Listing, looked_ns: int, progress: Progress | None
    ) -> tuple[dict[str, FileRow], list[str]]:
        """Rows of the files that are not as they were, and the paths that are gone. Stores new facts on the way."""
        rows = self._rows
        sizes = {
            path: seen.size
            for path, seen in listing.files.items()
            if (row := rows.get(path)) is None or row.stat != seen or is_racy(row.stat, row.looked_ns)
        }
        removed = [path for path in rows if path not in listing.files]
        changed: dict[str, FileRow] = {}
        if not sizes:
            return changed, removed
        # The parser: not for a run that finds nothing new.
        from m1nd.infrastructure.rust_source.batch import WORTH_A_WORKER, read_many

        if len(sizes) <= FEW and sum(sizes.values()) < WORTH_A_WORKER:
            known: Container[str] = KnownTexts(self._facts, self._store)
        else:
            known = self._store.known_facts(row.sha256 for row in rows.values()) | self._facts.keys()
        batch: dict[str, bytes] = {}
        weight = done = 0
        try:
            for path, sha256, reason, columns in read_many(self._root, sizes, known, self._workers):
                done += 1
                if progress is not None:
                    progress("reading", done, len(sizes))
                changed[path] = FileRow(sha256, listing.files[path], looked_ns, reason)
                if columns and sha256 not in batch:
                    batch[sha256] = columns
                    weight += len(columns)
                    if weight > BATCH:
                        self._keep(batch)
                        batch, weight = {}, 0
        finally:
            # Also on Ctrl-C: what was read need not be read again.
            self._keep(batch)
        return changed, removed

    def _keep(self, batch: Mapping[str, bytes]) -> None:
        if batch:
            self._store.save_facts(batch)
            for sha256, columns in batch.items():
                self._facts[sha256] = packed_row(orjson.loads(columns))

    # ---- linking

    def _bring_up(
        self,
        progress: Progress | None,
        before: Mapping[str, FileRow],
        pending: Mapping[str, str],
        was: str,
    ) -> Fates:
        """Make what is in memory fit the rows: nothing, one file at a time, a snapshot, or everything linked again.

        Answers what became of the items of the files of `pending`; `before` has the old rows of those that had one, `was` the
        key of all rows of then.
        """
        memory, key = self._memory, self._source.key
        if key == memory.key:
            return Fates()
        old = None
        if before:
            old = memory.graph if memory.key == was else load_snapshot(self._state_dir, was)
        if not self._follow(before, pending, key):
            graph = load_snapshot(self._state_dir, key)
            if graph is not None:
                memory.take(graph, key)
            else:
                if progress is not None:
                    progress("linking", 0, 0)
                memory.link(self.cargo(), self._all_facts(), key)
        return self._fates(old, before, pending)

    def _follow(self, before: Mapping[str, FileRow], pending: Mapping[str, str], key: str) -> bool:
        """Have the graph in memory follow changed files; false when a change reaches others."""
        read = [path for path in pending if path.endswith((".rs", MANIFEST))]
        if not all(path.endswith(".rs") and path in before and path in self._rows for path in read):
            return False
        if any(before[path].reason or self._rows[path].reason for path in read):
            return False
        facts = self._facts_of([self._rows[path].sha256 for path in read])
        return self._memory.follow({path: facts[self._rows[path].sha256] for path in read}, key)

    def _fates(
        self, old: IndexGraph | None, before: Mapping[str, FileRow], pending: Mapping[str, str]
    ) -> Fates:
        paths = [path for path in pending if path.endswith(".rs")]
        hashes = {path: row.sha256 for path, row in before.items() if path.endswith(".rs")}
        if not hashes:
            return Fates()
        from m1nd.domain.index.sightings import fates_between

        was = self._facts_of(set(hashes.values()))
        now = self._facts_of({self._rows[p].sha256 for p in paths if p in self._rows})
        facts = {p: was[h] for p, h in hashes.items() if h in was}
        return fates_between(
            old or self._graph_before(before, pending),
            facts,
            self.index(),
            {p: now[h] for p in paths if p in self._rows and (h := self._rows[p].sha256) in now},
            paths,
        )

    def _graph_before(self, before: Mapping[str, FileRow], pending: Mapping[str, str]) -> IndexGraph:
        """The graph of the rows before a change that nobody kept: linked again."""
        rows = {path: row for path, row in self._rows.items() if path not in pending} | dict(before)
        return linked_graph(self.cargo(), self._facts_by_path(rows))

    def _keep_snapshot(self) -> None:
        """Store the graph for the next process, unless it is stored."""
        graph = self._memory.graph
        if self._memory.is_stored or self._read_only or self._store.note or graph is None:
            return
        self._memory.is_stored = True
        self._store.prune({row.sha256 for row in self._rows.values()})
        try:
            save_snapshot(self._state_dir, self._memory.key, graph)
        except OSError as error:
            self._notes = (f"the graph's snapshot cannot be kept here ({error.strerror})",)

    # ---- parts

    def cargo(self) -> CargoWorkspace:
        """The manifests of the working tree, as of the last refresh; the same object while they say the same."""
        tree = self._source.tree
        if self._cargo is None or self._cargo[0] != tree:
            from m1nd.infrastructure.cargo_manifest import read_cargo

            found = read_cargo(self._rows.keys(), self.text)
            kept = self._cargo[1] if self._cargo is not None else found
            self._cargo = (tree, kept if kept == found else found)
        return self._cargo[1]

    def _rust_rows(self) -> dict[str, FileRow]:
        return {path: row for path, row in self._rows.items() if path.endswith(".rs")}

    def _all_facts(self) -> dict[str, PackedFacts]:
        return self._facts_by_path(self._rows)

    def _facts_by_path(self, rows: Mapping[str, FileRow]) -> dict[str, PackedFacts]:
        rows = {path: row for path, row in rows.items() if path.endswith(".rs") and not row.reason}
        facts = self._facts_of({row.sha256 for row in rows.values()})
        return {path: facts[row.sha256] for path, row in rows.items() if row.sha256 in facts}

    def _facts_of(self, digests: Sequence[str] | set[str]) -> dict[str, PackedFacts]:
        missing = [digest for digest in digests if digest not in self._facts]
        if missing:
            for digest, columns in self._store.facts(missing).items():
                self._facts[digest] = packed_row(orjson.loads(columns))
        return {digest: self._facts[digest] for digest in digests if digest in self._facts}

    # ---- answers

    def index(self) -> IndexGraph:
        """The graph of the last refresh."""
        if self._memory.graph is None:
            self.refresh()
        graph = self._memory.graph
        assert graph is not None
        return graph

    def rust(self) -> RustSnapshot:
        """Manifests, facts and bytes of every `.rs` file, as of the last refresh."""
        # Late: only the precise tier needs module trees and a parser.
        from m1nd.application.ports import RustSnapshot
        from m1nd.infrastructure.graph_cache.lazy import LazyFacts, LazySources
        from m1nd.infrastructure.graph_cache.rust_state import next_state

        if self._listing is None:
            self.refresh()
        rows = self._rust_rows()
        cargo = self.cargo()
        older = self._rust if self._rust is not None and self._rust.cargo is cargo else None
        facts = LazyFacts(
            {p: row.sha256 for p, row in rows.items() if not row.reason},
            self._facts_of,
            older.facts if older is not None else None,
        )
        sources = LazySources(
            self._root,
            {p: row.sha256 for p, row in rows.items() if row.reason != "unreadable"},
            older.sources if older is not None else None,
        )
        self._rust = next_state(facts, sources, cargo, older, Path(self._root))
        return RustSnapshot(
            cargo=cargo,
            facts=self._rust.facts,
            sources=self._rust.sources,
            unreadable={p: row.reason for p, row in rows.items() if row.reason},
            generation=self.generation(),
            known=self._rust.known,
            workspace=self._rust.workspace,
        )

    def remembered(self) -> IndexGraph:
        """The graph of the last refresh, by whichever process; linked again from the stored facts where its snapshot is
        lost, and read anew only where these are lost too."""
        if self._memory.graph is None and self._rows:
            key = self._source.key
            graph = load_snapshot(self._state_dir, key)
            self._memory.take(graph or linked_graph(self.cargo(), self._all_facts()), key)
        return self.index()

    def stale_files(self) -> int:
        """How many files are not as the graph last read them; looks, and changes nothing."""
        return len(self.stale_paths())

    def stale_paths(self) -> list[str]:
        """The files that are not as the graph last read them, sorted; looks, and changes nothing."""
        listing = list_files(self._root)
        rows = self._rows
        gone = [path for path in rows if path not in listing.files]
        suspects = [
            path
            for path, seen in listing.files.items()
            if (row := rows.get(path)) is None or row.stat != seen or is_racy(row.stat, row.looked_ns)
        ]
        differ = (p for p in suspects if p not in rows or sha256_of(self._root, p) != rows[p].sha256)
        return sorted([*gone, *differ])

    def _report(self, added: int, changed: int, removed: int, started: float) -> IngestReport:
        from m1nd.application.ports import IngestReport

        graph = self.index()
        return IngestReport(
            files=len(self._rows),
            added=added,
            changed=changed,
            removed=removed,
            ms=round((time.perf_counter() - started) * 1000),
            generation=self.generation(),
            orphans=tuple(graph.paths[number] for number in graph.orphans),
            notes=self._all_notes(),
            **graph.counts,
        )

    def _all_notes(self) -> tuple[tuple[str, str], ...]:
        notes = sorted((path, row.reason) for path, row in self._rows.items() if row.reason)
        notes += self._listing.notes if self._listing is not None else ()
        notes += self.cargo().problems
        notes += [("", text) for text in (self._store.note, *self._notes) if text]
        return tuple(notes)

    # ---- what the log knows

    def file_changes(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """What the log does not know yet: `{added, removed, changed}`, each `[{path, sha256, before}]`."""
        changes: dict[str, list[Mapping[str, Any]]] = {"added": [], "removed": [], "changed": []}
        for path, before in sorted(self._store.pending().items()):
            row = self._rows.get(path)
            if row is None:
                if before:
                    changes["removed"].append({"path": path, "before": before})
            elif not before:
                changes["added"].append({"path": path, "sha256": row.sha256})
            elif before != row.sha256:
                changes["changed"].append({"path": path, "sha256": row.sha256, "before": before})
        return changes

    def fates(self) -> Fates:
        """What became of items in the edits that the log does not know yet."""
        return self._store.fates()

    def acknowledged(self) -> int:
        """Position of the log that this cache has caught up with; 0 for a new cache."""
        return int(self._store.meta("log_position") or 0)

    def acknowledge(self, log_position: int, generation: int) -> None:
        """The log knows all changes up to now; called after the append."""
        self._store.clear_pending({"log_position": str(log_position), "generation": str(generation)})

    def generation(self) -> int:
        return int(self._store.meta("generation") or 0)

    def hashes(self) -> Mapping[str, str]:
        """sha256 of every file of the graph."""
        return {path: row.sha256 for path, row in self._rows.items()}

    def text(self, path: str) -> bytes | None:
        """Bytes of a file as it is now; None when it cannot be read."""
        try:
            with open(os.path.join(self._root, path), "rb") as handle:
                return handle.read()
        except OSError:
            return None

    def close(self) -> None:
        """Keep the graph for the next process, and end."""
        self._keep_snapshot()
        self._store.close()
