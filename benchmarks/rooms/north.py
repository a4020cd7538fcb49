"""The packet: how long it takes in one process (G9), and how large it is against its budget (CARD.md §1)."""

import random
import tempfile
import time
from collections.abc import Callable, Iterator

from benchmarks.corpora import LARGE, SMALL, folder_of
from benchmarks.figures import Figure, Options, each_ms, quantile
from m1nd.adapters.bootstrap import open_brain
from m1nd.application.brain import Brain
from m1nd.application.use_cases.ingest import ingest
from m1nd.application.use_cases.north import NorthRequest, card, north
from m1nd.domain.north.budget import CARD_TOKENS, PACKET_TOKENS, tokens
from m1nd.domain.words import pieces

ROOM = "north"
SEED = 7
UNTIL_SETTLED = 3.0
"""Seconds."""
WORDS = 4
"""Words of a task, drawn from the names of two items each: a task speaks of what is there, and of more than one thing."""


def measure(options: Options) -> Iterator[Figure]:
    name, members = ("S", SMALL) if options.quick else ("L", LARGE)
    with folder_of(members) as root, tempfile.TemporaryDirectory(prefix="m1nd-state-") as state:
        brain = open_brain(str(root.resolve()), environment={"M1ND_HOME": state})
        ingest(brain)
        # Files that were written a moment before they were read are read again at each look; a repository is not like that.
        time.sleep(UNTIL_SETTLED)
        brain.graph.refresh()
        yield from _figures(brain, name, _tasks(brain, 60 if options.quick else 200))
        brain.close()


def _tasks(brain: Brain, count: int) -> list[str]:
    graph = brain.graph.index()
    draw = random.Random(SEED)
    names = [name for item, name in enumerate(graph.names) if name and graph.kinds[item] in "fset"]
    return [
        " ".join(word for name in draw.sample(names, 2) for word in pieces(name)[: WORDS // 2])
        for _ in range(count)
    ]


def _figures(brain: Brain, name: str, tasks: list[str]) -> Iterator[Figure]:
    north(brain, NorthRequest("warm"))  # the words of the graph are read at the first question
    took = each_ms([_asked(brain, task) for task in tasks])
    yield Figure(ROOM, "G9 north p50", "`north` in one process, p50", name, quantile(took, 0.5), "ms", 20)
    yield Figure(ROOM, "G9 north p99", "`north` in one process, p99", name, quantile(took, 0.99), "ms", 100)
    looked = each_ms([lambda: card(brain, NorthRequest(""))] * len(tasks))
    yield Figure(ROOM, "card p50", "`card` in one process, p50", name, quantile(looked, 0.5), "ms")
    yield Figure(ROOM, "card p99", "`card` in one process, p99", name, quantile(looked, 0.99), "ms")
    packets = [north(brain, NorthRequest(task, session="bench")).data for task in tasks]
    sizes = sorted(tokens(packet) for packet in packets)
    cards = sorted(tokens(packet["human_view"]) for packet in packets)
    yield Figure(ROOM, "packet p50", "tokens of a packet, p50", name, sizes[len(sizes) // 2], "tokens")
    yield Figure(ROOM, "packet max", "tokens of a packet, most", name, sizes[-1], "tokens", PACKET_TOKENS)
    yield Figure(
        ROOM, "card max", "tokens of a card with its envelope, most", name, cards[-1], "tokens", CARD_TOKENS
    )


def _asked(brain: Brain, task: str) -> Callable[[], object]:
    request = NorthRequest(task)
    return lambda: north(brain, request)
