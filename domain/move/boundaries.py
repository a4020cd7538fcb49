"""Where a move may start and end: everything that refuses before the plan is made (D26, seed 002 §7, §5.A7).

The order is from the request to the meaning, so that the first answer is the one a caller can act on.
"""

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Never

from m1nd.domain.move.crates.crossing import check_compiled_alike
from m1nd.domain.move.frontiers import frontier
from m1nd.domain.move.gates import conditions_of
from m1nd.domain.move.inline_modules import inner_module, place_of, source_module, spells_a_way
from m1nd.domain.move.module_text import inner_attributes
from m1nd.domain.move.narrowed import is_used_only_under
from m1nd.domain.move.request import MoveRequest, Unreadable
from m1nd.domain.move.text import line_number
from m1nd.domain.places import Place
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.module_tree import Module, cfg_of
from m1nd.domain.rust.walk import BRANCHING
from m1nd.domain.rust.workspace import Workspace

INCLUDE = re.compile(rb'\binclude!\s*[(\[{]\s*"([^"\\]*)"')

HEAD = re.compile(rb"\s*(?:#!\[[^\]]*\]\s*)*")
"""What a macro's braces may begin with: `feature! { #![feature = "net"] … }`."""


def check_request(request: MoveRequest, unreadable: Mapping[str, Unreadable], workspace: Workspace) -> None:
    """Refuse what can be refused by looking at the two paths alone."""
    source, dest = request.source_file, request.dest_file
    here, there = Place(source, request.source_inner), Place(dest, request.dest_inner)
    if here == there and not spells_a_way(request):
        _refuse_same(request, str(here))
    if not dest.endswith(".rs"):
        refuse("bad_destination", f"{dest} is not a Rust source file", path=dest)
    for path in (source, dest):
        if path in unreadable:
            refuse(
                "unreadable",
                f"{path} cannot be read as Rust text: {unreadable[path].reason}",
                hint=f"make {path} plain UTF-8 text, or name another file",
                path=path,
                reason=unreadable[path].reason,
            )
    if source not in workspace.facts:
        refuse(
            "unreadable",
            f"source_file {source} does not exist or is no Rust file of this repository",
            hint=f"m1nd search {request.symbol}",
            path=source,
        )


def check_manifests(workspace: Workspace, request: MoveRequest) -> None:
    """Without a readable manifest targets are guessed, and references in tests and examples would be missed."""
    for manifest, reason in workspace.cargo.problems:
        folder = posixpath.dirname(manifest)
        decides = not folder or request.source_file.startswith(f"{folder}/")
        if decides and reason.startswith(("broken", "unreadable", "no-manifest")):
            refuse("manifest_broken", f"{manifest}: {reason}", path=manifest, reason=reason)


def find_modules(workspace: Workspace, request: MoveRequest) -> tuple[Module, Module]:
    """The modules of source and destination: each file mounted exactly once, not the same, their crates open to each other.

    Raises Refused, also as `inline_modules.py` does where a place names a module inline in its file.
    """
    source, home = (_mounts(workspace, path) for path in (request.source_file, request.dest_file))
    for path in (request.source_file, request.dest_file):
        check_one_mount(workspace, path)
    start = source_module(workspace, source[0], request)
    end = inner_module(workspace, home[0], request.dest_inner)
    if start.definition == end.definition:
        _refuse_same(request, place_of(workspace, start))
    if start.definition.crate != end.definition.crate:
        check_compiled_alike(start, end)
    return start, end


def _refuse_same(request: MoveRequest, place: str) -> Never:
    refuse(
        "same_file",
        f"source and destination are both {place}; a move goes from one module to another",
        hint=f"m1nd transplant preview {request.symbol} {place} ANOTHER_FILE",
        path=request.source_file,
    )


def check_one_mount(workspace: Workspace, path: str) -> None:
    """Refuse a file that is compiled as more than one module."""
    mounts = workspace.mounts(path)
    if len(mounts) > 1:
        places = sorted({_place(workspace, m) for m in mounts})
        refuse(
            "multiple_mounts",
            f"{path} is compiled as more than one module: {', '.join(places)}. {frontier('multiple_mounts').says}",
            path=path,
            mounts=places,
        )
    _refuse_included(workspace, path)


