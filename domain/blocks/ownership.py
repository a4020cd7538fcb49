"""Which block a file belongs to when several claim it as primary: never two (BLOCKS.md invariant 8).

Who owns it keeps it. A file that nobody owns yet goes to the most specific claim: an exact path before a glob, then the
glob with more literal folders. Equal claims own nothing; the file is contested, and stays unmapped until a person decides.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from attrs import evolve, frozen

from m1nd.domain.blocks.membership import MAGIC, Member, Resolution, ResolvedMember, resolve

Declared = Mapping[str, Sequence[Member]]
"""Membership by block id."""


@frozen
class Settled:
    """The files of every block, and those that several claim alike: path → ids, both sorted."""

    blocks: Mapping[str, Resolution]
    contested: Mapping[str, tuple[str, ...]]

    @property
    def owned(self) -> frozenset[str]:
        """Every file of any block, in whatever role."""
        return frozenset(path for resolution in self.blocks.values() for path in resolution.paths)

    @property
    def owners(self) -> dict[str, str]:
        """The primary owner of each file that has one."""
        return primary_owners((id, resolution.members) for id, resolution in self.blocks.items())


def primary_owners(blocks: Iterable[tuple[str, Iterable[ResolvedMember]]]) -> dict[str, str]:
    """Block id by path, of the members in role `primary`."""
    return {member.path: id for id, members in blocks for member in members if member.role == "primary"}


def settle(declared: Declared, files: Collection[str], owners: Mapping[str, str] | None = None) -> Settled:
    """The files of all blocks at once. `owners` are the primary owners of before."""
    known = files if isinstance(files, set | frozenset) else frozenset(files)
    resolved = {id: resolve(membership, known) for id, membership in declared.items()}
    claims: dict[str, list[str]] = {}
    for id, resolution in resolved.items():
        for member in resolution.members:
            if member.role == "primary":
                claims.setdefault(member.path, []).append(id)
    lost: dict[str, set[str]] = {}
    contested: dict[str, tuple[str, ...]] = {}
    for path, ids in claims.items():
        if len(ids) < 2:
            continue
        winner = _winner(path, ids, declared, owners or {})
        if not winner:
            contested[path] = tuple(sorted(ids))
        for id in ids:
            if id != winner:
                lost.setdefault(id, set()).add(path)
    blocks = {
        id: evolve(resolution, members=tuple(m for m in resolution.members if m.path not in lost.get(id, ())))
        for id, resolution in resolved.items()
    }
    return Settled(blocks, dict(sorted(contested.items())))


def _winner(path: str, ids: Sequence[str], declared: Declared, owners: Mapping[str, str]) -> str:
    """The one owner of a file that several blocks claim as primary; empty where their claims are alike."""
    if owners.get(path) in ids:
        return owners[path]
    weights = sorted(
        ((max(_weight(member, path) for member in declared[id] if member.claims(path)), id) for id in ids),
        reverse=True,
    )
    return weights[0][1] if weights[0][0] > weights[1][0] else ""


def _weight(member: Member, path: str) -> tuple[int, int]:
    """How specific a claim is; greater is more."""
    if member.path == path:
        return (1, 0)
    literal = MAGIC.split(member.path, maxsplit=1)[0]
    return (0, literal.count("/"))
