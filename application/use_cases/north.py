"""`north` and `card`: where an agent stands, and what the human should see of it. Pure reads (D14).

They refresh nothing and append nothing: the graph is the one of the last ingest, and what changed on disk since is said.
Order: arguments, binding, memory, context, map, coherence, bell, collision, reception last, then the card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from attrs import frozen

from m1nd.application.use_cases.describing import Teller
from m1nd.application.use_cases.item_texts import item_texts
from m1nd.application.use_cases.rooms import card_inputs, recalled, tagged
from m1nd.domain.card.cadence import LONGEST_SESSION, Occasion
from m1nd.domain.card.facts import Reception
from m1nd.domain.card.sanitising import sanitised
from m1nd.domain.digests import sha256
from m1nd.domain.index.addresses import address_of, external_id
from m1nd.domain.north import packet
from m1nd.domain.north.focus import FocusNode, Ranking, rank
from m1nd.domain.north.inputs import CardInputs
from m1nd.domain.north.packet import Focus, Packet, Parts, compose
from m1nd.domain.north.reception import FrontDesk
from m1nd.domain.north.sufficiency import sufficiency
from m1nd.domain.north.trust import Standing
from m1nd.domain.path_law import normalise
from m1nd.domain.refusal import refuse

if TYPE_CHECKING:
    from m1nd.application.brain import Brain
    from m1nd.application.event_log import LogHead
    from m1nd.domain.index.graph import IndexGraph

TOP_K, MOST_ROWS = 8, 50
SHOWN_WORDS = 5
LONGEST_ROOT = 1000
"""Characters; a mismatch says it several times, and the packet has its budget."""
FINGERPRINT = "m1nd-binding-fingerprint-v0"


@frozen
class NorthRequest:
    """The arguments of `north` (CARD.md §1). `scope` is relative to the root or absolute; `caller_root` and `client_tools`
    are empty and None where nobody said them; `as_of` None means now."""

    task: str
    agent_id: str = ""
    session: str = ""
    occasion: str = ""
    client_tools: Sequence[str] | None = None
    top_k: int = TOP_K
    scope: str = ""
    caller_root: str = ""
    as_of: datetime | None = None


def north(brain: Brain, request: NorthRequest) -> Packet:
    """The packet for a task; for a blank one, that of the brain without a focus. Raises Refused(usage | outside_root)."""
    if not 1 <= request.top_k <= MOST_ROWS:
        refuse("usage", f"`top_k` lies between 1 and {MOST_ROWS}", "m1nd north TASK")
    return _compose(brain, request)


def card(brain: Brain, request: NorthRequest) -> Packet:
    """The card alone: no task, so nothing is said about focus or recall."""
    return _compose(brain, request)


def _compose(brain: Brain, request: NorthRequest) -> Packet:
    as_of = request.as_of or brain.clock.now()
    occasion = _checked(request)
    scope = _scope(brain, request.scope)
    head = brain.log.head()
    standing = Standing(
        generation=brain.log.generation(),
        read_only=brain.read_only,
        scope_outside=scope is None,
        client_tools=None if request.client_tools is None else tuple(request.client_tools),
    )
    desk = _desk(brain, request.caller_root)
    beat: dict[str, Any] = {
        "session": request.session,
        "occasion": occasion,
        "shown": brain.views.cards_shown(request.session, as_of),
    }
    if desk.reception is Reception.MISMATCH:
        # Nothing of this brain will be told, so nothing of it is loaded.
        stale = tuple(brain.graph.stale_paths()) if standing.generation else ()
        bound = _bound(brain, standing, head, None, stale)
        return compose(Parts(request.task, bound, standing, desk, CardInputs(), None, (), as_of, **beat))
    graph = brain.graph.remembered() if standing.generation else None
    teller = None if graph is None else Teller(brain, graph, brain.identities.table())
    memory = recalled(brain, teller, request.task, as_of)
    stale = tuple(brain.graph.stale_paths()) if standing.generation else ()
    focus = (
        None if teller is None or not request.task.strip() else _focus(teller, request, scope or "", stale)
    )
    about = frozenset(str(node["path"]) for node in focus.nodes) if focus is not None else frozenset()
    inputs = card_inputs(brain, request.agent_id, about, as_of)
    bound = _bound(brain, standing, head, graph, stale)
    return compose(Parts(request.task, bound, standing, desk, inputs, focus, memory, as_of, **beat))


def _checked(request: NorthRequest) -> Occasion:
    if len(request.session) > LONGEST_SESSION:
        refuse(
            "usage",
            f"a session's name has at most {LONGEST_SESSION} characters",
            "m1nd north TASK --session S",
        )
    try:
        return Occasion(request.occasion)
    except ValueError:
        refuse(
            "usage",
            f"no such occasion: {request.occasion!r}; there are `asked` and `write`",
            "m1nd north --help",
        )


def _scope(brain: Brain, scope: str) -> str | None:
    """A scope relative to the root, empty for all of it; None for an absolute one that no root covers."""
    if not scope:
        return ""
    if scope.startswith(("/", "~")):
        return brain.places.inside(scope)
    return normalise(scope)


def _desk(brain: Brain, caller_root: str) -> FrontDesk:
    if not caller_root:
        return FrontDesk(brain.root)
    if not caller_root.startswith("/") or len(caller_root) > LONGEST_ROOT:
        refuse(
            "usage",
            f"a caller root is an absolute path of at most {LONGEST_ROOT} characters",
            "m1nd north TASK --caller-root DIR",
        )
    if brain.places.inside(caller_root) is not None:
        return FrontDesk(brain.root, caller_root)
    return FrontDesk(brain.root, brain.places.home(caller_root), covered=False)


def _bound(
    brain: Brain, standing: Standing, head: LogHead, graph: IndexGraph | None, stale: tuple[str, ...]
) -> packet.Brain:
    nodes = 0
    if graph is not None:
        nodes = len(brain.graph.hashes()) + graph.counts["modules"] + graph.counts["items"]
    return packet.Brain(
        root=brain.root,
        fingerprint=sha256(f"{FINGERPRINT}\0{brain.root}".encode())[:16],
        log_count=head.count,
        log_head=head.head,
        generation=standing.generation,
        nodes=nodes,
        stale=stale,
    )


def _focus(teller: Teller, request: NorthRequest, scope: str, stale: tuple[str, ...]) -> Focus:
    texts = item_texts(teller.brain, teller.graph, stale)
    ranking = rank(teller.graph, request.task, request.top_k, scope, tagged(teller, request.task), texts)
    return Focus(
        nodes=tuple({**_row(teller, node), "why": sanitised(node.why)} for node in ranking.nodes),
        anchors=tuple(_row(teller, node) for node in ranking.anchors),
        coverage=_coverage(ranking),
        sufficiency=sufficiency(ranking),
    )


def _row(teller: Teller, found: FocusNode) -> Mapping[str, Any]:
    """A node as the packet shows it; what has no identity (a module) has no `symbol_id`."""
    graph, node = teller.graph, found.node
    path = graph.path_of(node)
    is_item = node < graph.item_count
    row: dict[str, Any] = {
        "symbol_id": teller.table.id_at(address_of(graph, node)) if is_item else "",
        "external_id": external_id(graph, node) if is_item else f"file::{path}",
        "label": sanitised(graph.name_of(node).rpartition("::")[2]),
        "path": path,
        "line": teller.line(path, graph.span_of(node)[1]) if is_item else 1,
        "kind": graph.kind_of(node),
        "score": found.score,
    }
    return {name: value for name, value in row.items() if value != ""}


def _coverage(ranking: Ranking) -> Mapping[str, Any]:
    """How much of the task the ranking stands on: counts of its telling words, and the first that name nothing."""
    return {
        "words": len(ranking.words),
        "matched": len(ranking.words) - len(ranking.unmatched),
        "unmatched": list(ranking.unmatched[:SHOWN_WORDS]),
    }
