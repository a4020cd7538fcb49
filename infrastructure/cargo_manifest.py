"""Reads `Cargo.toml` files into `CargoWorkspace` values, without cargo.

A broken manifest is an entry of `problems`, never an exception. Nothing is resolved that needs a registry: a
dependency without a path inside the repository has no directory.
"""

import posixpath
import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from typing import Any

from attrs import frozen

from m1nd.domain.rust.cargo import CargoWorkspace, Dependency, Package, Target, TargetKind

Read = Callable[[str], bytes | None]
DEFAULT_EDITION = 2015
FALLBACK_EDITION = 2021
"""Where no manifest says anything at all: today's usual edition, told as a problem."""


@frozen
class _Manifest:
    directory: str
    table: dict[str, Any]


def read_cargo(paths: Collection[str], read: Read) -> CargoWorkspace:
    """All packages whose manifests are among `paths` (every file of the repository, relative, POSIX).

    `read` gives a file's bytes or None. Without any manifest, targets are guessed from usual file names and the
    problem `no-manifest` says so.
    """
    problems: list[tuple[str, str]] = []
    manifests: dict[str, _Manifest] = {}
    for path in sorted(p for p in paths if posixpath.basename(p) == "Cargo.toml"):
        table = _load(path, read, problems)
        if table is not None:
            directory = posixpath.dirname(path) or "."
            manifests[directory] = _Manifest(directory, table)
    files = set(paths)
    if not manifests:
        packages = _guess(files)
        if not problems:
            problems.append(("Cargo.toml", "no-manifest: targets are guessed from file names"))
        return CargoWorkspace(packages, tuple(problems))
    by_folder = _files_by_folder(files)
    built = [
        package
        for manifest in manifests.values()
        if (package := _package(manifest, manifests, files, by_folder, problems)) is not None
    ]
    return CargoWorkspace(tuple(built), tuple(problems))


def _load(path: str, read: Read, problems: list[tuple[str, str]]) -> dict[str, Any] | None:
    content = read(path)
    if content is None:
        problems.append((path, "unreadable"))
        return None
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        problems.append((path, f"broken: {error}"))
        return None


def _guess(files: set[str]) -> tuple[Package, ...]:
    """A package at the root made of what cargo would find there, when no manifest tells."""
    targets: list[Target] = []
    for kind, candidates in (
        (TargetKind.LIB, ("src/lib.rs", "lib.rs")),
        (TargetKind.BIN, ("src/main.rs", "main.rs")),
    ):
        root_file = next((c for c in candidates if c in files), None)
        if root_file:
            targets.append(
                Target(kind, "main" if kind is TargetKind.BIN else "lib", root_file, ".", FALLBACK_EDITION)
            )
    return (Package("root", ".", FALLBACK_EDITION, tuple(targets)),) if targets else ()


def _files_by_folder(files: set[str]) -> dict[str, list[str]]:
    folders: dict[str, list[str]] = {}
    for path in sorted(files):
        if path.endswith(".rs"):
            folders.setdefault(posixpath.dirname(path), []).append(path)
    return folders


def _package(
    manifest: _Manifest,
    manifests: Mapping[str, _Manifest],
    files: set[str],
    by_folder: Mapping[str, list[str]],
    problems: list[tuple[str, str]],
) -> Package | None:
    section = _table(manifest.table, "package") or _table(manifest.table, "project")
    if not section:
        return None
    name = section.get("name")
    where = _join(manifest.directory, "Cargo.toml")
    if not isinstance(name, str) or not name:
        problems.append((where, "broken: [package] has no name"))
        return None
    workspace = _workspace_of(manifest, manifests)
    shared = _table(workspace.table, "workspace") if workspace else {}
    edition = _edition(_inherited(section, "edition", _table(shared, "package")), where, problems)
    targets = _targets(manifest, name, edition, files, by_folder, problems)
    return Package(
        name=name,
        directory=manifest.directory,
        edition=edition,
        targets=targets,
        dependencies=_dependencies(manifest, workspace, manifests),
        features=tuple(sorted(_table(manifest.table, "features"))),
        lints=_lints(manifest, shared),
        workspace_directory=workspace.directory if workspace else manifest.directory,
        published=_inherited(section, "publish", _table(shared, "package")) not in (False, []),
    )


# ---- workspaces


def _workspace_of(manifest: _Manifest, manifests: Mapping[str, _Manifest]) -> _Manifest | None:
    """The workspace root that a package belongs to, as cargo finds it: upwards, unless excluded."""
    if "workspace" in manifest.table:
        return manifest
    pointer = (_table(manifest.table, "package") or {}).get("workspace")
    if isinstance(pointer, str):
        return manifests.get(_join(manifest.directory, pointer))
    folder = manifest.directory
    while folder != ".":
        folder = posixpath.dirname(folder) or "."
        above = manifests.get(folder)
        if above is not None and "workspace" in above.table:
            return None if _excluded(manifest.directory, above) else above
    return None


