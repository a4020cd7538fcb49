"""The repository's files as the graph sees them: which there are, how they look to `stat`, what they hash to.

Lists what git tracks or would track; without git, a walk that honours `.gitignore`. Never enters `.git`, `.m1nd`
or a folder with a `CACHEDIR.TAG` (D41), never follows a link that leads out of the root, never writes.
"""

import hashlib
import os
import stat
import subprocess
from collections.abc import Iterable
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from attrs import field, frozen

if TYPE_CHECKING:
    import pathspec

MAX_TEXT = 1 << 20
"""Larger files are file nodes without facts (GRAPH.md)."""
NEVER = frozenset((".git", ".m1nd"))
CACHE_TAG = "CACHEDIR.TAG"
CACHE_SIGNATURE = b"Signature: 8a477f597d28d172789f06886806bc55"
RACY_NS = 2_000_000_000
"""A file written this close to the moment it was last looked at may change again without its stat showing it."""

LANGUAGES = {
    "rs": "rust", "toml": "toml", "md": "markdown", "json": "json", "yml": "yaml", "yaml": "yaml", "py": "python",
    "js": "javascript", "ts": "typescript", "sh": "shell", "c": "c", "h": "c", "cpp": "cpp", "html": "html",
    "css": "css", "txt": "text", "lock": "lock",
}  # fmt: skip


class Stat(NamedTuple):
    """What must be equal for a file to count as untouched without reading it."""

    mtime_ns: int
    ctime_ns: int
    size: int


@frozen
class Listing:
    """Files by relative POSIX path; `notes` are `(path, reason)` of entries that are there and not files of the graph."""

    files: dict[str, Stat]
    notes: tuple[tuple[str, str], ...] = field(default=())
    by_git: bool = False


def language(path: str) -> str:
    return LANGUAGES.get(path.rpartition(".")[2].lower(), "") if "." in path.rpartition("/")[2] else ""


def list_files(root: str) -> Listing:
    """Every file of the repository at `root`, sorted by path."""
    notes: list[tuple[str, str]] = []
    listed = _git_list(root)
    by_git = listed is not None
    names = listed if listed is not None else _walk_list(root, notes)
    files: dict[str, Stat] = {}
    real_root = os.path.realpath(root)
    start = os.path.join(root, "")
    for path in _outside_caches(root, sorted(set(names))):
        if not _printable(path):
            notes.append((path.encode("utf-8", "replace").decode("utf-8"), "undecodable-name"))
            continue
        entry = _entry(start + path, real_root)
        if isinstance(entry, Stat):
            files[path] = entry
        elif entry:
            notes.append((path, entry))
    return Listing(files, tuple(notes), by_git)


def is_left_out(root: str, path: str) -> bool:
    """A file made at `path` would be no file of the graph: ignored, or in a folder that is never walked."""
    folders = [path[:end] for end, sign in enumerate(path) if sign == "/"]
    if not NEVER.isdisjoint(path.split("/")) or any(_is_cache(os.path.join(root, f)) for f in folders):
        return True
    asked = _git(root, "check-ignore", "-q", "--", path) if _inside_git(root) else None
    if asked is not None and asked.returncode in (0, 1):
        return asked.returncode == 0
    rules: list[tuple[str, pathspec.GitIgnoreSpec]] = []
    for above, entry in zip(
        ["", *(f + "/" for f in folders)], [*(f + "/" for f in folders), path], strict=True
    ):
        spec = _ignore_rules(os.path.join(root, above, ".gitignore"))
        rules += [(above, spec)] if spec is not None else []
        if _ignored(entry, rules):
            return True
    return False


