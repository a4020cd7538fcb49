"""What is remembered of an item follows it: every class of state, every kind that moves, over moves, undos and edits by hand."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from tests.support.door import Door
from tests.support.index import MANIFEST

from m1nd.adapters.bootstrap import open_brain
from m1nd.application.use_cases.attached_state import left_behind
from m1nd.application.use_cases.move_planning import PreviewRequest, plan_on_today, symbol_moves
from m1nd.domain.move.item import MOVABLE
from m1nd.domain.rust.facts import ItemKind


@frozen
class Case:
    """One item to move, and the names of what stands inside it."""

    text: str
    name: str
    members: tuple[str, ...] = ()
    unpainted: tuple[str, ...] = ()
    """What is not painted: parts of an enum, a module's line."""
    files: tuple[tuple[str, str], ...] = ()
    """More files, which move with a module."""


CASES = {
    ItemKind.FN: Case("pub fn weigh(load: u32, ballast: u32) -> u32 { load + ballast }\n", "weigh"),
    ItemKind.CONST: Case("pub const DEEP: u32 = 3 + 4 * 5;\n", "DEEP"),
    ItemKind.STATIC: Case('pub static FLAG: &str = "red over white";\n', "FLAG"),
    ItemKind.TYPE: Case("pub type Depths = Vec<Option<u32>>;\n", "Depths"),
    ItemKind.STRUCT: Case(
        "pub struct Hull { pub beam: u32, pub draught: u32 }\n"
        "impl Hull {\n    pub fn mass(&self) -> u32 {\n        self.beam * self.draught\n    }\n}\n"
        "impl Clone for Hull {\n    fn clone(&self) -> Self {\n"
        "        Hull { beam: self.beam, draught: self.draught }\n    }\n}\n",
        "Hull",
        ("Hull::mass", "Hull::clone"),
    ),
    ItemKind.ENUM: Case(
        "pub enum Tide { Ebb, Flood { height: u32 } }\n", "Tide", unpainted=("Tide::Ebb", "Tide::Flood")
    ),
    ItemKind.UNION: Case("pub union Signal { pub code: u32, pub flags: [u8; 4] }\n", "Signal"),
    ItemKind.TRAIT: Case(
        "pub trait Float { fn draws(&self) -> u32; fn sinks(&self) -> bool { self.draws() > 9 } }\n",
        "Float",
        ("Float::draws", "Float::sinks"),
    ),
    ItemKind.MACRO_RULES: Case("macro_rules! knots { ($n:expr) => { $n * 1852 / 3600 }; }\n", "knots"),
    ItemKind.MOD: Case(
        "pub mod keel;\n",
        "keel",
        ("keel::depth", "keel::frame::Rib", "keel::frame::Rib::bend"),
        unpainted=("keel",),
        files=(
            ("src/a/keel.rs", "pub mod frame;\n\npub fn depth() -> u32 { 4 + 5 }\n"),
            (
                "src/a/keel/frame.rs",
                "pub struct Rib { pub length: u32 }\nimpl Rib {\n    pub fn bend(&self) -> u32 { self.length + super::depth() }\n}\n",
            ),
        ),
    ),
}
CLASSES = ("claim", "tag", "pattern")


def test_every_kind_that_moves_has_a_case() -> None:
    assert set(MOVABLE) == set(CASES)


@frozen
class Harbour:
    door: Door

    def ask(self, *line: str) -> dict[str, Any]:
        answer = self.door.ask(*line)[1]
        assert answer["ok"], answer
        return dict(answer["data"])

    def move(self, name: str, source: str, dest: str) -> dict[str, Any]:
        receipt = self.ask("transplant", "move", name, source, dest, "--yes", "--verify", "none")["receipt"]
        assert receipt["state_left_behind"] == []
        return dict(receipt)

    def remember(self, kind: str, symbol: str) -> str:
        """Attach state of one class to an item; the id by which it is found again."""
        place = (
            "src/a.rs:1" if symbol == "crate::a::keel" else symbol
        )  # the line: the module itself is a file
        id = str(self.ask("context", place)["symbol"]["symbol_id"])
        if kind == "claim":
            return str(self.ask("memory", "add", f"about {symbol}", "--evidence", id)["claim_id"])
        if kind == "tag":
            self.ask("paint", "retag", "add", "hot", "--symbol", id, "--yes")
            return id
        path = self.door.root.parent / "pattern.json"
        path.write_text(json.dumps({"name": symbol, "pattern": {"nodes": [{"role": "it", "symbol_id": id}]}}))
        return str(self.ask("antibody", "create", str(path))["antibody_id"])

    def where(self, kind: str, id: str) -> tuple[str, str]:
        """The full path at which the state is found now, and how it stands (`gone` with no path)."""
        if kind == "claim":
            (evidence,) = self.ask("memory", "show", id)["evidence"]
            gone = evidence["freshness"] == "gone"
            return "" if gone else evidence["name"], evidence["freshness"]
        if kind == "tag":
            rows = {row["symbol_id"]: row for row in self.ask("paint", "show", "--tag", "hot")["items"]}
            item = rows[id]["item"]
            return (item["full_path"], "stands") if item else ("", "gone")
        scanned = self.ask("antibody", "scan", id)
        places = [match["nodes"][0]["item"]["full_path"] for match in scanned["matches"]]
        assert scanned["unplaced"] == ([] if places else [id])
        return (places[0], "stands") if places else ("", "gone")


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("M1ND_")}
    root = tmp_path / "demo"
    return Door(root, capsys, {**kept, "XDG_CACHE_HOME": str(tmp_path / "cache"), "NO_COLOR": "1"})


