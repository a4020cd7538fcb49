"""The reverse gate over real crates: what it accepts, what it refuses, and what it says when it cannot judge."""

import fcntl
import os
import shutil
import threading
import time
from pathlib import Path

import pytest

from m1nd.application.ports import Verification
from m1nd.domain.edits import FilePlan
from m1nd.domain.refusal import Refused
from m1nd.infrastructure.verify import CargoVerifier

pytestmark = [
    pytest.mark.cargo,
    pytest.mark.skipif(shutil.which("cargo") is None, reason="there is no cargo on the PATH"),
]

PACKAGE = '[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2021"\n'
SMALL = {
    "Cargo.toml": PACKAGE.format(name="small"),
    "src/lib.rs": "pub mod a;\npub mod b;\n",
    "src/a.rs": "pub fn f() -> u32 { 1 }\n",
    "src/b.rs": "pub fn g() -> u32 { crate::a::f() }\n",
    "tests/t.rs": "#[test]\nfn t() { assert_eq!(small::a::f(), 1); }\n",
}


class Crate:
    """A repository on disk with a verifier; every check asserts that the real tree stayed as it was."""

    def __init__(self, folder: Path, files: dict[str, str]) -> None:
        self.root = folder / "repo"
        self.home = folder / "home"
        self.write(files)

    def write(self, files: dict[str, str]) -> None:
        for path, text in files.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)

    def plans(self, files: dict[str, str | None]) -> list[FilePlan]:
        return [
            FilePlan(
                path,
                (self.root / path).read_bytes() if (self.root / path).exists() else None,
                None if text is None else text.encode(),
            )
            for path, text in files.items()
        ]

    def check(self, files: dict[str, str | None], **options: float) -> Verification:
        before = self.tree()
        verifier = CargoVerifier(self.root, self.home, os.environ, **options)
        outcome = verifier.check(self.plans(files))
        assert self.tree() == before, "the real tree is only ever read"
        return outcome

    def tree(self) -> dict[str, tuple[bytes, int]]:
        return {
            path.relative_to(self.root).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
            for path in sorted(self.root.rglob("*"))
            if path.is_file()
        }

    def commit(self, files: dict[str, str | None]) -> None:
        self.write({path: text for path, text in files.items() if text is not None})


MOVED: dict[str, str | None] = {
    "src/a.rs": "",
    "src/b.rs": "pub fn f() -> u32 { 1 }\npub fn g() -> u32 { f() }\n",
    "tests/t.rs": "#[test]\nfn t() { assert_eq!(small::b::f(), 1); }\n",
}


def test_a_right_move_is_verified_and_a_wrong_one_names_the_real_place(tmp_path: Path) -> None:
    crate = Crate(tmp_path, SMALL)
    right = crate.check(MOVED)
    assert (right.verified, right.errors_before, right.errors_after, right.warnings_added) == (
        True,
        0,
        0,
        0,
    ), right

    wrong = crate.check({path: MOVED[path] for path in ("src/a.rs", "src/b.rs")})
    assert not wrong.verified
    (new,) = wrong.new_errors
    assert (new["file"], new["line"], new["code"]) == ("tests/t.rs", 2, "E0425")
    assert "f" in new["message"] and str(tmp_path) not in str(wrong)

    assert crate.check(MOVED).verified, "the refused plan has left nothing behind"
    crate.commit(MOVED)
    assert crate.check({"src/b.rs": "pub fn f() -> u32 { 2 }\npub fn g() -> u32 { f() }\n"}).verified


def test_a_tree_that_did_not_compile_before_is_judged_on_the_difference(tmp_path: Path) -> None:
    crate = Crate(tmp_path, SMALL | {"src/broken.rs": "pub fn h() -> u32 { nowhere() }\n"})
    crate.write({"src/lib.rs": "pub mod a;\npub mod b;\npub mod broken;\n"})
    same = crate.check({"src/a.rs": "\npub fn f() -> u32 { 1 }\n"})
    assert (same.verified, same.errors_before, same.errors_after) == (True, 1, 1), same
    worse = crate.check({"src/a.rs": "pub fn f() -> u32 { neither() }\n"})
    assert not worse.verified
    assert [(e["file"], e["code"]) for e in worse.new_errors] == [("src/a.rs", "E0425")]
    moved_along = crate.check(
        {
            "src/broken.rs": "",
            "src/a.rs": "pub fn f() -> u32 { 1 }\npub fn h() -> u32 { nowhere() }\n",
        }
    )
    assert (moved_along.verified, moved_along.new_errors) == (True, ()), moved_along


