"""Planned bytes of edits between preview and commit: `<state>/plans/<preview id>`, private, bounded.

The log keeps the hashes; these bytes may vanish at any time, and then the preview is made again. One file a plan: a line
of JSON that lists paths and sizes, then the bytes in that order.
"""

import contextlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from m1nd.domain.refusal import refuse
from m1nd.infrastructure import durable
from m1nd.infrastructure.state_dir import ensure_state_dir

NAME = re.compile(r"edp_[0-9a-f]{8,32}")
MOST_PLANS = 64
MOST_BYTES = 128 << 20


class StoredPlans:
    """`m1nd.application.ports.Plans` in the state folder of one repository."""

    def __init__(self, state_dir: str, most_plans: int = MOST_PLANS, most_bytes: int = MOST_BYTES) -> None:
        self._state_dir = state_dir
        self._folder = Path(state_dir) / "plans"
        self._most_plans = most_plans
        self._most_bytes = most_bytes

    def keep(self, preview_id: str, contents: Mapping[str, bytes | None]) -> None:
        if not NAME.fullmatch(preview_id):
            raise ValueError(f"not the id of an edit's preview: {preview_id!r}")
        head = [
            {"path": path, "size": None if data is None else len(data)} for path, data in contents.items()
        ]
        parts = (json.dumps(head).encode(), b"\n", *(data for data in contents.values() if data))
        ensure_state_dir(self._state_dir)
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            durable.replace_file(self._folder / preview_id, b"".join(parts))
            self._prune(preview_id)
        except OSError as error:
            reason = (error.strerror or type(error).__name__).lower()
            refuse("write_failed", f"the plan cannot be kept: {reason}", errno=error.errno)

    def load(self, preview_id: str) -> Mapping[str, bytes | None] | None:
        if not NAME.fullmatch(preview_id):
            return None
        try:
            head, _, body = (self._folder / preview_id).read_bytes().partition(b"\n")
            contents: dict[str, bytes | None] = {}
            position = 0
            for entry in json.loads(head):
                size = entry["size"]
                contents[entry["path"]] = None if size is None else body[position : position + size]
                position += size or 0
        except (OSError, ValueError, TypeError, KeyError):
            return None  # lost or damaged: the caller says that the preview must be made again
        return contents if position == len(body) else None

    def drop(self, preview_ids: Iterable[str]) -> None:
        for preview_id in preview_ids:
            if NAME.fullmatch(preview_id):
                with contextlib.suppress(OSError):  # what stays is pruned with the oldest
                    os.unlink(self._folder / preview_id)

    def _prune(self, newest: str) -> None:
        """Drop the oldest beyond the bounds, and what a crash left half-written; the newest always stays."""
        found: list[tuple[int, int, Path]] = []
        for path in self._folder.iterdir():
            with contextlib.suppress(FileNotFoundError):  # another process dropped it meanwhile
                status = path.stat()
                found.append((status.st_mtime_ns, status.st_size, path))
        found.sort(key=lambda entry: (entry[2].name == newest, entry[0]), reverse=True)
        room = self._most_bytes
        for rank, (_, size, path) in enumerate(found):
            room -= size
            if rank > 0 and (rank >= self._most_plans or room < 0):
                path.unlink(missing_ok=True)
