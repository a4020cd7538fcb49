"""The files of a planned write and of one that was carried out, as events carry them (D28)."""

from m1nd.domain.values import Value


class PlannedFile(Value):
    """One file of a plan; `base_hash` is empty for a file to create, `after_hash` for one to remove."""

    file_path: str
    base_hash: str
    after_hash: str
    lines_added: int = 0
    lines_removed: int = 0


class WrittenFile(Value):
    """One file that a commit or its undo wrote: sha256 before and after; empty where the file did not exist."""

    file_path: str
    before_hash: str
    after_hash: str
