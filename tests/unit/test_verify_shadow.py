"""The shadow equals the real tree after every refresh, and nothing that happens in it reaches the real tree."""

import os
import time
from pathlib import Path

import pytest

from m1nd.domain.edits import FilePlan
from m1nd.infrastructure.verify import remove_orphans, remove_shadow, shadow_home
from m1nd.infrastructure.verify import shadow as shadow_module
from m1nd.infrastructure.verify.shadow import Shadow, ShadowBroken
from m1nd.infrastructure.verify.surroundings import mirror, shadow_folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "real/repo"
    write(root, {"Cargo.toml": "[package]", "src/lib.rs": "mod a;", "src/a.rs": "fn a() {}"})
    return root


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def opened(root: Path) -> Shadow:
    home = root.parent.parent / "home"
    home.mkdir(exist_ok=True)
    return Shadow(root, shadow_folder(home, root), home / "index.json")


def refreshed(root: Path) -> Shadow:
    shadow = opened(root)
    shadow.folder.parent.mkdir(parents=True, exist_ok=True)
    shadow.refresh(time.time_ns())
    return shadow


def content(folder: Path) -> dict[str, str]:
    """Plain files with their text, and folders."""
    return {
        path.relative_to(folder).as_posix(): path.read_text() if path.is_file() else "folder"
        for path in sorted(folder.rglob("*"))
        if not path.is_symlink()
    }


def test_the_shadow_follows_changes_removals_and_new_files(root: Path) -> None:
    shadow = refreshed(root)
    assert content(shadow.folder) == content(root)
    write(root, {"src/a.rs": "fn a() { 1 }", "src/deep/b.rs": "fn b() {}"})
    (root / "Cargo.toml").unlink()
    assert content(refreshed(root).folder) == content(root)
    (root / "src/deep/b.rs").unlink()
    (root / "src/deep").rmdir()
    assert content(refreshed(root).folder) == content(root)


def test_a_file_that_becomes_a_folder_and_back(root: Path) -> None:
    write(root, {"thing": "file"})
    refreshed(root)
    (root / "thing").unlink()
    write(root, {"thing/inner": "x"})
    assert content(refreshed(root).folder) == content(root)
    (root / "thing/inner").unlink()
    (root / "thing").rmdir()
    write(root, {"thing": "file again"})
    assert content(refreshed(root).folder) == content(root)


def test_an_unchanged_file_keeps_its_time_and_a_changed_one_gets_a_new_one(root: Path) -> None:
    shadow = refreshed(root)
    times = {name: os.stat(shadow.folder / name).st_mtime_ns for name in ("src/a.rs", "src/lib.rs")}
    os.utime(root / "src/a.rs", ns=(1, 1))
    write(root, {"src/lib.rs": "mod b;"})
    os.utime(
        root / "src/lib.rs", ns=(1, 1)
    )  # a checkout may set an old time; cargo must see the change all the same
    refreshed(root)
    assert os.stat(shadow.folder / "src/a.rs").st_mtime_ns == times["src/a.rs"]
    assert os.stat(shadow.folder / "src/lib.rs").st_mtime_ns > times["src/lib.rs"]


def test_a_change_within_one_tick_of_the_clock_is_seen(root: Path) -> None:
    path = root / "src/a.rs"
    before = path.stat()
    refreshed(root)
    path.write_text("fn z() {}")
    os.utime(path, ns=(before.st_mtime_ns, before.st_mtime_ns))
    assert content(refreshed(root).folder) == content(root)


def test_planned_files_stay_in_the_shadow_and_leave_with_the_next_refresh(root: Path) -> None:
    real = content(root)
    shadow = refreshed(root)
    digest = shadow.digest()
    planned = shadow.put(
        [
            FilePlan("src/a.rs", b"fn a() {}", b"planned"),
            FilePlan("src/new.rs", None, b"new"),
            FilePlan("src/lib.rs", b"mod a;", None),
        ]
    )
    assert content(root) == real
    assert content(shadow.folder) == {
        "Cargo.toml": "[package]",
        "src": "folder",
        "src/a.rs": "planned",
        "src/new.rs": "new",
    }

    again = refreshed(root)
    assert content(again.folder) == real
    assert again.digest() == digest
    write(root, {"src/a.rs": "planned", "src/new.rs": "new"})
    (root / "src/lib.rs").unlink()
    assert refreshed(root).digest() == shadow.digest(planned), "the plan, once written, is today's tree"


