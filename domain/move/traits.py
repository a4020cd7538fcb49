"""Traits in scope: a method call means what it meant only where the same traits are in scope (W17, W18, cases 8, 10, 44).

Method names of workspace traits are read from their definitions; those of the standard library's common traits are
a table; of other crates' traits nothing is known here, so they are carried rather than lost.
"""

from collections.abc import Iterable, Iterator

from attrs import frozen

from m1nd.domain.move.dependencies import moved_occurrences
from m1nd.domain.move.glob_imports import import_chain
from m1nd.domain.move.held import Held, held
from m1nd.domain.move.imports import UseStatement, kept_attributes
from m1nd.domain.move.reach import path_to
from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move, occurrences_called
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace, Occurrence, Role
from m1nd.domain.rust.workspace import Workspace

STANDARD: dict[str, frozenset[str]] = {
    name: frozenset(methods.split())
    for name, methods in {
        "fmt::Write": "write_str write_char write_fmt",
        "io::Write": "write flush write_all write_fmt write_vectored by_ref",
        "io::Read": "read read_to_end read_to_string read_exact bytes chain take by_ref read_vectored",
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
        "str::FromStr": "",
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
        "iter::FromIterator": "",
        "iter::IntoIterator": "into_iter",
        "iter::Iterator": "",
        "iter::Extend": "extend",
        "iter::DoubleEndedIterator": "",
        "iter::ExactSizeIterator": "",
        "iter::FusedIterator": "",
        "iter::Sum": "",
        "iter::Product": "",
        "iter::Step": "",
        "convert::TryFrom": "",
        "convert::TryInto": "try_into",
        "convert::From": "",
        "convert::Into": "into",
        "convert::AsRef": "as_ref",
        "convert::AsMut": "as_mut",
        "cmp::Ord": "cmp max min clamp",
        "cmp::PartialOrd": "partial_cmp lt le gt ge",
        "cmp::PartialEq": "eq ne",
        "cmp::Eq": "",
        "clone::Clone": "clone clone_from",
        "default::Default": "",
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
        "alloc::GlobalAlloc": "alloc dealloc alloc_zeroed realloc",
        "task::Wake": "wake wake_by_ref",
    }.items()
}
NO_TRAIT = frozenset(
    [
        "collections",
        "borrow::Cow",
        "rc",
        "sync",
        "cell",
        "path",
        "time",
        "string",
        "vec",
        "boxed",
        "env",
        "fs",
        "process",
        "thread",
        "num",
        "ops::Range",
        "ops::Bound",
        "ptr",
        "mem",
        "slice",
        "str",
        "char",
        "ascii",
        "net",
        "marker::PhantomData",
        "marker::PhantomPinned",
        "pin",
        "task::Context",
        "task::Poll",
        "any::TypeId",
        "fmt::Formatter",
        "fmt::Result",
        "fmt::Error",
        "fmt::Arguments",
        "io::Error",
        "io::Result",
        "io::ErrorKind",
        "cmp::Ordering",
        "cmp::Reverse",
        "hash::RandomState",
        "hash::DefaultHasher",
        "ops::ControlFlow",
        "iter::Peekable",
        "iter::Rev",
        "iter::Chain",
        "ffi",
        "array",
        "alloc::Layout",
        "convert::Infallible",
        "iter::repeat",
        "iter::once",
        "iter::empty",
    ]
)
STANDARD_CRATES = ("std", "core", "alloc")


def trait_of_leaf(workspace: Workspace, path: str, index: int) -> Definition | None:
    """The trait, or what may be one, that an import leaf brings into scope; None when it certainly is no trait."""
    leaf = workspace.facts[path].uses[index]
    module = workspace.module_at(path, leaf.start)
    if module is None or leaf.glob or not leaf.path:
        return None
    found = workspace.resolve_import(module.definition, leaf.path, (Namespace.TYPE,), leaf.absolute)
    if not found or not found[-1]:
        return None
    definition = found[-1][0]
    return definition if may_be_trait(definition) else None


def may_be_trait(definition: Definition) -> bool:
    """A workspace trait, or an external name that looks like one."""
    if definition.kind is DefinitionKind.ITEM:
        return definition.item_kind == "trait"
    if definition.kind is not DefinitionKind.EXTERNAL or not definition.path:
        return False
    if definition.crate in STANDARD_CRATES:
        name = "::".join(definition.path)
        if name in STANDARD:
            return True
        if any(name == known or name.startswith(known + "::") for known in NO_TRAIT):
            return False
    return definition.path[-1][:1].isupper() and not definition.path[-1].isupper()


def methods_of(workspace: Workspace, trait: Definition) -> frozenset[str] | None:
    """Names of a trait's methods; None when they are not known."""
    if trait.kind is DefinitionKind.ITEM:
        return workspace.trait_methods(trait)
    if trait.crate in STANDARD_CRATES:
        return STANDARD.get("::".join(trait.path))
    return None


@frozen
class TraitNeeds:
    """Imports that keep method calls meaning what they meant, and the source's leaves they came from."""

    statements: tuple[UseStatement, ...] = ()
    leaves: frozenset[tuple[str, int]] = frozenset()
    viewed: frozenset[Definition] = frozenset()
    held: frozenset[Held] = frozenset()
    """Imports at home that the moved calls go on to use."""


