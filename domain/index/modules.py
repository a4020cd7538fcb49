"""The module tree of the index tier: which file is which module of which crate.

Follows `mod` declarations from every crate root: `foo.rs`, `foo/mod.rs`, inline modules, `#[path]`, modules written inside
macro calls. A module may have several files (cfg twins), a file may be several modules; its first is its home.
"""

import posixpath
import re
from collections.abc import Sequence

from m1nd.domain.index.columns import Columns
from m1nd.domain.index.scopes import ScopeTree
from m1nd.domain.rust.cargo import CargoWorkspace, Target, TargetKind

PATH_ATTRIBUTE = re.compile(r"\bpath\s*=\s*\"([^\"]*)\"")
MAX_DEPTH = 64
ORDER = (
    TargetKind.LIB,
    TargetKind.BIN,
    TargetKind.EXAMPLE,
    TargetKind.TEST,
    TargetKind.BENCH,
    TargetKind.BUILD,
)


class ModuleTree:
    """Result of `build_modules`.

    `crates[m]` numbers the target of module m; `paths[m]` is its path from the root; `items[m]` the number of the `mod` item
    that declares it (-1: a root, or a file outside every crate); `mounts` are `(file, module)` in the order found;
    `inline` maps a `mod` item with a body to its modules.
    """

    def __init__(self) -> None:
        self.tree = ScopeTree()
        self.targets: list[Target] = []
        self.crates: list[int] = []
        self.paths: list[str] = []
        self.items: list[int] = []
        self.files: list[int] = []
        """Number of the file that each module's text is (first) in."""
        self.roots: dict[str, int] = {}
        """Root module of each target, by the target's key."""
        self.mounts: list[tuple[int, int]] = []
        self.home: dict[int, int] = {}
        """The module that each file is, first of all."""
        self.inline: dict[tuple[int, int], int] = {}
        """Module of an inline `mod` item inside a given module."""
        self.declared: list[tuple[int, int]] = []
        """`(mod item, module)`."""
        self.missing: list[int] = []
        """`mod` items without a file."""
        self.orphans: list[int] = []
        self._by_path: dict[tuple[int, str], int] = {}

    def module(self, crate: int, path: str, parent: int, item: int, file: int) -> int:
        """The module at a path of a crate, made when it is new."""
        key = (crate, path)
        number = self._by_path.get(key)
        if number is None:
            number = self._by_path[key] = self.tree.add_module(parent)
            self.crates.append(crate)
            self.paths.append(path)
            self.items.append(item)
            self.files.append(file)
        return number


def build_modules(cargo: CargoWorkspace, columns: Columns) -> ModuleTree:
    """All modules of all targets, then one module of its own for each file that no crate reaches."""
    return _Builder(columns).build(cargo)


class _Builder:
    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.number_of = {path: number for number, path in enumerate(columns.paths)}
        self.result = ModuleTree()
        self.mounted: set[tuple[int, int]] = set()
        self.mods = [self._module_items(number) for number in range(len(columns.paths))]

    def build(self, cargo: CargoWorkspace) -> ModuleTree:
        result = self.result
        result.targets = sorted(cargo.targets(), key=lambda t: (ORDER.index(t.kind), t.package, t.name))
        for crate, target in enumerate(result.targets):
            number = self.number_of.get(target.root_file)
            if number is None:
                continue
            root = result.module(crate, "", -1, -1, number)
            result.roots[target.key] = root
            self.mount(number, root, posixpath.dirname(target.root_file), 0)
        for number in range(len(self.columns.paths)):
            if number not in result.home:
                result.orphans.append(number)
                root = result.module(-1 - number, "", -1, -1, number)
                self.mount_inline(number, root)
        return result

    def _module_items(self, number: int) -> list[int]:
        """`mod` items of one file that stand in module position (macro calls around them do not count)."""
        packed = self.columns.facts[number]
        return [i for i, code in enumerate(packed.kinds) if code == "m"] if "m" in packed.kinds else []

    def mount(self, number: int, module: int, child_folder: str, depth: int) -> None:
        """Make a file a module, and follow its declarations; `child_folder` is where its modules' files lie."""
        result = self.result
        if (number, module) in self.mounted:
            return
        result.mounts.append((number, module))
        self.mounted.add((number, module))
        result.home.setdefault(number, module)
        own_folder = posixpath.dirname(self.columns.paths[number])
        places: dict[int, tuple[int, str, bool]] = {-1: (module, child_folder, False)}
        base = self.columns.first[number]
        for index in self.mods[number]:
            place = places.get(self._holder(number, index))
            if place is None:
                continue
            holder, folder, nested = place
            item = base + index
            name = self.columns.names[item]
            path = self._child_path(holder, name)
            paths = self._path_attributes(item)
            if self.columns.facts[number].spans[7 * index + 6]:
                inner = result.module(result.crates[holder], path, holder, item, number)
                result.inline[(item, holder)] = inner
                result.declared.append((item, inner))
                below = _join(own_folder if paths and not nested else folder, paths[0] if paths else name)
                places[index] = (inner, below, True)
                continue
            if depth >= MAX_DEPTH:
                continue
            found = self._files(folder if nested else own_folder, folder, name, paths)
            if not found:
                result.missing.append(item)
            for file, below in found:
                inner = result.module(result.crates[holder], path, holder, item, file)
                result.declared.append((item, inner))
                self.mount(file, inner, below, depth + 1)

    def mount_inline(self, number: int, module: int) -> None:
        """A file outside every crate: its inline modules only."""
        result = self.result
        result.mounts.append((number, module))
        result.home[number] = module
        places = {-1: module}
        base = self.columns.first[number]
        for index in self.mods[number]:
            holder = places.get(self._holder(number, index))
            if holder is None or not self.columns.facts[number].spans[7 * index + 6]:
                continue
            item = base + index
            inner = result.module(
                result.crates[holder],
                self._child_path(holder, self.columns.names[item]),
                holder,
                item,
                number,
            )
            result.inline[(item, holder)] = inner
            result.declared.append((item, inner))
            places[index] = inner

    def _child_path(self, holder: int, name: str) -> str:
        above = self.result.paths[holder]
        return f"{above}::{name}" if above else name

    def _holder(self, number: int, index: int) -> int:
        """The `mod` item around a `mod` item (-1: the file); macro calls between them do not count."""
        packed = self.columns.facts[number]
        parent = packed.parents[index]
        while parent >= 0 and packed.kinds[parent] == "l":
            parent = packed.parents[parent]
        return parent

    def _path_attributes(self, item: int) -> list[str]:
        texts = self.columns.attributes.get(item, ())
        return [match for text in texts if "path" in text for match in PATH_ATTRIBUTE.findall(text)]

    def _files(self, base: str, folder: str, name: str, paths: Sequence[str]) -> list[tuple[int, str]]:
        """Files of `mod name;`, each with the folder of its own modules."""
        found = []
        for path in paths:
            target = _join(base, path)
            number = self.number_of.get(target)
            if number is not None:
                found.append((number, posixpath.dirname(target)))
        if found:
            return found
        for candidate, below in (
            (_join(folder, f"{name}.rs"), _join(folder, name)),
            (_join(folder, f"{name}/mod.rs"), _join(folder, name)),
        ):
            number = self.number_of.get(candidate)
            if number is not None:
                return [(number, below)]
        return []


def _join(folder: str, path: str) -> str:
    joined = posixpath.normpath(posixpath.join(folder, path))
    return "" if joined == "." else joined
