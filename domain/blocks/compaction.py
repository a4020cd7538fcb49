"""A set of files as few declared entries: whole folders, all files of one ending in a folder, single paths.

What is declared claims just the files that it was made from, as long as no other file is added.
"""

from collections.abc import Collection, Iterable, Iterator

from m1nd.domain.blocks.membership import MAGIC, Member, Role

TEST_FOLDERS = frozenset({"tests", "benches"})


def declare(own: Collection[str], shared: Collection[str], files: Iterable[str]) -> tuple[Member, ...]:
    """Entries for the files `own` (those in `shared` with that role) of all `files`; tests below a folder get theirs."""
    tree = Tree(files)
    chosen = frozenset(own)
    plain = [Member(path=path, role="primary") for path in tree.cover(chosen)]
    tests: dict[str, Role] = {f"{folder}/**": "test" for folder in _test_folders(chosen)}
    return (
        *plain,
        *(Member(path=glob, role=role) for glob, role in tests.items()),
        *(Member(path=path, role="shared") for path in sorted(shared)),
    )


def _test_folders(files: Iterable[str]) -> list[str]:
    """The outermost folders called after tests, above any of the files; never a top folder, which is a block of tests."""
    found: set[str] = set()
    for path in files:
        parts = path.split("/")[:-1]
        for depth, part in enumerate(parts):
            if part in TEST_FOLDERS and depth > 0:
                found.add("/".join(parts[: depth + 1]))
                break
    return sorted(found)


class Tree:
    """Files by folder. The root's name is empty."""

    def __init__(self, files: Iterable[str]) -> None:
        self.direct: dict[str, list[str]] = {"": []}
        self.folders: dict[str, set[str]] = {"": set()}
        self.below: dict[str, int] = {"": 0}
        for path in files:
            folder = path.rpartition("/")[0]
            self._add_folder(folder)
            self.direct[folder].append(path)
            while True:
                self.below[folder] += 1
                if not folder:
                    break
                folder = folder.rpartition("/")[0]

    def _add_folder(self, folder: str) -> None:
        while folder not in self.direct:
            self.direct[folder], self.folders[folder], self.below[folder] = [], set(), 0
            parent = folder.rpartition("/")[0]
            self.folders.setdefault(parent, set()).add(folder)
            if parent in self.direct:
                break
            folder = parent
        parent = folder.rpartition("/")[0]
        if folder:
            self.folders[parent].add(folder)

    def cover(self, own: frozenset[str]) -> Iterator[str]:
        counts = dict.fromkeys(self.direct, 0)
        for path in own:
            folder = path.rpartition("/")[0]
            while True:
                counts[folder] += 1
                if not folder:
                    break
                folder = folder.rpartition("/")[0]
        yield from self._cover("", own, counts)

    def _cover(self, folder: str, own: frozenset[str], counts: dict[str, int]) -> Iterator[str]:
        if not counts[folder]:
            return
        if (
            folder
            and counts[folder] == self.below[folder]
            and counts[folder] > 1
            and not MAGIC.search(folder)
        ):
            yield f"{folder}/**"
            return
        yield from self._direct(folder, own)
        for inner in sorted(self.folders[folder]):
            yield from self._cover(inner, own, counts)

    def _direct(self, folder: str, own: frozenset[str]) -> Iterator[str]:
        """Files directly in a folder. A glob with a literal folder in front stays in it; the root has none."""
        endings: dict[str, list[str]] = {}
        for path in sorted(self.direct[folder]):
            name = path.rpartition("/")[2]
            endings.setdefault(name.rpartition(".")[2] if "." in name else "", []).append(path)
        for ending, paths in endings.items():
            mine = [path for path in paths if path in own]
            if folder and ending and len(mine) == len(paths) > 2 and not MAGIC.search(folder):
                yield f"{folder}/*.{ending}"
            else:
                yield from mine
