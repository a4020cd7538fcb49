"""The workspace as a whole: module trees, several crates, visibility, planned trees, the answers for the move."""

import pytest
from tests.support.rust import package, short, told, workspace

from m1nd.domain.rust.cargo import Dependency
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace
from m1nd.domain.rust.visibility import Visibility

LIB = ".|lib|demo"


def module(*path: str, crate: str = LIB) -> Definition:
    return Definition(DefinitionKind.MODULE, crate, path)


def test_modules_are_found_in_files_folders_inline_and_by_path() -> None:
    found = workspace(
        {
            "src/lib.rs": (
                'mod a; mod b; #[path = "odd/place.rs"] pub mod c; mod d { mod e; #[path = "f.rs"] mod g; }'
                "mod lost; #[cfg(unix)] mod h { #![allow(x)] mod i {} }"
            ),
            "src/a.rs": "mod x;",
            "src/a/x.rs": "",
            "src/b/mod.rs": "mod y;",
            "src/b/y.rs": "#![cfg(test)]",
            "src/odd/place.rs": "mod z;",
            "src/odd/z.rs": "",
            "src/d/e.rs": "",
            "src/d/f.rs": "",
            "src/unused.rs": "",
        }
    )
    assert {("::".join(d.path), m.file, m.inline) for d, m in found.modules.items()} == {
        ("", "src/lib.rs", False),
        ("a", "src/a.rs", False),
        ("a::x", "src/a/x.rs", False),
        ("b", "src/b/mod.rs", False),
        ("b::y", "src/b/y.rs", False),
        ("c", "src/odd/place.rs", False),
        ("c::z", "src/odd/z.rs", False),
        ("d", "src/lib.rs", True),
        ("d::e", "src/d/e.rs", False),
        ("d::g", "src/d/f.rs", False),
        ("h", "src/lib.rs", True),
        ("h::i", "src/lib.rs", True),
    }
    assert found.orphans() == ("src/unused.rs",)
    assert found.modules[module("c")].path_attribute
    assert found.modules[module("h", "i")].cfg == ("cfg(unix)",)
    assert found.modules[module("b", "y")].cfg == ("cfg(test)",)
    assert found.modules[module("c")].visibility == Visibility(None)
    assert found.modules[module("d", "g")].declared_in == ("src/lib.rs", 5)


def test_a_module_declared_twice_under_cfg_has_two_definitions() -> None:
    files = {
        "src/lib.rs": (
            "#[cfg(unix)] mod imp { pub fn f() {} } #[cfg(windows)] mod imp { pub fn f() {} }"
            '#[cfg_attr(unix, path = "u.rs")] #[cfg_attr(windows, path = "w.rs")] mod sys;'
            "fn t() { imp::f(); sys::g(); }"
        ),
        "src/u.rs": "pub fn g() {}",
        "src/w.rs": "pub fn g() {}",
    }
    found = workspace(files)
    assert told(found, "src/lib.rs") == [
        "imp::f = fn imp::f + fn imp::f#1 (maybe: cfg twins)",
        "sys::g = fn sys::g + fn sys::g#1 (maybe: ambiguous)",
    ]
    for definition, item in ((d, found.item(d)) for o in found.occurrences("src/lib.rs") for d in o.target):
        assert item is not None and item.name == definition.name


def test_one_file_in_two_crates_is_resolved_in_each() -> None:
    files = {
        "src/lib.rs": "mod util; fn f() {}",
        "src/main.rs": "mod util; mod inner { pub fn f() {} } use inner::f; fn main() {}",
        "src/util.rs": "fn t() { crate::f(); }",
    }
    found = workspace(files)
    assert [m.definition.crate for m in found.mounts("src/util.rs")] == [LIB, ".|bin|demo"]
    assert told(found, "src/util.rs") == ["crate::f = fn f", "crate::f = fn inner::f"]
    assert told(found, "src/util.rs", LIB) == ["crate::f = fn f"]