def _excluded(directory: str, workspace: _Manifest) -> bool:
    """Excluded and not named as a member; a glob among the members names nobody (cargo's own rule)."""
    table = _table(workspace.table, "workspace")
    relative = posixpath.relpath(directory, workspace.directory)

    def named(key: str) -> bool:
        entries = map(posixpath.normpath, _texts(table, key))
        return any(relative == entry or relative.startswith(entry + "/") for entry in entries)

    return named("exclude") and not named("members")


# ---- targets


def _targets(
    manifest: _Manifest,
    package_name: str,
    edition: int,
    files: set[str],
    by_folder: Mapping[str, list[str]],
    problems: list[tuple[str, str]],
) -> tuple[Target, ...]:
    section = _table(manifest.table, "package") or _table(manifest.table, "project")
    directory = manifest.directory
    where = _join(directory, "Cargo.toml")
    found: list[Target] = []

    def add(kind: TargetKind, name: str, root_file: str, table: Mapping[str, Any]) -> None:
        if root_file not in files:
            problems.append((where, f"target {kind} {name}: {root_file} does not exist"))
            return
        own = _edition(table.get("edition", edition), where, problems)
        found.append(
            Target(
                kind=kind,
                name=name.replace("-", "_"),
                root_file=root_file,
                package=directory,
                edition=own,
                proc_macro=bool(table.get("proc-macro") or table.get("proc_macro")),
                required_features=tuple(_texts(table, "required-features")),
                linkable=_is_linkable(table),
            )
        )

    lib = _table(manifest.table, "lib")
    lib_path = _join(directory, str(lib.get("path", "src/lib.rs")))
    if lib or (lib_path in files and section.get("autolib", True)):
        add(TargetKind.LIB, str(lib.get("name", package_name)), lib_path, lib)
    for kind, key, folder, switch in (
        (TargetKind.BIN, "bin", "src/bin", "autobins"),
        (TargetKind.EXAMPLE, "example", "examples", "autoexamples"),
        (TargetKind.TEST, "test", "tests", "autotests"),
        (TargetKind.BENCH, "bench", "benches", "autobenches"),
    ):
        automatic = dict(_discover(_join(directory, folder), by_folder))
        if kind is TargetKind.BIN and _join(directory, "src/main.rs") in files:
            automatic.setdefault(package_name, _join(directory, "src/main.rs"))
        named: set[str] = set()
        taken: set[str] = set()
        for table in _tables(manifest.table, key):
            name = str(table.get("name", package_name if kind is TargetKind.BIN else ""))
            if not name:
                problems.append((where, f"broken: [[{key}]] has no name"))
                continue
            path = table.get("path")
            root_file = (
                _join(directory, str(path))
                if path
                else automatic.get(name) or _guess_path(kind, directory, folder, name, files)
            )
            named.add(name)
            taken.add(root_file)
            add(kind, name, root_file, table)
        if section.get(switch, True) is not False and not (
            edition == DEFAULT_EDITION and named and switch not in section
        ):
            for name, root_file in automatic.items():
                if name not in named and root_file not in taken:
                    add(kind, name, root_file, {})
    build = section.get("build")
    if build is not False:
        scripts = (
            [str(b) for b in build] if isinstance(build, list) else [str(build) if build else "build.rs"]
        )
        for script in scripts:
            build_file = _join(directory, script)
            if build_file in files or (build and build is not True):
                stem = posixpath.basename(script).removesuffix(".rs")
                add(TargetKind.BUILD, f"build_script_{stem}", build_file, {})
    return tuple(found)


def _is_linkable(table: Mapping[str, Any]) -> bool:
    """A library that is made as `cdylib` or `staticlib` only cannot be named by Rust code."""
    kinds = _texts(table, "crate-type") or _texts(table, "crate_type")
    return not kinds or not {"lib", "rlib", "dylib", "proc-macro"}.isdisjoint(kinds)


def _discover(folder: str, by_folder: Mapping[str, list[str]]) -> list[tuple[str, str]]:
    """Targets that cargo finds in a folder by itself: `name.rs` and `name/main.rs`."""
    prefix = folder + "/"
    found = [(posixpath.basename(path).removesuffix(".rs"), path) for path in by_folder.get(folder, ())]
    found += [
        (sub[len(prefix) :], sub + "/main.rs")
        for sub, paths in by_folder.items()
        if sub.startswith(prefix) and "/" not in sub[len(prefix) :] and sub + "/main.rs" in paths
    ]
    return found


def _guess_path(kind: TargetKind, directory: str, folder: str, name: str, files: set[str]) -> str:
    """Where a named target without `path` lies."""
    candidates = [_join(directory, f"{folder}/{name}.rs"), _join(directory, f"{folder}/{name}/main.rs")]
    if kind is TargetKind.BIN:
        candidates += [_join(directory, f"src/{name}.rs"), _join(directory, "src/main.rs")]
    return next((c for c in candidates if c in files), candidates[0])


