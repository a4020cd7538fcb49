"""The extern prelude of a target: crate names that its code may use as a first path segment.

Pure values from Cargo's view; never looks into a module. Source: the Rust Reference (Extern prelude), Cargo book
(dependencies per target kind).
"""

from collections.abc import Mapping

from m1nd.domain.rust.cargo import CargoWorkspace, Package, Target, TargetKind
from m1nd.domain.rust.names import Definition, DefinitionKind

BESIDE_THE_LIBRARY = (TargetKind.BIN, TargetKind.EXAMPLE, TargetKind.TEST, TargetKind.BENCH)


def crate_root(key: str) -> Definition:
    return Definition(DefinitionKind.MODULE, key, ())


def external_crate(name: str) -> Definition:
    return Definition(DefinitionKind.EXTERNAL, name, ())


def library(package: Package) -> Target | None:
    return next((t for t in package.targets if t.kind is TargetKind.LIB), None)


def extern_prelude(cargo: CargoWorkspace, target: Target) -> Mapping[str, Definition]:
    """Crate names visible in `target`: std, core, the dependencies of its kind, the package's own library."""
    package = cargo.package_at(target.package)
    names = {name: external_crate(name) for name in ("std", "core")}
    if target.proc_macro:
        names["proc_macro"] = external_crate("proc_macro")
    if package is None:
        return names
    build_script = target.kind is TargetKind.BUILD
    for dependency in package.dependencies:
        if (dependency.kind == "build") == build_script:
            names |= _dependency(cargo, dependency.name, dependency.package_name, dependency.directory)
    if target.kind in BESIDE_THE_LIBRARY:
        names |= own_library(package)
    return names


def doctest_prelude(cargo: CargoWorkspace, target: Target) -> Mapping[str, Definition]:
    """What a doc test of `target` may name: the crate itself and its dependencies."""
    package = cargo.package_at(target.package)
    return {**extern_prelude(cargo, target), **(own_library(package) if package is not None else {})}


def own_library(package: Package) -> dict[str, Definition]:
    target = library(package)
    return {target.name: crate_root(target.key)} if target is not None else {}


def _dependency(
    cargo: CargoWorkspace, name: str, package_name: str, directory: str | None
) -> dict[str, Definition]:
    """A dependency keeps its package's library name unless the manifest renames it."""
    package = cargo.package_at(directory) if directory is not None else None
    target = library(package) if package is not None else None
    if target is None:
        return {name: external_crate(name)}
    renamed = name != package_name.replace("-", "_")
    return {name if renamed else target.name: crate_root(target.key)}
