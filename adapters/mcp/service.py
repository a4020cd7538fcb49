"""One repository, served to any number of clients: lanes, marks of the proof gate, and the news of what changed.

Lives in one event loop. Knows no transport and no protocol message: `server.py` speaks for it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from attrs import define, field

from m1nd.adapters.bootstrap import PROOF_GATE
from m1nd.adapters.mcp.calling import answer, nowhere
from m1nd.adapters.mcp.client import Client
from m1nd.adapters.mcp.lanes import Lane, Tell
from m1nd.adapters.verb_shape import Effect, Verb
from m1nd.application.brain import Brain
from m1nd.application.ports import Progress
from m1nd.domain.refusal import Refused
from m1nd.infrastructure.log.peek import peek_generation
from m1nd.infrastructure.marks import MarksInMemory
from m1nd.infrastructure.roots import find_root, state_dir
from m1nd.infrastructure.settings import LOG_URL

GRACE_SECONDS = 10.0
"""How long work that runs may go on after the end was asked for."""

LOG_FILES = ("log.db", "log.db-wal")
SERVER_SECONDS = 2.0
"""How often a log on a server is looked at; of its appends only those that change the graph are noticed."""

Listener = Callable[[int, bool], Awaitable[None]]
"""`await listener(graph_rev, graph_changed)` after every append that was noticed."""


def quiet(stage: str, done: int, total: int) -> None:
    """Progress that nobody asked for."""


@define(eq=False)
class Service:
    """`root` is absolute and resolved, or empty where there is no repository: then every call says so."""

    root: str
    environment: Mapping[str, str]
    read_only: bool = False
    listeners: list[Listener] = field(factory=list)
    proof: MarksInMemory = field(init=False)
    _reads: Lane = field(init=False)
    _writes: Lane = field(init=False)
    _seen: tuple[tuple[int, int], ...] = ()
    _generation: int = 0
    _looked: float = 0.0

    def __attrs_post_init__(self) -> None:
        self.proof = MarksInMemory(enabled=self.environment.get(PROOF_GATE, "").lower() not in ("0", "false"))
        self._reads = Lane(self.root, self.environment, self.proof, self.read_only)
        self._writes = Lane(self.root, self.environment, self.proof, self.read_only)
        self._seen = self._look()
        self._generation = self._peek() if self._seen else 0

    async def call(
        self, client: Client, verb: Verb, arguments: Mapping[str, Any], tell: Tell = quiet
    ) -> dict[str, Any]:
        """The envelope of one call, errors too."""
        if not self.root:
            return nowhere(verb, os.getcwd())
        if foreign := self._own_root_elsewhere(client, verb):
            return await self._ingest_elsewhere(foreign, client, verb, arguments, tell)
        lane = self._writes if Effect.WRITES_FILES in verb.effects else self._reads

        def work(brain: Brain, report: Progress) -> dict[str, Any]:
            return answer(brain, client, verb, arguments, self.environment, report)

        envelope = await lane.run(work, tell)
        if lane.remarks:
            envelope["warnings"] = [*lane.remarks, *envelope["warnings"]]
            lane.remarks = ()
        await self.notice()
        return envelope

    async def notice(self) -> None:
        """Tell the listeners if the log grew, whoever appended; a look at two files when it did not."""
        now = self._look()
        if now == self._seen:
            return
        self._seen = now
        generation = self._peek()
        changed, self._generation = generation != self._generation, generation
        for listener in tuple(self.listeners):
            await listener(generation, changed)

    def close(self) -> bool:
        """Let go of the repository; False where a call still ran after GRACE_SECONDS, and the process has to be ended."""
        ended = [lane.close(GRACE_SECONDS) for lane in (self._reads, self._writes)]
        return all(ended)

    def _own_root_elsewhere(self, client: Client, verb: Verb) -> str:
        """The caller's own repository where this is an ingest under mismatch, the one write that it then may ask for."""
        if verb.name != "ingest" or not client.caller_root or client.read_only or self.read_only:
            return ""
        home = find_root(client.caller_root)
        return home if home is not None and home != self.root else ""

    async def _ingest_elsewhere(
        self, root: str, client: Client, verb: Verb, arguments: Mapping[str, Any], tell: Tell
    ) -> dict[str, Any]:
        """In the caller's repository, not in the served one; its brain is let go of at once."""
        lane = Lane(root, self.environment, self.proof)
        try:
            return await lane.run(
                lambda brain, report: answer(brain, client, verb, arguments, self.environment, report), tell
            )
        finally:
            lane.close(GRACE_SECONDS)

    def _peek(self) -> int:
        """The generation; the last one known where the log cannot be read, which the next call will say."""
        try:
            return peek_generation(state_dir(self.root, self.environment), self.environment)
        except Refused:
            return self._generation

    def _look(self) -> tuple[tuple[int, int], ...]:
        """Something that is another when the log grew; empty where there is no log yet. Cheap."""
        if not self.root:
            return ()
        if self.environment.get(LOG_URL):
            if time.monotonic() - self._looked >= SERVER_SECONDS:
                self._looked = time.monotonic()
                return ((self._peek(), 0),)
            return self._seen
        found: list[tuple[int, int]] = []
        for name in LOG_FILES:
            try:
                state = os.stat(os.path.join(state_dir(self.root, self.environment), name))
            except OSError:
                continue
            found.append((state.st_size, state.st_mtime_ns))
        return tuple(found)
