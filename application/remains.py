"""What m1nd keeps of one repository outside the log's own tables, as a protocol: what can be thrown away, and how."""

from collections.abc import Mapping
from typing import Protocol


class Remains(Protocol):
    def caches(self) -> Mapping[str, int]:
        """Bytes by kind: `graph`, `views`, `shadow`; each is made again when it is needed."""
        ...

    def kept_writes(self) -> int:
        """Bytes that the journal keeps so that writes can be undone."""
        ...

    def drop_caches(self) -> None:
        """Raises Refused(busy) while another process writes, Refused(write_failed) where the system says no."""
        ...

    def drop_kept_writes(self) -> None:
        """Throw the bytes of ended writes away; one that a crash cut off stays. Raises as `drop_caches`."""
        ...

    def drop_everything(self) -> None:
        """The state folder with its log, and the shadow. Nothing of the repository's own files.

        Raises as `drop_caches`, and Refused(outside_root) where the state folder is a link to another place.
        """
        ...
