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


FRONTIERS: tuple[Frontier, ...] = (
    Frontier(
        "1",
        "only a top-level fn moves",
        State.CLOSED,
        "not_top_level_fn",
        "Structs, enums, traits, impls, consts, statics, types, macros and everything inside another item are refused, "
        "naming the kind and the owner.",
    ),
    Frontier(
        "2a",
        "module files directly under the crate root",
        State.CLOSED,
        "module_nested",
        "Source and destination must be files that the crate root declares with a plain `mod name;`. Nested modules and "
        "`#[path]` are refused.",
    ),
    Frontier(
        "2b",
        "no crate root, no mod.rs",
        State.CLOSED,
        "stem_reserved",
        "Files named lib.rs, main.rs or mod.rs are neither source nor destination.",
    ),
    Frontier(
        "2c",
        "inside one crate",
        State.CLOSED,
        "cross_crate",
        "Source and destination must belong to the same crate; a library and its binary, tests or examples are different crates.",
    ),
    Frontier(
        "2d",
        "one mount",
        State.CLOSED,
        "multiple_mounts",
        "A file that several `mod` lines compile is neither source nor destination.",
    ),
    Frontier(
        "3",
        "the destination exists",
        State.CLOSED,
        "dest_missing",
        "m1nd does not create the destination file nor its `mod` line.",
    ),
    Frontier(
        "4",
        "globs and nested groups",
        State.OPEN,
        "",
        "Imports of every shape are carried, split, pruned and rewritten: groups, nested groups, `self`, aliases, globs.",
    ),
    Frontier(
        "5",
        "what macros make",
        State.FLOOR,
        "unresolved_references",
        "Macro arguments that parse are read like code. Names that only a macro's expansion makes are invisible. A token that "
        "may be such a name, and included or generated text that spells it, is listed in refs_unresolved and refuses an "
        "unverified commit.",
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


def is_closed(code: str) -> bool:
    return any(row.code == code and row.state is State.CLOSED for row in FRONTIERS)
