"""Which names are traits, and which methods they have: workspace, standard library, crates outside.

Workspace traits are read from their definitions, the standard library's are a table, those of other crates come from
a port (`domain/rust/outside_traits.py`), which may know nothing. Answers only; what is done with them is `traits/in_scope.py`.
"""

import re
from collections.abc import Iterable, Mapping

from m1nd.domain.rust.crate_names import STANDARD_CRATES
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace
from m1nd.domain.rust.workspace import Workspace

MEMBER = re.compile(rb"\b(?:fn|const(?!\s+(?:(?:unsafe|async|extern)\s+)*fn\b))\s+(\w+)")
STANDARD: dict[str, frozenset[str]] = {
    name: frozenset(methods.split())
    for name, methods in {
        "fmt::Write": "write_str write_char write_fmt",
        "io::Write": "write flush write_all write_fmt write_vectored by_ref",
        "io::Read": "read read_to_end read_to_string read_exact bytes chain take by_ref read_vectored read_buf read_buf_exact",
        "io::BufRead": "fill_buf consume read_until read_line split lines skip_until",
        "io::Seek": "seek rewind stream_position seek_relative stream_len",
        "io::IsTerminal": "is_terminal",
        "fmt::Display": "fmt",
        "fmt::Debug": "fmt",
        "fmt::Binary": "fmt",
        "fmt::LowerHex": "fmt",
        "fmt::UpperHex": "fmt",
        "fmt::Octal": "fmt",
        "fmt::Pointer": "fmt",
        "fmt::LowerExp": "fmt",
        "fmt::UpperExp": "fmt",
        "str::FromStr": "from_str",
        "hash::Hash": "hash hash_slice",
        "hash::Hasher": "finish write write_u8 write_u16 write_u32 write_u64 write_u128 write_usize write_i8 write_i16 write_i32 "
        "write_i64 write_i128 write_isize",
        "hash::BuildHasher": "build_hasher hash_one",
        "borrow::Borrow": "borrow",
        "borrow::BorrowMut": "borrow_mut",
        "borrow::ToOwned": "to_owned clone_into",
        "ops::Deref": "deref",
        "ops::DerefMut": "deref_mut",
        "ops::Drop": "drop",
        "ops::RemAssign": "rem_assign",
        "ops::BitAndAssign": "bitand_assign",
        "ops::BitOrAssign": "bitor_assign",
        "ops::BitXorAssign": "bitxor_assign",
        "ops::ShlAssign": "shl_assign",
        "ops::ShrAssign": "shr_assign",
        "ops::Add": "add",
        "ops::Sub": "sub",
        "ops::Mul": "mul",
        "ops::Div": "div",
        "ops::Rem": "rem",
        "ops::Neg": "neg",
        "ops::Not": "not",
        "ops::BitAnd": "bitand",
        "ops::BitOr": "bitor",
        "ops::BitXor": "bitxor",
        "ops::Shl": "shl",
        "ops::Shr": "shr",
        "ops::AddAssign": "add_assign",
        "ops::SubAssign": "sub_assign",
        "ops::MulAssign": "mul_assign",
        "ops::DivAssign": "div_assign",
        "ops::Index": "index",
        "ops::IndexMut": "index_mut",
        "ops::RangeBounds": "start_bound end_bound contains",
        "ops::Fn": "",
        "ops::FnMut": "",
        "ops::FnOnce": "",
        "iter::FromIterator": "from_iter",
        "iter::IntoIterator": "into_iter",
        "iter::Iterator": "",
        "iter::Extend": "extend",
        "iter::DoubleEndedIterator": "",
        "iter::ExactSizeIterator": "",
        "iter::FusedIterator": "",
        "iter::Sum": "sum",
        "iter::Product": "product",
        "iter::Step": "",
        "convert::TryFrom": "try_from",
        "convert::TryInto": "try_into",
        "convert::From": "from",
        "convert::Into": "into",
        "convert::AsRef": "as_ref",
        "convert::AsMut": "as_mut",
        "cmp::Ord": "cmp max min clamp",
        "cmp::PartialOrd": "partial_cmp lt le gt ge",
        "cmp::PartialEq": "eq ne",
        "cmp::Eq": "",
        "clone::Clone": "clone clone_from",
        "default::Default": "default",
        "error::Error": "source description cause provide",
        "any::Any": "type_id",
        "future::Future": "poll",
        "future::IntoFuture": "into_future",
        "net::ToSocketAddrs": "to_socket_addrs",
        "string::ToString": "to_string",
        "os::unix::ffi::OsStrExt": "as_bytes",
        "os::unix::ffi::OsStringExt": "into_vec",
        "process::Termination": "report",
        "marker::Send": "",
        "marker::Sync": "",
        "marker::Copy": "",
        "marker::Sized": "",
        "marker::Unpin": "",
        "os::fd::AsFd": "as_fd",
        "os::fd::AsRawFd": "as_raw_fd",
        "os::fd::FromRawFd": "",
        "os::fd::IntoRawFd": "into_raw_fd",
        "os::unix::io::AsRawFd": "as_raw_fd",
        "os::unix::io::AsFd": "as_fd",
        "os::unix::io::FromRawFd": "from_raw_fd",
        "os::unix::io::IntoRawFd": "into_raw_fd",
        "os::unix::fs::PermissionsExt": "mode set_mode from_mode",
        "os::unix::fs::OpenOptionsExt": "mode custom_flags",
        "os::unix::fs::DirBuilderExt": "mode",
        "os::unix::fs::DirEntryExt": "ino",
        "os::unix::fs::FileTypeExt": "is_block_device is_char_device is_fifo is_socket",
        "os::unix::fs::FileExt": "read_at write_at read_exact_at write_all_at",
        "os::unix::fs::MetadataExt": "dev ino mode nlink uid gid rdev size atime atime_nsec mtime mtime_nsec ctime ctime_nsec "
        "blksize blocks",
        "os::linux::fs::MetadataExt": "st_dev st_ino st_mode st_nlink st_uid st_gid st_rdev st_size st_atime st_mtime st_ctime "
        "st_blksize st_blocks",
        "os::unix::process::CommandExt": "uid gid groups pre_exec exec arg0 process_group before_exec",
        "os::unix::process::ExitStatusExt": "from_raw signal core_dumped stopped_signal continued into_raw",
        "os::unix::thread::JoinHandleExt": "as_pthread_t into_pthread_t",
        "os::windows::ffi::OsStrExt": "encode_wide",
        "os::windows::ffi::OsStringExt": "from_wide",
        "os::windows::fs::OpenOptionsExt": "access_mode share_mode custom_flags attributes security_qos_flags",
        "os::windows::fs::MetadataExt": "file_attributes creation_time last_access_time last_write_time file_size "
        "volume_serial_number number_of_links file_index",
        "os::windows::fs::FileExt": "seek_read seek_write",
        "os::windows::process::CommandExt": "creation_flags raw_arg show_window",
        "os::windows::process::ExitStatusExt": "from_raw",
        "os::windows::io::AsRawHandle": "as_raw_handle",
        "os::windows::io::AsHandle": "as_handle",
        "os::windows::io::FromRawHandle": "from_raw_handle",
        "os::windows::io::IntoRawHandle": "into_raw_handle",
        "os::windows::io::AsRawSocket": "as_raw_socket",
        "os::windows::io::AsSocket": "as_socket",
        "os::windows::io::FromRawSocket": "from_raw_socket",
        "os::windows::io::IntoRawSocket": "into_raw_socket",
        "ascii::AsciiExt": "is_ascii to_ascii_uppercase to_ascii_lowercase eq_ignore_ascii_case make_ascii_uppercase "
        "make_ascii_lowercase",
        "slice::SliceIndex": "get get_mut index index_mut",
        "slice::Join": "join",
        "slice::Concat": "concat",
        "str::pattern::Pattern": "",
        "panic::UnwindSafe": "",
        "panic::RefUnwindSafe": "",
        "alloc::GlobalAlloc": "alloc dealloc alloc_zeroed realloc",
        "task::Wake": "wake wake_by_ref",
    }.items()
}


