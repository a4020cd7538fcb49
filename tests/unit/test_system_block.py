"""The SystemBlock aggregate: versions only rise, receipts are let go with their scope, lives end once."""

from datetime import timedelta

import pytest
from tests.support.log import START, command

from m1nd.domain.blocks.block_state import Baseline, BlockDraft, Drift, Lifecycle
from m1nd.domain.blocks.contract import Contract, Slot, Waived
from m1nd.domain.blocks.membership import Member, ResolvedMember, resolution_hash
from m1nd.domain.blocks.sockets import Socket, Sockets
from m1nd.domain.blocks.system_block import SystemBlock
from m1nd.domain.refusal import Refused

TIDE = ResolvedMember(path="src/tide.rs", role="primary")
MOON = ResolvedMember(path="src/moon.rs", role="primary")
BASELINE = Baseline(members=(TIDE,), content_hash="a" * 64, generation=1)
DRAFT = BlockDraft(
    name="Tides",
    purpose="Heights.",
    membership=(Member(path="src/tide.rs", role="primary"),),
    sockets=Sockets(outputs=(Socket(to="sb_x_quay_0", type="calls"),)),
    contract=Contract(required=(Slot(type="spec"),)),
)


def ratified() -> SystemBlock:
    block = SystemBlock.open("sb_x_tides_1", command())
    block.ratify(DRAFT, BASELINE, "session", command())
    return block


def test_a_ratified_block_has_version_1_of_both_and_a_signed_boundary() -> None:
    state = ratified().state
    assert (state.boundary_version, state.contract_version, state.boundary_signed) == (1, 1, 1)
    assert state.scope.resolution_hash == resolution_hash((TIDE,))
    assert not state.needs_signature
    assert state.version == 3


def test_a_bump_lets_go_of_every_receipt_and_asks_for_a_signature() -> None:
    block = ratified()
    block.register_receipt("rcp_1", "spec", command())
    bumped = block.bump_boundary(
        "reconcile", Baseline(members=(MOON, TIDE), content_hash="b" * 64, generation=2), command()
    )
    assert isinstance(bumped, SystemBlock.BoundaryBumped)
    assert (bumped.from_version, bumped.to_version) == (1, 2)
    assert (bumped.added, bumped.removed) == ((MOON,), ())
    state = block.state
    assert (state.boundary_version, state.receipts, state.needs_signature) == (2, {}, True)
    assert state.baseline.members == (MOON, TIDE)
    block.sign_boundary(state.baseline, command())
    assert not block.state.needs_signature


def test_a_role_is_part_of_the_boundary() -> None:
    block = ratified()
    shared = ResolvedMember(path="src/tide.rs", role="shared")
    bumped = block.bump_boundary(
        "declaration", Baseline(members=(shared,), content_hash="a" * 64, generation=1), command()
    )
    assert isinstance(bumped, SystemBlock.BoundaryBumped)
    assert (bumped.added, bumped.removed) == ((shared,), ())
    assert block.state.baseline.members == (shared,)


def test_changed_terms_of_a_contract_let_go_of_receipts() -> None:
    block = ratified()
    block.register_receipt("rcp_1", "spec", command())
    block.bump_contract(Contract(waiver="a trial"), "a trial", "stp_1", command())
    assert (block.state.contract_version, block.state.receipts) == (2, {})


def test_changed_bytes_bump_nothing_and_let_go_of_the_named_receipts() -> None:
    block = ratified()
    block.register_receipt("rcp_1", "spec", command())
    block.register_receipt("rcp_2", "test", command())
    assert block.change_content(("src/tide.rs",), "a" * 64, 2, ("rcp_2",), command()) is None
    assert block.change_content(("src/tide.rs",), "b" * 64, 2, ("rcp_2",), command()) is not None
    assert (block.state.boundary_version, block.state.receipts) == (1, {"rcp_1": "spec"})


def test_a_new_receipt_of_a_type_takes_the_place_of_the_older_one() -> None:
    block = ratified()
    block.register_receipt("rcp_1", "test", command())
    block.register_receipt("rcp_2", "test", command())
    assert block.state.receipts == {"rcp_2": "test"}


def test_ratifying_the_same_again_raises_no_version_and_another_boundary_does() -> None:
    block = ratified()
    block.ratify(DRAFT, BASELINE, "seed", command(), versions=(1, 1))
    assert (block.state.boundary_version, block.state.contract_version) == (1, 1)
    wider = DRAFT.model_copy(update={"membership": (*DRAFT.membership, Member(path="x", role="docs"))})
    block.ratify(wider, BASELINE, "revision", command())
    assert (block.state.boundary_version, block.state.contract_version) == (2, 1)
    block.ratify(wider, BASELINE, "seed", command(), versions=(7, 5))
    assert (block.state.boundary_version, block.state.contract_version) == (7, 5)


