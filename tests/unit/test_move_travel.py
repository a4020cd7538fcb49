"""The dependency trichotomy: which private items travel, which stay, and that cycles are one thing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.moves import encoded, plan, workspace_of

from m1nd.domain.move.travel import travelling_set

LIB = "pub mod alpha;\npub mod beta;\n"


def travelling(alpha: str, lib: str = LIB, symbol: str = "m", **others: str) -> list[str]:
    """Names of the items of `alpha` that travel with `symbol`, in source order."""
    files = {"src/lib.rs": lib, "src/alpha.rs": alpha, "src/beta.rs": ""}
    files.update((f"src/{name}.rs", text) for name, text in others.items())
    workspace = workspace_of(encoded(files))
    (source,) = workspace.mounts("src/alpha.rs")
    items = workspace.facts["src/alpha.rs"].items
    root = next(i for i, item in enumerate(items) if item.name == symbol and item.parent == -1)
    found = travelling_set(workspace, source, (root,))
    assert root in found
    return [items[i].name for i in found if i != root]


@pytest.mark.parametrize(
    "item, use",
    [
        ("fn d() {}", "d();"),
        ("const D: u8 = 1;", "let _ = D;"),
        ("static D: u8 = 1;", "let _ = D;"),
        ("type D = u8;", "let _: D = 1;"),
        ("struct D;", "let _ = D;"),
        ("struct D { x: u8 }", "let _ = D { x: 1 };"),
        ("enum D { One }", "let _ = D::One;"),
        ("union D { x: u8 }", "let _ = D { x: 1 };"),
        ("macro_rules! d { () => {}; }", "d!();"),
        ("pub(self) fn d() {}", "d();"),
        ("fn d() {}", "let f = d; f();"),
        ("fn d() {}", "self::d();"),
        ("fn d() {}", "crate::alpha::d();"),
        ("fn d() {}", 'println!("{:?}", d());'),
        ("const D: u8 = 1;", 'println!("{D}");'),
        ("const D: u8 = 1;", "match 1 { D => {} _ => {} }"),
    ],
)
def test_a_private_item_with_no_other_user_travels(item: str, use: str) -> None:
    """Of every kind that can travel, however it is used."""
    assert [n.lower() for n in travelling(f"{item}\npub fn m() {{ {use} }}\n")] == ["d"]


@pytest.mark.parametrize(
    "item, use",
    [
        ("pub fn d() {}", "d();"),
        ("pub(crate) const D: u8 = 1;", "let _ = D;"),
        ("pub(super) static D: u8 = 1;", "let _ = D;"),
        ('#[no_mangle] extern "C" fn d() {}', "d();"),
        ('#[export_name = "d"] extern "C" fn d() {}', "d();"),
        ("trait D { fn d(&self) {} } impl D for u8 {}", "1u8.d();"),
        ("mod d { pub fn f() {} }", "d::f();"),
    ],
)
def test_what_others_may_see_or_what_is_open_stays(item: str, use: str) -> None:
    """W4: public in any way, exported by name, a trait, a module."""
    assert travelling(f"{item}\npub fn m() {{ {use} }}\n") == []


@pytest.mark.parametrize(
    "user",
    [
        "pub fn stay() { d(); }",
        "pub const STAY: fn() = d;",
        "static STAY: fn() = d;",
        "pub struct S; impl S { pub fn go(&self) { d(); } }",
        "pub trait T { fn go(&self) { d(); } }",
        "#[cfg(test)] mod tests { #[test] fn t() { super::d(); } }",
        "#[cfg(test)] mod tests { use super::*; #[test] fn t() { d(); } }",
        "#[cfg(test)] mod tests { use super::d; }",
        "#[cfg(test)] mod tests { use crate::alpha::d as e; }",
        "pub mod child { pub fn go() { super::d(); } }",
        'pub fn stay() { println!("{:?}", d()); }',
        "pub fn stay() { fn d() {} d(); self::d(); }",
        "use d as again; pub fn stay() { again(); }",
    ],
)
def test_any_other_user_keeps_it(user: str) -> None:
    """W27: every item of the file can be a user, and every child module."""
    assert travelling(f"fn d() {{}}\npub fn m() {{ d(); }}\n{user}\n") == []


@pytest.mark.parametrize(
    "other",
    [
        "/// See [`d`].\npub fn stay() {}",
        "pub fn stay() { let d = 1; let _ = d; }",
        "pub fn stay() { fn d() {} d(); }",
        "pub struct S; impl S { pub fn d(&self) { self.d(); } }",
        'pub fn stay() { let _ = "d()"; /* d() */ }',
        "pub fn stay(d: fn()) { d(); }",
    ],
)
def test_what_only_looks_like_a_user_does_not_keep_it(other: str) -> None:
    """A doc link, a local, a method, a text."""
    assert travelling(f"fn d() {{}}\npub fn m() {{ d(); }}\n{other}\n") == ["d"]


def test_a_chain_travels_whole_and_stops_where_something_stays() -> None:
    text = (
        "fn a() { b(); }\nfn b() { c(); s(); }\nfn c() {}\nfn s() { t(); }\nfn t() {}\npub fn m() { a(); }\n"
    )
    assert travelling(text) == ["a", "b", "c", "s", "t"]
    assert travelling(f"{text}pub fn stay() {{ s(); }}\n") == ["a", "b", "c"]
    assert travelling(f"{text}pub fn stay() {{ t(); }}\n") == ["a", "b", "c", "s"]


def test_cycles_travel_or_stay_as_one() -> None:
    """W49: nobody outside calls x or y."""
    cycle = "fn x() { y(); }\nfn y() { x(); z(); }\nfn z() {}\npub fn m() { x(); }\n"
    assert travelling(cycle) == ["x", "y", "z"]
    assert travelling(f"{cycle}pub fn stay() {{ y(); }}\n") == []
    assert travelling(f"{cycle}pub fn stay() {{ z(); }}\n") == ["x", "y"]


def test_a_cycle_through_the_root_travels() -> None:
    assert travelling("fn x() { m(); }\nfn m() { x(); }\n") == ["x"]
    assert travelling("fn x() { m(); }\nfn m() { x(); }\npub fn stay() { m(); }\n") == ["x"]
    assert travelling("fn x() { m(); }\nfn m() { x(); }\npub fn stay() { x(); }\n") == []


def test_a_textual_macro_seen_further_down_the_crate_stays() -> None:
    """`#[macro_use]` and textual order show it to later modules."""
    alpha = "macro_rules! d { () => {}; }\npub fn m() { d!(); }\n"
    lib = "#[macro_use]\npub mod alpha;\npub mod beta;\npub mod gamma;\n"
    assert travelling(alpha, lib, gamma="pub fn go() { d!(); }\n") == []


def test_a_type_takes_its_impls_with_it() -> None:
    """The impl blocks of a travelling type are part of it."""
    files = {
        "src/lib.rs": LIB,
        "src/alpha.rs": "struct D;\n\nimpl D {\n    fn f(&self) {}\n}\n\npub fn m() {\n    D.f();\n}\n",
        "src/beta.rs": "",
    }
    found = plan(files, "m", "src/alpha.rs", "src/beta.rs")
    texts = {f.path: f.after for f in found.files}
    assert texts == {"src/alpha.rs": b"", "src/beta.rs": files["src/alpha.rs"].encode()}


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=14), st.integers(0, 63))
def test_exactly_what_only_the_moved_set_uses_travels(calls: list[tuple[int, int]], kept: int) -> None:
    """A law over random call graphs: the greatest set that is reachable and has no user outside."""
    names = [f"f{i}" for i in range(6)]
    bodies = {i: "".join(f"{names[b]}(); " for a, b in calls if a == i) for i in range(6)}
    lines = [f"{'pub ' if i == 0 else ''}fn {names[i]}() {{ {bodies[i]}}}\n" for i in range(6)]
    outside = {i for i in range(1, 6) if kept >> i & 1}
    lines.append(f"pub fn stay() {{ {''.join(f'{names[i]}(); ' for i in sorted(outside))}}}\n")
    moved = set(range(6))
    while True:
        reached, todo = {0}, [0]
        while todo:
            user = todo.pop()
            for a, b in calls:
                if a == user and b in moved and b not in reached:
                    reached.add(b)
                    todo.append(b)
        stay = {
            i for i in reached - {0} if i in outside or any(b == i and a not in reached for a, b in calls)
        }
        if not stay:
            break
        moved = (moved & reached) - stay
    assert travelling("".join(lines), symbol="f0") == [names[i] for i in sorted(reached - {0})]
