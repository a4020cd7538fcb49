"""A destination file that does not exist yet: whose child it is, what it may be called, and the tree with it (frontier 3).

The move is planned on a provisional tree that holds the empty file and its `mod` line, like any other move; in the end
both belong to the plan. What the new module's name alone would change refuses before that.
"""

import re
from collections.abc import Iterator
from typing import Never

from attrs import frozen

from m1nd.domain.move.boundaries import check_one_mount
from m1nd.domain.move.mod_lines import ModLine, mod_line
from m1nd.domain.move.request import MoveRequest
from m1nd.domain.move.text import line_number
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.module_tree import Module, folder, join, path_attributes, stem
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace, Occurrence, Role
from m1nd.domain.rust.workspace import Workspace

IDENTIFIER = re.compile(r"^[^\W\d]\w*$", re.ASCII)
"""rustc finds no file for a module whose name is not ASCII, unless a `#[path]` names it (E0754)."""
NEVER_NAMES = ("_", "self", "super", "crate", "Self")
KNOWN_CRATES = ("std", "core", "alloc", "proc_macro", "test")
VALUES = ("fn", "const", "static")
"""Kinds of items whose names are no types: a module may be called the same."""
ROOT_STEMS = ("lib", "main")
TARGET = re.compile(
    r"^(?:src/(?:lib|main)\.rs|build\.rs|(?:src/bin|tests|examples|benches)/(?:[^/]+|[^/]+/main)\.rs)$"
)
"""Files of a package that cargo takes for targets of their own without being told."""


@frozen
class NewHome:
    """`world`: today's tree with the empty file and its line. `parent`: the file that declares it."""

    world: Workspace
    path: str
    parent: str


def new_home(request: MoveRequest, workspace: Workspace, files: frozenset[str]) -> NewHome:
    """The provisional tree for a destination that is not among `files`.

    Raises Refused(dest_missing) where the caller did not ask for a new file or no module is its parent,
    `bad_destination`, `stem_reserved`, `collision`, and `multiple_mounts` where the parent's file is compiled more than once.
    """
    dest = request.dest_file
    if request.dest_inner:
        refuse(
            "dest_missing",
            f"the destination {dest} does not exist; a file that is made holds no inline module",
            hint=f"name {dest} itself",
            path=dest,
        )
    name = module_name_of(dest)
    _check_path(workspace, dest, name, files)
    if not request.create_dest:
        refuse(
            "dest_missing",
            f"the destination {dest} does not exist, and it is not to be made",
            hint=f"m1nd transplant preview {request.symbol} {request.source_file} {dest}",
            path=dest,
        )
    parent = _parent(request, workspace)
    check_one_mount(workspace, parent.file)
    declared = [
        i
        for i in (workspace.facts[parent.file].items[n] for n in workspace.facts[parent.file].children(-1))
        if i.kind is ItemKind.MOD and i.name == name
    ]
    changed: dict[str, bytes | None] = {dest: b""}
    if any(i.has_body or path_attributes(i) for i in declared):
        _refuse_taken(workspace, parent, name)
    line = ModLine(0, b"")
    if not declared:
        _check_free(workspace, parent, name)
        line = mod_line(workspace, parent, name)
        source = workspace.sources[parent.file]
        changed[parent.file] = source[: line.position] + line.text + source[line.position :]
    world = workspace.with_files(changed)
    _check_meaning(workspace, world, name, parent, line)
    return NewHome(world, dest, parent.file)


def module_name_of(path: str) -> str:
    """`src/a/b.rs` and `src/a/b/mod.rs` are both files of a module `b`."""
    return stem(folder(path)) if path.endswith("/mod.rs") else stem(path)


def check_new_file(workspace: Workspace, dest: str, files: frozenset[str]) -> None:
    """Refuse a path where cargo would see a target of its own, or that stands for a module's file among `files` already.

    Raises Refused(stem_reserved | bad_destination).
    """
    _check_target(workspace, dest, module_name_of(dest))
    _check_twin(dest, module_name_of(dest), files)


def _check_path(workspace: Workspace, dest: str, name: str, files: frozenset[str]) -> None:
    """What the path alone forbids."""
    _check_target(workspace, dest, name)
    if not IDENTIFIER.match(name) or name in NEVER_NAMES:
        refuse("bad_destination", f"`{name}` cannot be a module name", path=dest)
    taken = set(KNOWN_CRATES)
    for package in workspace.cargo.packages:
        taken.update(d.name for d in package.dependencies)
    if name in taken:
        refuse(
            "bad_destination",
            f"a module named `{name}` would shadow the crate `{name}`",
            hint="name a file whose stem is no crate's name",
            path=dest,
        )
    _check_twin(dest, name, files)


def _check_target(workspace: Workspace, dest: str, name: str) -> None:
    """Cargo takes some files for targets without being told."""
    if any(TARGET.match(dest[len(prefix) :]) for prefix in _packages_around(workspace, dest)):
        if stem(dest) in ROOT_STEMS:
            refuse(
                "stem_reserved",
                f"a new file {dest} would be the root of a crate of its own",
                path=dest,
                stem=stem(dest),
            )
        refuse(
            "bad_destination",
            f"cargo would take a new file {dest} for a target of its own",
            hint=f"name {folder(dest)}/{name}/mod.rs instead",
            path=dest,
        )


