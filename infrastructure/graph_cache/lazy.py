"""Facts and bytes of many files, fetched when asked for. The bytes are those that the facts were made from, or none."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from m1nd.domain.digests import sha256
from m1nd.domain.index.packed import PackedFacts, unpack
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import FileFacts

T = TypeVar("T")


class LazyFacts(Mapping[str, FileFacts]):
    """`FileFacts` by path, unpacked at first use."""

    def __init__(
        self,
        digests: Mapping[str, str],
        fetch: Callable[[list[str]], Mapping[str, PackedFacts]],
        older: LazyFacts | None = None,
    ) -> None:
        """`older`: facts of an earlier state, of which those of the same bytes are kept."""
        self.digests = digests
        self._fetch = fetch
        self._unpacked: dict[str, FileFacts] = _kept(older._unpacked, digests) if older is not None else {}
        self._all_fetched = False

    def __getitem__(self, path: str) -> FileFacts:
        digest = self.digests[path]
        if digest not in self._unpacked:
            if not self._all_fetched and len(self._unpacked) > 8:
                # Whoever asks for many asks for all: one read instead of one a file.
                self._fetch([d for d in self.digests.values() if d not in self._unpacked])
                self._all_fetched = True
            self._unpacked[digest] = unpack(self._fetch([digest])[digest])
        return self._unpacked[digest]

    def __iter__(self) -> Iterator[str]:
        return iter(self.digests)

    def __len__(self) -> int:
        return len(self.digests)


class LazySources(Mapping[str, bytes]):
    """Bytes by path, read at first use.

    Raises Refused(source_modified) when a file is no longer what the refresh saw: a plan over mixed states would be wrong.
    """

    def __init__(self, root: str, digests: Mapping[str, str], older: LazySources | None = None) -> None:
        """`older`: bytes of an earlier state, of which those that stayed are kept."""
        self._root = root
        self.digests = digests
        self._read: dict[str, bytes] = _kept(older._read, digests) if older is not None else {}

    def __getitem__(self, path: str) -> bytes:
        digest = self.digests[path]
        if digest not in self._read:
            try:
                with open(os.path.join(self._root, path), "rb") as handle:
                    content = handle.read()
            except OSError:
                content = b""
            if sha256(content) != digest:
                refuse("source_modified", f"{path} changed while it was being read", path=path)
            self._read[digest] = content
        return self._read[digest]

    def __iter__(self) -> Iterator[str]:
        return iter(self.digests)

    def __len__(self) -> int:
        return len(self.digests)


def _kept(known: Mapping[str, T], digests: Mapping[str, str]) -> dict[str, T]:
    """What is known by digest, without what no file has any more."""
    return {digest: known[digest] for digest in set(digests.values()) if digest in known}