def fill(door: Door, text: str, more: tuple[tuple[str, str], ...] = ()) -> Harbour:
    files = {
        "Cargo.toml": MANIFEST,
        "src/lib.rs": "pub mod a;\npub mod b;\npub mod c;\n",
        "src/a.rs": f"{text}\npub fn stays() -> u32 {{ 1 }}\n",
        "src/b.rs": "pub fn here() -> u32 { 2 }\n",
        "src/c.rs": "pub fn there() -> u32 { 3 }\n",
        **dict(more),
    }
    for name, content in files.items():
        (door.root / name).parent.mkdir(parents=True, exist_ok=True)
        (door.root / name).write_text(content)
    return Harbour(door)


def marks(harbour: Harbour, case: Case) -> dict[tuple[str, str], str]:
    """State of every class on the item and on all that stands inside it."""
    painted = [name for name in (case.name, *case.members) if name not in case.unpainted]
    pairs = [(kind, name) for name in painted for kind in CLASSES]
    pairs += [(kind, name) for name in case.unpainted for kind in CLASSES if kind != "tag"]
    return {(kind, name): harbour.remember(kind, f"crate::a::{name}") for kind, name in pairs}


def check(
    harbour: Harbour, found: dict[tuple[str, str], str], module: str, claim: str, crate: str = "demo"
) -> None:
    for (kind, name), id in found.items():
        expected = (f"{crate}::{module}::{name}", claim if kind == "claim" else "stands")
        assert harbour.where(kind, id) == expected, (kind, name)


@pytest.mark.parametrize("kind", list(CASES), ids=str)
def test_state_follows_its_item_over_two_moves_and_back_by_two_undos(door: Door, kind: ItemKind) -> None:
    case = CASES[kind]
    harbour = fill(door, case.text, case.files)
    found = marks(harbour, case)
    check(harbour, found, "a", "fresh")
    harbour.move(case.name, "src/a.rs", "src/b.rs")
    check(harbour, found, "b", "moved")
    harbour.move(case.name, "src/b.rs", "src/c.rs")
    check(harbour, found, "c", "moved")
    harbour.ask("undo", "--verify", "none")
    check(harbour, found, "b", "moved")
    harbour.ask("undo", "--verify", "none")
    check(harbour, found, "a", "fresh")
    assert harbour.ask("projections", "rebuild", "--check")["same"] is True


@pytest.mark.parametrize("kind", [ItemKind.FN, ItemKind.STRUCT, ItemKind.ENUM, ItemKind.TRAIT], ids=str)
def test_state_follows_its_item_into_and_out_of_modules_inline_in_files(door: Door, kind: ItemKind) -> None:
    case = CASES[kind]
    harbour = fill(door, case.text + "pub mod inner {\n    pub mod deep {}\n}\n")
    found = marks(harbour, case)
    harbour.move(case.name, "src/a.rs", "src/a.rs::inner")
    check(harbour, found, "a::inner", "moved")
    harbour.move(f"inner::{case.name}", "src/a.rs", "src/a.rs::inner::deep")
    check(harbour, found, "a::inner::deep", "moved")
    harbour.move(case.name, "src/a.rs::inner::deep", "src/b.rs")
    check(harbour, found, "b", "moved")
    for place in ("a::inner::deep", "a::inner"):
        harbour.ask("undo", "--verify", "none")
        check(harbour, found, place, "moved")
    harbour.ask("undo", "--verify", "none")
    check(harbour, found, "a", "fresh")
    assert harbour.ask("projections", "rebuild", "--check")["same"] is True


@pytest.mark.parametrize("kind", [ItemKind.FN, ItemKind.CONST, ItemKind.STRUCT, ItemKind.ENUM], ids=str)
def test_state_follows_its_item_into_another_crate_and_back_by_undo(door: Door, kind: ItemKind) -> None:
    case = CASES[kind]
    harbour = fill(door, case.text)
    manifest = '[package]\nname = "{}"\nversion = "0.1.0"\nedition = "2021"\n'
    (door.root / "Cargo.toml").write_text(
        manifest.format("demo")
        + '[dependencies]\nquay = { path = "quay" }\n[workspace]\nmembers = ["quay"]\n'
    )
    (door.root / "quay" / "src").mkdir(parents=True)
    (door.root / "quay" / "Cargo.toml").write_text(manifest.format("quay"))
    (door.root / "quay" / "src" / "lib.rs").write_text("pub mod berths;\n")
    (door.root / "quay" / "src" / "berths.rs").write_text("pub fn here() -> u32 { 2 }\n")
    found = marks(harbour, case)
    check(harbour, found, "a", "fresh")
    receipt = harbour.move(case.name, "src/a.rs", "quay/src/berths.rs")
    assert (receipt["source_module"], receipt["dest_module"]) == ("demo::a", "quay::berths")
    check(harbour, found, "berths", "moved", crate="quay")
    harbour.ask("undo", "--verify", "none")
    check(harbour, found, "a", "fresh")
    assert harbour.ask("projections", "rebuild", "--check")["same"] is True


