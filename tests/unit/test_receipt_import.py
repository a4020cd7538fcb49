"""Receipts come in with hard evidence of the present version, or not at all (seed 001 §3, BLOCKS.md; scenarios 44 to 60)."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.support.log import START, command, opened
from tests.support.receipts import BLOCK, at, body, bump, ratify, wire

from m1nd.application.app import M1nd
from m1nd.application.receipt_records import Landing
from m1nd.domain.base import Command
from m1nd.domain.blocks.map_head import Expected
from m1nd.domain.receipts.evidence import ReceiptBody, ReceiptStage, read_receipt
from m1nd.domain.receipts.receipt import ReceiptState
from m1nd.domain.refusal import Refusal, Refused


@pytest.fixture
def app(tmp_path: Path) -> Iterator[M1nd]:
    with opened(tmp_path) as made:
        ratify(made, 1)
        yield made


NUMBERS = iter(range(100, 10_000))


def now() -> Command:
    return command(next(NUMBERS), verb="receipt_import")


def land(app: M1nd, what: ReceiptBody, **landing: Any) -> ReceiptState:
    return app.import_receipt(what, Landing(**landing), now())


def refusal(act: Callable[[], object]) -> Refusal:
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.refusal


def refused(app: M1nd, what: ReceiptBody, **landing: Any) -> Refusal:
    """Refused, and not one event more in the log (scenarios 47, 50, 52, 129)."""
    head = app.log_head()
    found = refusal(lambda: land(app, what, **landing))
    assert app.log_head() == head
    return found


def changed(app: M1nd, type: str = "test", **parts: Any) -> ReceiptBody:
    """A good receipt with some top-level parts replaced."""
    return read_receipt(wire(app, type) | parts)


# What is accepted


def test_a_full_test_receipt_lands_and_the_map_counts_one_more(app: M1nd) -> None:
    """Scenario 49."""
    version = app.store_version()
    receipt = land(app, body(app))
    assert (receipt.stage, receipt.body.outcome, receipt.solicited) == (ReceiptStage.LIVE, "pass", True)
    assert receipt.stales_on == ("member_change",)
    assert app.store_version() == version + 1
    block = app.block(BLOCK)
    assert block is not None
    assert dict(block.receipts) == {receipt.receipt_id: "test"}


def test_an_anchor_alone_is_enough_for_what_is_no_run(app: M1nd) -> None:
    """Scenarios 44 and 46: absent execution fields are not written as null."""
    receipt = land(app, body(app, "spec"))
    assert set(receipt.body.wire()["evidence"]) == {"artifact_hash", "evidence_refs"}


def test_captured_times_stay_byte_for_byte(app: M1nd) -> None:
    """Scenario 57, and sub-second runs, which upstream cannot land."""
    times = {"started_at": "2026-05-01T11:00:00.250Z", "ended_at": "2026-05-01T11:00:00.9000+00:00"}
    receipt = land(app, body(app, **times))
    assert receipt.body.wire()["evidence"].items() >= times.items()


def test_a_failing_run_is_evidence_too(app: M1nd) -> None:
    """D21."""
    assert land(app, body(app, exit_status=101)).body.outcome == "fail"


def test_what_the_contract_does_not_ask_for_lands_as_unsolicited(app: M1nd) -> None:
    """D20."""
    assert land(app, body(app, "structural")).solicited is False


def test_the_same_evidence_twice_is_one_receipt_and_no_second_event(app: M1nd) -> None:
    first = land(app, body(app))
    head = app.log_head()
    assert land(app, body(app)) == first
    assert app.log_head() == head


# Supersession


def test_later_evidence_of_a_type_supersedes_the_earlier(app: M1nd) -> None:
    first = land(app, body(app, exit_status=1))
    second = land(app, body(app, started_at=at(-9), ended_at=at(-8)))
    assert (app.receipt(first.receipt_id), second.stage) == (
        _ended(first, ReceiptStage.SUPERSEDED, "superseded", second.receipt_id),
        ReceiptStage.LIVE,
    )


def test_evidence_of_an_earlier_run_that_comes_late_replaces_nothing(app: M1nd) -> None:
    """Two runs of CI may come in in any order."""
    newer = land(app, body(app, started_at=at(-9), ended_at=at(-8)))
    older = land(app, body(app, exit_status=1))
    assert (older.stage, older.cause) == (ReceiptStage.SUPERSEDED, newer.receipt_id)
    assert app.receipt(newer.receipt_id) == newer
    block = app.block(BLOCK)
    assert block is not None
    assert list(block.receipts) == [newer.receipt_id]


def test_types_do_not_supersede_each_other(app: M1nd) -> None:
    spec = land(app, body(app, "spec"))
    land(app, body(app))
    assert app.receipt(spec.receipt_id) == spec


def _ended(state: ReceiptState, stage: ReceiptStage, reason: str, cause: str) -> ReceiptState:
    from attrs import evolve

    return evolve(state, stage=stage, reason=reason, cause=cause)


# What is refused, in the order of the checks


def test_without_a_map_nothing_can_be_evidence(tmp_path: Path, app: M1nd) -> None:
    with opened(tmp_path / "empty") as empty:
        assert refused(empty, body(app)).code == "no_store"


def test_a_map_of_another_version_is_a_conflict_that_names_both(app: M1nd) -> None:
    """Scenario 58."""
    found = refused(app, body(app), expected=Expected(store_version=7))
    assert (found.code, found.details["expected"], found.details["actual"]) == ("store_conflict", 7, 1)
    fine = refused(app, body(app), expected=Expected(versions={BLOCK: 1}))
    assert fine.code == "store_conflict"
    land(app, body(app), expected=Expected(store_version=1))


def test_a_block_that_is_not_there_has_no_evidence(app: M1nd) -> None:
    """Scenario 59."""
    scope = wire(app)["scope"] | {"block_id": "sb_harbour_quay_00000000"}
    assert refused(app, changed(app, scope=scope)).code == "unknown_block"


def test_an_archived_block_takes_none(app: M1nd) -> None:
    good = body(app)
    block = app._block(BLOCK)
    block.archive("stp_1", command(50))
    app.save(block)
    assert refused(app, good).code == "block_archived"


@pytest.mark.parametrize(
    "field, value, part",
    [
        ("boundary_version", 0, "boundary"),
        ("boundary_version", 2, "boundary"),
        ("contract_version", 2, "contract"),
        ("resolution_hash", "f" * 64, "resolution"),
    ],
)
def test_older_and_newer_versions_are_refused_by_name(app: M1nd, field: str, value: Any, part: str) -> None:
    """Scenarios 50 and 51, and the resolution that upstream never compares (D18)."""
    found = refused(app, changed(app, scope=wire(app)["scope"] | {field: value}))
    assert (found.code, found.details["parts"]) == ("stale_scope", [part])


def test_every_part_of_the_scope_that_differs_is_named(app: M1nd) -> None:
    scope = wire(app)["scope"] | {"boundary_version": 9, "contract_version": 9, "resolution_hash": ""}
    assert refused(app, changed(app, scope=scope)).details["parts"] == ["boundary", "contract", "resolution"]


def test_evidence_of_the_version_before_is_refused_end_to_end(app: M1nd) -> None:
    """Scenario 75: the bump stales what was there, and the old scope does not come in again."""
    old = body(app, started_at=at(-9), ended_at=at(-8))
    receipt = land(app, body(app))
    bump(app, 60)
    staled = app.receipt(receipt.receipt_id)
    assert staled is not None
    assert (staled.stage, staled.reason) == (ReceiptStage.STALED, "boundary")
    assert refused(app, old).details["parts"] == ["boundary", "resolution"]


@pytest.mark.parametrize("type", ["test", "structural", "runtime", "review", "handoff", "spec"])
@pytest.mark.parametrize("field", ["artifact_hash", "evidence_refs"])
def test_no_type_comes_without_its_anchor(app: M1nd, type: str, field: str) -> None:
    """Scenario 45."""
    found = refused(app, body(app, type, **{field: None}))
    assert (found.code, found.details["field"]) == ("evidence_incomplete", field)


@pytest.mark.parametrize("value", ["", " ", "abc", "B" * 64, "b" * 63, "md5:" + "b" * 64, "b" * 64 + "\n"])
def test_an_artifact_hash_is_a_sha256(app: M1nd, value: str) -> None:
    assert refused(app, body(app, artifact_hash=value)).details["field"] == "artifact_hash"


@pytest.mark.parametrize(
    "refs",
    [[], [""], ["ok.txt", " "], ["/var/log/x"], ["~/x"], ["C:\\x"], ["c:/x"], ["\\\\host\\x"], ["file:///x"]],
)
def test_evidence_lies_where_others_find_it(app: M1nd, refs: list[str]) -> None:
    assert refused(app, body(app, evidence_refs=refs)).details["field"] == "evidence_refs"


def test_a_url_and_a_relative_path_are_references(app: M1nd) -> None:
    land(app, body(app, evidence_refs=["https://ci.example/run/7", "target/report.xml", "s3://bucket/x"]))


@pytest.mark.parametrize("cwd", ["/build", "~", "../x", "a/../../x", "C:\\x", "a\\b"])
def test_a_run_happened_inside_the_repository(app: M1nd, cwd: str) -> None:
    """Scenario 8."""
    found = refused(app, body(app, cwd=cwd))
    assert (found.code, found.details["field"]) == ("outside_root", "cwd")


def test_every_missing_field_of_a_run_is_named_at_once(app: M1nd) -> None:
    """Scenarios 47 and 48."""
    assert refused(app, body(app, command=None)).details["missing"] == ["command"]
    found = refused(app, body(app, command="", exit_status=None, started_at=None, ended_at=None))
    assert found.code == "evidence_incomplete"
    assert found.details["missing"] == ["command", "exit_status", "started_at", "ended_at"]
    assert refused(app, body(app, "runtime", cwd=None)).details["missing"] == ["cwd"]


def test_a_lone_time_is_incomplete_for_every_type(app: M1nd) -> None:
    """D35: both or none; upstream never reads a lone one."""
    assert refused(app, body(app, "review", ended_at=at(-5))).details["missing"] == ["started_at"]


@pytest.mark.parametrize(
    "type, kind",
    [
        *((type, kind) for type in ("structural", "handoff") for kind in ("ci", "runnerd", "owner")),
        *((type, kind) for type in ("spec", "review") for kind in ("ci", "runnerd")),
        *(("test", kind) for kind in ("verb", "owner")),
        ("runtime", "owner"),
    ],
)
def test_no_producer_earns_what_is_not_its_own(app: M1nd, type: str, kind: str) -> None:
    found = refused(app, changed(app, type, emitter={"kind": kind, "id": "x"}))
    assert (found.code, found.details["type"]) == ("emitter_not_allowed", type)


def test_a_leave_for_one_kind_of_producer_lets_no_other_in(app: M1nd) -> None:
    """CI's token speaks for CI."""
    runnerd = changed(app, emitter={"kind": "runnerd", "id": "x"})
    assert refused(app, runnerd, emitters=frozenset({"ci"})).code == "emitter_not_allowed"
    land(app, body(app), emitters=frozenset({"ci"}))