def test_new_warnings_are_counted_and_do_not_refuse(tmp_path: Path) -> None:
    outcome = Crate(tmp_path, SMALL).check(
        {"src/a.rs": "use std::fmt;\npub fn f() -> u32 { 1 }\nfn unused() {}\n"}
    )
    assert (outcome.verified, outcome.warnings_added) == (True, 2), outcome


WORKSPACE = {
    "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\nresolver = "2"\n',
    "crates/one/Cargo.toml": PACKAGE.format(name="one"),
    "crates/one/src/lib.rs": "pub fn f() {}\n",
    "crates/two/Cargo.toml": PACKAGE.format(name="two") + '[dependencies]\none = { path = "../one" }\n',
    "crates/two/src/lib.rs": "",
    "crates/two/examples/e.rs": "fn main() { one::f() }\n",
}


def test_every_target_of_every_member_is_checked(tmp_path: Path) -> None:
    outcome = Crate(tmp_path, WORKSPACE).check({"crates/one/src/lib.rs": "pub fn renamed() {}\n"})
    assert [(e["file"], e["line"]) for e in outcome.new_errors] == [("crates/two/examples/e.rs", 1)]


def test_several_workspaces_of_one_repository(tmp_path: Path) -> None:
    crate = Crate(
        tmp_path,
        {f"{name}/{path}": text for name in ("x", "y") for path, text in SMALL.items()},
    )
    assert crate.check({"x/src/a.rs": "pub fn f() -> u32 { 3 }\n"}).verified
    both = crate.check(
        {"x/src/a.rs": "pub fn f() -> u32 { 4 }\n", "y/src/a.rs": "pub(crate) fn f() -> u32 { 1 }\n"}
    )
    assert {e["file"] for e in both.new_errors} == {"y/tests/t.rs"}


def test_a_path_dependency_outside_of_the_root_is_the_real_one(tmp_path: Path) -> None:
    sibling = {
        "Cargo.toml": '[workspace]\nmembers = ["inner"]\n[workspace.package]\nversion = "0.1.0"\n',
        "inner/Cargo.toml": '[package]\nname = "sibling"\nversion.workspace = true\nedition = "2021"\n',
        "inner/src/lib.rs": "pub fn s() -> u32 { 1 }\n",
    }
    for path, text in sibling.items():
        (tmp_path / "other" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "other" / path).write_text(text)
    manifest = SMALL["Cargo.toml"] + '[dependencies]\nsibling = { path = "../other/inner" }\n'
    crate = Crate(
        tmp_path, SMALL | {"Cargo.toml": manifest, "src/a.rs": "pub fn f() -> u32 { sibling::s() }\n"}
    )
    right = crate.check({"src/b.rs": "pub fn g() -> u32 { sibling::s() }\n"})
    assert right.verified, right
    assert not crate.check({"src/b.rs": "pub fn g() -> u32 { sibling::t() }\n"}).verified
    assert sorted(os.listdir(tmp_path / "other")) == ["Cargo.toml", "inner"], "no lock file, no target folder"

    (tmp_path / "other/inner/src/lib.rs").write_text("pub fn s() -> u32 { nowhere() }\n")
    later = crate.check({"src/b.rs": "pub fn g() -> u32 { 7 }\n"})
    assert later.new_errors == (), "an error that came from outside meanwhile is not the plan's"


def test_a_build_script_runs_in_the_shadow_only(tmp_path: Path) -> None:
    script = """fn main() {
    let dir = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    std::fs::write(format!("{dir}/src/generated.rs"), "pub const N: u32 = 5;").unwrap();
    std::fs::write(format!("{dir}/src/a.rs.tmp"), "").unwrap();
    assert!(std::env::var("SECRET_TOKEN").is_err());
}
"""
    files = SMALL | {"build.rs": script, "src/generated.rs": "pub const N: u32 = 4;\n"}
    crate = Crate(tmp_path, files)
    os.environ["SECRET_TOKEN"] = "x"
    try:
        outcome = crate.check({"src/a.rs": "pub fn f() -> u32 { 2 }\n"})
    finally:
        del os.environ["SECRET_TOKEN"]
    assert outcome.verified, outcome