def test_what_travels_along_takes_its_state_with_it(door: Door) -> None:
    harbour = fill(
        door,
        "struct Ballast { tons: u32 }\nimpl Ballast {\n    fn weight(&self) -> u32 {\n        self.tons * 10\n    }\n}\npub fn weigh() -> u32 {\n    Ballast { tons: 1 }.weight()\n}\n",
    )
    found = marks(harbour, Case("", "Ballast", ("Ballast::weight",)))
    harbour.move("weigh", "src/a.rs", "src/b.rs")
    check(harbour, found, "b", "moved")


def test_a_member_that_arrives_beside_a_namesake_is_not_taken_for_it(door: Door) -> None:
    harbour = fill(
        door,
        "pub struct Hull(pub u32);\nimpl Clone for Hull {\n    fn clone(&self) -> Self {\n        Hull(self.0)\n    }\n}\n",
    )
    (door.root / "src" / "b.rs").write_text(
        "use crate::a::Hull;\nimpl crate::c::Copyist for Hull {\n    fn clone(&self) -> u32 {\n        self.0\n    }\n}\n"
    )
    (door.root / "src" / "c.rs").write_text("pub trait Copyist {\n    fn clone(&self) -> u32;\n}\n")
    coming = harbour.remember("claim", "src/a.rs:3")
    resident = harbour.remember("claim", "src/b.rs:3")
    harbour.move("Hull", "src/a.rs", "src/b.rs")
    lines = [line.strip() for line in (door.root / "src" / "b.rs").read_text().splitlines()]
    assert harbour.where("claim", resident)[1] == "fresh"
    assert harbour.where("claim", coming)[1] == "moved"
    assert lines.index("fn clone(&self) -> u32 {") < lines.index("fn clone(&self) -> Self {")


RENAMES = {
    "an item": (
        "fn weigh(load: u32, ballast: u32) -> u32 { load + ballast }\n",
        "weigh",
        "fn weigh",
        "fn heft",
        "heft",
    ),
    "a holder": (CASES[ItemKind.STRUCT].text, "Hull::mass", "Hull", "Barge", "Barge::mass"),
    "a member": (CASES[ItemKind.STRUCT].text, "Hull::mass", "fn mass", "fn weight", "Hull::weight"),
}


@pytest.mark.parametrize("state", CLASSES)
@pytest.mark.parametrize("case", RENAMES, ids=str)
def test_what_is_renamed_by_hand_is_recognised_with_its_state(door: Door, case: str, state: str) -> None:
    text, name, old, new, after = RENAMES[case]
    harbour = fill(door, text)
    id = harbour.remember(state, f"crate::a::{name}")
    path = door.root / "src" / "a.rs"
    path.write_text(path.read_text().replace(old, new))
    place, standing = harbour.where(state, id)
    assert place == f"demo::a::{after}"
    assert standing in ("stands", "changed", "moved")


@pytest.mark.parametrize("state", CLASSES)
def test_what_is_rewritten_under_another_name_is_lost_and_said_to_be(door: Door, state: str) -> None:
    harbour = fill(door, CASES[ItemKind.FN].text)
    id = harbour.remember(state, "crate::a::weigh")
    path = door.root / "src" / "a.rs"
    path.write_text(path.read_text().replace(CASES[ItemKind.FN].text, "pub fn heft() -> u32 { 7 }\n"))
    assert harbour.where(state, id) == ("", "gone")
    topics = {event["topic"] for event in harbour.ask("log", "--limit", "50")["events"]}
    assert "symbol_lost" in topics


def test_state_that_no_step_carries_is_named_in_the_receipt(door: Door) -> None:
    harbour = fill(door, CASES[ItemKind.FN].text)
    ids = {kind: harbour.remember(kind, "crate::a::weigh") for kind in CLASSES}
    brain = open_brain(str(door.root), environment=door.environment)
    plan = plan_on_today(brain, PreviewRequest("weigh", "src/a.rs", "src/b.rs"))
    moves = symbol_moves(plan, brain.views.symbols())
    assert left_behind(brain, plan, moves) == []
    stays = {
        "symbol": "demo::a::weigh",
        "old_node_id": ids["tag"],
        "new_node_id": "",
    }
    assert left_behind(brain, plan, ()) == [
        {**stays, "kind": "light_evidence", "detail": [ids["claim"]]},
        {**stays, "kind": "xray_tags", "detail": ["hot"]},
        {**stays, "kind": "antibody_pattern", "detail": [ids["pattern"]]},
    ]
    brain.close()
