"""Names that are in scope without an import: the std prelude of each edition, primitives, built-in macros and attributes.

Tables only. Preluded names map to the path under `std` where the library documents them, so that an import of the
same thing denotes an equal definition. Source: the Rust Reference (Preludes) and std's prelude modules.
"""

from collections.abc import Mapping
from functools import cache

from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace


def words(text: str) -> frozenset[str]:
    """The words of a text, for tables that read better as prose."""
    return frozenset(text.split())


PRIMITIVES = words("bool char str i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 f16 f128")
SYSROOT_CRATES = frozenset({"std", "core", "alloc", "proc_macro", "test"})

_TRAITS = {
    "Send": "marker::Send",
    "Sized": "marker::Sized",
    "Sync": "marker::Sync",
    "Unpin": "marker::Unpin",
    "Drop": "ops::Drop",
    "Fn": "ops::Fn",
    "FnMut": "ops::FnMut",
    "FnOnce": "ops::FnOnce",
    "AsyncFn": "ops::AsyncFn",
    "AsyncFnMut": "ops::AsyncFnMut",
    "AsyncFnOnce": "ops::AsyncFnOnce",
    "AsRef": "convert::AsRef",
    "AsMut": "convert::AsMut",
    "Into": "convert::Into",
    "From": "convert::From",
    "ToOwned": "borrow::ToOwned",
    "ToString": "string::ToString",
    "Iterator": "iter::Iterator",
    "Extend": "iter::Extend",
    "IntoIterator": "iter::IntoIterator",
    "DoubleEndedIterator": "iter::DoubleEndedIterator",
    "ExactSizeIterator": "iter::ExactSizeIterator",
}
_DERIVED = {
    "Clone": "clone::Clone",
    "Copy": "marker::Copy",
    "Default": "default::Default",
    "PartialEq": "cmp::PartialEq",
    "PartialOrd": "cmp::PartialOrd",
    "Eq": "cmp::Eq",
    "Ord": "cmp::Ord",
}
_TYPES = {
    "Box": "boxed::Box",
    "Option": "option::Option",
    "Result": "result::Result",
    "String": "string::String",
    "Vec": "vec::Vec",
}
_VARIANTS = {
    "Some": "option::Option::Some",
    "None": "option::Option::None",
    "Ok": "result::Result::Ok",
    "Err": "result::Result::Err",
}
_FUNCTIONS = {"drop": "mem::drop", "size_of": "mem::size_of", "size_of_val": "mem::size_of_val"}
_FUNCTIONS |= {"align_of": "mem::align_of", "align_of_val": "mem::align_of_val"}
_SINCE_2021 = {
    "TryFrom": "convert::TryFrom",
    "TryInto": "convert::TryInto",
    "FromIterator": "iter::FromIterator",
}
_SINCE_2024 = {"Future": "future::Future", "IntoFuture": "future::IntoFuture"}
_DERIVE_MACROS = {**_DERIVED, "Debug": "fmt::Debug", "Hash": "hash::Hash"}

STD_MACROS = words(
    """assert assert_eq assert_ne cfg column compile_error concat concat_idents dbg debug_assert debug_assert_eq
    debug_assert_ne env eprint eprintln file format format_args include include_bytes include_str is_x86_feature_detected
    line log_syntax matches module_path option_env panic print println stringify thread_local todo trace_macros try
    unimplemented unreachable vec write writeln global_asm const_format_args addr_of addr_of_mut"""
)
TYPES_BEYOND_CORE = words("Box String Vec ToOwned ToString")
MACROS_BEYOND_CORE = words(
    "dbg eprint eprintln format is_x86_feature_detected print println thread_local vec"
)
NOT_IN_CORE = TYPES_BEYOND_CORE | MACROS_BEYOND_CORE

BUILTIN_ATTRIBUTES = words(
    """cfg cfg_attr test ignore should_panic bench derive automatically_derived macro_export macro_use proc_macro
    proc_macro_derive proc_macro_attribute allow expect warn deny forbid deprecated must_use link link_name
    link_ordinal no_link repr crate_type no_main export_name link_section no_mangle used crate_name inline cold
    no_builtins target_feature track_caller instruction_set doc no_std no_implicit_prelude path recursion_limit
    type_length_limit panic_handler global_allocator windows_subsystem feature non_exhaustive debugger_visualizer
    rustfmt clippy miri rust_analyzer diagnostic unsafe global_asm test_case test_runner reexport_test_harness_main
    rustc_const_stable rustc_const_unstable stable unstable fundamental lang may_dangle coverage no_coverage
    optimize marker unsafe_op naked no_core allow_internal_unstable default cfg_eval derive_const type_const
    rustc_on_unimplemented prelude_import plugin register_tool start main"""
)
TOOL_ATTRIBUTES = frozenset({"rustfmt", "clippy", "miri", "rust_analyzer", "diagnostic", "rustc", "rustdoc"})

KNOWN_GLOBS: Mapping[tuple[str, ...], frozenset[str]] = {
    ("io", "prelude"): frozenset({"Read", "Write", "BufRead", "Seek"}),
    ("prelude", "v1"): frozenset(),
    ("prelude", "rust_2021"): frozenset(),
}
"""std modules whose glob import binds exactly these names (the preludes bind what is in scope already)."""


@cache
def std(path: str, crate: str = "std") -> Definition:
    return Definition(DefinitionKind.EXTERNAL, crate, tuple(path.split("::")))


@cache
def prelude(edition: int, crate: str = "std") -> Mapping[tuple[Namespace, str], Definition]:
    """The std prelude of an edition. `crate` is `core` under `#![no_std]`, conditional or not; what `core` has not is of `std`."""
    types = {**_TRAITS, **_DERIVED, **_TYPES, **_VARIANTS}
    if edition >= 2021:
        types |= _SINCE_2021
    if edition >= 2024:
        types |= _SINCE_2024
    names = {(Namespace.TYPE, n): p for n, p in types.items()}
    names |= {(Namespace.VALUE, n): p for n, p in {**_VARIANTS, **_FUNCTIONS}.items()}
    names |= {(Namespace.MACRO, n): p for n, p in _DERIVE_MACROS.items()}
    names |= {(Namespace.MACRO, n): n for n in STD_MACROS}
    return {key: std(path, "std" if key[1] in NOT_IN_CORE else crate) for key, path in names.items()}


@cache
def builtin(name: str) -> Definition:
    return Definition(DefinitionKind.BUILTIN, "", (name,))


def is_constant_like(name: str) -> bool:
    """By convention the name of a constant, static, unit struct or variant (used for crates we cannot see)."""
    return name[:1].isupper()
