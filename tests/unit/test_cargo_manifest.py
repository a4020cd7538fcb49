"""Cargo's view, read without cargo: targets, editions, dependencies, lints, workspaces; broken manifests are told."""

from collections.abc import Mapping

import pytest

from m1nd.domain.rust.cargo import CargoWorkspace, Dependency, Package, Target, TargetKind
from m1nd.infrastructure.cargo_manifest import read_cargo


def read(files: Mapping[str, str], *empty: str) -> CargoWorkspace:
    contents = {path: text.encode() for path, text in files.items()} | dict.fromkeys(empty, b"")
    return read_cargo(contents.keys(), contents.get)


def targets(package: Package) -> list[tuple[str, str, str]]:
    return sorted((t.kind.value, t.name, t.root_file) for t in package.targets)


def test_targets_are_discovered() -> None:
    found = read(
        {"Cargo.toml": '[package]\nname = "a-b"\nedition = "2021"\n'},
        *("src/lib.rs", "src/main.rs", "src/bin/one.rs", "src/bin/two/main.rs", "src/bin/two/part.rs"),
        *(
            "examples/ex.rs",
            "examples/multi/main.rs",
            "examples/multi/x.rs",
            "tests/it.rs",
            "tests/common/mod.rs",
        ),
        *("benches/be.rs", "build.rs", "src/other.rs"),
    )
    assert targets(found.packages[0]) == [
        ("bench", "be", "benches/be.rs"),
        ("bin", "a_b", "src/main.rs"),
        ("bin", "one", "src/bin/one.rs"),
        ("bin", "two", "src/bin/two/main.rs"),
        ("build", "build_script_build", "build.rs"),
        ("example", "ex", "examples/ex.rs"),
        ("example", "multi", "examples/multi/main.rs"),
        ("lib", "a_b", "src/lib.rs"),
        ("test", "it", "tests/it.rs"),
    ]
    assert found.problems == ()


def test_named_targets_and_switches() -> None:
    manifest = """
        [package]
        name = "x"
        edition = "2018"
        autobins = false
        autotests = false
        build = "make.rs"
        [lib]
        name = "other_name"
        path = "lib/root.rs"
        proc-macro = true
        edition = "2021"
        [[bin]]
        name = "tool-one"
        [[bin]]
        name = "two"
        path = "tools/two.rs"
        required-features = ["f"]
        [[test]]
        name = "only"
        path = "tests/only.rs"
        [[example]]
        name = "renamed"
        path = "examples/auto.rs"
        """
    found = read(
        {"Cargo.toml": manifest},
        *(
            "lib/root.rs",
            "src/lib.rs",
            "src/bin/tool-one.rs",
            "src/bin/left.rs",
            "tools/two.rs",
            "make.rs",
            "build.rs",
        ),
        *("tests/only.rs", "tests/left.rs", "examples/auto.rs"),
    )
    assert found.packages[0].targets[0] == Target(
        TargetKind.LIB, "other_name", "lib/root.rs", ".", 2021, proc_macro=True
    )
    assert targets(found.packages[0])[1:] == [
        ("bin", "two", "tools/two.rs"),
        ("build", "build_script_make", "make.rs"),
        ("example", "renamed", "examples/auto.rs"),
        ("lib", "other_name", "lib/root.rs"),
        ("test", "only", "tests/only.rs"),
    ]
    assert targets(found.packages[0])[0] == ("bin", "tool_one", "src/bin/tool-one.rs")
    assert found.packages[0].targets[2].required_features == ("f",)


def test_a_target_without_its_file_is_a_problem() -> None:
    found = read({"Cargo.toml": '[package]\nname = "x"\n[lib]\npath = "gone.rs"\n[[bin]]\n'}, "src/main.rs")
    assert [t.kind for t in found.packages[0].targets] == [TargetKind.BIN]
    assert found.problems == (("Cargo.toml", "target lib x: gone.rs does not exist"),)


def test_edition_2015_with_a_named_target_discovers_none_of_that_kind() -> None:
    manifest = '[package]\nname = "x"\n[[bin]]\nname = "a"\n'
    found = read({"Cargo.toml": manifest}, "src/bin/a.rs", "src/bin/b.rs", "tests/t.rs")
    assert targets(found.packages[0]) == [("bin", "a", "src/bin/a.rs"), ("test", "t", "tests/t.rs")]
    assert found.packages[0].edition == 2015


