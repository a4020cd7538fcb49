"""Text that moves into a crate without `std` (`#![no_std]`): it must ask for nothing that only `std` and `alloc` have.

Source: the prelude of `core` beside that of `std`, and the inherent methods that `alloc` and `std` add to slices, strings
and floating-point numbers. A method by one of those names counts, whoever has it: nobody here can tell.
"""

from m1nd.domain.move.crates.crossing import refuse_crossing, root_attributes
from m1nd.domain.move.needs import moved_occurrences
from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move, is_doctest
from m1nd.domain.rust.names import DefinitionKind, Occurrence, Role
from m1nd.domain.rust.prelude import MACROS_BEYOND_CORE, SYSROOT_CRATES, TYPES_BEYOND_CORE, words

LIFTED = ("no_std", "no_core", "no_implicit_prelude")
BEYOND = ("std", "alloc", "proc_macro", "test")
METHODS = words(
    "to_vec into_vec repeat concat join connect to_owned to_string to_ascii_uppercase to_ascii_lowercase to_lowercase "
    "to_uppercase into_string into_boxed_bytes into_boxed_slice into_boxed_str replace replacen sort sort_by sort_by_key "
    "sort_by_cached_key into_bytes clone_into collect sqrt cbrt powi powf exp exp2 exp_m1 ln log log2 log10 ln_1p sin cos tan asin acos "
    "atan atan2 sin_cos sinh cosh tanh asinh acosh atanh floor ceil round round_ties_even trunc fract abs signum copysign "
    "mul_add div_euclid rem_euclid hypot abs_sub"
)


def check_std(move: Move) -> None:
    """Refuse with the closed boundary what the new crate, unlike the old one, has not got."""
    here, there = (
        [
            a
            for a in root_attributes(move.workspace, move.workspace.target(m.definition.crate))
            if any(w in a for w in LIFTED)
        ]
        for m in (move.source, move.home)
    )
    if not there or here == there:
        return
    if any("no_std" not in a for a in there):
        _refuse(move, move.root_item.start, there[0], "its prelude")
    for occurrence in moved_occurrences(move):
        if occurrence.segments and occurrence.role is not Role.DOC and not is_doctest(occurrence):
            name = _beyond_core(occurrence)
            if name:
                _refuse(move, occurrence.start, there[0], f"`{name}`")


def _beyond_core(occurrence: Occurrence) -> str:
    """The name in the occurrence that `core` does not explain; empty where there is none."""
    last = occurrence.segments[-1].name
    if occurrence.role is Role.METHOD:
        return last if last in METHODS else ""
    if occurrence.role is Role.MACRO and last in MACROS_BEYOND_CORE:
        return f"{last}!"
    if len(occurrence.segments) > 1 and last in METHODS:
        return last
    if occurrence.role in (Role.MACRO, Role.ATTRIBUTE) and any(
        d.kind is DefinitionKind.EXTERNAL and d.crate not in SYSROOT_CRATES for d in occurrence.target
    ):
        return last  # what a macro of another crate writes may name `std`
    first = occurrence.segments[0].name
    outside = any(
        d.kind is DefinitionKind.EXTERNAL and d.crate in BEYOND for ds in occurrence.denotes[:1] for d in ds
    )
    written = first in TYPES_BEYOND_CORE or first in BEYOND or occurrence.via is not None
    return first if outside and written else ""


def _refuse(move: Move, position: int, said: str, what: str) -> None:
    target = move.workspace.target(move.home.definition.crate)
    line = line_number(move.workspace.sources[move.source_file], position)
    refuse_crossing(
        move.workspace,
        move.source.definition.crate,
        move.home.definition.crate,
        f"{target.root_file} says `#![{said}]`, and the moved text needs {what} ({move.source_file}:{line})",
        hint=f"write {move.source_file}:{line} with `core` alone first, or choose another destination",
    )
