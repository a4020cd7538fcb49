"""Single files of the repository, read whole; nothing is followed out of the root and nothing is written."""

import os

from m1nd.domain.path_law import normalise
from m1nd.domain.refusal import refuse
from m1nd.infrastructure.files import is_left_out


class SingleFiles:
    """`m1nd.application.ports.Files` over a folder; `root` is absolute and resolved."""

    def __init__(self, root: str) -> None:
        self._root = root

    def read(self, path: str) -> bytes | None:
        full = os.path.realpath(os.path.join(self._root, normalise(path)))
        if full != self._root and not full.startswith(self._root + os.sep):
            refuse("outside_root", f"{path} leads out of the repository", path=path)
        try:
            with open(full, "rb") as file:
                return file.read()
        except (FileNotFoundError, NotADirectoryError):
            if os.path.islink(os.path.join(self._root, normalise(path))):
                refuse("unreadable", f"{path} is a link to nothing", path=path)
            return None
        except OSError as error:
            refuse("unreadable", f"{path} cannot be read: {error.strerror}", path=path)

    def is_left_out(self, path: str) -> bool:
        return is_left_out(self._root, normalise(path))
