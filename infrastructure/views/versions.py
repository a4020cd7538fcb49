"""The version of every view: another one drops the old tables and folds anew.

Apart from the projections, so that a reader can tell whether `views.db` is of today's making without loading an event.
"""

from types import MappingProxyType

VERSIONS = MappingProxyType(
    {
        "antibodies": 1,
        "blocks": 1,
        "cards": 1,
        "claims": 1,
        "delegations": 1,
        "edits": 1,
        "file_history": 1,
        "graph_changes": 1,
        "missions": 1,
        "moves": 1,
        "paint": 2,
        "receipts": 1,
        "refusals": 1,
        "stamps": 1,
        "symbols": 1,
        "tokens": 1,
        "trail": 2,
    }
)
"""Version by name."""


def key_of(name: str, version: int) -> str:
    """What a view's position is kept under."""
    return f"{name}@{version}"


KEYS = MappingProxyType({name: key_of(name, version) for name, version in VERSIONS.items()})
"""Key by name, of today's views."""
