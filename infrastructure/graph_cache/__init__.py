"""The derived code graph of a repository: cache, snapshot, refresh. Everything here can be deleted at any time."""

from m1nd.infrastructure.graph_cache.cached_graph import CachedGraph


def open_graph(root: str, state_dir: str, read_only: bool = False) -> CachedGraph:
    """The graph of the repository at `root` (absolute); its cache lies in `state_dir`."""
    return CachedGraph(root, state_dir, read_only)


__all__ = ["CachedGraph", "open_graph"]
