"""The graph's part of the application records what the whole would, and leaves to it what touches blocks."""

from pathlib import Path

import pytest
from tests.support.log import command, ingest, opened
from tests.support.receipts import ratify

from m1nd.application.graph_records import GraphRecords, MapIsThere
from m1nd.domain.base import LOADED, LOADED_AGGREGATES
from m1nd.domain.events import AGGREGATE_NAMES, EVENT_KINDS
from m1nd.infrastructure.log import graph_records_over, open_log
from m1nd.infrastructure.log.mapper import kind_of


def part(folder: Path) -> GraphRecords:
    return graph_records_over(open_log(str(folder), {}))


def test_both_append_the_same_bytes(tmp_path: Path) -> None:
    alone = part(tmp_path / "part")
    with opened(tmp_path / "whole") as whole:
        for log in (alone, whole):
            assert log.record_graph_change(ingest("a.rs"), command(1)) == 1
            assert log.record_graph_change(ingest("b.rs"), command(2)) == 2
            assert log.record_graph_change(ingest("b.rs"), command(2)) == 2, "the same command again"
        assert alone.log.rows() == whole.log.rows()
    alone.close()


def test_where_there_is_a_map_the_part_appends_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as whole:
        whole.record_graph_change(ingest("a.rs"), command(1))
        ratify(whole, 2)
        alone = part(tmp_path)
        head = whole.log_head()
        with pytest.raises(MapIsThere):
            alone.record_graph_change(ingest("c.rs"), command(90))
        assert whole.log_head() == head
        assert whole.record_graph_change(ingest("c.rs"), command(90)) == whole.generation()
        alone.close()


def test_what_is_loaded_is_a_part_of_the_closed_table() -> None:
    assert dict(EVENT_KINDS) == LOADED
    assert LOADED_AGGREGATES == AGGREGATE_NAMES
    assert kind_of("block_melted") is None
