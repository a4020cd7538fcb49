"""A generated history of every kind of block, receipt, stamp, move and edit folds to the same views however it is folded."""

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.history import History
from tests.support.log import opened

from m1nd.application.audit import replay, verify
from m1nd.infrastructure.views import open_views

RUNS = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@RUNS
@given(st.integers(0, 1_000_000), st.data())
def test_any_prefix_folds_twice_to_the_same_and_pieces_to_the_whole(seed: int, data: st.DataObject) -> None:
    """BLOCKS.md invariants 1 and 6."""
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder)) as app:
        views = open_views(folder, app)
        history = History(app, seed)
        for events in (250, 500, 700):
            history.grow(events)
            views.catch_up()
        count = app.log_head().count
        assert views.check() == ()
        assert verify(app.log).checked == count
        assert replay(app).events == count
        for row in app.log.rows(limit=count):
            if row.topic == "receipt_staled":
                cause = views.event(app.event_of(row).causation_id)
                assert cause is not None and cause.position < row.position
        prefix = data.draw(st.integers(0, count))
        once = views.replay(prefix)
        assert views.replay(prefix) == once
        views.close()


def test_the_same_seed_gives_the_same_log(tmp_path: Path) -> None:
    heads = []
    for name in ("one", "two"):
        with opened(tmp_path / name) as app:
            History(app, 7).grow(400)
            heads.append(app.log_head())
    assert heads[0] == heads[1]
