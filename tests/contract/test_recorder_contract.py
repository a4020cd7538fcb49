"""Both recorders against the library's own test cases for application recorders, and what we promise beyond them."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import UUID, uuid4

import pytest
from eventsourcing.persistence import IntegrityError, StoredEvent
from eventsourcing.tests.persistence import ApplicationRecorderTestCase

from m1nd.application.audit import verify
from m1nd.infrastructure.log.postgres.address import address_of
from m1nd.infrastructure.log.recorder import ChainedRecorder
from m1nd.infrastructure.log.store import LogStore

Opener = Callable[[], Any]
"""Opens the same log once more."""

NUMBERS = count()


def on_server(database: str) -> Opener:
    """Opens one new log on the server, again and again."""
    postgres = pytest.importorskip("m1nd.infrastructure.log.postgres.recorder", reason="no psycopg here")
    from m1nd.infrastructure.log.postgres.store import PostgresStore

    address = address_of(f"{database}&schema=log_{next(NUMBERS)}", "M1ND_LOG_URL")
    return lambda: postgres.PostgresRecorder(PostgresStore(address))


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    if request.param == "postgres":
        return on_server(request.getfixturevalue("database"))
    return lambda: ChainedRecorder(LogStore(str(tmp_path)))


class _Contract(ApplicationRecorderTestCase[Any]):
    """The test methods are the library's."""

    INITIAL_VERSION = 0
    opener: Opener

    def create_recorder(self) -> Any:
        recorder = self.opener()
        self.made.append(recorder)
        return recorder

    def setUp(self) -> None:
        self.made: list[Any] = []

    def new_originator_id(self) -> UUID:
        return uuid4()

    def tearDown(self) -> None:
        for recorder in self.made:
            assert verify(recorder).holds
            recorder.datastore.close()

    def test_insert_subscribe(self) -> None:
        self.optional_test_insert_subscribe()


class TestSqlite(_Contract):
    @pytest.fixture(autouse=True)
    def _log(self, tmp_path: Path) -> None:
        self.opener = lambda: ChainedRecorder(LogStore(str(tmp_path)))


@pytest.mark.postgres
class TestPostgres(_Contract):
    @pytest.fixture(autouse=True)
    def _log(self, database: str) -> None:
        self.opener = on_server(database)


# Collected through the subclasses only.
del ApplicationRecorderTestCase, _Contract


def event(stream: int, version: int) -> StoredEvent:
    return StoredEvent(UUID(int=stream), version, "topic", b"{}")


def test_an_append_is_all_or_nothing(opener: Opener) -> None:
    recorder = opener()
    recorder.insert_events([event(1, 0), event(1, 1)], command=("c-1", "d"))
    with pytest.raises(IntegrityError):
        recorder.insert_events([event(2, 0), event(1, 1), event(3, 0)], command=("c-2", "d"))
    with pytest.raises(IntegrityError):
        recorder.insert_events([event(4, 0)], command=("c-1", "d"))
    assert [row.position for row in recorder.rows()] == [1, 2]
    assert recorder.claimed("c-2") is None
    assert recorder.claimed("c-1").last == 2
    assert recorder.insert_events([event(2, 0)]) == [3]
    assert verify(recorder).holds
    recorder.datastore.close()


def test_rows_come_in_pages_and_by_stream(opener: Opener) -> None:
    recorder = opener()
    assert not recorder.exists()
    recorder.insert_events([event(n % 3, n // 3) for n in range(30)])
    assert recorder.exists()
    assert [row.position for row in recorder.rows(after=5, limit=4)] == [6, 7, 8, 9]
    assert [row.position for row in recorder.rows(after=5, limit=4, until=7)] == [6, 7]
    assert [row.version for row in recorder.stream_rows(UUID(int=1))] == list(range(10))
    assert recorder.stream_rows(UUID(int=1), after=26)[0].position == 29
    assert recorder.topic_counts() == {"topic": 30}
    assert recorder.faults() == []
    recorder.datastore.close()


def test_an_empty_log_is_read_and_nothing_is_made(opener: Opener) -> None:
    recorder = opener()
    assert (recorder.head().count, recorder.rows(), recorder.topic_counts()) == (0, [], {})
    assert recorder.claimed("c") is None
    assert not recorder.exists()
    recorder.datastore.close()


def test_a_log_is_carried_over_with_its_chain(opener: Opener, tmp_path: Path) -> None:
    source = ChainedRecorder(LogStore(str(tmp_path / "source")))
    source.insert_events([event(n % 3, n // 3) for n in range(30)], command=("c", "d"))
    target = opener()
    target.store_rows(iter(source.rows()), [("c", "d", 1, 30)])
    assert target.rows() == source.rows()
    assert target.head() == source.head()
    assert target.claimed("c") == source.claimed("c")
    assert verify(target).holds
    with pytest.raises(IntegrityError):
        target.store_rows(iter(source.rows()), [])
    for recorder in (source, target):
        recorder.datastore.close()


def test_who_holds_the_log_appends_and_others_wait(opener: Opener) -> None:
    mine, other = opener(), opener()
    late = Thread(target=lambda: other.insert_events([event(1, 2)]))
    with mine.exclusive():
        mine.insert_events([event(1, 0)])
        late.start()
        mine.insert_events([event(1, 1)])
    late.join()
    assert [row.version for row in mine.rows()] == [0, 1, 2]
    assert mine.head() == other.head()
    for recorder in (mine, other):
        recorder.datastore.close()


def test_a_closed_log_says_so(opener: Opener) -> None:
    recorder = opener()
    recorder.insert_events([event(1, 0)])
    recorder.datastore.close()
    recorder.datastore.close()
    for act in (recorder.head, lambda: recorder.insert_events([event(1, 1)])):
        with pytest.raises(RuntimeError, match="closed"):
            act()