@pytest.mark.parametrize(
    "trouble", ["missing dependency", "build script fails", "broken manifest", "no manifest"]
)
def test_what_the_compiler_did_not_explain_is_not_verified(tmp_path: Path, trouble: str) -> None:
    files = dict(SMALL)
    match trouble:
        case "missing dependency":
            files["Cargo.toml"] += '[dependencies]\nno-such-crate-anywhere = "1"\n'
        case "build script fails":
            files["build.rs"] = 'fn main() { panic!("no") }\n'
        case "broken manifest":
            files["Cargo.toml"] = "[package\n"
        case "no manifest":
            del files["Cargo.toml"]
    outcome = Crate(tmp_path, files).check({"src/a.rs": "pub fn f() -> u32 { 2 }\n"})
    assert not outcome.verified and outcome.new_errors == ()
    assert outcome.reason and str(tmp_path) not in outcome.reason, outcome.reason


def test_a_check_that_takes_too_long_is_ended_with_all_its_children(tmp_path: Path) -> None:
    script = "fn main() { std::thread::sleep(std::time::Duration::from_secs(600)); }\n"
    crate = Crate(tmp_path, SMALL | {"build.rs": script})
    started = time.monotonic()
    outcome = crate.check({"src/a.rs": "pub fn f() -> u32 { 2 }\n"}, limit=3.0)
    assert time.monotonic() - started < 30
    assert not outcome.verified and "longer than 3 s" in outcome.reason
    running = (
        [p.read_bytes() for p in Path("/proc").glob("[0-9]*/cmdline") if p.exists()]
        if os.path.isdir("/proc")
        else []
    )
    assert not any(os.fsencode(crate.home) in line for line in running)


def test_two_checks_of_one_repository_wait_for_each_other(tmp_path: Path) -> None:
    crate = Crate(tmp_path, SMALL)
    outcomes: list[Verification] = []
    threads = [
        threading.Thread(target=lambda t=text: outcomes.append(crate.check({"src/a.rs": t})))  # type: ignore[misc]
        for text in ("pub fn f() -> u32 { 2 }\n", "fn gone() {}\n")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcome.verified for outcome in outcomes) == [False, True]

    crate.home.joinpath("lock").touch()
    holder = os.open(crate.home / "lock", os.O_RDWR)
    try:
        fcntl.flock(holder, fcntl.LOCK_EX)
        with pytest.raises(Refused) as caught:
            crate.check({"src/a.rs": "\n"}, lock_timeout=0.05)
        assert caught.value.refusal.code == "busy"
    finally:
        os.close(holder)


def test_a_lock_file_is_used_and_never_written(tmp_path: Path) -> None:
    crate = Crate(tmp_path, SMALL)
    assert crate.check(MOVED).verified
    assert not (crate.root / "Cargo.lock").exists()
    crate.write({"Cargo.lock": "version = 3\n"})  # out of date: it lacks the package itself
    assert crate.check(MOVED).verified
    assert (crate.root / "Cargo.lock").read_text() == "version = 3\n"


def test_without_cargo_it_says_so(tmp_path: Path) -> None:
    crate = Crate(tmp_path, SMALL)
    verifier = CargoVerifier(crate.root, crate.home, {"PATH": str(tmp_path)})
    assert not verifier.available()
    outcome = verifier.check(crate.plans({"src/a.rs": ""}))
    assert (outcome.verified, outcome.reason) == (False, "there is no cargo on the PATH")
    assert not crate.home.exists()


def test_a_shadow_inside_a_workspace_is_refused_openly(tmp_path: Path) -> None:
    crate = Crate(tmp_path, SMALL)
    inside = CargoVerifier(crate.root, crate.root / "cache", os.environ).check(crate.plans({"src/a.rs": ""}))
    assert not inside.verified and "inside the repository" in inside.reason
    (tmp_path / "Cargo.toml").write_text("[workspace]\n")
    around = CargoVerifier(crate.root, tmp_path / "cache/x", os.environ).check(crate.plans({"src/a.rs": ""}))
    assert not around.verified and "inside a Cargo workspace" in around.reason


def test_progress_is_told(tmp_path: Path) -> None:
    crate = Crate(tmp_path, SMALL)
    told: list[tuple[str, int, int]] = []
    verifier = CargoVerifier(crate.root, crate.home, os.environ)
    verifier.check(crate.plans(MOVED), lambda *step: told.append(step))
    stages = list(dict.fromkeys(stage for stage, _, _ in told))
    assert stages == ["shadow", "cargo check of today's tree", "cargo check of the plan"]
    assert all(done <= total for stage, done, total in told if done)
