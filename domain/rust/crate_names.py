"""Which crates code of a target may name wherever the target is compiled, and what hangs on what.

Stricter than the extern prelude (`externs.py`), which tells what a name means where it is written: here a dependency
counts only when it is unconditional and of the target's kind. Pure values from Cargo's view. Source: the Cargo book
(Specifying dependencies; Cargo targets).
"""

from attrs import evolve

from m1nd.domain.rust.cargo import CargoWorkspace, Dependency, Package, Target, TargetKind
from m1nd.domain.rust.externs import BESIDE_THE_LIBRARY
from m1nd.domain.rust.names import Definition, DefinitionKind

DOCTEST = "#doctest"
"""The resolver's suffix of the crate key of doc tests."""
STANDARD_CRATES = ("std", "core", "alloc")
"""They show the same things by the same paths (`core::fmt` is `std::fmt`)."""
FOR_TESTS = ("normal", "dev")
KINDS = {
    TargetKind.LIB: ("normal",),
    TargetKind.BIN: ("normal",),
    TargetKind.EXAMPLE: FOR_TESTS,
    TargetKind.TEST: FOR_TESTS,
    TargetKind.BENCH: FOR_TESTS,
    TargetKind.BUILD: ("build",),
}
"""The kinds of dependency that a target sees in every build of it. Unit tests see more, but link a second copy."""


def crate_of_text(crate: str) -> str:
    """The crate whose files hold the text: of a doc test, the one that it documents."""
    return crate.removesuffix(DOCTEST)


def of_any_standard(definition: Definition) -> Definition:
    """The definition by which a thing of the standard library is known, whichever of its crates names it."""
    outside = definition.kind is DefinitionKind.EXTERNAL and definition.crate in STANDARD_CRATES
    return evolve(definition, crate="std") if outside else definition


def may_name(cargo: CargoWorkspace, viewer: Target, wanted: Target, doctest: bool = False) -> bool:
    """Code of `viewer` (`doctest`: of its doc tests) can spell the crate `wanted`, whatever is compiled and for whom."""
    if viewer == wanted:
        return True
    if wanted.kind is not TargetKind.LIB or wanted.proc_macro or not wanted.linkable:
        return False
    if viewer.package == wanted.package:
        return viewer.kind in BESIDE_THE_LIBRARY
    kinds = FOR_TESTS if doctest else KINDS[viewer.kind]
    package = cargo.package_at(viewer.package)
    found = package.dependencies if package is not None else ()
    return any(d.directory == wanted.package and d.kind in kinds and not d.conditional for d in found)


def named(package: Package | None, name: str, target: Target) -> Dependency | None:
    """The dependency that `target` sees under a name in code: an unconditional one where there are several."""
    found = [
        d
        for d in (package.dependencies if package is not None else ())
        if d.name == name and (d.kind == "build") == (target.kind is TargetKind.BUILD)
    ]
    kinds = KINDS[target.kind]
    found.sort(key=lambda d: (d.conditional, d.kind not in kinds))
    return found[0] if found else None


def hanging_together(cargo: CargoWorkspace, package: str) -> frozenset[str]:
    """The directories of all packages that a chain of dependencies, in whichever direction, leads to; its own included.

    What stands in any other package means nothing of this one's, nor does this one of it.
    """
    beside: dict[str, set[str]] = {}
    for one in cargo.packages:
        for dependency in one.dependencies:
            if dependency.directory is not None:
                beside.setdefault(one.directory, set()).add(dependency.directory)
                beside.setdefault(dependency.directory, set()).add(one.directory)
    found, todo = {package}, [package]
    while todo:
        new = beside.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return frozenset(found)


def depends_on(cargo: CargoWorkspace, package: str, other: str) -> bool:
    """The package in one directory needs that in another to be built, directly or not (development aside)."""
    seen: set[str] = set()
    todo = [package]
    while todo:
        current = cargo.package_at(todo.pop())
        for dependency in current.dependencies if current is not None else ():
            directory = dependency.directory
            if dependency.kind != "dev" and directory is not None and directory not in seen:
                seen.add(directory)
                todo.append(directory)
    return other in seen
