"""What an ingest tells the log: that the graph changed, and what became of items. It loads no aggregate but the graph.

Where there is a map, an ingest ages blocks too: then only the whole application (`app.py`) may record it.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from m1nd.application.appending import Appending
from m1nd.domain.base import Aggregate, Command
from m1nd.domain.graph import Graph, GraphChange
from m1nd.domain.streams import MAP, stream_id
from m1nd.domain.symbol_move import SymbolMove
from m1nd.domain.symbols import Address

NO_HASHES: Mapping[str, str] = MappingProxyType({})


class MapIsThere(Exception):
    """There are blocks that this change may touch."""


class GraphRecords(Appending):
    """The graph's part of one repository's log. Every method may raise Refused of the groups log and store."""

    def record_graph_change(
        self, change: GraphChange, command: Command, hashes: Mapping[str, str] = NO_HASHES
    ) -> int:
        """Record what a refresh found; answers the generation. Appends nothing when nothing changed, but the first time.

        `hashes` are those of all files now: blocks whose files changed learn of it in the same append (D17). Raises
        MapIsThere, and has appended nothing, where that is beyond this class.
        """

        def work() -> list[Aggregate]:
            graph = self._graph(command)
            follow = command.following(graph.upcoming_id(command))
            graph.change(change, command)
            return [graph, *self._touched(change, hashes, follow)]

        if change.is_empty and change.kind == "ingest" and (generation := self.generation()):
            return generation
        appended = self._append(command, work)
        return int(appended.last(Graph.GraphChanged).generation)

    def record_rematched(self, move: SymbolMove, evidence: str, command: Command) -> None:
        """Record that an outside edit moved an item and `evidence` says which one it was."""

        def work() -> list[Aggregate]:
            graph = self._graph(command)
            graph.rematch_symbol(move, evidence, command)
            return [graph]

        self._append(command, work)

    def record_lost(self, symbol_id: str, source: Address, reason: str, command: Command) -> None:
        """Record that an item vanished and nothing was recognised as it."""

        def work() -> list[Aggregate]:
            graph = self._graph(command)
            graph.lose_symbol(symbol_id, source, reason, command)
            return [graph]

        self._append(command, work)

    def _touched(
        self, change: GraphChange, hashes: Mapping[str, str], command: Command
    ) -> Sequence[Aggregate]:
        """The blocks that learn of a change, aged."""
        if not change.is_empty and self.log.last_row(stream_id(MAP)) is not None:
            raise MapIsThere
        return ()
