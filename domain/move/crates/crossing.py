"""A move from one crate into another of one cargo workspace: what the two crates alone decide (frontier 2c).

Who names whom after the move must be able to already: nothing here adds a dependency, so cargo's graph gets no cycle.
What the moved text and its users ask for is in `crates/moved_text.py`, `crates/moved_types.py` and `crates/result.py`.
"""

import re
from collections.abc import Iterator
from typing import Never

from m1nd.domain.move.lint_levels import denied_lints, is_denied
from m1nd.domain.refusal import refuse
from m1nd.domain.rust import crate_names
from m1nd.domain.rust.cargo import Target, TargetKind
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.workspace import Workspace

OPEN_KINDS = frozenset(("fn", "const", "static", "type", "struct", "enum", "union", "impl"))
"""What crosses. A trait and a `macro_rules` take rights with them that only their own crate has."""
PLAIN_CONDITION = re.compile(
    r"^(?:cfg|all|any|not|unix|windows|debug_assertions|panic|true|false|target_\w+|docsrs|miri)$"
)
WORD = re.compile(r'"[^"]*"|[A-Za-z_]\w*')
JUDGED = frozenset(("unsafe_code", "missing_docs", "unused_imports"))
"""Lints that `lints.py` and the rules of imports judge for each item."""
FEATURE = re.compile(r"^feature\s*\((.*)\)$", re.DOTALL)


def may_name(workspace: Workspace, viewer: str, wanted: str) -> bool:
    """Code of the crate with key `viewer` (a doc test's too) can spell the crate `wanted` in every build."""
    crate, _, doctest = viewer.partition("#")
    return crate_names.may_name(
        workspace.cargo, workspace.target(crate), workspace.target(wanted), bool(doctest)
    )


def refuse_unnamed(workspace: Workspace, viewer: str, wanted: str, why: str) -> Never:
    """Refuse with what would have to be so for `viewer` to name `wanted`; `why` says what needs it."""
    mine, theirs = workspace.target(viewer.partition("#")[0]), workspace.target(wanted)
    if theirs.kind is not TargetKind.LIB or theirs.proc_macro or mine.package == theirs.package:
        told = f"no code outside can name the {_called(theirs)}"
        if theirs.proc_macro:
            told = f"the {_called(theirs)} is one of procedural macros, which shows nothing else"
        elif theirs.kind is TargetKind.LIB:
            told = f"the {_called(mine)} cannot name the {_called(theirs)}"
        refuse(
            "target_unnameable",
            f"{why}, and {told}",
            hint="name a destination in the library that both can name, or move what needs it too (--also)",
            source_crate=mine.name,
            dest_crate=theirs.name,
            roots=[mine.root_file, theirs.root_file],
        )
    if crate_names.depends_on(workspace.cargo, theirs.package, mine.package):
        refuse(
            "dependency_cycle",
            f"{why}, but `{theirs.name}` depends on `{mine.name}`: the two would need each other",
            hint="move what needs it too (--also), or choose a destination that both crates depend on",
            needs=mine.name,
            needed=theirs.name,
        )
    package, other = (workspace.cargo.package_at(t.package) for t in (mine, theirs))
    flag = {"dev": " --dev", "build": " --build"}.get(crate_names.KINDS[mine.kind][-1], "")
    refuse(
        "dependency_missing",
        f"{why}, and the {_called(mine)} does not depend on the {_called(theirs)} in every build of it",
        hint=f"cargo add {other.name if other else theirs.name} --path {theirs.package} "
        f"--package {package.name if package else mine.name}{flag}, then preview again",
        needs=mine.name,
        needed=theirs.name,
        manifest=f"{mine.package}/Cargo.toml" if mine.package != "." else "Cargo.toml",
    )


def _called(target: Target) -> str:
    return f"{target.kind} `{target.name}` ({target.root_file})"


def closed_code(left: Target, right: Target) -> str:
    """`other_target` between a library and the binaries beside it, else `cross_crate`."""
    same = left.package == right.package and {left.kind, right.kind} <= {TargetKind.LIB, TargetKind.BIN}
    return "other_target" if same else "cross_crate"


def refuse_crossing(
    workspace: Workspace, source: str, home: str, why: str, hint: str = "", **more: object
) -> Never:
    """The boundary between these two crates stays closed for a move like this one."""
    left, right = workspace.target(source), workspace.target(home)
    refuse(
        closed_code(left, right),
        f"from the {_called(left)} to the {_called(right)}: {why}",
        hint=hint,
        source_crate=left.name,
        dest_crate=right.name,
        roots=[left.root_file, right.root_file],
        **more,
    )


def check_crates(workspace: Workspace, source: Module, home: Module) -> None:
    """Refuse what no item crosses here: `cross_crate`, `other_target`. What the language forbids is asked before."""
    for why in _differences(workspace, source, home):
        refuse_crossing(workspace, source.definition.crate, home.definition.crate, why)


def _differences(workspace: Workspace, source: Module, home: Module) -> Iterator[str]:
    left, right = (workspace.target(m.definition.crate) for m in (source, home))
    packages = [workspace.cargo.package_at(t.package) for t in (left, right)]
    if len({p.workspace_directory for p in packages if p is not None}) > 1:
        yield "they belong to different cargo workspaces"
    if right.proc_macro:
        yield "a crate of procedural macros shows nothing but its macros"
    if left.edition != right.edition:
        yield f"their editions differ ({left.edition} and {right.edition}), and so may what the text means"
    if left.edition < 2018:
        yield "in edition 2015 paths begin at the crate root"
    here, there = (root_attributes(workspace, t) for t in (left, right))
    missing = sorted(_unstable(here) - _unstable(there))
    if missing:
        yield f"{left.root_file} turns on `#![feature({missing[0]})]`, and {right.root_file} does not"
    stricter = sorted(denied_lints(workspace, home) - denied_lints(workspace, source) - JUDGED)
    if stricter:
        yield f"{home.file} denies the lint `{stricter[0]}`, and {source.file} does not"
    if is_denied(workspace, source, "unused_crate_dependencies"):
        yield f"{source.file} denies the lint `unused_crate_dependencies`, and the moved text may be the last that uses one"


def check_compiled_alike(source: Module, home: Module) -> None:
    """Refuse with `cfg_mismatch` a module whose conditions the other crate cannot answer."""
    for module in (source, home):
        for condition in module.cfg:
            if not is_plain(condition):
                refuse(
                    "cfg_mismatch",
                    f"{module.file} is compiled under `{condition}`, which the two crates answer each for itself",
                    hint="name a destination in the crate of the source, or lift the condition first",
                    path=module.file,
                )


def root_attributes(workspace: Workspace, target: Target) -> tuple[str, ...]:
    return tuple(workspace.facts[target.root_file].inner_attributes)


def _unstable(attributes: tuple[str, ...]) -> set[str]:
    found = (FEATURE.match(a.strip()) for a in attributes)
    return {name.strip() for match in found if match for name in match[1].split(",") if name.strip()}


def is_plain(condition: str) -> bool:
    """A cfg predicate that every crate of one build answers alike: platform and debug assertions; no feature, no `test`."""
    words = (word for word in WORD.findall(condition) if not word.startswith('"'))
    return all(PLAIN_CONDITION.match(word) for word in words)
