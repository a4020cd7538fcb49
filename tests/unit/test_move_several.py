"""Several items in one plan: what they share with one another stays private, each is as visible as its own users need."""

from typing import Any

import pytest
from tests.support.before_after import files_of, with_root
from tests.support.compiled import HAS_CARGO, check_tree
from tests.support.moves import encoded, workspace_of

from m1nd.domain.move.plan import MovePlan, plan_move
from m1nd.domain.move.request import MoveRequest
from m1nd.domain.refusal import Refused

BEFORE = """
//- src/alpha.rs
use std::fmt;

/// A depth.
pub struct Depth(u32);

impl Depth {
    fn raw(&self) -> u32 {
        self.0
    }
}

fn scale(depth: &Depth) -> u32 {
    depth.raw() * FACTOR
}

const FACTOR: u32 = 3;

pub fn sound(depth: &Depth) -> String {
    format!("{}", scale(depth))
}

fn quiet(n: u32) -> bool {
    n < FACTOR
}

pub fn stay(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{}", quiet(1))
}
//- src/beta.rs
pub fn resident() {}
//- src/gamma.rs
use crate::alpha::{self, sound, Depth};

pub fn go(depth: &Depth) -> String {
    sound(depth) + &alpha::sound(depth)
}
"""
AFTER = """
//- src/alpha.rs
use std::fmt;
use crate::beta::quiet;

pub fn stay(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{}", quiet(1))
}
//- src/beta.rs
pub fn resident() {}

/// A depth.
pub struct Depth(u32);

impl Depth {
    fn raw(&self) -> u32 {
        self.0
    }
}

fn scale(depth: &Depth) -> u32 {
    depth.raw() * FACTOR
}

const FACTOR: u32 = 3;

pub fn sound(depth: &Depth) -> String {
    format!("{}", scale(depth))
}

pub(super) fn quiet(n: u32) -> bool {
    n < FACTOR
}
//- src/gamma.rs
use crate::beta::sound;
use crate::beta::Depth;

pub fn go(depth: &Depth) -> String {
    sound(depth) + &crate::beta::sound(depth)
}
"""


def planned(*symbols: str, before: str = BEFORE) -> MovePlan:
    sources = encoded(with_root(files_of(before)))
    request = MoveRequest(symbols[0], "src/alpha.rs", "src/beta.rs", also=symbols[1:])
    return plan_move(request, workspace_of(sources), frozenset(sources), {})


def test_several_items_move_in_one_plan() -> None:
    plan = planned("Depth", "quiet", "sound")
    assert {f.path: (f.after or b"").decode() for f in plan.files} == files_of(AFTER)
    told: dict[str, Any] = plan.receipt
    assert told["moved_symbol"] == "Depth" and told["moved_symbols"] == ["Depth", "quiet", "sound"]
    assert told["deps_travelled"] == ["impl Depth", "scale", "FACTOR"]
    assert [(d["name"], d["visibility_after"]) for d in told["deps_shared"]] == [("quiet", "pub(super)")]
    assert told["refs_unresolved"] == []


@pytest.mark.cargo
@pytest.mark.skipif(not HAS_CARGO, reason="cargo is not on the path")
def test_the_plan_of_several_items_builds(tmp_path: Any) -> None:
    target = tmp_path / "target"
    before, after = with_root(files_of(BEFORE)), files_of(AFTER)
    warned = check_tree(tmp_path / "crate", target, encoded(before))
    assert not check_tree(tmp_path / "crate", target, encoded({**before, **after})) - warned


def test_the_order_of_the_names_changes_nothing_but_the_receipt() -> None:
    there, back = planned("Depth", "quiet", "sound"), planned("sound", "quiet", "Depth", "sound")
    assert {f.path: f.after for f in there.files} == {f.path: f.after for f in back.files}
    assert back.receipt["moved_symbols"] == ["sound", "quiet", "Depth"]


def test_two_items_that_need_one_another_keep_their_secret() -> None:
    """Moved one after the other, the first would have to show itself, or to see what stays."""
    before = """
    //- src/alpha.rs
    pub fn even(n: u32) -> bool {
        n == 0 || odd(n - 1)
    }

    pub fn odd(n: u32) -> bool {
        n != 0 && even(n - 1)
    }
    //- src/beta.rs
    pub fn resident() {}
    """
    plan = planned("even", "odd", before=before)
    after = {f.path: (f.after or b"").decode() for f in plan.files}
    assert set(after) == {"src/alpha.rs", "src/beta.rs"}
    assert after["src/alpha.rs"] == "" and "use " not in after["src/beta.rs"]


def test_one_bad_name_refuses_the_whole_plan() -> None:
    with pytest.raises(Refused) as found:
        planned("Depth", "nothing")
    assert found.value.refusal.code == "symbol_not_found"


