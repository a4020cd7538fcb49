"""No file has two primary owners, and what nobody owns is counted honestly."""

from typing import Any

from m1nd.domain.blocks.membership import Member
from m1nd.domain.blocks.ownership import settle
from m1nd.domain.blocks.tree import Tree

A, B = "sb_x_a_0", "sb_x_b_1"
FILES = ("src/a.rs", "src/net/b.rs", "src/net/c.rs")


def declared(**blocks: list[tuple[str, Any]]) -> dict[str, tuple[Member, ...]]:
    ids = {"a": A, "b": B}
    return {ids[name]: tuple(Member(path=p, role=r) for p, r in rows) for name, rows in blocks.items()}


def test_the_more_specific_claim_has_a_new_file() -> None:
    found = settle(declared(a=[("src/**", "primary")], b=[("src/net/**", "primary")]), FILES)
    assert found.owners == {"src/a.rs": A, "src/net/b.rs": B, "src/net/c.rs": B}
    exact = settle(declared(a=[("src/net/b.rs", "primary")], b=[("src/net/**", "primary")]), FILES)
    assert exact.owners == {"src/net/b.rs": A, "src/net/c.rs": B}
    assert "src/net/b.rs" not in exact.blocks[B].paths


def test_who_owns_a_file_keeps_it() -> None:
    blocks = declared(a=[("src/**", "primary")], b=[("src/net/**", "primary")])
    assert settle(blocks, FILES, {"src/net/b.rs": A}).owners["src/net/b.rs"] == A
    assert settle(blocks, FILES, {"src/net/b.rs": "sb_x_gone_9"}).owners["src/net/b.rs"] == B


def test_equal_claims_own_nothing_and_are_named() -> None:
    found = settle(declared(a=[("src/*.rs", "primary")], b=[("src/a*", "primary")]), FILES)
    assert found.contested == {"src/a.rs": (A, B)}
    assert "src/a.rs" not in found.owned


def test_shared_claims_stand_beside_a_primary_one() -> None:
    found = settle(declared(a=[("src/a.rs", "primary")], b=[("src/a.rs", "shared")]), FILES)
    assert (found.owners, found.contested) == ({"src/a.rs": A}, {})
    assert [m.role for m in found.blocks[B].members] == ["shared"]


def test_at_most_five_hundred_unmapped_files_are_named_and_all_are_counted() -> None:
    tree = Tree({f"f{number:04}.rs": "a" * 64 for number in range(700)}, 3)
    residue = tree.residue({"f0000.rs", "gone.rs"})
    assert (residue.scanned, residue.owned, residue.unmapped_total, len(residue.unmapped)) == (
        700,
        1,
        699,
        500,
    )
    assert residue.unmapped[0] == "f0001.rs"