def _check_twin(dest: str, name: str, files: frozenset[str]) -> None:
    """`name.rs` and `name/mod.rs` are files of one module; some disks do not tell `a.rs` from `A.rs`."""
    other = (
        f"{folder(folder(dest))}/{name}.rs"
        if dest.endswith("/mod.rs")
        else f"{dest.removesuffix('.rs')}/mod.rs"
    )
    twin = next((f for f in files if f.lower() in (dest.lower(), other.lower().lstrip("/"))), None)
    if twin is not None:
        refuse(
            "bad_destination",
            f"{dest} and {twin} would both be files of a module `{name}`",
            hint=f"name {twin} as the destination",
            path=dest,
        )


def _packages_around(workspace: Workspace, path: str) -> Iterator[str]:
    """The folders of the packages that hold `path`, with their slash."""
    for package in workspace.cargo.packages:
        prefix = "" if package.directory == "." else f"{package.directory}/"
        if path.startswith(prefix):
            yield prefix


def _parent(request: MoveRequest, workspace: Workspace) -> Module:
    """The module whose children live in the new file's folder; that of the source's crate where several would do."""
    above = folder(folder(request.dest_file) if request.dest_file.endswith("/mod.rs") else request.dest_file)
    found = [m for m in workspace.modules.values() if not m.inline and child_folder(m) == above]
    crates = {m.definition.crate for m in workspace.mounts(request.source_file)}
    found.sort(key=lambda m: (m.definition.crate not in crates, m.definition.path, m.definition.crate))
    if found:
        return found[0]
    missing = f"{above}.rs" if above else "the crate root"
    refuse(
        "dest_missing",
        f"{request.dest_file} has no parent: no module of a crate keeps its children in {above or '.'}/",
        hint=f"name a file beside a module that exists, or create {missing} and declare it first",
        path=request.dest_file,
    )


def child_folder(module: Module) -> str:
    """Where the files of a module's children are (the Rust Reference, Module source filenames)."""
    owns = (
        module.parent is None
        or module.path_attribute
        or module.file.endswith("/mod.rs")
        or module.file == "mod.rs"
    )
    return folder(module.file) if owns else join(folder(module.file), stem(module.file))


def _check_free(workspace: Workspace, parent: Module, name: str) -> None:
    """The parent may not bind the name as a type, a trait or a module already (E0428, E0255)."""
    for binding in workspace.scope(parent.definition).get(Namespace.TYPE, name):
        if binding.origin in ("item", "import", "extern_crate"):
            _refuse_taken(workspace, parent, name)


def _refuse_taken(workspace: Workspace, parent: Module, name: str) -> Never:
    del workspace
    refuse(
        "collision",
        f"{parent.file} already defines or imports a `{name}` in the type namespace; rustc would answer E0428 or E0255",
        hint="name a file with another stem",
        name=name,
        namespace="type",
    )


def _check_meaning(today: Workspace, world: Workspace, name: str, parent: Module, line: ModLine) -> None:
    """No path of today may mean something else once there is a module of that name. `line`: what the parent's file got.

    Words of an attribute that mean nothing today mean nothing then; nothing follows from that they could name a module.
    """
    names = frozenset((name,))
    for path in today.facts:
        for mount in today.mounts(path):
            crate = mount.definition.crate
            after = {(o.start, o.role): _meanings(o) for o in world.occurrences_of(path, names, crate)}
            for old in today.occurrences_of(path, names, crate):
                moved = path == parent.file and old.start >= line.position
                start = old.start + (len(line.text) if moved else 0)
                same = after.get((start, old.role)) == _meanings(old)
                if not same and not _is_word(today, old, path, parent):
                    _refuse_meant(today, path, old.start, name)


def _refuse_meant(today: Workspace, path: str, start: int, name: str) -> Never:
    line = line_number(today.sources[path], start)
    refuse(
        "bad_destination",
        f"`{name}` at {path}:{line} would mean the new module",
        hint="name a file with another stem",
        file=path,
        line=line,
        name=name,
    )


def _is_word(today: Workspace, occurrence: Occurrence, path: str, parent: Module) -> bool:
    """A lone word among the tokens of a macro, a value as a rule: no module is meant without `::` or a `use`.

    Directly in the parent, a macro's call may make an item of that name.
    """
    if occurrence.role is not Role.TOKEN or len(occurrence.segments) > 1:
        return False
    if any(d.kind is not DefinitionKind.LOCAL and d.item_kind not in VALUES for d in occurrence.target):
        return False
    item = today.facts[path].items[occurrence.item] if occurrence.item >= 0 else None
    makes = item is not None and item.kind is ItemKind.MACRO_CALL and occurrence.module == parent.definition
    return not makes


def _meanings(occurrence: Occurrence) -> list[set[Definition]]:
    return [set(definitions) for definitions in occurrence.denotes]


def line_of_module(home: NewHome, planned: bytes) -> tuple[tuple[int, int], ...]:
    """The range of the new `mod` line in the planned text of the parent."""
    line = re.search(
        rb"^(?:pub(?:\([^)]*\))?\s+)?mod\s+(?:r#)?" + module_name_of(home.path).encode() + rb"\s*;[^\n]*\n?",
        planned,
        re.MULTILINE,
    )
    return ((line.start(), line.end()),) if line is not None else ()