def test_workspace_inheritance_and_renamed_dependencies() -> None:
    root = """
        [workspace]
        members = ["crates/*"]
        exclude = ["crates/lone"]
        [workspace.package]
        edition = "2021"
        [workspace.dependencies]
        core-lib = { path = "crates/core", package = "the-core" }
        serde = "1"
        [workspace.lints.rust]
        unused_imports = "deny"
        [workspace.lints.clippy]
        all = { level = "warn", priority = -1 }
        """
    member = """
        [package]
        name = "app"
        edition.workspace = true
        [dependencies]
        core-lib.workspace = true
        serde = { workspace = true, optional = true }
        util = { path = "../util-dir" }
        [dev-dependencies]
        rand = "1"
        [build-dependencies]
        cc = "1"
        [target.'cfg(unix)'.dependencies]
        libc = "0.2"
        [features]
        default = []
        extra = ["serde"]
        [lints]
        workspace = true
        """
    found = read(
        {
            "Cargo.toml": root,
            "crates/app/Cargo.toml": member,
            "crates/core/Cargo.toml": '[package]\nname = "the-core"\n',
            "crates/util-dir/Cargo.toml": '[package]\nname = "util"\n[lib]\nname = "util_code"\n',
            "crates/lone/Cargo.toml": '[package]\nname = "lone"\n[lints.rust]\nunsafe_code = "forbid"\n',
        },
        *(
            "crates/app/src/lib.rs",
            "crates/core/src/lib.rs",
            "crates/util-dir/src/lib.rs",
            "crates/lone/src/lib.rs",
        ),
    )
    app = found.package_at("crates/app")
    assert app is not None
    assert (app.edition, app.workspace_directory, app.features) == (2021, ".", ("default", "extra"))
    assert set(app.dependencies) == {
        Dependency("core_lib", "the-core", "normal", "crates/core", "path=crates/core", ("default",)),
        Dependency("serde", "serde", "normal", None, "version=1", ("default",), conditional=True),
        Dependency("util_code", "util", "normal", "crates/util-dir", "path=crates/util-dir", ("default",)),
        Dependency("rand", "rand", "dev", None, "version=1", ("default",)),
        Dependency("cc", "cc", "build", None, "version=1", ("default",)),
        Dependency("libc", "libc", "normal", None, "version=0.2", ("default",), conditional=True),
    }
    assert app.lints == (("clippy.all", "warn"), ("rust.unused_imports", "deny"))
    lone = found.package_at("crates/lone")
    assert lone is not None
    assert (lone.workspace_directory, lone.lints) == ("crates/lone", (("rust.unsafe_code", "forbid"),))
    assert found.problems == ()


@pytest.mark.parametrize(
    "text",
    [
        "[package",
        '[package]\nversion = "1"\n',
        "package = 3\n",
        '[package]\nname = "x"\nedition = "next"\n',
        "\x00",
        "a" * 1000,
    ],
)
def test_a_broken_manifest_is_a_problem_and_the_others_are_read(text: str) -> None:
    found = read({"bad/Cargo.toml": text, "good/Cargo.toml": '[package]\nname = "good"\n'}, "good/src/lib.rs")
    assert found.package_at("good") is not None
    assert [p for p, _ in found.problems] in (["bad/Cargo.toml"], [])
    if text != "package = 3\n":
        assert found.problems[0][1].startswith("broken")


@pytest.mark.parametrize(
    "text",
    [
        "dependencies = 3\n", "lib = []\n", "bin = 3\n", 'bin = ["x"]\n', "features = 1\n", "lints = 4\n",
        "target = { a = 3 }\n", "workspace = 1\n", 'dependencies = { a = [1], b = { path = 3 }, c = { workspace = true } }\n',
    ],
)  # fmt: skip
def test_ill_typed_tables_never_fail(text: str) -> None:
    found = read({"Cargo.toml": text + '[package]\nname = "x"\n'}, "src/lib.rs")
    assert len(found.packages) == 1


def test_without_any_manifest_targets_are_guessed_and_said_to_be() -> None:
    found = read({}, "src/lib.rs", "src/main.rs", "src/a.rs")
    assert [t.root_file for t in found.targets()] == ["src/lib.rs", "src/main.rs"]
    assert found.problems == (("Cargo.toml", "no-manifest: targets are guessed from file names"),)


def test_a_broken_manifest_alone_still_gives_the_usual_targets() -> None:
    found = read({"Cargo.toml": "[oops"}, "src/lib.rs")
    assert [t.root_file for t in found.targets()] == ["src/lib.rs"]
    assert [path for path, _ in found.problems] == ["Cargo.toml"]


def test_what_a_dependency_asks_for_is_told_with_what_the_workspace_asks_for() -> None:
    root = """
        [workspace]
        members = ["*"]
        [workspace.dependencies]
        rand = { version = "0.9", default-features = false, features = ["std"] }
        """
    member = """
        [package]
        name = "app"
        publish = false
        [lib]
        crate-type = ["cdylib"]
        [dependencies]
        rand = { workspace = true, features = ["log"] }
        far = { git = "https://example.org/far", rev = "1" }
        """
    found = read({"Cargo.toml": root, "app/Cargo.toml": member}, "app/src/lib.rs").package_at("app")
    assert found is not None
    assert found.dependencies == (
        Dependency("rand", "rand", "normal", None, "version=0.9", ("log", "std")),
        Dependency("far", "far", "normal", None, "git=https://example.org/far rev=1", ("default",)),
    )
    assert (found.published, [t.linkable for t in found.targets]) == (False, [False])
