"""Where a repository's owner can be met: a private folder of this user, a socket and a lock in it.

Standard library only, because the relay imports it (PORTS.md). A socket's path must be short, so it is named by a digest.
"""

import contextlib
import hashlib
import os
import stat
from collections.abc import Mapping

PREFIX = "m1nd"


def runtime_folder(environment: Mapping[str, str]) -> str:
    """`$XDG_RUNTIME_DIR/m1nd`, else `/tmp/m1nd-<uid>`; made 0700 where it is missing.

    Raises PermissionError where it is another user's or others may enter it, OSError where it cannot be made.
    """
    base = environment.get("XDG_RUNTIME_DIR", "")
    folder = os.path.join(base, PREFIX) if base and os.path.isdir(base) else f"/tmp/{PREFIX}-{os.getuid()}"
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder, 0o700)
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(f"{folder} is not a private folder of this user")
    return folder


def socket_path(root: str, state_dir: str, environment: Mapping[str, str]) -> str:
    """The socket of the owner of that root and that state folder; the lock lies beside it, as `….lock`."""
    digest = hashlib.sha256(os.fsencode(root) + b"\0" + os.fsencode(state_dir)).hexdigest()[:24]
    return os.path.join(runtime_folder(environment), f"{digest}.sock")
