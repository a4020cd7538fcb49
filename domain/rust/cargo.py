"""Cargo's view of a repository: packages, targets, dependencies, editions.

Pure values; `infrastructure` reads them from the `Cargo.toml` files. Paths are relative to the repository's
root, POSIX, `.` for the root itself.
"""

from enum import StrEnum

from attrs import field, frozen


class TargetKind(StrEnum):
    LIB = "lib"
    BIN = "bin"
    EXAMPLE = "example"
    TEST = "test"
    BENCH = "bench"
    BUILD = "build"


@frozen
class Target:
    """One crate root. `name` is the crate's name in code (`-` is `_`)."""

    kind: TargetKind
    name: str
    root_file: str
    package: str
    """Directory of the package (its `Package.directory`)."""
    edition: int
    proc_macro: bool = False
    required_features: tuple[str, ...] = ()
    linkable: bool = True
    """Rust code can be linked with it: of a library, not so where it is made for other languages only (`cdylib`)."""

    @property
    def key(self) -> str:
        """Unique and stable over one workspace: `crates/a|lib|a`."""
        return f"{self.package}|{self.kind}|{self.name}"


@frozen
class Dependency:
    """One dependency as the code sees it (`name`, renamed and underscored), normal, dev or build."""

    name: str
    package_name: str
    kind: str
    directory: str | None
    """The directory of the package inside this repository, or None for a crate from elsewhere."""
    origin: str = ""
    """Where it comes from and in which version, as written; equal texts are one crate."""
    features: tuple[str, ...] = ()
    """The features that the manifest asks for; `default` is among them unless it is turned off."""
    conditional: bool = False
    """Optional, or of some platforms only."""


@frozen
class Package:
    name: str
    directory: str
    edition: int
    targets: tuple[Target, ...]
    dependencies: tuple[Dependency, ...] = ()
    features: tuple[str, ...] = ()
    lints: tuple[tuple[str, str], ...] = ()
    """`[lints]` flattened, workspace lints resolved: `("rust.unused_imports", "deny")`."""
    workspace_directory: str = "."
    published: bool = True
    """It may be published: `publish = false` says that nobody outside depends on it."""


@frozen
class CargoWorkspace:
    """All packages of a repository (of several workspaces too); `problems` names manifests that could not be read."""

    packages: tuple[Package, ...] = ()
    problems: tuple[tuple[str, str], ...] = field(default=())
    """`(manifest path, reason)`."""

    def package_at(self, directory: str) -> Package | None:
        return next((p for p in self.packages if p.directory == directory), None)

    def targets(self) -> tuple[Target, ...]:
        return tuple(t for p in self.packages for t in p.targets)