def test_an_item_that_others_hold_by_another_one_is_as_visible_as_they_need() -> None:
    """walkdir: `Vec<Ancestor>` in a field that stays in use; nobody outside names the type (rustc: type is private)."""
    before = """
    //- src/alpha.rs
    pub struct Walk {
        stack: Vec<Ancestor>,
    }

    struct Ancestor {
        depth: u32,
    }

    pub fn go() -> Walk {
        Walk { stack: vec![] }
    }

    pub fn depth(walk: &Walk) -> u32 {
        walk.stack.iter().map(|a| a.depth).sum()
    }
    //- src/beta.rs
    pub fn resident() {}
    """
    plan = planned("Walk", "Ancestor", before=before)
    after = {f.path: (f.after or b"").decode() for f in plan.files}
    assert after["src/beta.rs"] == (
        "pub fn resident() {}\n\npub struct Walk {\n    pub(super) stack: Vec<Ancestor>,\n}\n\n"
        "pub(super) struct Ancestor {\n    pub(super) depth: u32,\n}\n"
    )


def test_an_item_that_only_others_of_the_plan_hold_stays_private() -> None:
    before = """
    //- src/alpha.rs
    pub struct Walk {
        stack: Vec<Ancestor>,
    }

    struct Ancestor;

    impl Walk {
        pub fn depth(&self) -> usize {
            self.stack.len()
        }
    }

    pub fn go(walk: &Walk) -> usize {
        walk.depth()
    }
    //- src/beta.rs
    pub fn resident() {}
    """
    plan = planned("Walk", "Ancestor", before=before)
    after = {f.path: (f.after or b"").decode() for f in plan.files}
    assert "\nstruct Ancestor;\n" in after["src/beta.rs"]


def test_in_edition_2015_a_macro_is_shown_by_order_also_where_other_items_move_with_it() -> None:
    """rustc-demangle: no path leads to the macro there, so it arrives above its callers, and its module shows it."""
    before = {
        "Cargo.toml": '[package]\nname = "case"\nversion = "0.1.0"\nedition = "2015"\n',
        "src/lib.rs": "mod beta;\nmod alpha;\n\npub fn go() -> u8 {\n    alpha::stay() + beta::resident()\n}\n",
        "src/alpha.rs": (
            "macro_rules! twice {\n    ($e:expr) => {\n        $e + $e\n    };\n}\n\n"
            "fn helper() -> u8 {\n    twice!(1)\n}\n\npub fn stay() -> u8 {\n    twice!(helper())\n}\n"
        ),
        "src/beta.rs": "pub fn resident() -> u8 {\n    1\n}\n",
    }
    sources = encoded(before)
    request = MoveRequest("helper", "src/alpha.rs", "src/beta.rs", also=("twice",))
    plan = plan_move(request, workspace_of(sources), frozenset(sources), {})
    after = {f.path: (f.after or b"").decode() for f in plan.files}
    assert after == {
        "src/lib.rs": before["src/lib.rs"].replace("mod beta;", "#[macro_use]\nmod beta;"),
        "src/alpha.rs": "use crate::beta::helper;\n\npub fn stay() -> u8 {\n    twice!(helper())\n}\n",
        "src/beta.rs": (
            "pub fn resident() -> u8 {\n    1\n}\n\n"
            "macro_rules! twice {\n    ($e:expr) => {\n        $e + $e\n    };\n}\n\n"
            "pub(super) fn helper() -> u8 {\n    twice!(1)\n}\n"
        ),
    }


def test_the_leaves_of_a_doc_tests_group_leave_it_together() -> None:
    """ruzstd: `use ruzstd::encoding::{compress, CompressionLevel};` in an example, and both move."""
    example = (
        "/// ```\n/// use case::alpha::{sound, Depth, stay};\n/// sound(&Depth(1));\n/// stay();\n/// ```\n"
    )
    before = {
        "Cargo.toml": '[package]\nname = "case"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/lib.rs": "pub mod alpha;\npub mod beta;\n",
        "src/alpha.rs": f"pub struct Depth(pub u32);\n\n{example}pub fn sound(_: &Depth) {{}}\n\npub fn stay() {{}}\n",
        "src/beta.rs": "",
    }
    sources = encoded(before)
    request = MoveRequest("sound", "src/alpha.rs", "src/beta.rs", also=("Depth",))
    plan = plan_move(request, workspace_of(sources), frozenset(sources), {})
    after = {f.path: (f.after or b"").decode() for f in plan.files}
    assert after["src/alpha.rs"] == "pub fn stay() {}\n"
    assert after["src/beta.rs"] == (
        "pub struct Depth(pub u32);\n\n/// ```\n/// use case::alpha::{stay};\n/// use case::beta::sound;\n"
        "/// use case::beta::Depth;\n/// sound(&Depth(1));\n/// stay();\n/// ```\npub fn sound(_: &Depth) {}\n"
    )
    whole = {
        **before,
        "src/alpha.rs": before["src/alpha.rs"].replace("Depth, stay}", "Depth}").replace("/// stay();\n", ""),
    }
    sources = encoded(whole)
    plan = plan_move(request, workspace_of(sources), frozenset(sources), {})
    after = {f.path: (f.after or b"").decode() for f in plan.files}
    assert (
        "/// use case::alpha::{};\n/// use case::beta::sound;\n/// use case::beta::Depth;\n"
        in after["src/beta.rs"]
    )