def test_other_targets_name_the_library_and_other_packages_by_their_names() -> None:
    files = {
        "app/src/lib.rs": "#[macro_use] extern crate tools; pub fn f() { mine::g(); twice!(); tools::other!(); }",
        "app/src/main.rs": "fn main() { app::f(); mine::g(); crate::h(); } fn h() {}",
        "app/tests/t.rs": "use app::f; fn t() { f(); dev::x(); }",
        "app/build.rs": "fn main() { app::f(); built::x(); mine::g(); }",
        "core-lib/src/lib.rs": "pub fn g() {} fn private() {}",
        "tools/src/lib.rs": "#[macro_export] macro_rules! twice { () => { $crate::g() } } #[macro_export] macro_rules! other { () => {} } pub fn g() {}",
    }
    names = list(files)
    packages = [
        package(
            names,
            "app",
            "app",
            dependencies=[
                Dependency("mine", "core-lib", "normal", "core-lib"),
                Dependency("tools", "tools", "normal", "tools"),
                Dependency("dev", "dev", "dev", None),
                Dependency("built", "built", "build", None),
            ],
        ),
        package(names, "core-lib", "core-lib"),
        package(names, "tools", "tools"),
    ]
    found = workspace(files, packages=packages)
    assert {path: told(found, path) for path in files} == {
        "app/src/lib.rs": [
            "tools = tools/crate",
            "mine::g = core_lib/fn g",
            "twice = tools/macro_rules twice",
            "tools::other = tools/macro_rules other",
        ],
        "app/src/main.rs": ["app::f = app/fn f", "mine::g = core_lib/fn g", "crate::h = fn h"],
        "app/tests/t.rs": ["app::f = app/fn f", "f = app/fn f", "dev::x = dev::x"],
        "app/build.rs": ["app::f = ? not found", "built::x = built::x", "mine::g = ? not found"],
        "core-lib/src/lib.rs": [],
        "tools/src/lib.rs": ["$crate::g = fn g (maybe: macro tokens)"],
    }


def test_procedural_macros_of_the_workspace() -> None:
    files = {
        "src/lib.rs": "use der::Make; #[derive(Make, der::Make)] #[der::hook] struct S; fn t() { der::build!(); }",
        "der/src/lib.rs": (
            "#[proc_macro_derive(Make, attributes(make))] pub fn derive_make() {}"
            "#[proc_macro_attribute] pub fn hook() {} #[proc_macro] pub fn build() {}"
        ),
    }
    found = workspace(
        files,
        packages=[
            package(list(files), dependencies=[Dependency("der", "der", "normal", "der")]),
            package(list(files), "der", "der", proc_macro=True),
        ],
    )
    assert told(found, "src/lib.rs") == [
        "der::Make = der/fn derive_make",
        "Make = der/fn derive_make",
        "der::Make = der/fn derive_make",
        "der::hook = der/fn hook",
        "der::build = der/fn build",
    ]


def test_scope_lists_items_imports_and_globs_with_their_visibility() -> None:
    found = workspace(
        {
            "src/lib.rs": "mod a; pub use a::*; use a::f as g; use std::fmt; pub(crate) struct S;",
            "src/a.rs": "pub fn f() {} pub(crate) fn h() {} fn private() {}",
        }
    )
    scope = found.scope(module())
    listed = {
        (space.value, name): [
            (short(b.definition, LIB), b.origin, b.visibility.scope, b.via) for b in bindings
        ]
        for (space, name), bindings in scope.names.items()
        if name != "fmt"
    }
    assert listed == {
        ("type", "a"): [("mod a", "item", module(), None)],
        ("value", "f"): [("fn a::f", "glob", None, ("src/lib.rs", 0))],
        ("value", "h"): [("fn a::h", "glob", module(), ("src/lib.rs", 0))],
        ("value", "g"): [("fn a::f", "import", module(), ("src/lib.rs", 1))],
        ("type", "S"): [("struct S", "item", module(), None)],
        ("value", "S"): [("struct S", "item", module(), None)],
    }
    assert [short(b.definition) for b in scope.get(Namespace.TYPE, "fmt")] == ["std::fmt"]


