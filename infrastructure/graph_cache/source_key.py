"""Digests over what linking reads, kept while files change one by one."""

import hashlib
from collections.abc import Iterable, Mapping

from m1nd.infrastructure.graph_cache.store import VERSION, FileRow

MANIFEST = "Cargo.toml"


class SourceKey:
    """The digest over names and hashes of sources and manifests; `tree` is another number whenever what cargo sees may differ."""

    def __init__(self, rows: Mapping[str, FileRow]) -> None:
        self.tree = 0
        self._rows = rows
        self._lines: dict[str, bytes] | None = None
        self._key = ""

    @property
    def key(self) -> str:
        if self._lines is None:
            rows = self._rows
            self._lines = {path: _line(path, rows[path]) for path in sorted(rows) if _is_read(path)}
        if not self._key:
            self._key = hashlib.sha256(b"".join((VERSION.encode(), *self._lines.values()))).hexdigest()
        return self._key

    def start(self, rows: Mapping[str, FileRow]) -> None:
        """Begin anew with these rows."""
        self.tree += 1
        self._rows = rows
        self._lines = None
        self._key = ""

    def follow(self, rows: Mapping[str, FileRow], changed: Iterable[str], came_or_went: bool) -> None:
        """Some rows are others; `came_or_went`: or new, or gone."""
        read = [path for path in changed if _is_read(path)]
        if came_or_went or any(path.endswith(MANIFEST) for path in read):
            self.start(rows)
            return
        if self._lines is None:
            return
        for path in read:
            self._lines[path] = _line(path, rows[path])
            self._key = ""


def _is_read(path: str) -> bool:
    return path.endswith((".rs", MANIFEST))


def _line(path: str, row: FileRow) -> bytes:
    return f"{path}\0{row.sha256}\0{row.reason}\n".encode()
