"""The boundaries of the move, one table: refusal texts and `docs/frontiers.md` both come from here.

Source: seed 002 §7 (seven boundaries), D26. A boundary is closed until its own prove-first cycle opens it; a
closed boundary refuses before anything is planned.
"""

from enum import StrEnum

from attrs import frozen


class State(StrEnum):
    CLOSED = "closed"
    """Refused, with the code named."""
    OPEN = "open"
    """The seed allowed the limit; we do better."""
    FLOOR = "floor"
    """Holds for physical reasons: reported, never silent."""


@frozen
class Frontier:
    number: str
    title: str
    state: State
    code: str
    """The refusal code while it is closed; empty when nothing is refused."""
    says: str
    """What a user is told: what holds today, in one or two sentences."""
    cases: tuple[str, ...] = ()
    """What proves the row: numbers of files in `tests/cases/move`, or files of `tests/unit`."""


FRONTIERS: tuple[Frontier, ...] = (
    Frontier(
        "1",
        "what does not move by itself",
        State.CLOSED,
        "not_top_level_fn",
        "An impl block alone, a use, an extern block, a macro call, a module written in braces (a whole one moves with its file), and "
        "what stands inside any other item than a module are refused, naming the kind and the owner. Methods and impls move with "
        "their type.",
        ("152", "154"),
    ),
    Frontier(
        "1a",
        "fn",
        State.OPEN,
        "",
        "A top-level fn moves with its private helpers. Where kinds share a name, a fn goes before the others; path:line names "
        "the other one.",
        ("002", "014", "146"),
    ),
    Frontier(
        "1b",
        "const, static, type",
        State.OPEN,
        "",
        "They move like a fn; a static stays one object, a const keeps its meaning in patterns.",
        ("218", "220", "222", "test_move_values"),
    ),
    Frontier(
        "1c",
        "struct, enum, union",
        State.OPEN,
        "",
        "The impl blocks of their own module, inherent and of traits, move along; those of others stay. A private field, "
        "constructor or method that stays in use outside gets the least visibility that works.",
        ("212", "214", "216", "226", "228", "test_move_types"),
    ),
    Frontier(
        "1d",
        "trait",
        State.OPEN,
        "",
        "Its implementors stay where they are and import it from its new home; who calls its methods gets it in scope.",
        ("test_move_traits",),
    ),
    Frontier(
        "1e",
        "macro_rules",
        State.OPEN,
        "",
        "A use that the new place is out of sight for gets an import: of the crate root for an exported macro, else of the path "
        "that the macro gets below itself; a call of another macro whose body calls it is such a use. Where it can have no path "
        "(a name that means something else there), textual_macro_scope refuses. In edition 2015, where no path leads to a macro, it arrives "
        "above its callers, and the modules on the way get #[macro_use]; the order of `mod` lines that would have to change refuses.",
        ("224", "366", "368", "370", "372", "374", "test_move_macros"),
    ),
    Frontier(
        "1f",
        "mod: a whole module",
        State.OPEN,
        "",
        "`mod name;` goes from its parent to the new one, with its attributes and comments; its file and those below it go "
        "to the folder where the new parent keeps its children (a module with a `#[path]` keeps its files, and the path is written anew). "
        "Paths that leave the module are written from the crate's root, paths to it to its new place. It moves alone and inside its crate; "
        "either parent may stand inline in a file. A macro that a call no longer sees by the order of the text gets a path, on either side of the line. Refused are "
        "module_path! and file! in its files, a file that a `#[path]` takes from outside its folder, a lint that only the new surroundings "
        "deny, and a macro that is needed there and can have no path (edition 2015, a name that means something else).",
        (
            "300",
            "302",
            "304",
            "306",
            "308",
            "310",
            "312",
            "314",
            "316",
            "318",
            "320",
            "322",
            "324",
            "326",
            "328",
            "330",
            "332",
            "334",
            "336",
            "338",
            "340",
            "342",
            "344",
            "346",
            "348",
            "350",
            "352",
            "354",
            "356",
            "358",
            "360",
            "362",
            "364",
            "376",
            "378",
            "380",
            "381",
            "382",
            "383",
            "384",
            "385",
            "386",
            "387",
            "388",
            "389",
            "390",
            "391",
            "393",
            "395",
            "397",
            "399",
            "392",
            "394",
            "396",
            "398",
            "458",
            "460",
            "462",
            "464",
            "test_move_inline_parents",
        ),
    ),
    Frontier(
        "2a",
        "module files anywhere",
        State.OPEN,
        "",
        "Source and destination may be nested to any depth, and mounted by one `#[path]`.",
        ("012", "022", "024", "038", "096", "110", "122", "124", "126", "186"),
    ),
    Frontier(
        "2b",
        "crate roots and mod.rs",
        State.OPEN,
        "",
        "lib.rs, main.rs, the root of a test, an example or a binary, and mod.rs are source or destination like any other file.",
        ("182", "184", "194", "test_move_scenarios_refused"),
    ),
    Frontier(
        "2e",
        "modules in a file",
        State.OPEN,
        "",
        "A module that stands inline in a file is source and destination like a file, spelled `src/a.rs::inner`; a symbol may "
        "spell the way too (`inner::f`). Moves inside one file count: only source and destination that are the same module "
        "refuse. Moved text takes the depth of its new place, but for the lines of its literals and block comments.",
        ("154", "406", "408", "410", "412", "416", "420", "424", "440", "444", "test_move_inline"),
    ),
    Frontier(
        "2f",
        "modules that no file spells",
        State.CLOSED,
        "module_nested",
        "A module in the body of a function, in the braces of a macro call, or made by one, is neither source nor destination; "
        "a function with a module in its body does not move either (`not_movable`).",
        ("432", "434", "test_move_inline_places"),
    ),
    Frontier(
        "2c",
        "between crates of one workspace",
        State.OPEN,
        "",
        "A fn, const, static, type, struct, enum or union moves to another crate of the same cargo workspace and edition (a library "
        "and its binaries, tests and examples are different crates) when every crate that must name the other after it already "
        "depends on it unconditionally: nothing is added to a manifest. Only what moves is made public, unless --publish (`publish: true`) "
        "asks for more: then the items and members that the other crate must see become `pub`, with what their interface speaks of, and a "
        "private module shows what it holds by `pub use` in the nearest module that is open; the receipt's `published` lists them. What a "
        "library showed it goes on to show by `pub use`. Closed, by cross_crate or other_target: traits, macros and whole modules, another "
        "edition, what a macro of the workspace makes of the moved text, the environment of the build, `std` where the new crate has none. "
        "Forbidden as things stand, by dependency_missing, dependency_cycle, target_unnameable, orphan_rule, non_exhaustive or cfg_mismatch: a "
        "dependency that is not there or would close a circle, what a program or a test holds, impls that only the crate of the type may "
        "write, what `#[non_exhaustive]` keeps for its crate, features. Features that others turn on for a shared dependency are not seen.",
        (
            "204",
            "500",
            "502",
            "504",
            "506",
            "508",
            "510",
            "512",
            "514",
            "516",
            "518",
            "520",
            "522",
            "524",
            "526",
            "528",
            "530",
            "532",
            "534",
            "536",
            "538",
            "540",
            "542",
            "544",
            "546",
            "test_move_crates",
            "test_move_crates_published",
            "test_move_crates_refused",
            "test_move_crates_unbound",
        ),
    ),
    Frontier(
        "2d",
        "one mount",
        State.CLOSED,
        "multiple_mounts",
        "A file that several `mod` lines compile is neither source nor destination.",
        ("188", "206"),
    ),
    Frontier(
        "3",
        "creation of the destination",
        State.OPEN,
        "",
        "A destination that does not exist is made, with its `mod` line in the parent's file, placed and shown like the lines "
        "beside it; the receipt says so in files_created, undo removes both. With --no-create (`create_dest: false`), and where "
        "no module is the parent, dest_missing refuses. A name that would be a crate root, a target of cargo's own, another "
        "crate, or that something means already, is refused, and so is a file that an ignore rule leaves out. The name may be that of "
        "a function, of the one that moves too.",
        ("192", "194", "196", "198", "test_move_new_files"),
    ),
    Frontier(
        "3a",
        "several items of one file",
        State.OPEN,
        "",
        "--also (`also`) names more items of the source file for the same plan: what they share with one another travels "
        "privately, and each is as visible as its own users need, those included who only hold it by another one. One bad name refuses "
        "the whole plan; a whole module moves alone.",
        ("test_move_several",),
    ),
    Frontier(
        "4",
        "globs and nested groups",
        State.OPEN,
        "",
        "Imports of every shape are carried, split, pruned and rewritten: groups, nested groups, `self`, aliases, globs.",
        ("054", "056", "058", "096", "test_move_weaknesses_globs", "test_move_weaknesses_groups"),
    ),
    Frontier(
        "5",
        "what macros make",
        State.FLOOR,
        "unresolved_references",
        "Macro arguments that parse are read like code; what a macro's body names is served where the macro is called, and a "
        "`macro_rules!` that both the moved text and others call gets a path. Names that only a macro's expansion makes are invisible. A token that "
        "may be such a name, and included or generated text that spells it, is listed in refs_unresolved and refuses an "
        "unverified commit.",
        (
            "032",
            "068",
            "090",
            "156",
            "test_move_broken_macros",
            "test_move_real_macros",
            "test_move_shared_macros",
            "test_move_derived_names",
            "test_move_name_makers",
            "test_move_stray_files",
        ),
    ),
    Frontier(
        "6",
        "no error with a mutation",
        State.OPEN,
        "",
        "After the files are renamed the answer is never an error: a failed append restores the files, a failed re-ingest "
        "drops the cache and is a warning in the receipt.",
    ),
    Frontier(
        "7",
        "formatting",
        State.OPEN,
        "",
        "rustfmt formats what was written, and only that; the receipt says whether it could.",
    ),
    Frontier(
        "8",
        "no file lease",
        State.FLOOR,
        "source_modified",
        "Nothing stops another program from writing the files meanwhile; every planned file is compared with its hash under "
        "the lock right before the write.",
    ),
    Frontier(
        "9",
        "Windows",
        State.FLOOR,
        "",
        "Linux and macOS only; paths are tested in pure form, the log's lock and the writer are not.",
    ),
)


def frontier(code: str) -> Frontier:
    """The row a refusal code belongs to."""
    return next(row for row in FRONTIERS if row.code == code)
