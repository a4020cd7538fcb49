"""Proposing blocks: folders first, communities inside of them, honest about what stays unmapped; the same every time."""

from itertools import combinations

import pytest

from m1nd.domain.blocks.block_state import CandidateBlock
from m1nd.domain.blocks.coherence import coherence
from m1nd.domain.blocks.compaction import declare
from m1nd.domain.blocks.generation import Edges, Generated, generate, slug
from m1nd.domain.blocks.membership import resolve
from m1nd.domain.blocks.ownership import settle
from m1nd.infrastructure.communities import louvain


def clique(*files: str) -> dict[tuple[str, str], int]:
    return dict.fromkeys(combinations(files, 2), 3)


def made(files: list[str], edges: Edges | None = None) -> Generated:
    return generate("My Repo", files, edges or {}, louvain)


def folder(name: str, count: int, ending: str = "rs") -> list[str]:
    return [f"{name}/f{number:02}.{ending}" for number in range(count)]


def members(generated: Generated, block: CandidateBlock, files: list[str]) -> set[str]:
    declared = {b.block_id: b.draft.membership for b in generated.proposal.blocks}
    return set(settle(declared, files).blocks[block.block_id].paths)


def by_name(generated: Generated) -> dict[str, CandidateBlock]:
    return {block.draft.name: block for block in generated.proposal.blocks}


def test_documents_alone_take_the_way_without_edges_and_say_nothing_of_cohesion() -> None:
    """Scenario 92."""
    files = folder("docs", 5, "md") + folder("guide", 4, "md")
    found = made(files)
    assert found.report["algorithm"] == "directory_extension_no_edge"
    metas = [block.draft.candidate_meta for block in found.proposal.blocks]
    assert [meta and meta.cohesion for meta in metas] == [None, None]
    assert [b.draft.contract.required_types for b in found.proposal.blocks] == [("spec",), ("spec",)]


def test_a_lone_source_root_is_refined_and_other_small_repositories_are_not() -> None:
    """Scenario 93."""
    assert made(folder("src", 6), clique(*folder("src", 6))).report["algorithm"] == (
        "directory_module_louvain_refine"
    )
    both = folder("src", 6) + folder("lib", 6)
    assert made(both, clique(*folder("src", 6))).report["algorithm"] == "directory_module_tiny"


def test_a_small_folder_bubbles_up_and_stops_at_the_top() -> None:
    """Scenario 98."""
    files = folder("src/net", 2) + folder("src", 4) + folder("tiny", 2)
    found = made(files)
    assert [block.draft.membership[0].path for block in found.proposal.blocks] == ["src/**"]
    assert (found.report["unmapped_total"], found.report["unmapped"]) == (2, folder("tiny", 2))


def test_siblings_of_one_community_are_stitched_and_roots_never() -> None:
    """Scenarios 96 and 97."""
    inner = folder("src/a", 5) + folder("src/b", 5)
    files = inner + folder("src/c", 15) + folder("other/d", 8)
    edges = clique(*inner, *folder("other/d", 8)) | clique(*folder("src/c", 15))
    found = made(files, edges)
    groups = [members(found, block, files) for block in found.proposal.blocks]
    assert set(inner) in groups
    assert set(folder("other/d", 8)) in groups
    for group in groups:
        assert len({path.partition("/")[0] for path in group}) == 1


def test_a_large_folder_falls_into_its_communities() -> None:
    one, two = folder("src", 30)[:15], folder("src", 30)[15:]
    found = made([*one, *two], clique(*one) | clique(*two))
    assert sorted(map(len, (members(found, b, [*one, *two]) for b in found.proposal.blocks))) == [15, 15]