@pytest.mark.parametrize(
    "times, field",
    [
        (("2026-05-01T11:00:00Z", "2026-05-01T11:00:00Z"), "started_at"),
        (("2026-05-01T11:00:01Z", "2026-05-01T11:00:00Z"), "started_at"),
        (("2026-05-01T12:00:01Z", "2026-05-01T12:00:02Z"), "started_at"),
        (("2026-05-01T11:00:00Z", "2026-05-01T12:00:00.000001Z"), "ended_at"),
        (("2026-04-30T10:59:59Z", "2026-05-01T11:00:00Z"), "ended_at"),
        (("2026-05-01 11:00:00Z", "2026-05-01T11:01:00Z"), "started_at"),
        (("2026-05-01T11:00:00Z", "2026-05-01T11:01:00"), "ended_at"),
        (("2026-05-01T11:00:00+02:00", "2026-05-01T11:01:00Z"), "started_at"),
        (("2026-02-30T11:00:00Z", "2026-05-01T11:01:00Z"), "started_at"),
        (("1969-12-31T23:59:59Z", "2026-05-01T11:01:00Z"), "started_at"),
        (("2026-05-01T11:00:60Z", "2026-05-01T11:01:00Z"), "started_at"),
        (("2026-05-01T11:+1:00Z", "2026-05-01T11:01:00Z"), "started_at"),
        (("٢٠٢٦-05-01T11:00:00Z", "2026-05-01T11:01:00Z"), "started_at"),
        (("pending", "pending"), "started_at"),
    ],
)
def test_incoherent_times_are_refused_by_name(app: M1nd, times: tuple[str, str], field: str) -> None:
    """Scenarios 52 to 56; seed 001 §3: nothing is re-dated to make it pass."""
    found = refused(app, body(app, started_at=times[0], ended_at=times[1]))
    assert (found.code, found.details["field"]) == ("time_incoherent", field)


