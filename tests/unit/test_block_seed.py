"""The seed file: read, refused, written again byte for byte; and the two seeds that this repository keeps."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from m1nd.domain.blocks.block_state import BlockDraft, CandidateMeta
from m1nd.domain.blocks.contract import Contract, Slot, Waived
from m1nd.domain.blocks.layout import Layout
from m1nd.domain.blocks.membership import ROLES, Member
from m1nd.domain.blocks.ownership import settle
from m1nd.domain.blocks.proposal import Ratification
from m1nd.domain.blocks.seed import Seed, block_wire, canonical, read_seed, seed_wire
from m1nd.domain.blocks.sockets import Socket, Sockets
from m1nd.domain.refusal import Refused

REPOSITORY = Path(__file__).resolve().parents[2]
RUST = REPOSITORY / "seeds" / "m1nd.seed.v0.json"
OWN = REPOSITORY / "docs" / "system-blocks" / "m1nd.seed.v0.json"
A, B = "sb_x_a_0", "sb_x_b_1"
DRAFT = BlockDraft(
    name="Tides",
    purpose="Heights.",
    membership=(Member(path="src/**", role="primary"), Member(path="tests/*.rs", role="test", optional=True)),
    sockets=Sockets(external=(Socket(klass="package_registry", type="publish_target"),)),
    contract=Contract(required=(Slot(type="spec", stales_on=("contract_change",)),)),
)


def written(seed: Seed) -> str:
    """The text that a map made of just this seed is exported as."""
    blocks = [
        block_wire(
            b.block_id,
            b.draft,
            "archived"
            if b.block_id in seed.archived
            else "ratified"
            if b.block_id in seed.ratified
            else "candidate",
            (b.boundary_version, b.contract_version),
            seed.receipts.get(b.block_id, ()),
        )
        for b in seed.proposal.blocks
    ]
    p = seed.proposal
    return canonical(
        seed_wire(
            p.repo_id,
            p.source_commit,
            p.skeleton_id,
            p.version,
            seed.says_ratified,
            seed.ratification,
            blocks,
        )
    )


def document(**parts: Any) -> dict[str, Any]:
    blocks = [block_wire(A, DRAFT, "candidate", (1, 1)), block_wire(B, DRAFT, "candidate", (1, 1))]
    blocks[1]["membership"] = [{"path": "docs/a.md", "role": "docs"}]
    return seed_wire("x", "", "sk_x_seed", 1, False, Ratification(), blocks) | parts


def code_of(change: Callable[[dict[str, Any]], object]) -> tuple[str, str]:
    """Code and message of the refusal of a good seed after `change`."""
    seed = json.loads(canonical(document()))
    read_seed(canonical(seed).encode())
    change(seed)
    with pytest.raises(Refused) as refused:
        read_seed(json.dumps(seed).encode())
    return refused.value.refusal.code, refused.value.refusal.message


@pytest.mark.parametrize("path", [RUST, OWN], ids=["rust", "own"])
def test_a_kept_seed_is_canonical_and_its_ids_are_of_this_project(path: Path) -> None:
    """Scenarios 19 to 22."""
    text = path.read_text(encoding="utf-8")
    seed = read_seed(text.encode())
    assert written(seed) == text
    ids = [block.block_id for block in seed.proposal.blocks]
    assert len(set(ids)) == len(ids) and all(id.startswith("sb_m1nd_") for id in ids)
    for leak in ("/" + "Users/", "/" + "home/", "C:" + "\\", "~" + "/"):
        assert leak not in text


def test_the_seed_of_the_rust_repository_has_its_twelve_blocks() -> None:
    seed = read_seed(RUST.read_bytes())
    assert [block.draft.name for block in seed.proposal.blocks if "Kernel" in block.draft.name] == [
        "Core Graph Kernel"
    ]
    assert len(seed.proposal.blocks) == 12
    assert {block.draft.contract.required_types for block in seed.proposal.blocks} == {
        ("spec", "structural", "test"),
        ("spec", "test"),
        ("spec",),
    }
    shared = [m.path for b in seed.proposal.blocks for m in b.draft.membership if m.role == "shared"]
    assert shared == ["m1nd-mcp/src/layer_handlers.rs"]


def test_our_own_map_is_true() -> None:
    """Every file of this repository lies in one block; no block is empty, no declared file is missing."""
    seed = read_seed(OWN.read_bytes())
    listed = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git repository: there is no list of our own files")
    files = [path for path in listed.stdout.splitlines() if not path.startswith("docs/system-blocks/")]
    settled = settle({block.block_id: block.draft.membership for block in seed.proposal.blocks}, files)
    assert settled.contested == {}
    assert sorted(set(files) - settled.owned) == [], (
        "a new place? add it to docs/system-blocks/m1nd.seed.v0.json"
    )
    for id, resolution in settled.blocks.items():
        assert resolution.members and not resolution.missing, id


def test_a_hand_written_seed_is_read_and_comes_out_canonical() -> None:
    loose = json.dumps({**document(), "blocks": document()["blocks"][::-1]})
    seed = read_seed(loose.encode())
    assert written(seed) == canonical(document())
    assert written(read_seed(written(seed).encode())) == written(seed)


def test_the_resolution_cache_is_read_and_dropped() -> None:
    seed = document()
    seed["blocks"][0]["resolved"] = {"external_ids": ["file::src/a.rs"]}
    assert written(read_seed(json.dumps(seed).encode())) == canonical(document())


def test_sockets_by_display_name_become_ids_and_ambiguous_ones_are_refused() -> None:
    seed = document()
    seed["blocks"][1]["name"] = "Docs"
    seed["blocks"][0]["sockets"]["outputs"] = [{"to": "Docs", "type": "calls"}]
    block = read_seed(json.dumps(seed).encode()).proposal.blocks[0]
    assert block.draft.sockets.targets == (B,)
    assert code_of(lambda s: s["blocks"][0]["sockets"]["outputs"].append({"to": "Tides"}))[0] == "bad_seed"


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (lambda s: s.update(schema="other"), "bad_seed", "schema mismatch"),
        (lambda s: s["blocks"][0].pop("purpose"), "bad_seed", "missing required field blocks.0.purpose"),
        (lambda s: s.update(more=1), "bad_seed", "more"),
        (lambda s: s["repo"].update(root="src"), "bad_seed", "repo.root"),
        (lambda s: s["blocks"].append(dict(s["blocks"][0])), "bad_seed", "twice"),
        (lambda s: s["blocks"][0].update(name=""), "bad_seed", "name"),
        (lambda s: s["blocks"][0].update(membership=[]), "bad_seed", "no membership"),
        (lambda s: s["blocks"][0].update(boundary_version=0), "bad_seed", "boundary_version"),
        (lambda s: s["blocks"][0]["receipt_contract"].update(version=2), "bad_seed", "contract_version"),
        (lambda s: s["blocks"][0]["membership"][0].pop("role"), "bad_seed", "role"),
        (lambda s: s["blocks"][0]["membership"][0].update(role="boss"), "bad_seed", "role"),
        (lambda s: s["blocks"][0]["membership"][0].update(path="src/["), "bad_seed", "bracket"),
        (lambda s: s["blocks"][0]["membership"][0].update(path="/" + "srv/x"), "seed_leak", "absolute path"),
        (lambda s: s["blocks"][0]["membership"][0].update(path="/x"), "outside_root", "/x"),
        (lambda s: s["blocks"][0]["membership"][0].update(path="../x"), "outside_root", "out"),
        (lambda s: s["blocks"][0]["membership"][0].update(path="a\\b"), "outside_root", "relative"),
        (lambda s: s["blocks"][0].update(purpose="see ~" + "/notes"), "seed_leak", "home marker"),
        (lambda s: s["blocks"][0].update(purpose="on C:" + "\\disk"), "seed_leak", "drive"),
        (lambda s: s["blocks"][0]["sockets"]["external"].append({"class": "db.example.com"}), "socket_leak", "class"),
        (lambda s: s["blocks"][0]["sockets"]["outputs"].append({"to": "sb_x_no_9"}), "bad_seed", "no block"),
        (lambda s: s["blocks"][0]["receipt_contract"]["waived"].append({"type": "spec"}), "contract_broken", "spec"),
        (lambda s: s["blocks"][0]["receipt_contract"]["optional"].append({"type": "vibes"}), "bad_seed", "type"),
        (lambda s: s["blocks"][0].update(receipts=[{"type": "spec"}]), "block_not_ratified", "receipts"),
        (lambda s: s["blocks"][0].update(state="ratified"), "bad_seed", "skeleton that is not"),
        (lambda s: s["skeleton"].update(state="ratified"), "bad_seed", "no time"),
        (lambda s: s["unmapped_policy"].update(visible=False), "bad_seed", "unmapped"),
        (lambda s: s["blocks"][0]["layout"].update(x=float("nan")), "bad_seed", "NaN"),
        (lambda s: s["blocks"][0].update(boundary_version=10**30), "bad_seed", "beyond 64 bits"),
        (lambda s: s["blocks"][0].update(name="half \ud800"), "bad_seed", "no text in Unicode"),
    ],
)  # fmt: skip
def test_a_seed_that_is_wrong_anywhere_is_refused_whole(
    change: Callable[[dict[str, Any]], object], code: str, words: str
) -> None:
    """Scenarios 6, 7, 14 to 17, and the gaps of the reference's validator."""
    found = code_of(change)
    assert found[0] == code and words in found[1], found


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff\xfe", b'"seed"', b"[" * 100000])
def test_what_is_no_seed_at_all_is_refused(content: bytes) -> None:
    with pytest.raises(Refused, match="bad_seed"):
        read_seed(content)


PATHS = st.from_regex(r"[a-z]{1,4}(/[a-z]{1,4}){0,2}(/\*\*|/\*\.rs)?", fullmatch=True)
MEMBERS = st.builds(
    Member, path=PATHS, role=st.sampled_from([role for role in ROLES if role != "external_socket"]), optional=st.booleans()
)  # fmt: skip
TYPES = st.permutations(["structural", "handoff", "spec", "test", "review", "runtime"])
CONTRACTS = st.builds(
    lambda types, cut: Contract(
        required=tuple(Slot(type=t) for t in types[:cut]),
        optional=tuple(Slot(type=t, stales_on=("member_change",)) for t in types[cut:4]),
        waived=tuple(Waived(type=t, reason="so") for t in types[4:]),
    ),
    TYPES,
    st.integers(0, 4),
)
WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters="/~\\:", exclude_categories=("Cs",)),
    min_size=1,
    max_size=20,
)
DRAFTS = st.builds(
    BlockDraft,
    name=WORDS,
    purpose=WORDS,
    membership=st.lists(MEMBERS, min_size=1, max_size=4).map(tuple),
    contract=CONTRACTS,
    layout=st.just(Layout())
    | st.builds(Layout, x=st.integers(0, 999), y=st.integers(0, 999), locked=st.booleans()),
    membership_source=st.sampled_from(["proposed", "manual"]),
    candidate_meta=st.none()
    | st.builds(
        CandidateMeta,
        named_by=st.sampled_from(["owner", "runner", "heuristic"]),
        needs_owner_naming=st.booleans(),
        cohesion=st.none() | st.just(0.5),
    ),
)


@settings(max_examples=60)
@given(st.lists(st.tuples(DRAFTS, st.integers(1, 9), st.integers(1, 9)), max_size=5))
def test_any_map_of_candidates_comes_back_byte_for_byte(drafts: list[tuple[BlockDraft, int, int]]) -> None:
    blocks = [
        block_wire(f"sb_x_{number}_0", draft, "candidate", versions)
        for number, (draft, *versions) in enumerate(drafts)
    ]
    text = canonical(seed_wire("x", "", "sk_x_seed", 3, False, Ratification(), blocks))
    assert written(read_seed(text.encode())) == text
