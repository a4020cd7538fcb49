"""The linked graph in one file: columns that a fresh process maps instead of linking again.

Derived data. A snapshot belongs to one state of the repository's sources (`key`); any other, damaged or foreign file
counts as none. Written to a temporary name and renamed, so that a reader sees the old one or the new one.
"""

import mmap
import os
import struct
from array import array
from collections.abc import Sequence
from typing import Any

import orjson

from m1nd.domain.index.edges import Compressed, OpenColumns
from m1nd.domain.index.graph import IndexGraph, Parents

SNAPSHOT_NAME = "graph.snapshot"
MAGIC = b"m1ndgrf2"
NUMBERS = ("first", "spans", "module", "module_items", "module_files", "open_items", "orphans")


def save_snapshot(state_dir: str, key: str, graph: IndexGraph) -> None:
    """Raises OSError where the folder cannot take it."""
    parts: list[bytes] = [_bytes(getattr(graph, name)) for name in NUMBERS]
    parts.append(_bytes(graph.parent.above))
    for side in (graph.out.whole(), graph.into.whole()):
        parts += (_bytes(side.offsets), _bytes(side.ends), bytes(side.kinds))
    parts += (bytes(graph.flags), bytes(graph.open_reasons), graph.kinds.encode())
    parts += (_text(graph.names), _text(graph.module_names), _text(graph.paths), _text(graph.open_texts))
    header = orjson.dumps(
        {"key": key, "lengths": [len(part) for part in parts], "counts": dict(graph.counts)}
    )
    path = os.path.join(state_dir, SNAPSHOT_NAME)
    temporary = f"{path}.{os.getpid()}"
    try:
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as handle:
            handle.write(MAGIC + struct.pack("<Q", len(header)) + header)
            for part in parts:
                handle.write(b"\0" * (-handle.tell() % 8))
                handle.write(part)
        os.replace(temporary, path)
    except OSError:
        _unlink(temporary)
        raise


def load_snapshot(state_dir: str, key: str = "") -> IndexGraph | None:
    """The graph of the sources that `key` stands for (empty: whatever there is), or None."""
    try:
        with open(os.path.join(state_dir, SNAPSHOT_NAME), "rb") as handle:
            mapped = mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return None
    try:
        return _read(memoryview(mapped), key)
    except (ValueError, KeyError, IndexError, TypeError, struct.error, UnicodeDecodeError):
        # Cut short or scribbled over: the graph is linked again.
        return None


def _read(view: memoryview, key: str) -> IndexGraph | None:
    if bytes(view[:8]) != MAGIC:
        return None
    (size,) = struct.unpack("<Q", view[8:16])
    header: dict[str, Any] = orjson.loads(view[16 : 16 + size])
    if key and header["key"] != key:
        return None
    parts: list[memoryview] = []
    position = 16 + size
    for length in header["lengths"]:
        position += -position % 8
        part = view[position : position + length]
        if len(part) != length:
            raise ValueError("cut short")
        parts.append(part)
        position += length
    numbers = {name: part.cast("I") for name, part in zip(NUMBERS, parts, strict=False)}
    open_items = numbers.pop("open_items")
    rest = parts[len(NUMBERS) :]
    out, into = (Compressed(rest[at].cast("I"), rest[at + 1].cast("I"), rest[at + 2]) for at in (1, 4))
    names, module_names, paths, open_texts = (_lines(part) for part in rest[10:14])
    return IndexGraph(
        paths=paths,
        names=names,
        kinds=str(rest[9], "ascii"),
        parent=Parents(rest[0].cast("I")),
        flags=rest[7],
        module_names=module_names,
        out=out,
        into=into,
        open=OpenColumns(open_items, rest[8], open_texts),
        counts=header["counts"],
        **numbers,
    )


def _bytes(numbers: Sequence[int]) -> bytes:
    return numbers.tobytes() if isinstance(numbers, array | memoryview) else array("I", numbers).tobytes()


def _text(lines: Sequence[str]) -> bytes:
    """One text per line. A macro's path may be written over several lines; it is kept on one."""
    return "\n".join(line.replace("\n", " ") for line in lines).encode() + (b"\n" if lines else b"")


def _lines(part: memoryview) -> list[str]:
    return str(part, "utf-8").split("\n")[:-1]


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
