"""Reads the traits of dependencies from the sources that cargo unpacked on this machine.

`Cargo.lock` says which versions are meant; without it the newest unpacked version of a package counts. A quick scan
for `trait` items, not a parse: a method too many costs an import nobody needs, and the compiler warns of it.
Nothing is downloaded, nothing is written.
"""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

TRAIT = re.compile(r"\btrait\s+(?:r#)?(\w+)")
OTHER = re.compile(r"\b(?:struct|enum|union|type|fn|mod|const|static|macro_rules!|macro)\s+(?:r#)?(\w+)")
MEMBER = re.compile(r"\b(?:fn|const(?!\s+(?:(?:unsafe|async|extern)\s+)*fn\b))\s+(?:r#)?(\w+)")
"""An associated function or constant: a path of a type may end in either."""
WORD = re.compile(r"\w+")
QUIET = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'', re.DOTALL)
LARGEST_FILE = 2_000_000
FILES = 3_000
"""Packages with more files are generated bindings; they are not read."""
USE = re.compile(r"\buse\s+([^;]+);")
ALIAS = re.compile(r"(\w+)\s+as\s+(\w+)")
DEPTH = 3
"""How many steps of dependencies a re-exported trait is looked for."""


class RegistryTraits:
    """The traits of the packages that `Cargo.lock` under `root` names, read when they are asked for."""

    def __init__(self, root: Path, cargo_home: Path | None = None) -> None:
        home = cargo_home or Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
        self._registries = home / "registry" / "src"
        self._root = root
        self._lock: dict[str, list[tuple[str, tuple[str, ...]]]] | None = None
        self._packages: dict[str, _PackageTraits | None] = {}

    def methods(self, package: str, name: str) -> frozenset[str] | None:
        """Associated functions of the traits called `name`; empty when it is something else; None when unknown.

        A crate of procedural macros exports nothing but these. `use Colour as Color;` names what `Colour` is.
        """
        own = self._package(package)
        if own is not None and own.makes_macros:
            return frozenset()
        found: set[str] = set()
        known = named = False
        for traits in self._closure(package):
            known = True
            if name in traits.methods:
                found |= traits.methods[name]
                named = True
            elif name in traits.others:
                named = True
        return frozenset(found) if known and named else None

    def of_glob(self, package: str, path: tuple[str, ...]) -> Mapping[str, frozenset[str]] | None:
        """The traits whose names the module's text spells, of the package or of one it depends on."""
        own = self._package(package)
        text = own.module_text(path) if own is not None else None
        if own is None or text is None:
            return None
        spelled = set(WORD.findall(text))
        everything = "*" in text
        return {
            name: methods
            for traits in self._closure(package)
            for name, methods in traits.methods.items()
            if name in spelled or (everything and traits is own)
        }

    def _closure(self, package: str) -> Iterator["_PackageTraits"]:
        """The package, then what it depends on (a façade re-exports the traits of its parts)."""
        seen: set[str] = set()
        level = [package]
        for _ in range(DEPTH):
            following: list[str] = []
            for name in level:
                if name in seen:
                    continue
                seen.add(name)
                traits = self._package(name)
                if traits is not None:
                    yield traits
                following += [d for _, needs in self._locked().get(name, []) for d in needs]
            level = following

    def _package(self, name: str) -> "_PackageTraits | None":
        if name not in self._packages:
            folder = self._folder(name)
            self._packages[name] = _PackageTraits.read(folder) if folder is not None else None
        return self._packages[name]

    def _folder(self, name: str) -> Path | None:
        for version, _ in self._locked().get(name, []):
            for base in (self._root / "vendor", *sorted(self._registries.glob("*"))):
                for folder in (base / f"{name}-{version}", base / name):
                    if folder.is_dir():
                        return folder
        if self._locked():
            return None
        found = sorted(self._registries.glob(f"*/{name}-[0-9]*"), key=lambda p: p.stat().st_mtime)
        return found[-1] if found else None

    def _locked(self) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
        """Package to `(version, names of its dependencies)`, newest first; empty without a lock file."""
        if self._lock is None:
            self._lock = {}
            try:
                table = tomllib.loads((self._root / "Cargo.lock").read_text("utf-8"))
            except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
                table = {}
            for entry in reversed(table.get("package", [])):
                needs = tuple(text.split()[0] for text in entry.get("dependencies", []))
                self._lock.setdefault(entry["name"], []).append((entry["version"], needs))
        return self._lock


class _PackageTraits:
    """`methods` by trait name; `others`: names of items that are no traits."""

    def __init__(self, folder: Path, methods: dict[str, set[str]], others: set[str]) -> None:
        self.folder = folder
        self.methods = {name: frozenset(found) for name, found in methods.items()}
        self.others = others - set(methods)
        self.makes_macros = _makes_macros(folder)

    @classmethod
    def read(cls, folder: Path) -> "_PackageTraits":
        methods: dict[str, set[str]] = {}
        others: set[str] = set()
        aliases: set[tuple[str, str]] = set()
        for number, path in enumerate(sorted((folder / "src").rglob("*.rs"))):
            if number > FILES:
                break
            text = _text(path)
            others.update(OTHER.findall(text))
            for match in TRAIT.finditer(text):
                methods.setdefault(match[1], set()).update(MEMBER.findall(_body(text, match.end())))
            aliases.update(pair for use in USE.findall(text) for pair in ALIAS.findall(use))
        for name, alias in sorted(aliases):
            if name in methods:
                methods.setdefault(alias, set()).update(methods[name])
            elif name in others:
                others.add(alias)
        return cls(folder, methods, others)

    def module_text(self, path: tuple[str, ...]) -> str | None:
        """The text of a module: its file, or its braces in the file of the module around it."""
        base = self.folder / "src"
        if not path:
            return _text(base / "lib.rs") or None
        for file in (base.joinpath(*path).with_suffix(".rs"), base.joinpath(*path, "mod.rs")):
            if file.is_file():
                return _text(file)
        around = self.module_text(path[:-1])
        inline = re.search(rf"\bmod\s+{re.escape(path[-1])}\s*\{{", around or "")
        return _body(around or "", inline.start()) if inline else None


def _makes_macros(folder: Path) -> bool:
    """The package's library is a crate of procedural macros."""
    try:
        table = tomllib.loads((folder / "Cargo.toml").read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return False
    library = table.get("lib", {})
    return bool(library.get("proc-macro") or library.get("proc_macro"))


def _text(path: Path) -> str:
    """The file without comments and literals; empty when it cannot be read."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            return ""
        return QUIET.sub(" ", path.read_text("utf-8", "replace"))
    except OSError:
        return ""


def _body(text: str, start: int) -> str:
    """What stands in the first braces after `start`; empty when a `;` comes first."""
    opening = text.find("{", start)
    if opening < 0 or text.find(";", start, opening) >= 0:
        return ""
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, opening):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return text[opening : match.end()]
    return text[opening:]