# ---- dependencies, lints


def _dependencies(
    manifest: _Manifest, workspace: _Manifest | None, manifests: Mapping[str, _Manifest]
) -> tuple[Dependency, ...]:
    shared = _table(_table(workspace.table, "workspace"), "dependencies") if workspace else {}
    sections: list[tuple[str, bool, Mapping[str, Any]]] = []
    for place, holder in enumerate((manifest.table, *_target_tables(manifest.table))):
        sections += [
            ("normal", place > 0, _table(holder, "dependencies")),
            ("dev", place > 0, _table(holder, "dev-dependencies") or _table(holder, "dev_dependencies")),
            (
                "build",
                place > 0,
                _table(holder, "build-dependencies") or _table(holder, "build_dependencies"),
            ),
        ]
    found: dict[tuple[str, str], Dependency] = {}
    for kind, conditional, section in sections:
        for alias, raw in section.items():
            own = _detailed(raw)
            table, base = own, manifest.directory
            if own.get("workspace") is True and workspace is not None:
                table, base = _detailed(shared.get(alias)), workspace.directory
            package_name = str(table.get("package", alias))
            path = table.get("path")
            directory = _join(base, path) if isinstance(path, str) else None
            if directory is not None and directory not in manifests:
                directory = None
            name = _crate_name(alias, package_name, directory, manifests)
            dependency = Dependency(
                name,
                package_name,
                kind,
                directory,
                origin=_origin(table, directory),
                features=_features_asked(table, own),
                conditional=conditional or own.get("optional") is True,
            )
            found.setdefault((name, kind), dependency)
    return tuple(found.values())


def _detailed(raw: Any) -> Mapping[str, Any]:
    """A dependency's table; `"1.0"` is short for one with a version alone."""
    if isinstance(raw, str):
        return {"version": raw}
    return raw if isinstance(raw, dict) else {}


def _origin(table: Mapping[str, Any], directory: str | None) -> str:
    """Where a dependency comes from and in which version, as one text."""
    keys = ("version", "registry", "registry-index", "git", "branch", "tag", "rev")
    said = [f"{key}={table[key]}" for key in keys if key in table]
    path = directory if directory is not None else table.get("path")
    return " ".join([*said, *([f"path={path}"] if path is not None else [])])


def _features_asked(table: Mapping[str, Any], own: Mapping[str, Any]) -> tuple[str, ...]:
    """Features of the entry and of the workspace's entry that it inherits; `default` unless one of both turns it off."""
    default = table.get("default-features", table.get("default_features", True)) is not False
    asked = {*_texts(table, "features"), *_texts(own, "features"), *(["default"] if default else [])}
    return tuple(sorted(asked))


def _crate_name(
    alias: str, package_name: str, directory: str | None, manifests: Mapping[str, _Manifest]
) -> str:
    """The name in code: the alias where renamed, else the library's own name, which `[lib] name` may change."""
    if alias == package_name and directory is not None:
        own = _table(manifests[directory].table, "lib").get("name")
        if isinstance(own, str):
            return own.replace("-", "_")
    return alias.replace("-", "_")


def _target_tables(table: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [t for t in _table(table, "target").values() if isinstance(t, dict)]


def _lints(manifest: _Manifest, shared: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    table = _table(manifest.table, "lints")
    if table.get("workspace") is True:
        table = _table(shared, "lints")
    flat: list[tuple[str, str]] = []
    for tool, rules in table.items():
        if isinstance(rules, dict):
            for rule, value in rules.items():
                level = value.get("level") if isinstance(value, dict) else value
                if isinstance(level, str):
                    flat.append((f"{tool}.{rule}", level))
    return tuple(sorted(flat))


# ---- small readers of untyped tables


def _table(holder: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = holder.get(key)
    return value if isinstance(value, dict) else {}


def _tables(holder: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    value = holder.get(key)
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _texts(holder: Mapping[str, Any], key: str) -> list[str]:
    value = holder.get(key)
    return [entry for entry in value if isinstance(entry, str)] if isinstance(value, list) else []


def _inherited(section: Mapping[str, Any], key: str, shared: Mapping[str, Any]) -> Any:
    value = section.get(key)
    if isinstance(value, dict) and value.get("workspace") is True:
        return shared.get(key)
    return value


def _edition(value: Any, where: str, problems: list[tuple[str, str]]) -> int:
    if value is None:
        return DEFAULT_EDITION
    if isinstance(value, int) or (isinstance(value, str) and re.fullmatch(r"\d{4}", value)):
        return int(value)
    problems.append((where, f"broken: edition {value!r}"))
    return DEFAULT_EDITION


def _join(directory: str, path: str) -> str:
    return (
        posixpath.normpath(posixpath.join(directory, path)) if directory != "." else posixpath.normpath(path)
    )