def test_lookup_goes_on_to_preludes_and_textual_macros() -> None:
    found = workspace({"src/lib.rs": "macro_rules! m { () => {} } mod a { }"})

    def seen(name: str, namespace: Namespace) -> list[tuple[str, str]]:
        return [(short(b.definition, LIB), b.origin) for b in found.lookup(module("a"), name, namespace)]

    assert seen("m", Namespace.MACRO) == [("macro_rules m", "macro_rules")]
    assert seen("println", Namespace.MACRO) == [("std::println", "prelude")]
    assert seen("std", Namespace.TYPE) == [("std", "extern_prelude")]
    assert seen("u8", Namespace.TYPE) == [("builtin u8", "builtin")]
    assert seen("TryFrom", Namespace.TYPE) == [("std::convert::TryFrom", "prelude")]
    assert seen("nothing", Namespace.TYPE) == []


def test_the_prelude_follows_the_edition() -> None:
    found = workspace({"src/lib.rs": ""}, edition=2018)
    assert found.lookup(module(), "TryFrom", Namespace.TYPE) == ()


def test_visibility_as_declared_and_as_inherited() -> None:
    source = (
        "mod a { pub mod b { pub(in crate::a) fn f() {} pub(super) fn g() {} fn h() {} pub(crate) enum E { V }"
        " pub trait T { fn m(&self); } pub struct S { pub x: u8, y: u8 } impl S { fn n() {} pub fn o() {} }"
        " impl T for S { fn m(&self) {} } } }"
    )
    found = workspace({"src/lib.rs": source})
    inside = module("a", "b")
    table = {
        "::".join(d.path[2:]): found.visibility_of(d).scope
        for d in found.forest.table(inside).values()
        if d.item_kind not in ("impl",)
    }
    assert table == {
        "f": module("a"),
        "g": module("a"),
        "h": inside,
        "E": module(),
        "E::V": module(),
        "T": None,
        "T::m": None,
        "S": None,
        "S::n": inside,
        "S::o": None,
        "S::m": None,
    }
    struct = next(d for d in found.forest.table(inside).values() if d.item_kind == "struct")
    fields = {f.name: found.visibility_of(d).scope for d, f in found.fields_of(struct)}
    assert fields == {"x": None, "y": inside}
    method = next(d for d in found.forest.table(inside).values() if d.path[-1] == "o")
    assert found.reachable(method, module("a"))
    assert not found.reachable(method, module(crate="other"))


def test_locate_is_the_inverse_of_definition() -> None:
    source = "mod a { fn f() { fn g() {} } enum E { A { x: u8 } } impl E { fn f() {} } } fn f() {} fn f() {}"
    found = workspace({"src/lib.rs": source})
    fresh = workspace({"src/lib.rs": source})
    for owner in found.modules:
        for index, definition in found.forest.table(owner).items():
            assert found.definition(owner, index) == definition
            assert fresh.locate(definition) == ("src/lib.rs", index)
            assert fresh.module_of(definition) == owner
    variant = next(d for d in found.forest.table(module("a")).values() if d.item_kind == "variant")
    (field, _), *rest = found.fields_of(variant)
    assert rest == []
    assert fresh.locate(field) == fresh.locate(variant)
    assert found.locate(Definition(DefinitionKind.ITEM, LIB, ("gone",), "fn")) is None


def test_module_at_an_offset() -> None:
    source = "mod a { fn f() {} mod b { fn g() {} } } fn h() {}"
    found = workspace({"src/lib.rs": source})

    def path_at(text: str) -> tuple[str, ...]:
        at = found.module_at("src/lib.rs", source.index(text))
        assert at is not None
        return at.definition.path

    assert [path_at(t) for t in ("fn f", "fn g", "fn h", "mod b")] == [("a",), ("a", "b"), (), ("a",)]
    assert found.module_at("src/none.rs", 0) is None


