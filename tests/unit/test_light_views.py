"""Views that have seen the whole log answer as those that fold it first, and are known by version, position and chain."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
from attrs import evolve
from tests.support.log import command, commit, ingest, opened
from tests.unit.test_north import made

from m1nd.adapters.bootstrap import open_brain
from m1nd.application.brain import Brain
from m1nd.application.event_log import LogHead
from m1nd.application.use_cases import ingest as ingesting
from m1nd.application.use_cases.memory import MemorizeRequest, memorize
from m1nd.application.use_cases.north import NorthRequest, north
from m1nd.application.use_cases.paint import RetagRequest, retag
from m1nd.application.use_cases.status import status
from m1nd.application.views import Views
from m1nd.domain.refusal import Refused
from m1nd.infrastructure.views import open_views, sqlite_views
from m1nd.infrastructure.views.identities import ViewedIdentities
from m1nd.infrastructure.views.positions import have_seen_all
from m1nd.infrastructure.views.projections import PROJECTIONS
from m1nd.infrastructure.views.versions import KEYS, VERSIONS


def test_the_table_of_versions_is_that_of_the_projections() -> None:
    assert dict(VERSIONS) == {projection.name: projection.version for projection in PROJECTIONS}
    assert dict(KEYS) == {projection.name: projection.key for projection in PROJECTIONS}


@pytest.fixture
def seen(tmp_path: Path) -> Iterator[tuple[sqlite3.Connection, LogHead]]:
    """Views that have seen a log of some events, and its head."""
    with opened(tmp_path) as app:
        app.record_graph_change(ingest("a.rs"), command(1))
        views = open_views(str(tmp_path), app)
        views.catch_up()
        views.close()
        head = app.log_head()
    connection = sqlite3.connect(tmp_path / "views.db", isolation_level=None)
    yield connection, head
    connection.close()


def test_views_that_reached_the_head_have_seen_all(seen: tuple[sqlite3.Connection, LogHead]) -> None:
    connection, head = seen
    assert have_seen_all(connection, KEYS, head)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE projections SET key = 'moves@0' WHERE name = 'moves'",
        "UPDATE projections SET position = position - 1 WHERE name = 'trail'",
        "UPDATE projections SET chain = zeroblob(32) WHERE name = 'trail'",
        "DELETE FROM projections WHERE name = 'cards'",
        "INSERT INTO projections SELECT 'later', 'later@1', '[]', position, chain FROM projections LIMIT 1",
        "DROP TABLE projections",
    ],
)
def test_of_another_version_place_or_chain_they_have_not(
    seen: tuple[sqlite3.Connection, LogHead], change: str
) -> None:
    connection, head = seen
    connection.execute(change)
    assert not have_seen_all(connection, KEYS, head)


def test_a_longer_a_shorter_and_an_exchanged_log_were_not_seen(
    seen: tuple[sqlite3.Connection, LogHead],
) -> None:
    connection, head = seen
    for other in (
        evolve(head, count=head.count + 1),
        evolve(head, count=head.count - 1),
        evolve(head, head="00" * 32),
        LogHead(0, "00" * 32),
    ):
        assert not have_seen_all(connection, KEYS, other)


def answers(brain: Brain, at: datetime, caller_root: str) -> str:
    """The packet and the status, as text, or the refusal."""
    try:
        packet = dict(
            north(brain, NorthRequest("area of a shape", session="s", caller_root=caller_root, as_of=at)).data
        )
        return json.dumps([packet, str(status(brain))], default=str)
    except Refused as refused:
        return f"{refused.refusal.code}: {refused.refusal.message}"


def untouched(brain: Brain) -> None:
    """Nothing happened since."""


def with_more_events(brain: Brain) -> None:
    memorize(brain, MemorizeRequest("an area is a side times a side", evidence=("src/geo.rs",)))
    retag(brain, RetagRequest("add", ("hot-path",), symbols=("lonely",), confirm=True))


def with_changed_files(brain: Brain) -> None:
    (Path(brain.root) / "src" / "geo.rs").write_text("pub fn area() {}\n")


def without_views(brain: Brain) -> None:
    for path in (Path(brain.root) / ".m1nd").glob("views.db*"):
        path.unlink()


def with_a_lost_table(brain: Brain) -> None:
    connection = sqlite3.connect(Path(brain.root) / ".m1nd" / "views.db")
    connection.execute("DROP TABLE claims")
    connection.commit()
    connection.close()


def with_a_log_that_was_cut(brain: Brain) -> None:
    connection = sqlite3.connect(Path(brain.root) / ".m1nd" / "log.db")
    connection.execute("DROP TRIGGER append_only_delete")
    connection.execute("DELETE FROM stored_events WHERE rowid = (SELECT max(rowid) FROM stored_events)")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("caller_root", ["", "/"], ids=["here", "mismatch"])
@pytest.mark.parametrize(
    "happens",
    [
        untouched,
        with_more_events,
        with_changed_files,
        without_views,
        with_a_lost_table,
        with_a_log_that_was_cut,
    ],
)
def test_a_light_answer_is_the_full_answer(
    tmp_path: Path, happens: Callable[[Brain], None], caller_root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    brain = made(tmp_path / "alpha")
    ingesting.ingest(brain)
    status(brain)
    happens(brain)
    at = brain.clock.now()
    brain.close()
    root, kept = Path(brain.root), tmp_path / "kept"
    # The first look may mend what the second would have to: each gets the repository as it was left.
    shutil.copytree(root, kept, symlinks=True)
    told = [_told(brain, at, caller_root)]
    shutil.rmtree(root)
    kept.rename(root)
    monkeypatch.setattr(sqlite_views, "have_seen_all", lambda *_: False)
    told.append(_told(brain, at, caller_root))
    assert told[0] == told[1]


def _told(brain: Brain, at: datetime, caller_root: str) -> str:
    """The answers of a brain that is opened anew."""
    again = open_brain(brain.root, environment={}, actor=brain.actor)
    try:
        return answers(again, at, caller_root)
    finally:
        again.close()


def test_identities_are_read_quickly_while_only_files_changed_since(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        app.record_graph_change(ingest("a.rs"), command(1))
        views = open_views(str(tmp_path), app)
        views.catch_up()
        asked: list[int] = []

        def full() -> Views:
            asked.append(app.log_head().count)
            return views

        identities = ViewedIdentities(str(tmp_path), app.log, full)
        identities.table()
        app.record_graph_change(ingest("b.rs"), command(2))
        identities.table()
        assert asked == [], "nothing of it is a step of an item"
        commit(app, "00000001", 3)
        moved = identities.table()
        assert asked == [app.log_head().count]
        assert moved == views.symbols() != type(moved)()
        identities.table()
        assert asked == [app.log_head().count], "the views have seen it by now"
        connection = sqlite3.connect(tmp_path / "views.db")
        connection.execute("UPDATE projections SET position = position - 1, chain = zeroblob(32)")
        connection.commit()
        connection.close()
        with pytest.raises(Refused, match="not the one that the views have seen"):
            identities.table()
        views.close()