def trait_of_leaf(workspace: Workspace, path: str, index: int) -> Definition | None:
    """The trait, or what may be one, that an import leaf brings into scope; None when it certainly is no trait."""
    leaf = workspace.facts[path].uses[index]
    module = workspace.module_at(path, leaf.start)
    if module is None or leaf.glob or not leaf.path:
        return None
    found = workspace.resolve_import(module.definition, leaf.path, (Namespace.TYPE,), leaf.absolute)
    if not found or not found[-1]:
        return None
    return next((d for d in found[-1] if may_be_trait(workspace, d)), None)


def may_be_trait(workspace: Workspace, definition: Definition) -> bool:
    """A workspace trait, a standard one, or a name of another crate that is not known to be something else."""
    if definition.kind is DefinitionKind.ITEM:
        return definition.item_kind == "trait"
    if definition.kind is not DefinitionKind.EXTERNAL or not definition.path:
        return False
    if definition.crate in STANDARD_CRATES:
        return "::".join(definition.path) in STANDARD
    return looks_like_a_trait(definition.name) and workspace.outside_methods(definition) != frozenset()


def looks_like_a_trait(name: str) -> bool:
    """It is written like the name of a type."""
    return name[:1].isupper() and not (len(name) > 1 and name.isupper())


def methods_of(workspace: Workspace, trait: Definition) -> frozenset[str] | None:
    """Names of a trait's associated functions and constants; None when they are not known."""
    if trait.kind is DefinitionKind.ITEM:
        return workspace.trait_methods(trait)
    if trait.crate in STANDARD_CRATES:
        return STANDARD.get("::".join(trait.path))
    return workspace.outside_methods(trait)


