"""Our recorder against the library's own test cases for application recorders, and what we promise beyond them."""

from pathlib import Path
from uuid import UUID, uuid4

import pytest
from eventsourcing.persistence import IntegrityError, StoredEvent
from eventsourcing.tests.persistence import ApplicationRecorderTestCase

from m1nd.application.audit import verify
from m1nd.infrastructure.log.recorder import ChainedRecorder, Datastore


class TestChainedRecorder(ApplicationRecorderTestCase[ChainedRecorder]):
    """The test methods are the library's."""

    INITIAL_VERSION = 0

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path
        self.made: list[ChainedRecorder] = []

    def create_recorder(self) -> ChainedRecorder:
        recorder = ChainedRecorder(Datastore(str(self.folder)))
        recorder.create_table()
        self.made.append(recorder)
        return recorder

    def new_originator_id(self) -> UUID:
        return uuid4()

    def tearDown(self) -> None:
        for recorder in self.made:
            assert verify(recorder).holds
            recorder.datastore.close()

    def test_insert_subscribe(self) -> None:
        self.optional_test_insert_subscribe()


# Collected through the subclass only.
del ApplicationRecorderTestCase


def event(stream: int, version: int) -> StoredEvent:
    return StoredEvent(UUID(int=stream), version, "topic", b"{}")


def test_an_append_is_all_or_nothing(tmp_path: Path) -> None:
    recorder = ChainedRecorder(Datastore(str(tmp_path)))
    recorder.insert_events([event(1, 0), event(1, 1)], command=("c-1", "d"))
    with pytest.raises(IntegrityError):
        recorder.insert_events([event(2, 0), event(1, 1), event(3, 0)], command=("c-2", "d"))
    with pytest.raises(IntegrityError):
        recorder.insert_events([event(4, 0)], command=("c-1", "d"))
    assert [row.position for row in recorder.rows()] == [1, 2]
    assert recorder.claimed("c-2") is None
    assert recorder.insert_events([event(2, 0)]) == [3]
    assert verify(recorder).holds
    recorder.datastore.close()


def test_rows_come_in_pages_and_by_stream(tmp_path: Path) -> None:
    recorder = ChainedRecorder(Datastore(str(tmp_path)))
    recorder.insert_events([event(n % 3, n // 3) for n in range(30)])
    assert [row.position for row in recorder.rows(after=5, limit=4)] == [6, 7, 8, 9]
    assert [row.position for row in recorder.rows(after=5, limit=4, until=7)] == [6, 7]
    assert [row.version for row in recorder.stream_rows(UUID(int=1))] == list(range(10))
    assert recorder.stream_rows(UUID(int=1), after=26)[0].position == 29
    assert recorder.topic_counts() == {"topic": 30}
    assert recorder.faults() == []
    recorder.datastore.close()


def test_a_closed_log_says_so(tmp_path: Path) -> None:
    store = Datastore(str(tmp_path))
    recorder = ChainedRecorder(store)
    recorder.insert_events([event(1, 0)])
    store.close()
    store.close()
    for act in (recorder.head, lambda: recorder.insert_events([event(1, 1)])):
        with pytest.raises(RuntimeError, match="closed"):
            act()