def sha256_of(root: str, path: str) -> str | None:
    """Hash of a file's bytes, read in pieces; None when it cannot be read."""
    try:
        with open(os.path.join(root, path), "rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError:
        return None


def is_racy(seen: Stat, looked_ns: int) -> bool:
    """Whether a file was written so shortly before it was looked at that its stat proves nothing."""
    return max(seen.mtime_ns, seen.ctime_ns) > looked_ns - RACY_NS


def unfit_reason(content: bytes) -> str:
    """Why these bytes yield no facts (`binary`, `non-utf-8`, `too-large`), or an empty text."""
    if len(content) > MAX_TEXT:
        return "too-large"
    if b"\0" in content:
        return "binary"
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "non-utf-8"
    return ""


def _git_list(root: str) -> list[str] | None:
    """Tracked and would-be-tracked files by git, or None when git does not serve this folder."""
    if not _inside_git(root):
        return None
    done = _git(root, "ls-files", "-z", "-c", "-o", "--exclude-standard")
    if done is None or done.returncode != 0:
        return None
    return [os.fsdecode(name) for name in done.stdout.split(b"\0") if name and not name.endswith(b"/")]


def _git(root: str, *arguments: str) -> subprocess.CompletedProcess[bytes] | None:
    """What git answers there; None where it cannot be started.

    Repository settings that make git start a program (fsmonitor) are switched off: nothing of the served
    repository runs here (QUALITY.md, safety).
    """
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    environment["GIT_OPTIONAL_LOCKS"] = "0"
    command = ["git", "-c", "core.fsmonitor=false", *arguments]
    try:
        return subprocess.run(
            command, check=False, cwd=root, env=environment, capture_output=True, stdin=subprocess.DEVNULL
        )
    except OSError:
        return None


def _inside_git(root: str) -> bool:
    here = Path(root).resolve()
    return any((folder / ".git").exists() for folder in (here, *here.parents))


def _walk_list(root: str, notes: list[tuple[str, str]]) -> list[str]:
    """All files below `root` that no `.gitignore` excludes."""
    found: list[str] = []
    _walk(root, "", [], found, notes)
    return found


def _walk(
    root: str,
    folder: str,
    rules: list[tuple[str, "pathspec.GitIgnoreSpec"]],
    found: list[str],
    notes: list[tuple[str, str]],
) -> None:
    try:
        entries = sorted(os.scandir(os.path.join(root, folder)), key=attrgetter("name"))
    except OSError:
        notes.append((folder.rstrip("/") or ".", "unreadable"))
        return
    if any(entry.name == ".gitignore" for entry in entries):
        spec = _ignore_rules(os.path.join(root, folder, ".gitignore"))
        if spec is not None:
            rules = [*rules, (folder, spec)]
    for entry in entries:
        path = folder + entry.name
        is_folder = entry.is_dir(follow_symlinks=False)
        if entry.name in NEVER or _ignored(path + ("/" if is_folder else ""), rules):
            continue
        if not is_folder:
            found.append(path)
        elif not _is_cache(os.path.join(root, path)):
            _walk(root, path + "/", rules, found, notes)


def _ignore_rules(path: str) -> "pathspec.GitIgnoreSpec | None":
    import pathspec  # only where git does not serve: 30 ms that most runs need not pay

    try:
        with open(path, encoding="utf-8", errors="replace") as handle:
            return pathspec.GitIgnoreSpec.from_lines(handle)
    except (OSError, ValueError):
        # An unreadable or ill-formed ignore file hides nothing: too many files beat missing ones.
        return None


def _ignored(path: str, rules: list[tuple[str, "pathspec.GitIgnoreSpec"]]) -> bool:
    """The nearest `.gitignore` that says anything about the path decides."""
    for folder, spec in reversed(rules):
        verdict = spec.check_file(path[len(folder) :]).include
        if verdict is not None:
            return verdict
    return False


def _is_cache(folder: str) -> bool:
    try:
        with open(os.path.join(folder, CACHE_TAG), "rb") as handle:
            return handle.read(len(CACHE_SIGNATURE)) == CACHE_SIGNATURE
    except OSError:
        return False


def _outside_caches(root: str, names: list[str]) -> Iterable[str]:
    """Names that lie neither in a cache folder nor in a folder of git or of m1nd."""
    caches = tuple(
        name[: -len(CACHE_TAG)]
        for name in names
        if name.endswith("/" + CACHE_TAG) and _is_cache(os.path.join(root, name[: -len(CACHE_TAG)]))
    )
    for name in names:
        if caches and name.startswith(caches):
            continue
        if (".git" in name or ".m1nd" in name) and not NEVER.isdisjoint(name.split("/")):
            continue
        yield name


def _printable(path: str) -> bool:
    """Paths must survive UTF-8: they go to the log and to the wire."""
    if path.isascii():
        return True
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _entry(full: str, real_root: str) -> Stat | str:
    """The entry's stat, or why it is no file of the graph (an empty text: it is simply gone)."""
    try:
        info = os.lstat(full)
        if stat.S_ISREG(info.st_mode):
            return Stat(info.st_mtime_ns, info.st_ctime_ns, info.st_size)
        if stat.S_ISLNK(info.st_mode):
            real = os.path.realpath(full)
            if not real.startswith(real_root + os.sep):
                return "symlink-leads-out"
            if not NEVER.isdisjoint(os.path.relpath(real, real_root).split(os.sep)):
                return "symlink-leads-out"
            info = os.stat(full)
            if stat.S_ISDIR(info.st_mode):
                return "symlink-to-folder"
    except FileNotFoundError:
        return "broken-symlink" if os.path.islink(full) else ""
    except OSError:
        return "unreadable"
    if stat.S_ISDIR(info.st_mode):
        return "nested-repository"
    if not stat.S_ISREG(info.st_mode):
        return "special-file"
    return Stat(info.st_mtime_ns, info.st_ctime_ns, info.st_size)
