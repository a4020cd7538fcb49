"""Edits of candidates: every phase, every refusal with the index of its edit, and nothing half-done."""

from collections.abc import Mapping
from typing import Any

import pytest

from m1nd.domain.blocks.block_state import BlockDraft, CandidateBlock, CandidateMeta
from m1nd.domain.blocks.candidate_edits import Seat, apply_ops
from m1nd.domain.blocks.candidate_ops import read_ops
from m1nd.domain.blocks.membership import Member, resolve
from m1nd.domain.blocks.naming import check_runner_text
from m1nd.domain.blocks.sockets import Socket, Sockets
from m1nd.domain.blocks.templates import TEMPLATES
from m1nd.domain.refusal import Refused

FILES = ("a/1.rs", "a/2.rs", "b/1.rs", "b/2.rs", "c/1.rs", "free.rs", "seam.rs")
A, B, C = "sb_x_a_0", "sb_x_b_0", "sb_x_c_0"


def block(id: str, *members: Member, to: str = "") -> CandidateBlock:
    sockets = Sockets(outputs=(Socket(to=to, type="calls"),)) if to else Sockets()
    meta = CandidateMeta(named_by="heuristic", needs_owner_naming=True)
    draft = BlockDraft(name=id, purpose="p", membership=members, sockets=sockets, candidate_meta=meta)
    return CandidateBlock(block_id=id, draft=draft)


def entry(path: str, role: Any = "primary") -> Member:
    return Member(path=path, role=role)


SEAM = entry("seam.rs", "shared")
MAP = {
    A: block(A, entry("a/**"), SEAM, to=B),
    B: block(B, entry("b/1.rs"), entry("b/2.rs"), SEAM, to=C),
    C: block(C, entry("c/1.rs"), SEAM),
}


def edited(*ops: Mapping[str, Any], by: Seat = "owner") -> dict[str, CandidateBlock]:
    return apply_ops(MAP, read_ops(ops), by, FILES)


def rejected(*ops: Mapping[str, Any], by: Seat = "owner") -> tuple[str, Any, str]:
    with pytest.raises(Refused) as refused:
        edited(*ops, by=by)
    refusal = refused.value.refusal
    return refusal.code, refusal.details.get("op_index"), refusal.message


def files(blocks: Mapping[str, CandidateBlock], id: str) -> dict[str, str]:
    return {m.path: m.role for m in resolve(blocks[id].draft.membership, FILES).members}


def test_a_merge_unites_members_and_leads_sockets_to_the_survivor() -> None:
    """Scenario 108."""
    after = edited({"op": "merge", "into": A, "block_ids": [B]})
    assert set(after) == {A, C}
    assert set(files(after, A)) == {"a/1.rs", "a/2.rs", "b/1.rs", "b/2.rs", "seam.rs"}
    assert after[A].draft.sockets.targets == (C,)


def test_a_seam_goes_to_one_or_stays_shared_by_all() -> None:
    """Scenarios 109 and 110."""
    one = edited({"op": "resolve_seam", "path": "seam.rs", "resolution": f"primary:{B}"})
    assert [files(one, id).get("seam.rs") for id in (A, B, C)] == [None, "primary", None]
    both = edited({"op": "resolve_seam", "path": "seam.rs", "resolution": "both"})
    assert [files(both, id)["seam.rs"] for id in (A, B, C)] == ["shared"] * 3


def test_a_split_makes_the_same_children_each_time_and_they_need_names() -> None:
    """Scenario 111."""
    op = {"op": "split", "block_id": A, "by": {"paths": [["a/1.rs", "seam.rs"], ["a/2.rs"]]}}
    after = apply_ops({A: MAP[A], B: block(B, entry("b/1.rs"))}, read_ops([op]), "owner", FILES)
    assert set(after) == {f"{A}_split1", f"{A}_split2", B}
    assert files(after, f"{A}_split1") == {"a/1.rs": "primary", "seam.rs": "shared"}
    meta = after[f"{A}_split2"].draft.candidate_meta
    assert meta is not None and meta.needs_owner_naming
    assert after[f"{A}_split1"].draft.sockets == Sockets()


def test_a_member_moves_as_entry_or_as_a_file_and_lands_on_a_survivor() -> None:
    """Scenario 114, and a file that only a glob claims."""
    after = edited(
        {"op": "merge", "into": C, "block_ids": [B]},
        {"op": "move_member", "path": "a/1.rs", "from": A, "to": B},
    )
    assert "a/1.rs" in files(after, C)
    moved = edited({"op": "move_member", "path": "b/1.rs", "from": B, "to": C})
    assert ("b/1.rs" in files(moved, B), "b/1.rs" in files(moved, C)) == (False, True)


def test_an_unmapped_file_is_assigned() -> None:
    """Scenario 118."""
    after = edited({"op": "assign_unmapped", "path": "free.rs", "block_id": C})
    assert files(after, C)["free.rs"] == "primary"


def test_a_rename_says_whose_the_name_is_and_clears_the_gate() -> None:
    """Scenarios 116, 117 and 126."""
    seats: tuple[Seat, ...] = ("owner", "runner")
    for seat in seats:
        renamed = edited({"op": "rename", "block_id": A, "name": "Tides"}, by=seat)[A].draft
        assert renamed.candidate_meta == CandidateMeta(named_by=seat, needs_owner_naming=False)
    assert edited({"op": "rename", "block_id": A, "name": "a/b <b>"})[A].draft.name == "a/b <b>"
    purpose = edited({"op": "rename", "block_id": A, "purpose": "Water."})[A].draft
    assert purpose.candidate_meta is not None and purpose.candidate_meta.needs_owner_naming