def test_a_file_drawn_equally_to_two_parts_is_shared_in_both_and_listed() -> None:
    """Scenario 91."""
    one, two, seam = folder("src/a", 14), folder("src/b", 14), "src/seam.rs"
    flat = [path.replace("/a/", "/a_").replace("/b/", "/b_") for path in (*one, *two)]
    files = [*flat, seam]
    edges = clique(*flat[:14]) | clique(*flat[14:]) | {(seam, flat[0]): 2, (seam, flat[14]): 2}
    found = generate("x", files, edges, lambda count, rows: [_part(at) for at in range(count)])
    assert list(found.seams) == [seam] and len(found.seams[seam]) == 2
    for block in found.proposal.blocks:
        roles = {m.path: m.role for m in resolve(block.draft.membership, files).members}
        assert roles[seam] == "shared"


def _part(at: int) -> int:
    """The seam is the last of 29 files, and in a community of its own."""
    return 2 if at == 28 else int(at >= 14)


def test_a_sparse_medium_repository_gives_a_map_that_a_person_can_read() -> None:
    """Scenario 95."""
    files = [path for name in "abcdefgh" for path in folder(f"src/{name}", 12)] + folder("docs", 6, "md")
    found = made(files, {("src/a/f00.rs", "src/b/f00.rs"): 1})
    assert 4 <= found.report["block_count"] <= 12
    assert found.report["coverage_ratio"] >= 0.8


def test_ids_and_blocks_are_the_same_every_time_and_fit_the_repository() -> None:
    files = folder("src", 30) + folder("docs", 5, "md")
    edges = clique(*files[:15]) | clique(*files[15:30])
    first, second = made(files, edges), made(files[::-1], dict(reversed(edges.items())))
    assert first == second
    ids = [block.block_id for block in first.proposal.blocks]
    assert len(set(ids)) == len(ids)
    assert coherence("My Repo", first.proposal.skeleton_id, ids).is_ok
    assert coherence("Other", first.proposal.skeleton_id, ids).wire() == {
        "status": "mismatch",
        "expected_slug": "other",
        "found_slug": "my",
    }


def test_blocks_lead_sockets_to_each_other() -> None:
    files = folder("src/a", 20) + folder("src/b", 20)
    edges = (
        clique(*folder("src/a", 20)) | clique(*folder("src/b", 20)) | {("src/a/f00.rs", "src/b/f00.rs"): 1}
    )
    found = by_name(made(files, edges))
    a, b = found["Src/a"], found["Src/b"]
    assert (a.draft.sockets.targets, b.draft.sockets.targets) == ((b.block_id,), (a.block_id,))
    assert [s.to for s in a.draft.sockets.outputs] == [b.block_id]


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        (["a/1.rs", "a/2.rs", "a/b/3.rs"], ["a/**"]),
        (["a/1.rs", "a/2.rs"], ["a/1.rs", "a/2.rs"]),
        (["a/b/3.rs"], ["a/b/3.rs"]),
        (["a/1.rs", "c/4.rs", "c/5.rs"], ["a/1.rs", "c/**"]),
    ],
)
def test_what_is_declared_claims_just_what_it_was_made_from(own: list[str], expected: list[str]) -> None:
    files = ["a/1.rs", "a/2.rs", "a/b/3.rs", "c/4.rs", "c/5.rs", "top.rs"]
    entries = declare(own, (), files)
    assert [entry.path for entry in entries] == expected
    assert set(resolve(entries, files).paths) == set(own)


def test_tests_below_a_folder_get_their_role() -> None:
    files = ["a/1.rs", "a/2.rs", "a/tests/t.rs", "a/tests/u.rs"]
    roles = {m.path: m.role for m in resolve(declare(files, (), files), files).members}
    assert roles["a/tests/t.rs"] == "test" and roles["a/1.rs"] == "primary"


@pytest.mark.parametrize(
    ("text", "expected"), [("My Repo", "my_repo"), ("m1nd", "m1nd"), ("ä", "root"), ("a--b", "a_b")]
)
def test_a_slug_is_letters_digits_and_underscores(text: str, expected: str) -> None:
    assert slug(text) == expected