def test_a_damaged_index_or_a_damaged_copy_is_mended(root: Path) -> None:
    shadow = refreshed(root)
    (shadow.folder / "src/a.rs").write_text("")
    assert content(refreshed(root).folder) == content(root)
    (root.parent.parent / "home/index.json").write_text("{")
    (shadow.folder / "src/stale.rs").write_text("stale")
    assert content(refreshed(root).folder) == content(root)


def test_writing_in_the_shadow_never_reaches_the_real_tree(root: Path) -> None:
    real = content(root)
    shadow = refreshed(root)
    for path in shadow.folder.rglob("*"):
        if path.is_file():
            path.write_text("a build script was here")
    assert content(root) == real


def test_a_folder_that_was_linked_and_is_real_now_is_not_written_through(root: Path) -> None:
    (root.parent / "elsewhere").mkdir()
    (root / "gen").symlink_to("../elsewhere")
    shadow = refreshed(root)
    assert os.readlink(shadow.folder / "gen") == "../elsewhere"
    (root / "gen").unlink()
    write(root, {"gen/out.rs": "x"})
    refreshed(root)
    assert content(shadow.folder / "gen") == {"out.rs": "x"}
    assert os.listdir(root.parent / "elsewhere") == []


def test_links_caches_and_large_files(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shadow_module, "LARGE", 100)
    write(root, {
        "target/CACHEDIR.TAG": "", "target/x": "x", ".m1nd/log.db": "x", ".git/HEAD": "x",
        "node_modules/a": "x", "big.bin": "x" * 101,
    })  # fmt: skip
    (root / "src/inside.rs").symlink_to(root / "src/a.rs")
    os.mkfifo(root / "pipe")
    shadow = refreshed(root)
    assert sorted(os.listdir(shadow.folder)) == [".git", "Cargo.toml", "big.bin", "node_modules", "src"]
    assert os.readlink(shadow.folder / ".git") == str(root / ".git")
    assert os.readlink(shadow.folder / "src/inside.rs") == str(shadow.folder / "src/a.rs")

    shadow.put([FilePlan("src/inside.rs", b"fn a() {}", b"through")])
    assert (shadow.folder / "src/a.rs").read_text() == "through"
    assert (root / "src/a.rs").read_text() == "fn a() {}"
    with pytest.raises(ShadowBroken):
        shadow.put([FilePlan("node_modules/a", b"x", b"y")])
    assert (root / "node_modules/a").read_text() == "x"


def test_a_manifest_that_names_the_root_absolutely_names_the_shadow(root: Path) -> None:
    write(root, {"Cargo.toml": f'a = {{ path = "{root}/src" }}'})
    shadow = refreshed(root)
    assert (shadow.folder / "Cargo.toml").read_text() == f'a = {{ path = "{shadow.folder}/src" }}'


@pytest.mark.parametrize("many", [512, 0])
def test_the_neighbours_of_the_root_are_links_and_lock_files_copies(
    root: Path, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("m1nd.infrastructure.verify.surroundings.MANY", many)
    write(root.parent, {"sibling/crates/x/Cargo.toml": "", "Cargo.lock": "lock", ".cargo/config.toml": ""})
    write(root, {"Cargo.toml": '[dependencies]\nx = { path = "../sibling/crates/x" }'})
    home = root.parent.parent / "home"
    shadow = refreshed(root)
    for _ in range(2):
        mirror(home, root, [shadow.folder / "Cargo.toml"])
    around = shadow_folder(home, root).parent
    assert os.readlink(around / "sibling") == str(root.parent / "sibling")
    assert os.readlink(around / ".cargo") == str(root.parent / ".cargo")
    assert not (around / "Cargo.lock").is_symlink() and (around / "Cargo.lock").read_text() == "lock"
    assert not shadow.folder.is_symlink()

    (root.parent / "Cargo.lock").unlink()
    mirror(home, root, [shadow.folder / "Cargo.toml"])
    assert not (around / "Cargo.lock").exists()


def test_shadows_of_repositories_that_are_gone_are_swept(tmp_path: Path) -> None:
    environment = {"M1ND_HOME": str(tmp_path)}
    live, dead = tmp_path / "live", tmp_path / "dead"
    live.mkdir()
    for real in (live, dead):
        home = Path(shadow_home(str(real), environment))
        write(home, {"root": str(real), "fs/x": "x"})
    (gone,) = remove_orphans(str(tmp_path / "shadows"))
    assert gone.startswith("dead-")
    assert os.listdir(tmp_path / "shadows")[0].startswith("live-")
    assert remove_shadow(shadow_home(str(live), environment)) > 0
