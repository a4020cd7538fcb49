"""The log as the application sees it: rows in one order, a head, and claimed commands. A port; SQLite implements it."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol
from uuid import UUID

from attrs import frozen

RESTORE = (
    "move the folder .m1nd aside, then `m1nd log import FILE` of an export; or put a copy of log.db in its place, "
    "without log.db-wal and log.db-shm"
)
"""What helps when the log itself is damaged. A copy beside an old -wal would take that one's pages for its own."""


class LogRow(NamedTuple):
    """One stored event as it lies in the log. `stream` is the hex of its id, `state` the stored bytes."""

    position: int
    stream: str
    version: int
    topic: str
    state: bytes
    chain: bytes


@frozen
class LogHead:
    """How many events there are, and the chain's last link in hex (64 zeros for an empty log)."""

    count: int
    head: str


@frozen
class ClaimedCommand:
    """A command id that has been used: the digest it came with and the positions of what it appended."""

    digest: str
    first: int
    last: int


class EventLog(Protocol):
    """What audit, views and export need.

    All methods may raise Refused(store_damaged | busy | write_failed | log_unreachable).
    """

    def exists(self) -> bool:
        """Whether the log was ever begun; cheap, reads no event."""
        ...

    def head(self) -> LogHead: ...

    def rows(self, after: int = 0, limit: int = 1000, until: int | None = None) -> list[LogRow]: ...

    def last_row(self, stream: UUID) -> LogRow | None:
        """The newest row of one stream."""
        ...

    def stream_rows(self, stream: UUID, after: int = 0, limit: int = 1000) -> list[LogRow]: ...

    def claimed(self, command_id: str) -> ClaimedCommand | None: ...

    def topic_counts(self) -> dict[str, int]: ...

    def store_rows(self, rows: Iterable[LogRow], commands: Iterable[tuple[str, str, int, int]]) -> None: ...

    def exclusive(self) -> AbstractContextManager[None]:
        """While it is held, nobody else appends."""
        ...

    def faults(self) -> list[str]: ...
