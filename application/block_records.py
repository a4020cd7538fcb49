"""The part of the application that records the map: the skeleton, its blocks, and `store_version` (BLOCKS.md)."""

from m1nd.application.appending import Appending
from m1nd.domain.base import Command
from m1nd.domain.blocks.block_state import BlockState, stream_name
from m1nd.domain.blocks.map_head import MAP_ID, MapHead
from m1nd.domain.blocks.system_block import SystemBlock
from m1nd.domain.refusal import refuse


class BlockRecords(Appending):
    """Every method may raise Refused of the groups log and store."""

    def store_version(self) -> int:
        """How many changes the map has accepted; 0 where there is no map."""
        last = self._last_event(MAP_ID)
        return 0 if last is None else MapHead.resume(last).store_version

    def block(self, block_id: str) -> BlockState | None:
        """A block as its stream tells it, archived and deleted ones too; None for one that was never ratified."""
        found = self._load(SystemBlock, stream_name(block_id))
        return None if found is None else found.state

    # Inside

    def _map(self, command: Command) -> MapHead:
        last = self._last_event(MAP_ID)
        return MapHead.open(command) if last is None else MapHead.resume(last)

    def _block(self, block_id: str) -> SystemBlock:
        """Raises Refused(unknown_block)."""
        found = self._load(SystemBlock, stream_name(block_id))
        if found is None:
            refuse(
                "unknown_block",
                f"unknown block_id {block_id}: no ratified block bears it",
                "m1nd blocks show",
                block_id=block_id,
            )
        return found
