"""Given, when, then of the Transplant aggregate: one preview, one end."""

from collections.abc import Callable

import pytest
from tests.support.log import RECEIPT, START, WRITTEN, command, preview

from m1nd.domain.planned_files import WrittenFile
from m1nd.domain.previews import Stage
from m1nd.domain.refusal import Refused
from m1nd.domain.transplant import Transplant, stream_name, transplant_id


def previewed(**changes: object) -> Transplant:
    return Transplant.preview_move(preview(**changes), command())  # type: ignore[arg-type]


def committed() -> Transplant:
    transplant = previewed()
    transplant.commit("agent-7", RECEIPT, WRITTEN, "journal-1", command(2))
    return transplant


def code_of(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.refusal.code


def test_a_preview_is_kept_whole() -> None:
    transplant = previewed()
    assert transplant.state.preview == preview()
    assert transplant.stage is Stage.PREVIEWED


def test_a_commit_consumes_the_preview_and_keeps_the_receipt() -> None:
    transplant = committed()
    assert transplant.state.stage is Stage.COMMITTED
    assert transplant.state.receipt == RECEIPT
    assert transplant.state.transplant_id == "tra_00000001"
    assert [event.TOPIC for event in transplant.pending_events] == [  # type: ignore[attr-defined]
        "transplant_previewed",
        "transplant_committed",
    ]


def test_a_preview_is_consumed_once() -> None:
    transplant = committed()
    assert (
        code_of(lambda: transplant.commit("agent-7", RECEIPT, WRITTEN, "j", command(3))) == "preview_unknown"
    )


def test_a_preview_expires_at_its_time_though_no_sweep_came_by() -> None:
    late = command(2, minutes=5)
    transplant = previewed()
    assert code_of(lambda: transplant.commit("agent-7", RECEIPT, WRITTEN, "j", late)) == "preview_expired"
    just_in_time = command(3, minutes=4.99)
    transplant.commit("agent-7", RECEIPT, WRITTEN, "j", just_in_time)


def test_another_agent_may_not_commit() -> None:
    transplant = previewed()
    assert (
        code_of(lambda: transplant.commit("agent-8", RECEIPT, WRITTEN, "j", command(2)))
        == "preview_wrong_agent"
    )


def test_an_expired_preview_says_so_before_it_says_whose_it_is() -> None:
    transplant = previewed()
    late = command(2, minutes=9)
    assert code_of(lambda: transplant.commit("agent-8", RECEIPT, WRITTEN, "j", late)) == "preview_expired"


def test_a_receipt_leaves_nothing_out() -> None:
    short = {name: value for name, value in RECEIPT.items() if name != "imports_pruned"}
    with pytest.raises(ValueError, match="imports_pruned"):
        previewed().commit("agent-7", short, WRITTEN, "j", command(2))


def test_only_the_planned_bytes_can_be_recorded() -> None:
    other = (WrittenFile(file_path="src/tide.rs", before_hash="a" * 64, after_hash="f" * 64),)
    with pytest.raises(ValueError, match="not those of the plan"):
        previewed().commit("agent-7", RECEIPT, other, "j", command(2))


def test_a_sweep_ends_what_is_due_and_nothing_else() -> None:
    transplant = previewed()
    assert not transplant.expire(START, command(2))
    assert transplant.expire(preview().expires_at, command(3))
    assert not transplant.expire(preview().expires_at, command(4))
    assert transplant.stage is Stage.EXPIRED


def test_a_discarded_preview_is_gone() -> None:
    transplant = previewed()
    transplant.discard(command(2))
    assert (
        code_of(lambda: transplant.commit("agent-7", RECEIPT, WRITTEN, "j", command(3))) == "preview_unknown"
    )
    assert code_of(lambda: transplant.discard(command(4))) == "preview_unknown"


def test_a_move_is_undone_at_most_once() -> None:
    transplant = committed()
    transplant.roll_back(WRITTEN, "undo-1", command(3))
    assert transplant.stage is Stage.ROLLED_BACK
    assert code_of(lambda: transplant.roll_back(WRITTEN, "undo-2", command(4))) == "undo_unknown"


def test_what_was_not_committed_cannot_be_undone() -> None:
    transplant = previewed()
    assert code_of(lambda: transplant.roll_back(WRITTEN, "undo-1", command(2))) == "undo_unknown"


def test_both_names_of_a_transplant_lead_to_one_stream() -> None:
    assert stream_name("pre_00000001") == stream_name("tra_00000001") == "transplant:00000001"
    assert transplant_id("pre_00000001") == "tra_00000001"


@pytest.mark.parametrize("id", ["", "pre_", "pre_xyz", "sym_00000001", "tra_00000001\n", "PRE_00000001"])
def test_another_id_names_no_transplant(id: str) -> None:
    assert code_of(lambda: stream_name(id)) == "not_found"


def test_a_folded_stream_equals_the_live_aggregate() -> None:
    live = committed()
    live.roll_back(WRITTEN, "undo-1", command(3))
    folded = None
    for event in tuple(live.pending_events):
        folded = event.mutate(folded)
    assert folded is not None
    assert folded.state == live.state