def test_a_run_of_just_a_day_that_ended_just_now_lands(app: M1nd) -> None:
    day = START - timedelta(hours=24)
    land(app, body(app, started_at=f"{day:%Y-%m-%dT%H:%M:%SZ}", ended_at=f"{START:%Y-%m-%dT%H:%M:%SZ}"))


@pytest.mark.parametrize(
    "end", ["soon", "2026-13-01", "2026-05-01T10:00:00Z", "2026-05-01T11:00:00Z", "2026-05-01"]
)
def test_a_validity_ends_after_the_evidence(app: M1nd, end: str) -> None:
    found = refused(app, changed(app, validity={"expires_on": end, "stales_on": []}))
    assert (found.code, found.details["field"]) == ("time_incoherent", "expires_on")


def test_an_excerpt_has_at_most_four_kibibytes_after_redaction(app: M1nd) -> None:
    land(app, body(app, stdout_excerpt="é" * 2048))
    found = refused(app, body(app, stdout_excerpt="é" * 2049))
    assert (found.code, found.details["bytes"]) == ("excerpt_too_long", 4098)
    key = "-----BEGIN RSA PRIVATE KEY-----\n" + "M" * 5000 + "\n-----END RSA PRIVATE KEY-----"
    assert land(app, body(app, stdout_excerpt=key)).body.evidence.stdout_excerpt == "[redacted:private_key]"