def test_an_archived_block_takes_no_receipt_and_comes_back_without_what_others_took() -> None:
    block = SystemBlock.open("sb_x_tides_1", command())
    both = Baseline(members=(MOON, TIDE), content_hash="a" * 64, generation=1)
    block.ratify(DRAFT, both, "session", command())
    block.register_receipt("rcp_1", "spec", command())
    archived = block.archive("stp_1", command())
    assert isinstance(archived, SystemBlock.BlockArchived)
    assert archived.released == ("src/moon.rs", "src/tide.rs")
    assert block.archive("stp_1", command()) is None
    assert (block.state.lifecycle, block.state.receipts) == (Lifecycle.ARCHIVED, {})
    with pytest.raises(Refused, match="block_archived"):
        block.register_receipt("rcp_2", "spec", command())
    restored = block.restore(("src/moon.rs",), "stp_2", command())
    assert isinstance(restored, SystemBlock.BlockRestored)
    assert (restored.reclaimed, restored.conflicts) == (("src/tide.rs",), ("src/moon.rs",))
    assert block.state.baseline.members == (TIDE,)
    assert block.restore((), "stp_2", command()) is None


def test_a_deleted_block_stays_deleted_for_all_but_a_new_ratification() -> None:
    block = ratified()
    block.archive("s", command())
    block.tombstone("s", command())
    for act in (
        lambda: block.restore((), "s", command()),
        lambda: block.archive("s", command()),
        lambda: block.register_receipt("r", "spec", command()),
    ):
        with pytest.raises(Refused, match="unknown_block"):
            act()
    block.ratify(DRAFT, BASELINE, "seed", command())
    assert (block.state.lifecycle, block.state.boundary_version) == (Lifecycle.RATIFIED, 2)


def test_drift_is_told_once_can_be_put_off_and_ends_with_a_bump() -> None:
    block = ratified()
    with pytest.raises(Refused, match="no_drift"):
        block.snooze_drift(START, command())
    drift = Drift(vanished=("src/tide.rs",))
    assert block.detect_drift(drift, 2, command())
    assert not block.detect_drift(drift, 3, command())
    block.snooze_drift(START + timedelta(days=7), command())
    assert block.state.snoozed_until == START + timedelta(days=7)
    block.dismiss_drift("known", command())
    assert block.state.drift.is_empty
    assert block.detect_drift(Drift(added=("src/ebb.rs",)), 4, command())
    assert block.state.drift.kinds == ("added",)
    block.bump_boundary("reconcile", Baseline(members=(), content_hash="", generation=5), command())
    assert (block.state.drift.is_empty, block.state.snoozed_until) == (True, None)


def test_a_socket_to_no_live_block_is_broken_until_there_is_one() -> None:
    block = ratified()
    assert block.watch_sockets((), command())
    assert not block.watch_sockets((), command())
    assert block.state.broken_sockets == ("sb_x_quay_0",)
    assert block.watch_sockets(("sb_x_quay_0",), command())
    assert block.state.broken_sockets == ()


@pytest.mark.parametrize(
    "contract",
    [
        Contract(required=(Slot(type="test"),), waived=(Waived(type="test"),)),
        Contract(required=(Slot(type="test"), Slot(type="test"))),
        Contract(optional=(Slot(type="spec"),), waived=(Waived(type="spec"),)),
    ],
)
def test_a_contract_names_every_type_once(contract: Contract) -> None:
    with pytest.raises(Refused, match="contract_broken"):
        contract.check("sb_x")


def test_a_contract_keeps_its_terms_whoever_declared_them() -> None:
    one = Contract(required=(Slot(type="spec"),), declared_by="ada", declared_at="2026-05-01T12:00:00Z")
    assert one.same_terms(Contract(required=(Slot(type="spec"),)))
    assert one.wire(3) == {
        "version": 3,
        "required": [{"type": "spec"}],
        "optional": [],
        "waived": [],
        "declared_by": "ada",
        "declared_at": "2026-05-01T12:00:00Z",
    }


@pytest.mark.parametrize(
    "socket",
    [
        Socket(klass="api.example.com"),
        Socket(klass="https://x"),
        Socket(alias="localhost:8080"),
        Socket(klass="AWS_SECRET"),
        Socket(alias="$HOME"),
        Socket(alias="10.0.0.1"),
        Socket(alias="ghp_0123456789abcdef0123"),
        Socket(klass="user@host"),
        Socket(type="publish_target"),
        Socket(klass="mail_provider", to="sb_x"),
    ],
)
def test_an_external_socket_is_a_class_or_an_alias(socket: Socket) -> None:
    with pytest.raises(Refused, match="socket_leak"):
        Sockets(external=(socket,)).check("sb_x")
    Sockets(external=(Socket(klass="package_registry", type="publish_target"),)).check("sb_x")