def test_a_contract_comes_from_a_template_from_entries_or_from_both() -> None:
    after = edited({"op": "set_contract", "block_id": A, "template": "docs"})
    assert after[A].draft.contract.same_terms(TEMPLATES["docs"])
    both = edited(
        {
            "op": "set_contract",
            "block_id": A,
            "template": "installer",
            "optional": [],
            "waived": [{"type": "review"}],
        }
    )[A].draft.contract
    assert [slot.type for slot in both.required] == ["spec", "test"]
    assert [entry.type for entry in both.waived] == ["review"]


@pytest.mark.parametrize(
    ("ops", "index", "words"),
    [
        ([{"op": "merge", "into": A, "block_ids": [B]}, {"op": "merge", "into": C, "block_ids": [B]}], 1, "twice"),
        ([{"op": "merge", "into": A, "block_ids": [B]}, {"op": "merge", "into": B, "block_ids": [C]}], 1, "victim"),
        ([{"op": "merge", "into": A, "block_ids": [A]}], 0, "itself"),
        ([{"op": "merge", "into": A, "block_ids": ["sb_x_no_0"]}], 0, "sb_x_no_0"),
        ([{"op": "rename", "block_id": A, "name": "x"}, {"op": "rename", "block_id": "sb_x_no_0", "name": "x"}], 1, "no candidate"),
        ([{"op": "split", "block_id": C, "by": {"paths": [["c/1.rs"], ["c/1.rs", "seam.rs"]]}}], 0, "overlap"),
        ([{"op": "split", "block_id": A, "by": {"paths": [["a/1.rs"], ["seam.rs"]]}}], 0, "leave out a/2.rs"),
        ([{"op": "split", "block_id": A, "by": {"paths": [["a/**", "seam.rs"]]}}], 0, "two groups"),
        ([{"op": "split", "block_id": C, "by": {"paths": [["c/1.rs"], ["seam.rs"]]}}], 0, "dangle"),
        ([{"op": "assign_unmapped", "path": "a/1.rs", "block_id": C}], 0, "not unmapped"),
        ([{"op": "assign_unmapped", "path": "no.rs", "block_id": C}], 0, "no file"),
        ([{"op": "move_member", "path": "c/1.rs", "from": A, "to": B}], 0, "neither"),
        ([{"op": "resolve_seam", "path": "a/1.rs", "resolution": "both"}], 0, "no seam"),
        ([{"op": "set_sockets", "block_id": A, "sockets": {"external": [{"class": "api.example.com"}]}}], 0, "plain"),
        ([{"op": "set_contract", "block_id": A, "required": [{"type": "test"}], "waived": [{"type": "test"}]}], 0, "more than once"),
    ],
)  # fmt: skip
def test_what_cannot_be_carried_out_is_named_by_its_index(
    ops: list[dict[str, Any]], index: int, words: str
) -> None:
    """Scenarios 112, 113, 115, 119 to 123."""
    code, at, message = rejected(*ops)
    assert (code, at) == ("candidate_edit_rejected", index)
    assert f"rejected at op {index}" in message and "nothing was applied" in message and words in message


def test_a_block_does_not_lose_its_last_file() -> None:
    """Scenario 122."""
    ops = (
        {"op": "move_member", "path": "seam.rs", "from": C, "to": B},
        {"op": "move_member", "path": "c/1.rs", "from": C, "to": B},
    )
    assert rejected(*ops)[:2] == ("candidate_edit_rejected", 1)


def test_a_runner_declares_no_contract() -> None:
    assert rejected({"op": "set_contract", "block_id": A, "template": "docs"}, by="runner")[1] == 0


@pytest.mark.parametrize(
    ("field", "text", "fault"),
    [
        ("name", "tide\x07", "control character"),
        ("name", "ti\u202ede", "control character"),
        ("name", "   ", "empty"),
        ("name", "x" * 41, "longer than 40 characters"),
        ("purpose", "x " * 61, "longer than 120 characters"),
        ("name", "<b>tide</b>", "HTML markup"),
        ("name", "[tide](x)", "active Markdown"),
        ("name", "# Tide", "active Markdown"),
        ("purpose", "see https://x.example", "URL"),
        ("name", "src/tide", "path separator"),
        ("name", "~root", "home path"),
        ("purpose", "ask ada@example.org", "email address"),
        ("purpose", "key ghp_0123456789abcdefghij", "token"),
    ],
)
def test_a_runners_text_that_could_act_is_refused_by_field_and_class(
    field: str, text: str, fault: str
) -> None:
    """Scenarios 125 and 140."""
    with pytest.raises(Refused) as refused:
        check_runner_text(field, text)
    assert refused.value.refusal.message.startswith(field)
    assert refused.value.refusal.details == {"field": field, "reason": fault}


@pytest.mark.parametrize("text", ["Tides", "x" * 40, "Berths # 4 and more", "Größe des Hafens"])
def test_plain_words_of_a_runner_stay_as_they_are(text: str) -> None:
    """Scenarios 127 and 141."""
    check_runner_text("name", text)
    assert edited({"op": "rename", "block_id": A, "name": text}, by="runner")[A].draft.name == text


@pytest.mark.parametrize(
    "row",
    [
        {"op": "vanish", "block_id": A},
        {"block_id": A},
        {"op": "rename", "block_id": A, "name": "x", "more": 1},
        {"op": "split", "block_id": A},
        {"op": "resolve_seam", "path": "x", "resolution": "mine"},
        "rename",
    ],
)
def test_an_edit_of_no_known_form_is_named(row: Any) -> None:
    with pytest.raises(Refused) as refused:
        read_ops([{"op": "rename", "block_id": A, "name": "x"}, row])
    assert (refused.value.refusal.code, refused.value.refusal.details["op_index"]) == ("usage", 1)
