"""The Edit aggregate: previewed, then committed, expired or discarded; a committed one undone at most once."""

from collections.abc import Callable

import pytest
from tests.support.log import EDIT_RECEIPT, START, WRITTEN, command, edit_preview

from m1nd.domain.edit import Edit, edit_id, stream_name
from m1nd.domain.planned_files import WrittenFile
from m1nd.domain.previews import Stage
from m1nd.domain.refusal import Refused


def code_of(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.refusal.code


def previewed(minutes: float = 5) -> Edit:
    return Edit.preview_edit(edit_preview(minutes=minutes), command(1))


def committed() -> Edit:
    edit = previewed()
    edit.commit("agent-7", EDIT_RECEIPT, WRITTEN, "jrn_1", command(2))
    return edit


def test_a_commit_consumes_the_preview() -> None:
    edit = committed()
    assert (edit.stage, edit.receipt, edit.files, edit.journal_id) == (
        Stage.COMMITTED,
        EDIT_RECEIPT,
        WRITTEN,
        "jrn_1",
    )
    with pytest.raises(Refused) as caught:
        edit.commit("agent-7", EDIT_RECEIPT, WRITTEN, "jrn_2", command(3))
    refusal = caught.value.refusal
    assert (refusal.code, refusal.hint) == ("preview_unknown", "m1nd edit show edt_00000001")


@pytest.mark.parametrize(
    "agent, minutes, code", [("agent-8", 1, "preview_wrong_agent"), ("agent-7", 5, "preview_expired")]
)
def test_another_agent_and_a_late_one_are_refused_and_nothing_changes(
    agent: str, minutes: float, code: str
) -> None:
    edit = previewed()
    count = len(edit.pending_events)
    late = command(2, minutes=minutes)
    assert code_of(lambda: edit.commit(agent, EDIT_RECEIPT, WRITTEN, "j", late)) == code
    assert (edit.stage, len(edit.pending_events)) == (Stage.PREVIEWED, count)


def test_only_the_planned_files_with_a_whole_receipt_are_a_commit() -> None:
    edit = previewed()
    short = {name: value for name, value in EDIT_RECEIPT.items() if name != "verification"}
    with pytest.raises(ValueError, match="verification"):
        edit.commit("agent-7", short, WRITTEN, "j", command(2))
    other = WrittenFile(file_path="src/tide.rs", before_hash="a" * 64, after_hash="c" * 64)
    with pytest.raises(ValueError, match="not those of the plan"):
        edit.commit("agent-7", EDIT_RECEIPT, (other,), "j", command(2))


def test_a_preview_expires_at_its_time_and_not_before() -> None:
    edit = previewed(minutes=5)
    assert not edit.expire(START, command(2))
    assert edit.expire(command(0, minutes=5).at, command(3))
    assert edit.stage is Stage.EXPIRED
    assert (
        code_of(lambda: edit.commit("agent-7", EDIT_RECEIPT, WRITTEN, "j", command(4))) == "preview_expired"
    )


def test_a_discarded_preview_is_gone() -> None:
    edit = previewed()
    edit.discard(command(2))
    assert (
        code_of(lambda: edit.commit("agent-7", EDIT_RECEIPT, WRITTEN, "j", command(3))) == "preview_unknown"
    )
    assert code_of(lambda: edit.discard(command(4))) == "preview_unknown"


def test_an_edit_is_undone_at_most_once_and_only_after_a_commit() -> None:
    assert code_of(lambda: previewed().roll_back(WRITTEN, "u", command(2))) == "undo_unknown"
    edit = committed()
    edit.roll_back(WRITTEN, "undo_jrn_1", command(3))
    assert edit.stage is Stage.ROLLED_BACK
    assert code_of(lambda: edit.roll_back(WRITTEN, "u", command(4))) == "undo_unknown"


def test_both_names_of_an_edit_lead_to_one_stream() -> None:
    assert stream_name("edp_00000001") == stream_name("edt_00000001") == "edit:00000001"
    assert edit_id("edp_00000001") == "edt_00000001"


@pytest.mark.parametrize("id", ["", "edp_", "pre_00000001", "tra_00000001", "edt_00000001\n", "edt_xyzxyzxy"])
def test_another_id_names_no_edit(id: str) -> None:
    assert code_of(lambda: stream_name(id)) == "not_found"


def test_a_folded_stream_equals_the_live_aggregate() -> None:
    live = committed()
    live.roll_back(WRITTEN, "undo-1", command(3))
    folded = None
    for event in tuple(live.pending_events):
        folded = event.mutate(folded)
    assert folded is not None
    assert folded.state == live.state