# The form


@pytest.mark.parametrize(
    "change, field",
    [
        ({"type": "proof"}, "type"),
        ({"extra": 1}, "extra"),
        ({"emitter": {"kind": "human", "id": "x"}}, "emitter.kind"),
        ({"emitter": {"kind": "ci", "id": ""}}, "emitter.id"),
        ({"scope": {"block_id": BLOCK}}, "scope.boundary_version"),
        ({"evidence": {"exit_status": "0"}}, "evidence.exit_status"),
        ({"evidence": {"exit_status": True}}, "evidence.exit_status"),
        ({"evidence": {"evidence_refs": "x"}}, "evidence.evidence_refs"),
        ({"validity": {"stales_on": ["moon"]}}, "validity.stales_on.0"),
        ({"imported_via": "human-ui"}, "imported_via"),
    ],
)
def test_another_form_is_refused_by_field(app: M1nd, change: dict[str, Any], field: str) -> None:
    """Scenario 60: no argument says that a human was there."""
    found = refusal(lambda: read_receipt(wire(app) | change))
    assert (found.code, found.details["field"]) == ("receipt_malformed", field)


@pytest.mark.parametrize("text", [b"", b"[]", b"{", b"null", b"\xff", b'"x"', b"[" * 100_000])
def test_what_is_no_json_object_is_no_receipt(text: bytes) -> None:
    assert refusal(lambda: read_receipt(text)).code == "receipt_malformed"


def test_a_receipt_is_named_after_its_content(app: M1nd) -> None:
    good = wire(app)
    same = json.loads(json.dumps(dict(reversed(good.items()))))
    assert read_receipt(same).receipt_id == read_receipt(good).receipt_id
    other = good | {"emitter": {"kind": "ci", "id": "weekly"}}
    assert read_receipt(other).receipt_id != read_receipt(good).receipt_id


# The order of the checks


def test_of_many_faults_the_first_in_the_order_of_the_specification_answers(
    app: M1nd, tmp_path: Path
) -> None:
    """BLOCKS.md, Receipts: each fault is mended in turn, and the next one answers."""
    good = wire(app)
    bad = {
        "type": "test",
        "emitter": {"kind": "owner", "id": "x"},
        "scope": good["scope"] | {"block_id": "sb_none", "boundary_version": 7},
        "evidence": {
            "cwd": "/x",
            "started_at": "never",
            "ended_at": at(9),
            "stdout_excerpt": "x" * 5000,
        },
        "validity": {"expires_on": "soon"},
    }
    expected = Expected(store_version=9)
    found: list[str] = []

    def try_it(on: M1nd) -> None:
        found.append(refused(on, read_receipt(bad), expected=expected).code)

    with opened(tmp_path / "empty") as empty:
        try_it(empty)
    try_it(app)
    expected = Expected()
    try_it(app)
    bad["scope"] |= {"block_id": BLOCK}
    try_it(app)
    bad["scope"] = good["scope"]
    try_it(app)
    bad["evidence"] |= {"artifact_hash": "b" * 64, "evidence_refs": ["x"]}
    try_it(app)
    bad["evidence"] |= {"cwd": "."}
    try_it(app)
    bad["evidence"] |= {"command": "cargo test", "exit_status": 0}
    try_it(app)
    bad["emitter"] = good["emitter"]
    try_it(app)
    bad["evidence"] |= {"started_at": at(-10), "ended_at": at(-9)}
    try_it(app)
    bad["validity"] = {"expires_on": None}
    try_it(app)
    assert found == [
        "no_store",
        "store_conflict",
        "unknown_block",
        "stale_scope",
        "evidence_incomplete",
        "outside_root",
        "evidence_incomplete",
        "emitter_not_allowed",
        "time_incoherent",
        "time_incoherent",
        "excerpt_too_long",
    ]
    bad["evidence"] |= {"stdout_excerpt": "ok"}
    land(app, read_receipt(bad))
