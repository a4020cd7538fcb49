"""Small Rust workspaces for tests: from a dict of files to a resolved `Workspace`."""

from collections.abc import Mapping, Sequence

from m1nd.domain.rust.cargo import CargoWorkspace, Dependency, Package, Target, TargetKind
from m1nd.domain.rust.names import Confidence, Definition, DefinitionKind, Occurrence
from m1nd.domain.rust.walk import file_facts
from m1nd.domain.rust.workspace import Workspace
from m1nd.infrastructure.rust_source.parser import TreeSitterParser

FOLDERS = {"examples": TargetKind.EXAMPLE, "tests": TargetKind.TEST, "benches": TargetKind.BENCH}


def package(
    files: Sequence[str],
    directory: str = ".",
    name: str = "demo",
    edition: int = 2021,
    dependencies: Sequence[Dependency] = (),
    proc_macro: bool = False,
) -> Package:
    """A package with the targets that Cargo would find in `directory`."""
    prefix = "" if directory == "." else f"{directory}/"
    inside = [f.removeprefix(prefix) for f in files if f.startswith(prefix)]
    code_name = name.replace("-", "_")
    targets = []
    if "src/lib.rs" in inside:
        targets.append(
            Target(TargetKind.LIB, code_name, f"{prefix}src/lib.rs", directory, edition, proc_macro)
        )
    if "src/main.rs" in inside:
        targets.append(Target(TargetKind.BIN, code_name, f"{prefix}src/main.rs", directory, edition))
    if "build.rs" in inside:
        targets.append(
            Target(TargetKind.BUILD, "build_script_build", f"{prefix}build.rs", directory, edition)
        )
    for path in inside:
        folder, _, rest = path.partition("/")
        if folder in FOLDERS and "/" not in rest and rest.endswith(".rs"):
            crate = rest.removesuffix(".rs").replace("-", "_")
            targets.append(Target(FOLDERS[folder], crate, prefix + path, directory, edition))
    return Package(name, directory, edition, tuple(targets), tuple(dependencies))


def workspace(
    files: Mapping[str, str | bytes], edition: int = 2021, packages: Sequence[Package] | None = None
) -> Workspace:
    """A resolved workspace; one package `demo` at the root unless `packages` says otherwise."""
    sources = {p: t.encode() if isinstance(t, str) else t for p, t in files.items()}
    parser = TreeSitterParser()
    facts = {p: file_facts(t, parser) for p, t in sources.items() if p.endswith(".rs")}
    found = packages if packages is not None else [package(list(files), edition=edition)]
    return Workspace.build(CargoWorkspace(tuple(found)), facts, sources, parser)


def told(found: Workspace, path: str, crate: str | None = None) -> list[str]:
    """Every occurrence of a file as `written = what it denotes`, with `maybe` where it is, `?` and the reason where not."""
    source = found.sources[path]
    return [
        f"{source[o.start : o.end].decode()} = {target(o)}{doubt(o)}" for o in found.occurrences(path, crate)
    ]


def target(occurrence: Occurrence) -> str:
    home = occurrence.module.crate
    return " + ".join(short(d, home) for d in occurrence.target) or f"? {occurrence.reason}"


def doubt(occurrence: Occurrence) -> str:
    return f" (maybe: {occurrence.reason})" if occurrence.confidence is Confidence.MAYBE else ""


def short(definition: Definition, home: str = "") -> str:
    """`fn a::f`, `mod a`, `crate`, `std::fmt`, `local x`; another crate's name before a slash; `#n` for twins."""
    twin = f"#{definition.ordinal}" if definition.ordinal else ""
    path = "::".join(definition.path)
    crate = "" if definition.crate == home or not definition.crate else definition.crate.split("|")[-1] + "/"
    match definition.kind:
        case DefinitionKind.MODULE:
            return f"{crate}mod {path}{twin}" if path else f"{crate}crate"
        case DefinitionKind.ITEM:
            return f"{crate}{definition.item_kind} {path}{twin}"
        case DefinitionKind.EXTERNAL:
            return "::".join((definition.crate, *definition.path))
    return f"{definition.kind} {path}{twin}"
