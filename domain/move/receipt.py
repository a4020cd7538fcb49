"""The receipt of a move: every field explicit, zeros and empties too (TRANSPLANT.md, Receipt; seed 002 §2.2, D37).

Built by the plan as the candidate; the use case adds what only a commit knows (verification, formatting, time).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from m1nd.domain.move.imports.statements import UseStatement
from m1nd.domain.move.reach import Raised
from m1nd.domain.move.reference_notes import Requalified
from m1nd.domain.move.standing import Standing
from m1nd.domain.move.world import Move
from m1nd.domain.rust.facts import ItemFact, ItemKind
from m1nd.domain.rust.names import Definition


def receipt(
    move: Move,
    files: Sequence[str],
    standing: Standing,
    raised: Sequence[Raised],
    requalified: Requalified,
    carried: Sequence[UseStatement],
    pruned: Sequence[str],
) -> dict[str, Any]:
    """The candidate receipt; a plain mapping that serialises as it is."""
    facts = move.facts
    return {
        "moved_symbol": move.root_item.name,
        "moved_symbols": [facts.items[i].name for i in move.roots],
        "source_module": _module(move, move.source.definition),
        "dest_module": _module(move, move.home.definition),
        "files_changed": list(files),
        "files_created": [],
        "files_moved": [],
        "deps_travelled": [_travelled(facts.items[i]) for i in move.items if i not in move.roots],
        "deps_shared": [_shared(one) for one in raised],
        "published": [],
        "referencing_files": sorted(requalified.files),
        "refs_rewritten": requalified.rewritten,
        "refs_unresolved": list(requalified.unresolved),
        "source_back_imported": requalified.back_imported,
        "imports_carried": [s.text(b"").decode() for s in carried],
        "imports_pruned": list(pruned),
        "moved_visibility_bumped": standing.before != standing.after,
        "moved_visibility": {"before": standing.before or "private", "after": standing.after or "private"},
        "dependency_source": "graph_edges",
        "referencer_source": "graph_edges",
        "rustfmt": "not run",
        "blocks_touched": [],
        "receipts_staled": [],
        "state_left_behind": [],
        "verification": unverified("none", ""),
        "elapsed_ms": 0,
    }


def _travelled(item: ItemFact) -> str:
    return f"impl {item.detail}" if item.kind is ItemKind.IMPL else item.name


def _shared(one: Raised) -> Mapping[str, Any]:
    return {
        "name": one.name,
        "visibility_bumped": True,
        "visibility_before": one.before or "private",
        "visibility_after": one.after,
    }


def unverified(mode: str, reason: str) -> dict[str, Any]:
    """The `verification` field of a plan nobody compiled."""
    return {
        "mode": mode,
        "verified": False,
        "errors_before": 0,
        "errors_after": 0,
        "warnings_added": 0,
        "ms": 0,
        "reason": reason,
    }


def _module(move: Move, module: Definition) -> str:
    """From `crate`; where two crates take part, from the crate's name."""
    if not move.crosses:
        return module_name(module)
    return "::".join((move.workspace.target(module.crate).name, *module.path))


def module_name(module: Definition) -> str:
    return "::".join(("crate", *module.path))