def traits_for(
    move: Move, arrival: Workspace, bound: Iterable[str], path_used: frozenset[tuple[str, int]]
) -> TraitNeeds:
    """The trait imports that the moved method calls need at home.

    `bound`: names that home's imports will bind already. `path_used`: leaves whose names the moved text spells (they
    are carried anyway). Raises Refused(trait_method_ambiguity).
    """
    workspace = move.workspace
    calls = called_methods(move)
    if not calls:
        return TraitNeeds()
    here = workspace.traits_in_scope(move.source.definition)
    at_home = arrival.traits_in_scope(move.home.definition)
    there = {d for d, _ in at_home}
    _check_ambiguity(move, calls, [d for d, _ in here], there)
    statements: list[UseStatement] = []
    leaves: set[tuple[str, int]] = set()
    viewed: set[Definition] = set()
    taken = set(bound) | {n for _, n in arrival.scope(move.home.definition).names}
    for trait, via in here:
        if not may_be_trait(trait) or not _provides(workspace, trait, calls, via, move):
            continue
        if via is not None and via in path_used:
            continue
        if trait in there:
            leaves.update([via] if via is not None else [])
            continue
        statement = _statement(move, arrival, trait, via, taken)
        if statement is None:
            continue
        statements.append(statement)
        viewed.add(trait)
        if via is not None:
            leaves.add(via)
    kept = frozenset(
        leaf
        for trait, via in at_home
        if via is not None and may_be_trait(trait) and _provides(arrival, trait, calls, via, move)
        for leaf in _held(arrival, trait, via)
    )
    return TraitNeeds(tuple(dict.fromkeys(statements)), frozenset(leaves), frozenset(viewed), kept)


def _held(arrival: Workspace, trait: Definition, via: tuple[str, int]) -> Iterator[Held]:
    for path, index in import_chain(arrival, via, trait.name):
        yield held(path, arrival.facts[path].uses[index])


def called_methods(move: Move) -> dict[str, Occurrence]:
    """Method names that the moved text calls (those a formatting macro's expansion calls too)."""
    calls: dict[str, Occurrence] = {}
    for occurrence in moved_occurrences(move):
        name = occurrence.segments[-1].name if occurrence.segments else ""
        if occurrence.role is Role.METHOD:
            calls.setdefault(name, occurrence)
        elif occurrence.role is Role.MACRO and name in ("write", "writeln"):
            calls.setdefault("write_fmt", occurrence)
        elif (
            occurrence.role in (Role.EXPRESSION, Role.CALL)
            and len(occurrence.segments) > 1
            and _may_be_of_a_trait(occurrence)
        ):
            calls.setdefault(name, occurrence)
    return calls


def _may_be_of_a_trait(occurrence: Occurrence) -> bool:
    """`u8::checked(…)`: the path of a type may end in an associated item of a trait that is in scope."""
    owner = occurrence.denotes[-2] if len(occurrence.denotes) > 1 else ()
    return all(d.kind is not DefinitionKind.MODULE and d.item_kind not in ("trait", "enum") for d in owner)


def _provides(
    workspace: Workspace,
    trait: Definition,
    calls: dict[str, Occurrence],
    via: tuple[str, int] | None,
    move: Move,
) -> bool:
    methods = methods_of(workspace, trait)
    if methods is not None:
        return not methods.isdisjoint(calls)
    if via is None:
        return False
    return not _is_plainly_a_type(workspace, via)


def _is_plainly_a_type(workspace: Workspace, via: tuple[str, int]) -> bool:
    """The name is spelled as a type, constructor or macro somewhere: then the import does not stand there for methods."""
    path, index = via
    if workspace.facts[path].uses[index].glob:
        return False
    name = workspace.facts[path].uses[index].bound_name or ""
    for occurrence in occurrences_called(workspace, path, frozenset((name,))):
        if occurrence.via == via and occurrence.role in (
            Role.EXPRESSION,
            Role.CALL,
            Role.PATTERN,
            Role.STRUCT,
            Role.MACRO,
        ):
            return len(occurrence.segments) == 1
    return False


def _statement(
    move: Move, arrival: Workspace, trait: Definition, via: tuple[str, int] | None, taken: set[str]
) -> UseStatement | None:
    """Import the trait; as `_` when its name is taken at home, or when the source did not name it either."""
    facts = move.facts
    path = path_to(arrival, trait, move.home.definition, frozenset((trait,)))
    gates: tuple[str, ...] = ()
    alias: str | None = None
    if via is not None and via[0] == move.source_file and not facts.uses[via[1]].glob:
        leaf = facts.uses[via[1]]
        gates = kept_attributes(facts, leaf.item)
        alias = leaf.alias
        found = arrival.resolve_import(move.home.definition, leaf.path, (Namespace.TYPE,), leaf.absolute)
        if leaf.path[0] not in ("self", "super") and found and trait in found[-1]:
            path = ("", *leaf.path) if leaf.absolute else leaf.path
    if path is None:
        return None
    if (alias or path[-1]) in taken:
        alias = "_"
    return UseStatement(tuple(path), alias, gates=gates)


def _check_ambiguity(
    move: Move, calls: dict[str, Occurrence], here: list[Definition], there: set[Definition]
) -> None:
    """Another workspace trait at home has a method of that name: the call could mean it (case 44)."""
    workspace = move.workspace
    for name, occurrence in calls.items():
        if occurrence.denotes and occurrence.target:
            continue
        mine = [t for t in here if name in (methods_of(workspace, t) or ())]
        others = [
            t
            for t in there
            if t not in here and t.kind is DefinitionKind.ITEM and name in workspace.trait_methods(t)
        ]
        if others and mine:
            line = line_number(workspace.sources[move.source_file], occurrence.start)
            refuse(
                "trait_method_ambiguity",
                f"`.{name}()` at {move.source_file}:{line} means {mine[0].name}::{name}; in {move.dest_file} "
                f"{others[0].name} is in scope with a method of that name",
                hint=f"write the call as {mine[0].name}::{name}(…) first",
                method=name,
                line=line,
            )