def methods_made_for(workspace: Workspace, path: str, index: int) -> frozenset[str]:
    """The functions of the trait that an import leaf brings, where nothing but a macro call declares it."""
    leaf = workspace.facts[path].uses[index]
    module = workspace.module_at(path, leaf.start)
    if module is None or leaf.glob or not leaf.path:
        return frozenset()
    found = workspace.resolve_import(module.definition, leaf.path, tuple(Namespace), leaf.absolute)
    return frozenset() if found and found[-1] else made_trait_methods(workspace, leaf.path[-1])


def made_trait_methods(workspace: Workspace, name: str) -> frozenset[str]:
    """The functions of a trait of that name that stands in the arguments of some macro call, read from the text."""
    declared = re.compile(rb"\btrait\s+" + re.escape(name.encode()) + rb"\b")
    found: set[str] = set()
    for path, facts in workspace.facts.items():
        if not workspace.spells(path, (name,)):
            continue
        for item in facts.items:
            text = workspace.sources[path][item.start : item.end] if item.kind is ItemKind.MACRO_CALL else b""
            match = declared.search(text)
            if match is not None:
                found.update(n.decode() for n in MEMBER.findall(text, match.end()))
    return frozenset(found)


def hides_a_trait(workspace: Workspace, module: Definition, trait: Definition) -> bool:
    """An import of `trait` by its name would hide another one that a glob of another crate brings into the module.

    `use std::fmt::Write;` beside `use std::io::prelude::*;` takes `io::Write` out of scope. A glob of which nothing is known
    does not count.
    """
    return any(
        path[-1] == trait.name and not _is_that(trait, glob.definition.crate, path)
        for glob in workspace.scope(module).external_globs
        for path in traits_brought(workspace, glob.definition)
    )


def _is_that(trait: Definition, crate: str, path: tuple[str, ...]) -> bool:
    """What a glob of `crate` brings by that path is the trait; of crates that are not standard any of the name may be it."""
    if crate in STANDARD_CRATES:
        return trait.crate in STANDARD_CRATES and trait.path == path
    return trait.crate == crate


def traits_brought(workspace: Workspace, glob: Definition) -> Mapping[tuple[str, ...], frozenset[str] | None]:
    """The traits that a glob of another crate's module brings: path below its crate to functions, None where not known."""
    if glob.crate in STANDARD_CRATES:
        return {tuple(name.split("::")): STANDARD[name] for name in _standard_traits(glob.path)}
    return {(*glob.path, name): None for name in sorted(workspace.outside_glob_traits(glob) or ())}


def _standard_traits(module: tuple[str, ...]) -> Iterable[str]:
    """The traits that a glob of a standard module brings."""
    known = STANDARD_GLOBS.get(module)
    return known if known is not None else [n for n in STANDARD if _is_in(n, module)]


def glob_methods(workspace: Workspace, module: Definition) -> frozenset[str] | None:
    """Associated functions of the traits that a glob import of an outside module brings; None when they are not known."""
    if module.crate in STANDARD_CRATES:
        return frozenset(m for name in _standard_traits(module.path) for m in STANDARD[name])
    return workspace.outside_glob_methods(module)


def _is_in(trait: str, module: tuple[str, ...]) -> bool:
    return tuple(trait.split("::")[:-1]) == module


STANDARD_GLOBS = {
    ("io", "prelude"): ("io::Read", "io::Write", "io::BufRead", "io::Seek"),
    ("os", "unix", "prelude"): tuple(n for n in STANDARD if n.startswith("os::unix::")),
    ("os", "windows", "prelude"): tuple(n for n in STANDARD if n.startswith("os::windows::")),
    ("prelude", "v1"): (),
    ("prelude", "rust_2018"): (),
    ("prelude", "rust_2021"): (),
    ("prelude", "rust_2024"): (),
}
