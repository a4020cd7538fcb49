"""Makes the folder that holds one repository's state (D1): private, and invisible to git. Never touches what is there."""

import os

from m1nd.domain.refusal import refuse

IGNORE = ".gitignore"
WRITE_LOCK = "write.lock"
"""Held by whoever writes the working tree, from the first look at it to the last event."""
BEING_WRITTEN = "the repository for writing"
"""What the holder of that lock holds, in words."""


def ensure_state_dir(path: str) -> None:
    """Create the state folder (0700, its `.gitignore` saying `*`) if it is missing; safe in several processes at once.

    Raises Refused(write_failed) where the folder cannot be made or written.
    """
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            if not os.path.isdir(path):
                raise
        ignore = os.path.join(path, IGNORE)
        if not os.path.lexists(ignore):
            descriptor = os.open(ignore, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                os.write(descriptor, b"*\n")
            finally:
                os.close(descriptor)
    except OSError as error:
        refuse(
            "write_failed",
            f"the state folder {os.path.basename(path)} cannot be made: {error.strerror}",
            "make the repository's folder writable, free space on its disk, or set M1ND_HOME to another place",
            errno=error.errno,
        )
