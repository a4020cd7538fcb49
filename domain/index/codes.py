"""Small numbers of the graph's columns: kinds of edges, how sure an edge is, why a reference stays open."""

from enum import IntEnum


class Edge(IntEnum):
    """Kinds of edges (GRAPH.md). `contains` is not stored: it is the items' parents."""

    CONTAINS = 0
    DECLARES_MODULE = 1
    IMPORTS = 2
    REEXPORTS = 3
    CALLS = 4
    REFERENCES = 5
    IMPLEMENTS = 6
    IMPLEMENTS_TRAIT = 7
    TESTS = 8
    DEPENDS_ON = 9


class Surety(IntEnum):
    """How an edge was found: through scopes, as one candidate of a method name, or by its bare name."""

    RESOLVED = 0
    METHOD = 1
    NAME_ONLY = 2


class Open(IntEnum):
    """Why a reference has no edge."""

    UNKNOWN_PATH = 0
    UNKNOWN_MACRO = 1
    AMBIGUOUS_GLOB = 2
    TOO_MANY_METHODS = 3
    UNKNOWN_IMPORT = 4
    MISSING_MODULE = 5
    NO_TARGET = 6
    """The file belongs to no crate, so that `crate::…` means nothing."""
    UNKNOWN_MEMBER = 7
    """The type or trait is of this repository, the name after it is not: derived, macro-made, of a foreign trait."""


SURETY_SHIFT = 4
"""An edge's byte holds its kind in the low four bits and its surety above."""
EXTERNAL = 1 << 40
"""The code of anything outside the repository."""
AMBIGUOUS = 1 << 41
"""The code of a name that two globs provide."""


def edge_byte(kind: Edge, surety: Surety = Surety.RESOLVED) -> int:
    return int(kind) | int(surety) << SURETY_SHIFT
