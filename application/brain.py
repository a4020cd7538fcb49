"""The brain of one repository: everything a use case may touch, in one value, each part made when first asked for.

It holds no rule and wires nothing itself: `m1nd.adapters.bootstrap.open_brain` gives it the makers. A command pays only
for the parts that it touches.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import frozen

from m1nd.domain.refusal import refuse

if TYPE_CHECKING:
    from m1nd.application.app import M1nd
    from m1nd.application.graph_records import GraphRecords
    from m1nd.application.log_reading import LogReading
    from m1nd.application.machine import Machine
    from m1nd.application.ports import (
        Clock,
        Documents,
        Files,
        Formatter,
        Graph,
        Identities,
        IdSource,
        Places,
        Plans,
        Proof,
        Verifier,
        Writer,
    )
    from m1nd.application.remains import Remains
    from m1nd.application.views import Views
    from m1nd.domain.blocks.generation import Communities
    from m1nd.domain.commands import Actor


@frozen
class Makers:
    """How each part of a brain is made; called at most once each."""

    log: Callable[[], LogReading]
    app: Callable[[], M1nd]
    graph_log: Callable[[], GraphRecords]
    identities: Callable[[], Identities]
    views: Callable[[], Views]
    graph: Callable[[], Graph]
    files: Callable[[], Files]
    writer: Callable[[], Writer]
    verifier: Callable[[], Verifier]
    formatter: Callable[[], Formatter]
    machine: Callable[[], Machine]
    remains: Callable[[], Remains]
    actor: Callable[[], Actor]
    plans: Callable[[], Plans]
    proof: Callable[[], Proof]
    places: Callable[[], Places]
    documents: Callable[[], Documents]
    communities: Callable[[], Communities]
    close: Callable[[], None]
    """Close the parts that were made."""


@frozen
class Brain:
    """One repository's log, views, graph, writer and tools, on behalf of one actor.

    `root` and `state_dir` are absolute and resolved; every other path in the product is relative to `root`.
    """

    root: str
    state_dir: str
    clock: Clock
    ids: IdSource
    make: Makers
    read_only: bool = False
    credential: str = ""
    """The token that the caller presents (M1ND_TOKEN); not looked at before a verb asks for it."""

    @property
    def project_name(self) -> str:
        """The name of the repository's folder; what ids of its map are made of."""
        return os.path.basename(self.root.rstrip("/")) or "root"

    @cached_property
    def log(self) -> LogReading:
        return self.make.log()

    @cached_property
    def app(self) -> M1nd:
        return self.make.app()

    @property
    def graph_log(self) -> GraphRecords:
        """What records a change of the graph: `app` where that is loaded, else the part of it that needs no other aggregate."""
        return self.make.graph_log()

    @cached_property
    def identities(self) -> Identities:
        return self.make.identities()

    @cached_property
    def views(self) -> Views:
        return self.make.views()

    @cached_property
    def graph(self) -> Graph:
        return self.make.graph()

    @cached_property
    def files(self) -> Files:
        return self.make.files()

    @cached_property
    def writer(self) -> Writer:
        return self.make.writer()

    @cached_property
    def verifier(self) -> Verifier:
        return self.make.verifier()

    @cached_property
    def formatter(self) -> Formatter:
        return self.make.formatter()

    @cached_property
    def machine(self) -> Machine:
        return self.make.machine()

    @cached_property
    def remains(self) -> Remains:
        return self.make.remains()

    @cached_property
    def actor(self) -> Actor:
        return self.make.actor()

    def close(self) -> None:
        """Let go of every file; the brain must not be used after it."""
        self.make.close()

    @cached_property
    def plans(self) -> Plans:
        return self.make.plans()

    @cached_property
    def proof(self) -> Proof:
        return self.make.proof()

    @cached_property
    def places(self) -> Places:
        return self.make.places()

    @cached_property
    def documents(self) -> Documents:
        return self.make.documents()

    @cached_property
    def communities(self) -> Communities:
        return self.make.communities()

    def deny_if_read_only(self, verb: str) -> None:
        """Raise Refused(read_only) on a read-only attach; called by every use case that appends or writes (D42)."""
        if self.read_only:
            refuse("read_only", f"`{verb}` appends or writes, and this attach is read-only", verb=verb)
