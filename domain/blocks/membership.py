"""The boundary of a block: declared paths with roles, and the files that they claim (seed 001 §2, BLOCKS.md path law).

Boundaries are paths, never node ids. Of several entries that match one file the last one decides its role, as in gitignore.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, get_args

from attrs import frozen

from m1nd.domain.blocks.sockets import check_alias
from m1nd.domain.digests import sha256
from m1nd.domain.globs import compile_glob
from m1nd.domain.path_law import DRIVE, normalise
from m1nd.domain.refusal import refuse
from m1nd.domain.values import Value

Role = Literal["primary", "shared", "generated", "test", "docs", "external_socket"]
ROLES: tuple[str, ...] = get_args(Role)
MAGIC = re.compile(r"[*?\[]")


class Member(Value):
    """One declared entry; wire `{path, role, optional?}`. `path` is an exact path, or a glob with gitignore semantics."""

    path: str
    role: Role
    optional: bool = False

    @property
    def is_glob(self) -> bool:
        return bool(MAGIC.search(self.path)) or self.path.endswith("/")

    @property
    def names_files(self) -> bool:
        """An `external_socket` is a boundary point, no file."""
        return self.role != "external_socket"

    def wire(self) -> dict[str, Any]:
        return self.model_dump(exclude_defaults=True)

    def claims(self, path: str) -> bool:
        return self.names_files and (path == self.path or (self.is_glob and _matches(self.path, path)))

    def check(self, block_id: str) -> None:
        """Raises Refused(outside_root | usage) for a path outside the path law, or a malformed glob.

        Refused(socket_leak) for an `external_socket` that is no class and no alias.
        """
        if not self.names_files:
            check_alias(self.path, "an external_socket entry", block_id)
            return
        if self.is_glob:
            if self.path.startswith(("/", "~")) or DRIVE.match(self.path) or ".." in self.path.split("/"):
                refuse("outside_root", f"{self.path!r} of {block_id} leads out", path=self.path)
            compile_glob(self.path)
        elif normalise(self.path) != self.path:
            refuse(
                "outside_root",
                f"{self.path!r} of {block_id} is not in its canonical form, `{normalise(self.path)}`",
                path=self.path,
                block_id=block_id,
            )


class ResolvedMember(Value):
    """A file of a block, and the role that its declaration gives it."""

    path: str
    role: Role

    @property
    def external_id(self) -> str:
        return f"file::{self.path}"


@frozen
class Resolution:
    """The files that a declaration claims, sorted by path; `missing` are declared exact paths without a file (not optional)."""

    members: tuple[ResolvedMember, ...]
    missing: tuple[str, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(member.path for member in self.members)


@lru_cache(maxsize=4096)
def _pattern(glob: str) -> tuple[str, "re.Pattern[str] | None"]:
    """The literal folders at the start of a glob, which sort most paths out cheaply, and its pattern.

    A whole folder (`src/**`) needs no pattern: what begins like it is in it.
    """
    text = glob.strip()
    fixed = MAGIC.split(text, maxsplit=1)[0]
    folder = fixed[: fixed.rfind("/") + 1]
    pattern = compile_glob(glob)
    return folder, None if folder and text == f"{folder}**" else pattern


def _matches(glob: str, path: str) -> bool:
    folder, pattern = _pattern(glob)
    return path.startswith(folder) and (pattern is None or pattern.fullmatch(path) is not None)


def _matching(glob: str, paths: Iterable[str]) -> list[str]:
    """As `_matches`, for all paths at once."""
    folder, pattern = _pattern(glob)
    if pattern is None:
        return [path for path in paths if path.startswith(folder)]
    return [path for path in paths if path.startswith(folder) and pattern.fullmatch(path)]


def role_of(membership: Iterable[Member], path: str) -> Role | None:
    """The role that a declaration gives a file; None when it does not claim it."""
    role: Role | None = None
    for member in membership:
        if member.claims(path):
            role = member.role
    return role


def resolve(membership: Sequence[Member], files: Collection[str]) -> Resolution:
    """The files of `files` (repository-relative paths) that a declaration claims."""
    roles: dict[str, Role] = {}
    missing: list[str] = []
    known = files if isinstance(files, set | frozenset | dict) else frozenset(files)
    for member in membership:
        if not member.names_files:
            continue
        found = [member.path] if member.path in known else []
        if member.is_glob:
            found += _matching(member.path, known)
        elif not found and not member.optional:
            missing.append(member.path)
        roles.update(dict.fromkeys(found, member.role))
    members = tuple(ResolvedMember(path=path, role=roles[path]) for path in sorted(roles))
    return Resolution(members, tuple(sorted(set(missing))))


def resolution_hash(members: Iterable[ResolvedMember]) -> str:
    """sha256 over the sorted (role, file external id) pairs (D18)."""
    lines = sorted(f"{member.role}\0{member.external_id}\n" for member in members)
    return sha256("".join(lines).encode())


def content_hash(members: Iterable[ResolvedMember], hashes: Mapping[str, str]) -> str:
    """sha256 over path and sha256 of every member; the second of the two digests of D17."""
    lines = sorted(f"{member.path}\0{hashes.get(member.path, '')}\n" for member in members)
    return sha256("".join(lines).encode())


def declaration_digest(membership: Iterable[Member]) -> str:
    """sha256 over the declared entries in their order, role and optionality included."""
    lines = [f"{member.path}\0{member.role}\0{int(member.optional)}\n" for member in membership]
    return sha256("".join(lines).encode())


WEIGHS_IN: Mapping[str, frozenset[str]] = {
    "test": frozenset({"test"}),
    "docs": frozenset({"handoff", "spec"}),
    "generated": frozenset({"structural"}),
}
"""Receipt types that a changed member of that role can make stale; a role that is not here weighs in all of them."""


def weighs_in(role: str, receipt_type: str) -> bool:
    """Whether a changed file of that role may stale a receipt of that type (BLOCKS.md, Block)."""
    return role not in WEIGHS_IN or receipt_type in WEIGHS_IN[role]
