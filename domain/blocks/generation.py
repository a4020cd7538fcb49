"""Proposing blocks: folders first, refined by the communities of the file graph (seed 001 §8 F0c, BLOCKS.md).

Folders below the floor bubble up, never across top-level folders; a large folder is split where the graph falls into
communities; sibling folders of one community are stitched together. Everything is deterministic for the same files and edges.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import define, field, frozen

from m1nd.domain.blocks.block_state import BlockDraft, CandidateBlock, CandidateMeta
from m1nd.domain.blocks.compaction import declare
from m1nd.domain.blocks.contract import Contract
from m1nd.domain.blocks.layout import first_layout
from m1nd.domain.blocks.proposal import Proposal
from m1nd.domain.blocks.sockets import Socket, Sockets
from m1nd.domain.blocks.templates import TEMPLATES
from m1nd.domain.digests import sha256

FLOOR = 3
"""A folder of fewer files is no block of its own; in a large repository the floor is a fortieth of it."""
TINY = 30
LARGE = 24
"""A folder of so many files directly or bubbled up may be split."""
FEWEST_EDGES = 5
"""Below so many sampled edges nothing is said about cohesion."""
MOST_LISTED = 500

Edges = Mapping[tuple[str, str], int]
"""How often one file uses another; no file uses itself."""
Communities = Callable[[int, Sequence[tuple[int, int, int]]], Sequence[int]]
"""`communities(nodes, edges)`: the community number of each node. The port to the graph library; deterministic."""


@frozen
class Generated:
    """The proposal with its report, and the seams: shared path → ids of the blocks that share it."""

    proposal: Proposal
    seams: Mapping[str, tuple[str, ...]]
    report: Mapping[str, Any]


@define
class Group:
    """Files on their way to a block. `key` names it inside the repository; `shared` files belong to others too."""

    key: str
    folder: str
    files: set[str]
    shared: set[str] = field(factory=set)


def slug(text: str) -> str:
    """Lower-case letters and digits, joined by `_`; what ids are made of."""
    return "_".join(re.findall(r"[a-z0-9]+", text.lower())) or "root"


def generate(
    repo: str,
    files: Sequence[str],
    edges: Edges,
    communities: Communities,
    *,
    node_count: int = 0,
    edge_count: int = 0,
    source_commit: str = "",
) -> Generated:
    """Candidates for a repository called `repo`. `node_count` and `edge_count` are the graph's, for the report."""
    known = sorted(set(files))
    used = {pair: n for pair, n in edges.items() if pair[0] != pair[1]}
    floor = max(FLOOR, len(known) // 40)
    groups = _folders(known, floor)
    algorithm = _algorithm(known, used)
    if algorithm == "directory_module_louvain_refine":
        groups = _stitch(groups, used, communities)
        groups = [part for group in groups for part in _refine(group, used, communities, floor)]
    groups = [group for group in groups if len(group.files) >= FLOOR]
    ids = {group.key: _block_id(repo, group.key) for group in groups}
    blocks = tuple(
        sorted((_block(repo, group, groups, ids, known, used) for group in groups), key=lambda b: b.block_id)
    )
    seams = _seams(groups, ids)
    report = _report(algorithm, known, groups, seams, blocks, node_count, edge_count)
    proposal = Proposal(
        skeleton_id=f"sk_{slug(repo)}_candidate",
        blocks=blocks,
        repo_id=repo,
        source_commit=source_commit,
        algorithm=algorithm,
        report=dict(report),
    )
    return Generated(proposal, seams, report)


def _algorithm(files: Sequence[str], edges: Edges) -> str:
    if not edges:
        return "directory_extension_no_edge"
    folders = {path.partition("/")[0] for path in files if "/" in path}
    if len(files) < TINY and folders != {"src"}:
        return "directory_module_tiny"
    return "directory_module_louvain_refine"


def _folders(files: Sequence[str], floor: int) -> list[Group]:
    """Files by folder; a folder under the floor joins its parent, and stops at its top-level folder."""
    held: dict[str, set[str]] = {}
    for path in files:
        held.setdefault(path.rpartition("/")[0], set()).add(path)
    for folder in sorted(held, key=lambda name: (-name.count("/"), name)):
        while "/" in folder and folder in held and len(held[folder]) < floor:
            parent = folder.rpartition("/")[0]
            held.setdefault(parent, set()).update(held.pop(folder))
            folder = parent
    return [Group(folder or ".", folder, paths) for folder, paths in sorted(held.items())]


def _stitch(groups: list[Group], edges: Edges, communities: Communities) -> list[Group]:
    """Merge sibling folders whose files lie mostly in one community; whole folders, never across roots."""
    at = _communities_of(sorted({path for group in groups for path in group.files}), edges, communities)
    stitched: dict[tuple[str, int], Group] = {}
    kept: list[Group] = []
    for group in groups:
        parent = group.folder.rpartition("/")[0]
        votes = Counter(at[path] for path in group.files if path in at)
        top = min(votes, key=lambda number: (-votes[number], number)) if votes else -1
        if not parent or top < 0 or votes[top] * 2 <= len(group.files):
            kept.append(group)
            continue
        partner = stitched.get((parent, top))
        if partner is None:
            stitched[parent, top] = group
            kept.append(group)
        else:
            partner.files |= group.files
            partner.key = f"{partner.key}+{group.folder.rpartition('/')[2]}"
    return kept


def _refine(group: Group, edges: Edges, communities: Communities, floor: int) -> list[Group]:
    """Split a large folder where its inner graph falls into at least two communities over the floor."""
    if len(group.files) < LARGE:
        return [group]
    inner = {pair: n for pair, n in edges.items() if pair[0] in group.files and pair[1] in group.files}
    if len(inner) < FEWEST_EDGES:
        return [group]
    at = _communities_of(sorted(group.files), inner, communities)
    sizes = Counter(at.values())
    big = sorted(number for number, size in sizes.items() if size >= floor)
    if len(big) < 2:
        return [group]
    pulls = _pulls(group.files, inner, at, set(big))
    parts = {number: {path for path, own in at.items() if own == number} for number in big}
    shared: dict[int, set[str]] = {number: set() for number in big}
    largest = max(big, key=lambda number: (sizes[number], -number))
    for path in sorted(group.files - {p for paths in parts.values() for p in paths}):
        strength = pulls.get(path, Counter())
        best = max(strength.values(), default=0)
        homes = [number for number in big if best and strength[number] == best] or [largest]
        for number in homes:
            parts[number].add(path)
            if len(homes) > 1:
                shared[number].add(path)
    degrees = _degrees(inner)
    return [
        Group(
            f"{group.key}/{_leader(parts[number] - shared[number], degrees)}",
            group.folder,
            parts[number],
            shared[number],
        )
        for number in big
    ]


def _communities_of(files: Sequence[str], edges: Edges, communities: Communities) -> dict[str, int]:
    """The community of each file that any edge touches."""
    touched = sorted({path for pair in edges for path in pair} & set(files))
    number = {path: at for at, path in enumerate(touched)}
    weights: Counter[tuple[int, int]] = Counter()
    for (a, b), n in edges.items():
        if a in number and b in number:
            weights[min(number[a], number[b]), max(number[a], number[b])] += n
    found = communities(len(touched), [(a, b, n) for (a, b), n in sorted(weights.items())])
    return dict(zip(touched, found, strict=True))


def _pulls(files: set[str], edges: Edges, at: Mapping[str, int], big: set[int]) -> dict[str, Counter[int]]:
    """How strongly each file that is in no big community is drawn to each of them."""
    pulls: dict[str, Counter[int]] = {}
    for (a, b), n in edges.items():
        for path, other in ((a, b), (b, a)):
            if at.get(path) not in big and at.get(other) in big and path in files:
                pulls.setdefault(path, Counter())[at[other]] += n
    return pulls


def _degrees(edges: Edges) -> Counter[str]:
    degrees: Counter[str] = Counter()
    for (a, b), n in edges.items():
        degrees[a] += n
        degrees[b] += n
    return degrees


def _leader(files: set[str], degrees: Counter[str]) -> str:
    """The stem of the file with most edges; it names a part of a folder."""
    path = min(files, key=lambda path: (-degrees[path], path))
    return path.rpartition("/")[2].partition(".")[0]


def _block_id(repo: str, key: str) -> str:
    return f"sb_{slug(repo)}_{slug(key)[:40].strip('_')}_{sha256(f'{repo}/{key}'.encode())[:8]}"


def _block(
    repo: str,
    group: Group,
    groups: Sequence[Group],
    ids: Mapping[str, str],
    files: Sequence[str],
    edges: Edges,
) -> CandidateBlock:
    block_id = ids[group.key]
    below = [path for path in files if not group.folder or path.startswith(f"{group.folder}/")]
    draft = BlockDraft(
        name=_name(group.key),
        purpose=f"Files of {group.folder or 'the root folder'}.",
        membership=declare(group.files, group.shared, files),
        sockets=_sockets(group, groups, ids, edges),
        contract=_contract(group.files),
        layout=first_layout(block_id),
        membership_source="proposed",
        candidate_meta=CandidateMeta(
            named_by="heuristic",
            needs_owner_naming=True,
            cohesion=_cohesion(group.files, edges),
            coverage_ratio=round(len(group.files) / max(1, len(below)), 4),
        ),
    )
    return CandidateBlock(block_id=block_id, draft=draft)


def _name(key: str) -> str:
    if key == ".":
        return "Root files"
    return key.replace("_", " ")[:1].upper() + key.replace("_", " ")[1:80]


def _cohesion(files: set[str], edges: Edges) -> float | None:
    inside = sum(n for (a, b), n in edges.items() if a in files and b in files)
    touching = sum(n for (a, b), n in edges.items() if a in files or b in files)
    return None if touching < FEWEST_EDGES else round(inside / touching, 4)


def _sockets(group: Group, groups: Sequence[Group], ids: Mapping[str, str], edges: Edges) -> Sockets:
    home = {path: other.key for other in groups for path in other.files - other.shared}
    outputs = {home[b] for a, b in edges if a in group.files and home.get(b, group.key) != group.key}
    inputs = {home[a] for a, b in edges if b in group.files and home.get(a, group.key) != group.key}
    return Sockets(
        inputs=tuple(Socket(to=ids[key], type="depends_on") for key in sorted(inputs)),
        outputs=tuple(Socket(to=ids[key], type="depends_on") for key in sorted(outputs)),
    )


ENDINGS = {
    "rust_core": {"rs"},
    "ui": {"tsx", "jsx", "ts", "js", "css", "html", "svelte", "vue"},
    "docs": {"md", "rst", "txt", "adoc"},
}


def _contract(files: set[str]) -> Contract:
    """The template that most of the files speak for; none where they do not, so that the owner decides."""
    endings = Counter(path.rpartition("/")[2].rpartition(".")[2] for path in files)
    for name, known in ENDINGS.items():
        if sum(endings[ending] for ending in known) * 2 > len(files):
            return TEMPLATES[name]
    return Contract()


def _seams(groups: Sequence[Group], ids: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for group in groups:
        for path in group.shared:
            found.setdefault(path, []).append(ids[group.key])
    return {path: tuple(sorted(found[path])) for path in sorted(found)}


def _report(
    algorithm: str,
    files: Sequence[str],
    groups: Sequence[Group],
    seams: Mapping[str, tuple[str, ...]],
    blocks: Sequence[CandidateBlock],
    node_count: int,
    edge_count: int,
) -> dict[str, Any]:
    claimed = {path for group in groups for path in group.files}
    unmapped = [path for path in files if path not in claimed]
    return {
        "algorithm": algorithm,
        "repo_file_count": len(files),
        "graph_node_count": node_count,
        "graph_edge_count": edge_count,
        "block_count": len(blocks),
        "claimed_file_count": len(claimed),
        "coverage_ratio": round(len(claimed) / max(1, len(files)), 4),
        "multi_owner_seams": [{"path": path, "block_ids": list(owners)} for path, owners in seams.items()],
        "unmapped_total": len(unmapped),
        "unmapped": unmapped[:MOST_LISTED],
        "naming": {
            "requested": "heuristic",
            "applied": "heuristic",
            "runner_available": False,
            "note": "no naming runner is connected: every name is a guess from folders and needs the owner",
        },
    }
