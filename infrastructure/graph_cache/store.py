"""The cache file: what each file looked like when it was last read, and the facts of each text ever read.

Derived data only: a file that is missing, damaged or of another version is replaced by an empty one without a word. What
cannot be written (read-only folder, full disk) turns the store into memory; `note` then says so.
"""

import os
import sqlite3
import zlib
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import asdict
from urllib.parse import quote

import orjson
from attrs import frozen

from m1nd.domain.index.identity import Fates
from m1nd.domain.index.packed import FACTS_VERSION
from m1nd.domain.refusal import Refused
from m1nd.domain.symbols import Address
from m1nd.infrastructure.files import Stat
from m1nd.infrastructure.state_dir import ensure_state_dir

CACHE_NAME = "graph.db"
SCHEMA_VERSION = 3
VERSION = f"{SCHEMA_VERSION}.{FACTS_VERSION}"
FAST = 1
"""Level of zlib: facts shrink to a third, for three hundredths of an ingest's time."""
KEEP_UNUSED = 4
"""Facts of texts that no file holds now (another branch, an undone edit) are kept up to this many times the used ones."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS file (
    path TEXT PRIMARY KEY, sha256 TEXT NOT NULL, mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL,
    size INTEGER NOT NULL, looked_ns INTEGER NOT NULL, reason TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS facts (sha256 TEXT PRIMARY KEY, used INTEGER NOT NULL, columns BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS pending (path TEXT PRIMARY KEY, before TEXT NOT NULL) WITHOUT ROWID;
"""


@frozen
class FileRow:
    """One file as last read. `reason` says why it has no facts, for a file that should (a `.rs` file)."""

    sha256: str
    stat: Stat
    looked_ns: int
    reason: str = ""


