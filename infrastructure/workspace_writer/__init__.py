"""The one door to the working tree: lock, journal, rename, recovery (D45). Nothing else writes there."""

from m1nd.infrastructure.workspace_writer.writer import UNDO, WorkspaceWriter

__all__ = ["UNDO", "WorkspaceWriter"]
