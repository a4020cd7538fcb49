"""Ids of streams, made from their names. Imports nothing heavy: a process that only peeks at the log needs it too."""

from uuid import UUID, uuid5

STREAMS = UUID("6d316e64-0000-5000-8000-6c6f67000001")
"""The namespace of stream ids. Never changes: a log made today must rebuild on any machine with the same ids."""

GRAPH = "graph"
"""The name of the graph's stream."""

MAP = "map"
"""The name of the stream that begins with the first map of blocks."""


def stream_id(name: str) -> UUID:
    """The id of the stream of that name (`graph`, `transplant:0a1b…`); the same on every machine."""
    return uuid5(STREAMS, name)