class CacheStore:
    """Rows of the cache. All reads and writes go through one connection; `note` is empty while the file serves."""

    def __init__(self, state_dir: str, read_only: bool = False) -> None:
        self.note = ""
        self._path = os.path.join(state_dir, CACHE_NAME)
        self._state_dir = state_dir
        self._read_only = read_only
        self._db = self._open()

    def close(self) -> None:
        self._db.close()

    # ---- opening

    def _open(self) -> sqlite3.Connection:
        if self._read_only:
            return self._open_for_reading()
        try:
            ensure_state_dir(self._state_dir)
            return self._open_file()
        except (OSError, sqlite3.Error, Refused) as error:
            return self._fall_back(error)

    def _open_file(self) -> sqlite3.Connection:
        try:
            db = _connect(self._path)
            if _version(db) != VERSION:
                db.close()
                self._discard()
                db = _connect(self._path)
            _prepare(db)
            return db
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            self._discard()
            db = _connect(self._path)
            _prepare(db)
            return db

    def _open_for_reading(self) -> sqlite3.Connection:
        """A copy in memory of what is there, so that nothing is written."""
        memory = _memory()
        if os.path.exists(self._path):
            try:
                # Without a write-ahead log nobody is writing, and SQLite need not make one to read.
                alone = "" if os.path.exists(self._path + "-wal") else "&immutable=1"
                source = sqlite3.connect(f"file:{_uri(self._path)}?mode=ro{alone}", uri=True)
                try:
                    if _version(source) == VERSION:
                        source.backup(memory)
                finally:
                    source.close()
            except sqlite3.Error:
                memory.close()
                memory = _memory()
        return memory

    def _fall_back(self, error: Exception) -> sqlite3.Connection:
        reason = error.refusal.message if isinstance(error, Refused) else str(error)
        self.note = f"the graph's cache cannot be kept here ({reason}); it is held in memory"
        return _memory()

    def _discard(self) -> None:
        for suffix in ("", "-wal", "-shm", "-journal"):
            try:
                os.unlink(self._path + suffix)
            except FileNotFoundError:
                continue

    # ---- rows

    def files(self) -> dict[str, FileRow]:
        rows = self._db.execute("SELECT path, sha256, mtime_ns, ctime_ns, size, looked_ns, reason FROM file")
        return {
            path: FileRow(sha256, Stat(mtime, ctime, size), looked, reason)
            for path, sha256, mtime, ctime, size, looked, reason in rows
        }

    def known_facts(self, digests: Iterable[str]) -> set[str]:
        """Which of these texts have facts."""
        digests = set(digests)
        if len(digests) == 1:
            row = self._db.execute("SELECT 1 FROM facts WHERE sha256 = ?", tuple(digests)).fetchone()
            return digests if row is not None else set()
        have = {row[0] for row in self._db.execute("SELECT sha256 FROM facts")}
        return have.intersection(digests)

    def facts(self, digests: Iterable[str]) -> dict[str, bytes]:
        """The stored columns of these texts."""
        wanted = set(digests)
        if len(wanted) < 500:
            found = {}
            for digest in wanted:
                row = self._db.execute("SELECT columns FROM facts WHERE sha256 = ?", (digest,)).fetchone()
                if row is not None:
                    found[digest] = zlib.decompress(row[0])
            return found
        rows = self._db.execute("SELECT sha256, columns FROM facts")
        return {digest: zlib.decompress(columns) for digest, columns in rows if digest in wanted}

    def meta(self, key: str) -> str:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return "" if row is None else str(row[0])

    def pending(self) -> dict[str, str]:
        """Paths whose change the log does not know yet, with the sha256 that it does know (empty: none)."""
        return dict(self._db.execute("SELECT path, before FROM pending"))

    def fates(self) -> Fates:
        """What became of items in changes that the log does not know yet."""
        text = self.meta("fates")
        if not text:
            return Fates()
        rows = orjson.loads(text)
        return Fates(
            tuple((Address(**a), Address(**b), evidence) for a, b, evidence in rows[0]),
            tuple((Address(**a), reason) for a, reason in rows[1]),
        )

    # ---- writing

    def save_facts(self, columns: Mapping[str, bytes]) -> None:
        """Keep facts by the sha256 of their text."""
        self._write(
            lambda db: db.executemany(
                "INSERT OR REPLACE INTO facts (sha256, used, columns) VALUES (?, 1, ?)",
                ((digest, zlib.compress(text, FAST)) for digest, text in columns.items()),
            )
        )

    def save_files(
        self,
        changed: Mapping[str, FileRow],
        removed: Iterable[str],
        pending: Mapping[str, str],
        found: Fates,
    ) -> None:
        """Replace the rows of changed files, drop those of removed ones, remember what the log does not know yet."""
        before = self.fates()
        both = Fates(before.rematched + found.rematched, before.lost + found.lost)

        def write(db: sqlite3.Connection) -> None:
            db.executemany(
                "INSERT OR REPLACE INTO file (path, sha256, mtime_ns, ctime_ns, size, looked_ns, reason)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    (
                        path,
                        row.sha256,
                        row.stat.mtime_ns,
                        row.stat.ctime_ns,
                        row.stat.size,
                        row.looked_ns,
                        row.reason,
                    )
                    for path, row in changed.items()
                ),
            )
            db.executemany("DELETE FROM file WHERE path = ?", ((path,) for path in removed))
            db.executemany("INSERT OR IGNORE INTO pending (path, before) VALUES (?, ?)", pending.items())
            if not found.is_empty:
                db.execute("INSERT OR REPLACE INTO meta VALUES ('fates', ?)", (_fates_text(both),))

        self._write(write)

    def save_meta(self, values: Mapping[str, str]) -> None:
        self._write(lambda db: db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items()))

    def clear_pending(self, values: Mapping[str, str]) -> None:
        """The log knows everything now; `values` are meta rows of the same transaction."""

        def write(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM pending")
            db.execute("DELETE FROM meta WHERE key = 'fates'")
            db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())

        self._write(write)

    def prune(self, used: set[str]) -> None:
        """Drop facts that nothing needs, once they outweigh those in use."""
        stored = [row[0] for row in self._db.execute("SELECT sha256 FROM facts")]
        unused = [digest for digest in stored if digest not in used]
        if len(unused) > KEEP_UNUSED * max(len(used), 50):
            self._write(
                lambda db: db.executemany("DELETE FROM facts WHERE sha256 = ?", ((d,) for d in unused))
            )

    def _write(self, change: Callable[[sqlite3.Connection], object]) -> None:
        """One transaction; where the file cannot take it, everything moves to memory and stays there."""
        try:
            with self._db:
                change(self._db)
        except sqlite3.OperationalError as error:
            memory = self._fall_back(error)
            try:
                self._db.backup(memory)
            except sqlite3.Error:
                memory.close()
                memory = _memory()
            self._db.close()
            self._db = memory
            with self._db:
                change(self._db)


class KnownTexts(Container[str]):
    """The texts that have facts, here or in the cache's file, asked for one by one."""

    def __init__(self, facts: Container[str], store: CacheStore) -> None:
        self._facts = facts
        self._store = store

    def __contains__(self, digest: object) -> bool:
        return digest in self._facts or bool(self._store.known_facts([str(digest)]))


def _connect(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=5.0)
    os.chmod(path, 0o600)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=NORMAL")
    return db


def _memory() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    _prepare(db)
    return db


def _prepare(db: sqlite3.Connection) -> None:
    with db:
        db.executescript(SCHEMA)
        db.execute("INSERT OR REPLACE INTO meta VALUES ('version', ?)", (VERSION,))


def _version(db: sqlite3.Connection) -> str:
    """The version of a cache file; that of a new, empty one is ours."""
    tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return VERSION
    if "meta" not in tables:
        return ""
    row = db.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()
    return "" if row is None else str(row[0])


def _fates_text(found: Fates) -> str:
    return orjson.dumps(
        [
            [[asdict(a), asdict(b), evidence] for a, b, evidence in found.rematched],
            [[asdict(a), reason] for a, reason in found.lost],
        ]
    ).decode()


def _uri(path: str) -> str:
    return quote(path)