def test_traits_and_impls() -> None:
    files = {
        "src/lib.rs": (
            "mod a; use a::Tr; use a::Other as _; use std::io::Write; use std::fmt; struct S; type Alias = S;"
            "impl S {} impl Tr for S {} impl Alias {} impl<T> Tr for T {} impl Tr for &S {}"
            "fn t() { use a::Inner; }"
        ),
        "src/a.rs": "pub trait Tr { fn m(&self) {} const C: u8 = 1; } pub trait Other {} pub trait Inner {}",
    }
    found = workspace(files)
    seen = [(short(d, LIB), via) for d, via in found.traits_in_scope(module())]
    assert seen == [
        ("trait a::Tr", ("src/lib.rs", 0)),
        ("std::io::Write", ("src/lib.rs", 2)),
        ("trait a::Other", ("src/lib.rs", 1)),
    ]
    inner = found.traits_in_scope(module(), files["src/lib.rs"].index("use a::Inner"))
    assert ("trait a::Inner", ("src/lib.rs", 4)) in [(short(d, LIB), via) for d, via in inner]
    trait = Definition(DefinitionKind.ITEM, LIB, ("a", "Tr"), "trait")
    assert found.trait_methods(trait) == {"m", "C"}
    struct = Definition(DefinitionKind.ITEM, LIB, ("S",), "struct")
    details = sorted(found.facts["src/lib.rs"].items[i].detail for _, i in found.impls_of(struct))
    assert details == ["Alias", "S", "Tr for &S", "Tr for S"]


def test_a_planned_tree_equals_a_tree_built_from_scratch() -> None:
    files = {
        "src/lib.rs": "mod a; mod b; pub use a::f; #[cfg(test)] mod tests { use super::*; fn t() { f(); } }",
        "src/a.rs": "pub fn f() { g(); } fn g() {}",
        "src/b.rs": "use crate::a::f; fn t() { f(); }",
    }
    before = workspace(files)
    for path in files:
        before.occurrences(path)
    changed = {
        "src/a.rs": "/* new text before */ mod extra { pub fn g() {} } use extra::g; pub fn f() { g(); }",
        "src/lib.rs": "use std::fmt; " + files["src/lib.rs"],
        "src/c.rs": "",
    }
    planned = before.with_files({p: t.encode() for p, t in changed.items()})
    fresh = workspace({**files, **changed})
    assert planned.modules == fresh.modules
    assert planned.orphans() == ("src/c.rs",)
    for path in {**files, **changed}:
        assert planned.occurrences(path) == fresh.occurrences(path)
    assert before.occurrences("src/a.rs") == workspace(files).occurrences("src/a.rs")
    gone = planned.with_files({"src/b.rs": None})
    assert module("b") not in gone.modules
    assert "src/b.rs" not in gone.facts


def test_a_planned_tree_that_keeps_its_modules_only_renumbers_them() -> None:
    files = {"src/lib.rs": "mod a; mod b { mod c {} }", "src/a.rs": "mod d { }"}
    changed = {"src/lib.rs": "fn new() {} mod a; mod b { fn more() {} mod c {} }"}
    planned = workspace(files).with_files({p: t.encode() for p, t in changed.items()})
    assert planned.modules == workspace({**files, **changed}).modules
    assert planned.forest.trees == workspace({**files, **changed}).forest.trees


def test_names_in_a_file_are_all_its_words() -> None:
    found = workspace({"src/lib.rs": 'fn r#mod() {} // word\nconst S: &str = "text"; fn cafe\u0301() {}'})
    expected = {"fn", "r", "mod", "word", "const", "S", "str", "text", "café"}
    assert found.names_in("src/lib.rs") == expected


@pytest.mark.parametrize("depth", [200, 3000])
def test_deep_nesting_never_fails(depth: int) -> None:
    source = f"fn g() {{}} fn f() {{ {'(' * depth}g(){')' * depth}; }} fn h() {{ g(); }}"
    found = workspace({"src/lib.rs": source})
    assert [t for t in told(found, "src/lib.rs") if t.startswith("g = fn g")][-1] == "g = fn g"


def test_long_chains_are_followed_whole() -> None:
    source = f"fn g() -> u8 {{ 1 }} fn f() {{ x{'.go()' * 2000}; {'g() + ' * 2000}g(); }}"
    found = workspace({"src/lib.rs": source})
    written = told(found, "src/lib.rs")
    assert written.count("g = fn g") == 2001
    assert written.count("go = ? receiver type unknown") == 2000


def test_broken_text_is_a_doubt_and_no_failure() -> None:
    found = workspace({"src/lib.rs": "fn f() {} fn broken( { f() } ) fn g() { f(); }", "src/b.rs": "}}}"})
    assert all(t.startswith("f = fn f") for t in told(found, "src/lib.rs"))
    assert told(found, "src/lib.rs")
