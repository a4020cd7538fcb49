"""The MapHead aggregate: `store_version`, one more for every accepted change of the map, never less (D15).

One stream a repository, in every append that changes the map: of two such appends at once one begins anew from what the
other left. Its guards need its last event only.
"""

from collections.abc import Mapping
from typing import ClassVar, Self

from attrs import frozen
from pydantic import Field

from m1nd.domain.base import Aggregate, Command, CreatedEvent, Event, event
from m1nd.domain.blocks.residue import Residue
from m1nd.domain.refusal import refuse
from m1nd.domain.streams import MAP, stream_id

MAP_ID = stream_id(MAP)


@frozen
class Expected:
    """What a writer believes the map to be: the whole (`store_version`), or each block that it touches (D15)."""

    store_version: int | None = None
    versions: Mapping[str, int] | None = None

    def require_one(self, verb: str) -> None:
        """Raises Refused(expected_version_required) where neither is given."""
        if self.store_version is None and self.versions is None:
            refuse(
                "expected_version_required",
                f"`{verb}` takes expected_store_version, or expected_versions of the blocks that it changes",
                verb=verb,
            )

    def check_store(self, actual: int) -> None:
        """Raises Refused(store_conflict), naming both numbers."""
        if self.store_version is not None and self.store_version != actual:
            refuse(
                "store_conflict",
                f"store version conflict: expected {self.store_version}, actual {actual}; nothing was applied",
                expected=self.store_version,
                actual=actual,
            )

    def check_block(self, block_id: str, actual: int) -> None:
        """The fine key: a block's own version. Raises Refused(store_conflict), naming both numbers."""
        if self.versions is None or self.store_version is not None:
            return
        expected = self.versions.get(block_id)
        if expected is None:
            refuse(
                "expected_version_required",
                f"expected_versions does not name {block_id}, which would change",
                block_id=block_id,
            )
        if expected != actual:
            refuse(
                "store_conflict",
                f"version conflict of {block_id}: expected {expected}, actual {actual}; nothing was applied",
                block_id=block_id,
                expected=expected,
                actual=actual,
            )


class MapEvent(Event):
    store_version: int = Field(ge=0)


class MapHead(Aggregate):
    TOPIC = "map"

    class MapOpened(CreatedEvent):
        """The stream begins; there is no map yet."""

        TOPIC: ClassVar[str] = "map_opened"
        store_version: int = 0

    class MapAdvanced(MapEvent):
        """The map changed by `cause`, a verb. `residue` where the verb looked at the whole repository."""

        TOPIC: ClassVar[str] = "map_advanced"
        cause: str
        residue: Residue | None = None

    @event(MapOpened)
    def __init__(self, store_version: int) -> None:
        self.store_version = store_version

    @classmethod
    def open(cls, command: Command) -> Self:
        return cls._begin(cls.MapOpened, command, MAP, store_version=0)

    @classmethod
    def resume(cls, last: Event) -> Self:
        """The aggregate as it stands after `last`, the newest event of its stream."""
        head = cls._resumed(last)
        assert isinstance(last, MapEvent | cls.MapOpened)
        head.store_version = last.store_version
        return head

    def advance(self, cause: str, command: Command, residue: Residue | None = None) -> int:
        """Count one accepted change; answers the new `store_version`."""
        self._record(
            MapHead.MapAdvanced,
            command,
            store_version=self.store_version + 1,
            cause=cause,
            residue=residue,
        )
        return self.store_version

    @event(MapAdvanced)
    def _advanced(self, store_version: int) -> None:
        self.store_version = store_version