def _refuse_included(workspace: Workspace, path: str) -> None:
    """`include!("src/cli.rs")` compiles the file a second time, somewhere else (a build script, as a rule)."""
    name = path.rsplit("/", 1)[-1].encode()
    for other in workspace.files_holding(b"include!"):
        text = workspace.sources[other]
        if other == path or name not in text:
            continue
        for match in INCLUDE.finditer(text):
            written = match[1].decode("utf-8", "replace")
            if posixpath.normpath(posixpath.join(posixpath.dirname(other), written)) == path:
                places = sorted(
                    {*(_place(workspace, m) for m in workspace.mounts(path)), f"included by {other}"}
                )
                refuse(
                    "multiple_mounts",
                    f"{path} is compiled as more than one module: {', '.join(places)}. {frontier('multiple_mounts').says}",
                    path=path,
                    mounts=places,
                )


def _mounts(workspace: Workspace, path: str) -> tuple[Module, ...]:
    mounts = workspace.mounts(path)
    if not mounts:
        stem = path.rsplit("/", 1)[-1].removesuffix(".rs")
        refuse(
            "dest_unwired",
            f"{path} belongs to no crate: no `mod` line reaches it",
            hint=f"declare it with `mod {stem};` in the module above it, then preview again",
            path=path,
        )
    return mounts


def _place(workspace: Workspace, module: Module) -> str:
    target = workspace.target(module.definition.crate)
    return f"{'::'.join(('crate', *module.definition.path))} of the {target.kind} `{target.name}`"


def _conditions(workspace: Workspace, module: Module) -> set[str]:
    """The cfg conditions of a module, and those under which a `#[path]` leads to its file or to one around it."""
    found = set(module.cfg)
    around: Module | None = module
    while around is not None and around.declared_in is not None:
        file, index = around.declared_in
        name = around.file.rsplit("/", 1)[-1]
        for attribute in workspace.facts[file].items[index].attributes:
            if around.path_attribute and attribute.startswith("cfg_attr") and f'{name}"' in attribute:
                found.add(attribute)
        found |= set(_macros_around(workspace, file, index))
        if around.inline:
            found |= set(cfg_of(inner_attributes(workspace, around)))
        around = workspace.modules.get(around.parent) if around.parent is not None else None
    return found


def _macros_around(workspace: Workspace, file: str, index: int) -> Iterator[str]:
    """What a `mod` line in the braces of macro calls stands under: `cfg_if! { if #[cfg(unix)] { mod a; } }`, `cfg_rt! { mod a; }`, `feature! { #![feature = "net"] mod a; }`."""
    items = workspace.facts[file].items
    position, parent = items[index].start, items[index].parent
    while parent >= 0:
        call = items[parent]
        if call.kind is ItemKind.MACRO_CALL:
            name = call.name.rpartition("::")[2].strip()
            yield from conditions_of(call)
            if name in BRANCHING:
                branch = _groups_begun(workspace.sources[file][call.body_start + 1 : position])
                yield f"{name}! at {file}:{line_number(workspace.sources[file], call.start)}, branch {branch}"
            else:
                head = HEAD.match(workspace.sources[file], call.body_start + 1)
                said = b" ".join(head[0].split()).decode("utf-8", "replace") if head else ""
                yield f"{name}! {said}".strip()
        position, parent = call.start, call.parent


def _groups_begun(text: bytes) -> int:
    """How many outermost brace groups begin in the text."""
    depth = count = 0
    for brace in re.findall(rb"[{}]", text):
        count += brace == b"{" and depth == 0
        depth += 1 if brace == b"{" else -1
    return count


def check_conditions_kept(workspace: Workspace, source: Module, home: Module) -> None:
    """Refuse a source under a condition that the new home is not under, before it is known what moves: nothing may."""
    if _conditions(workspace, source) - _conditions(workspace, home):
        check_conditions(workspace, source, home, ())


def check_conditions(workspace: Workspace, source: Module, home: Module, items: Collection[int]) -> None:
    """Both places must be compiled under the same conditions (cases 200, 210).

    The new home may stand under more of them where nothing else uses the `items` that move (`narrowed.py`).
    """
    here, there = _conditions(workspace, source), _conditions(workspace, home)
    if here < there and items and is_used_only_under(workspace, source, items, there - here):
        return
    if here != there:
        only_here, only_there = sorted(here - there), sorted(there - here)
        start, end = place_of(workspace, source), place_of(workspace, home)
        parts = []
        if only_here:
            parts.append(f"{start} is compiled only under {', '.join(map(_shown, only_here))}")
        if only_there:
            parts.append(f"{end} is compiled only under {', '.join(map(_shown, only_there))}")
        refuse(
            "cfg_mismatch",
            " and ".join(parts),
            hint="name a destination that stands under the same conditions, or gate the two alike first",
            source_cfg=only_here,
            dest_cfg=only_there,
        )


def _shown(condition: str) -> str:
    return (
        f"#[{condition}]"
        if condition.startswith("cfg") and "!" not in condition.split("(")[0]
        else f"`{condition}`"
    )
