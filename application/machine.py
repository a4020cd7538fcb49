"""What status and doctor need to know about the machine, as a protocol."""

from typing import Protocol

from attrs import frozen


@frozen
class StateFolder:
    """The folder of one repository's state; where it does not exist yet, what its nearest parent allows."""

    inside_root: bool
    exists: bool
    private: bool
    """No one else may read it."""
    writable: bool
    free_bytes: int


class Machine(Protocol):
    def python(self) -> tuple[int, int, int]: ...

    def sqlite(self) -> tuple[int, int, int]: ...

    def has(self, tool: str) -> bool:
        """Whether a program of that name is on the path; starts nothing."""
        ...

    def version(self, tool: str) -> str | None:
        """What `TOOL --version` says; None where it is missing or cannot run."""
        ...

    def in_git(self) -> bool: ...

    def has_manifest(self) -> bool:
        """Whether the root holds a Cargo.toml."""
        ...

    def state_folder(self) -> StateFolder: ...
