"""Planned bytes between preview and commit: kept as they are, private, bounded; lost ones are said to be lost."""

import os
import stat
from pathlib import Path

import pytest

from m1nd.domain.refusal import Refused
from m1nd.infrastructure.plan_store import StoredPlans

ID, OTHER = "edp_00000001", "edp_00000002"
CONTENTS = {
    "src/a.rs": b"fn a() {}\n",
    "empty.rs": b"",
    "gone.rs": None,
    "bin": b"\xff\n\x00{",
    "ä\n.rs": b"\n",
}


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / ".m1nd"


def names(state: Path) -> list[str]:
    return sorted(path.name for path in (state / "plans").iterdir())


def test_bytes_come_back_as_they_were_in_a_new_process(state: Path) -> None:
    StoredPlans(str(state)).keep(ID, CONTENTS)
    assert StoredPlans(str(state)).load(ID) == CONTENTS
    StoredPlans(str(state)).drop([ID, OTHER])
    assert StoredPlans(str(state)).load(ID) is None


def test_nobody_else_can_read_them(state: Path) -> None:
    StoredPlans(str(state)).keep(ID, CONTENTS)
    modes = {
        path: stat.S_IMODE(path.stat().st_mode) for path in (state, state / "plans", state / "plans" / ID)
    }
    assert list(modes.values()) == [0o700, 0o700, 0o600]


@pytest.mark.parametrize("damage", ["cut", "longer", "no json", "no list", "empty", "folder"])
def test_a_damaged_plan_is_none(state: Path, damage: str) -> None:
    store = StoredPlans(str(state))
    store.keep(ID, CONTENTS)
    path = state / "plans" / ID
    match damage:
        case "cut":
            os.truncate(path, path.stat().st_size - 1)
        case "longer":
            path.write_bytes(path.read_bytes() + b"x")
        case "no json":
            path.write_bytes(b"{\n")
        case "no list":
            path.write_bytes(b'{"path": 1}\n')
        case "empty":
            path.write_bytes(b"")
        case "folder":
            path.unlink()
            path.mkdir()
    assert store.load(ID) is None


def test_the_oldest_make_room_and_the_newest_always_stays(state: Path) -> None:
    store = StoredPlans(str(state), most_plans=3, most_bytes=200)
    for number in range(5):
        store.keep(f"edp_0000000{number}", {"a": b"x"})
        os.utime(state / "plans" / f"edp_0000000{number}", ns=(number, number))
    assert names(state) == ["edp_00000002", "edp_00000003", "edp_00000004"]
    store.keep("edp_0000000a", {"a": b"x" * 1000})
    assert names(state) == ["edp_0000000a"]


def test_an_id_of_another_form_names_no_file(state: Path) -> None:
    store = StoredPlans(str(state))
    for id in ("../log.db", "pre_00000001", "", "edp_0000000g", "edp_00000001\n"):
        assert store.load(id) is None
        store.drop([id])
        with pytest.raises(ValueError, match="not the id"):
            store.keep(id, CONTENTS)
    assert not state.exists()


def test_a_disk_that_takes_nothing_is_a_refusal_without_its_path(state: Path) -> None:
    state.mkdir()
    (state / "plans").write_text("in the way")
    with pytest.raises(Refused) as caught:
        StoredPlans(str(state)).keep(ID, CONTENTS)
    assert caught.value.refusal.code == "write_failed"
    assert str(state) not in caught.value.refusal.message
