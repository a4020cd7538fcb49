"""The only place that wires: which implementation serves which port, for one repository. Every import is late, so that a
command pays only for what it touches."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import define

from m1nd.application.brain import Brain, Makers
from m1nd.infrastructure.roots import state_dir

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
        Terminal,
        Verifier,
        Writer,
    )
    from m1nd.application.remains import Remains
    from m1nd.application.views import Views
    from m1nd.domain.blocks.generation import Communities
    from m1nd.domain.commands import Actor
    from m1nd.infrastructure.log import Log


PROOF_GATE = "M1ND_PROOF_GATE"
"""`0` or `false` switches the proof gate off (D43)."""


TOKEN = "M1ND_TOKEN"
"""The token of a machine (D25)."""


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class SystemIds:
    """Random ids from the system's source."""

    def hex(self, digits: int) -> str:
        return secrets.token_hex((digits + 1) // 2)[:digits]


def open_brain(
    root: str,
    *,
    environment: Mapping[str, str] | None = None,
    read_only: bool = False,
    clock: Clock | None = None,
    ids: IdSource | None = None,
    actor: Actor | None = None,
    proof: Proof | None = None,
) -> Brain:
    """The brain of the repository at `root` (absolute, resolved); opens nothing before it is used.

    Without an `actor` it acts for the human at the command line. A process that serves several actors gives all their
    brains the same `proof`. Source: ARCHITECTURE.md, Folders; D1.
    """
    settings = os.environ if environment is None else environment
    folder = state_dir(root, settings)
    wiring = Wiring(root, folder, settings, read_only)
    makers = Makers(
        log=wiring.reading,
        app=lambda: wiring.app,
        graph_log=wiring.graph_log,
        identities=lambda: wiring.identities,
        views=lambda: wiring.views,
        graph=lambda: wiring.graph,
        files=lambda: wiring.files,
        writer=lambda: wiring.writer,
        verifier=lambda: wiring.verifier,
        formatter=lambda: wiring.formatter,
        machine=lambda: wiring.machine,
        remains=lambda: wiring.remains,
        actor=lambda: actor or wiring.actor,
        plans=lambda: wiring.plans,
        proof=lambda: proof or wiring.proof,
        places=lambda: wiring.places,
        documents=lambda: wiring.documents,
        communities=lambda: wiring.communities,
        close=wiring.close,
    )
    credential = settings.get(TOKEN, "")
    return Brain(root, folder, clock or SystemClock(), ids or SystemIds(), makers, read_only, credential)


def controlling_terminal(again: str, clean: Callable[[str], str]) -> Terminal:
    """The terminal of the human in front of this process; `again` is the command that asks there."""
    from m1nd.infrastructure.terminal import ControllingTerminal

    return ControllingTerminal(again, clean)


def can_write(root: str, environment: Mapping[str, str]) -> bool:
    """Whether the state of that repository can be written, or made where it does not exist yet."""
    from m1nd.infrastructure.machine import SystemMachine

    return SystemMachine(root, state_dir(root, environment), environment).state_folder().writable


def mend(brain: Brain) -> tuple[str, ...]:
    """Finish or take back what a crash left half-written (D45); one line per repair, none on a read-only attach."""
    if brain.read_only or not os.path.isdir(os.path.join(brain.state_dir, "journal")):
        return ()
    return brain.writer.recover(lambda journal_id: brain.app.is_recorded(journal_id))


@define(slots=False)
class Wiring:
    """The parts of one brain, each made when first asked for and then shared."""

    root: str
    state_dir: str
    environment: Mapping[str, str]
    read_only: bool

    def close(self) -> None:
        """Close what was made: the views before the log that they read."""
        made = vars(self)
        for name in ("graph", "views", "graph_records", "app"):
            if name in made:
                made[name].close()
        if "log" in made:
            made["log"].close()

    @cached_property
    def log(self) -> Log:
        from m1nd.infrastructure.log import open_log

        return open_log(self.state_dir, self.environment, read_only=self.read_only)

    @cached_property
    def app(self) -> M1nd:
        from m1nd.infrastructure.log import app_over

        return app_over(self.log)

    def graph_log(self) -> GraphRecords:
        return self.app if "app" in vars(self) else self.graph_records

    @cached_property
    def graph_records(self) -> GraphRecords:
        from m1nd.infrastructure.log import graph_records_over

        return graph_records_over(self.log)

    def reading(self) -> LogReading:
        from m1nd.application.log_reading import LogReading

        return LogReading(self.log)

    @cached_property
    def identities(self) -> Identities:
        from m1nd.infrastructure.views.identities import ViewedIdentities

        return ViewedIdentities(self.state_dir, self.log, lambda: self.views, self.read_only)

    @cached_property
    def views(self) -> Views:
        from m1nd.infrastructure.views import views_of

        return views_of(self.state_dir, self.log, read_only=self.read_only)

    @cached_property
    def graph(self) -> Graph:
        from m1nd.infrastructure.graph_cache import open_graph

        return open_graph(self.root, self.state_dir, read_only=self.read_only)

    @cached_property
    def files(self) -> Files:
        from m1nd.infrastructure.single_files import SingleFiles

        return SingleFiles(self.root)

    @cached_property
    def writer(self) -> Writer:
        from m1nd.infrastructure.workspace_writer import WorkspaceWriter

        return WorkspaceWriter(self.root, self.state_dir, is_recorded=lambda id: self.app.is_recorded(id))

    @cached_property
    def verifier(self) -> Verifier:
        from m1nd.infrastructure.verify import CargoVerifier, shadow_home

        return CargoVerifier(self.root, shadow_home(self.root, self.environment), self.environment)

    @cached_property
    def formatter(self) -> Formatter:
        from m1nd.infrastructure.rustfmt import Rustfmt

        return Rustfmt(self.root, self.environment)

    @cached_property
    def machine(self) -> Machine:
        from m1nd.infrastructure.machine import SystemMachine

        return SystemMachine(self.root, self.state_dir, self.environment)

    @cached_property
    def remains(self) -> Remains:
        from m1nd.infrastructure.remains import StoredRemains

        return StoredRemains(self.root, self.state_dir, self.environment)

    @cached_property
    def plans(self) -> Plans:
        from m1nd.infrastructure.plan_store import StoredPlans

        return StoredPlans(self.state_dir)

    @cached_property
    def places(self) -> Places:
        from m1nd.infrastructure.roots import RootPlaces

        return RootPlaces(self.root)

    @cached_property
    def documents(self) -> Documents:
        from m1nd.infrastructure.markdown import MarkdownReader

        return MarkdownReader()

    @cached_property
    def communities(self) -> Communities:
        from m1nd.infrastructure.communities import louvain

        return louvain

    @cached_property
    def proof(self) -> Proof:
        from m1nd.infrastructure.marks import MarksInMemory

        return MarksInMemory(enabled=self.environment.get(PROOF_GATE, "").lower() not in ("0", "false"))

    @cached_property
    def actor(self) -> Actor:
        """The human at this command line, by the name that the system knows them under; with a token, the machine it names."""
        from m1nd.domain.commands import Actor

        if token := self.environment.get(TOKEN, ""):
            from m1nd.domain.tokens import Presented

            presented = Presented.read(token)
            return Actor(kind="ci", id=presented.id if presented else "unknown")
        return Actor(kind="owner", id=_user(self.environment), session="")


def _user(environment: Mapping[str, str]) -> str:
    """The name of who runs this process; the number where the system has no name for it (a container)."""
    import pwd

    for key in ("LOGNAME", "USER"):
        if environment.get(key):
            return environment[key]
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"uid-{os.getuid()}"
