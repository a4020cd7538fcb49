"""The boundary of a block: which files a declaration claims, and in which role."""

import pytest

from m1nd.domain.blocks.membership import (
    Member,
    ResolvedMember,
    Role,
    declaration_digest,
    resolution_hash,
    resolve,
    role_of,
)
from m1nd.domain.refusal import Refused

FILES = ("docs/a.md", "src/a.rs", "src/a_test.rs", "src/deep/b.rs", "src/deep/b_test.rs", "x[1].rs")


def members(*rows: tuple[str, Role]) -> tuple[Member, ...]:
    return tuple(Member(path=path, role=role) for path, role in rows)


def claimed(*rows: tuple[str, Role]) -> dict[str, str]:
    return {m.path: m.role for m in resolve(members(*rows), FILES).members}


def test_a_star_stays_in_its_folder_and_two_cross() -> None:
    assert claimed(("src/*.rs", "primary")) == {"src/a.rs": "primary", "src/a_test.rs": "primary"}
    assert set(claimed(("src/**", "primary"))) == {p for p in FILES if p.startswith("src/")}
    assert claimed(("src/**/*_test.rs", "test")) == {"src/a_test.rs": "test", "src/deep/b_test.rs": "test"}


def test_the_last_entry_that_matches_decides_the_role() -> None:
    assert claimed(("src/*.rs", "primary"), ("src/*_test.rs", "test")) == {
        "src/a.rs": "primary",
        "src/a_test.rs": "test",
    }
    assert role_of(members(("src/*.rs", "primary"), ("src/a.rs", "shared")), "src/a.rs") == "shared"
    assert role_of(members(("src/*.rs", "primary")), "docs/a.md") is None


def test_an_exact_path_without_a_file_is_missing_unless_it_is_optional() -> None:
    declared = (
        Member(path="src/gone.rs", role="primary"),
        Member(path="src/maybe.rs", role="test", optional=True),
        Member(path="none/**", role="docs"),
    )
    found = resolve(declared, FILES)
    assert (found.members, found.missing) == ((), ("src/gone.rs",))


def test_a_file_with_a_bracket_in_its_name_can_be_named() -> None:
    assert claimed(("x[1].rs", "primary")) == {"x[1].rs": "primary"}


def test_an_external_socket_is_no_file_and_names_a_class_or_an_alias() -> None:
    assert claimed(("src/a.rs", "external_socket")) == {}
    Member(path="payments_provider", role="external_socket").check("sb_x")
    for leak in (
        "pay.example.com",
        "https://x",
        "$TOKEN",
        "ghp_0123456789abcdef0123",
        "10.0.0.1",
        "src/a.rs",
    ):
        with pytest.raises(Refused, match="socket_leak"):
            Member(path=leak, role="external_socket").check("sb_x")


@pytest.mark.parametrize(
    "path",
    [
        *(
            "",
            "/etc/passwd",
            "~",
            "~/x",
            "~name/x",
            "C:/x",
            "C:x",
            "a\\b",
            "../x",
            "a/../../x",
            "a//b",
            "./a",
        ),
        *("src/[", "src/**x/*.rs", "/abs/*.rs", "~/*.rs", "../*.rs", "!src/*.rs", "C:/*.rs"),
    ],
)
def test_a_path_outside_the_path_law_or_a_malformed_glob_is_refused(path: str) -> None:
    with pytest.raises(Refused) as refused:
        Member(path=path, role="primary").check("sb_x")
    assert refused.value.refusal.code in ("outside_root", "usage")


def test_the_hash_of_a_resolution_is_over_roles_and_paths_in_any_order() -> None:
    one, two = ResolvedMember(path="a", role="primary"), ResolvedMember(path="b", role="shared")
    assert resolution_hash((one, two)) == resolution_hash((two, one))
    assert resolution_hash((one,)) != resolution_hash((ResolvedMember(path="a", role="shared"),))


def test_the_digest_of_a_declaration_sees_role_optionality_and_order() -> None:
    one, two = Member(path="a", role="primary"), Member(path="b", role="shared")
    digests = {
        declaration_digest(d)
        for d in (
            (one, two),
            (two, one),
            (one, two.model_copy(update={"optional": True})),
            (one, two.model_copy(update={"role": "docs"})),
        )
    }
    assert len(digests) == 4
