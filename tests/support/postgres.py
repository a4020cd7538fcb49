"""A private PostgreSQL server for tests: its own folder, a Unix socket only, gone at the end."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

MISSING = "no PostgreSQL server binaries here (initdb, pg_ctl): install the package postgresql"


def binaries() -> Path | None:
    """The folder of the server's programs; None where there is no server."""
    found = shutil.which("initdb")
    places = (
        [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    )
    return next((place for place in places if (place / "pg_ctl").exists()), None)


def _unprivileged() -> dict[str, int]:
    """The server refuses to run as root; the account of its own package serves then, or the one that owns nothing."""
    if os.geteuid() != 0:
        return {}
    known = {account.pw_name: account for account in pwd.getpwall()}
    account = known.get("postgres") or known["nobody"]
    return {"user": account.pw_uid, "group": account.pw_gid}


@contextmanager
def server() -> Iterator[str]:
    """The URL of a database on a fresh server, without a schema."""
    programs = binaries()
    assert programs is not None, MISSING
    folder = tempfile.mkdtemp(prefix="m1nd-pg-", dir="/tmp")
    who = _unprivileged()
    if who:
        shutil.chown(folder, who["user"], who["group"])

    def run(program: str, *arguments: str) -> None:
        subprocess.run(
            [str(programs / program), *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            **who,  # type: ignore[call-overload]
        )

    data = os.path.join(folder, "data")
    try:
        run("initdb", "-D", data, "-U", "m1nd", "-A", "trust", "-E", "UTF8", "--no-sync")
        # Tests of correctness, not of durability: the server need not wait for the disk.
        options = (
            f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off -c max_connections=60"
        )
        run("pg_ctl", "-D", data, "-w", "-l", os.path.join(folder, "log"), "-o", options, "start")
        try:
            yield f"postgresql://m1nd@/postgres?host={quote(folder, safe='')}"
        finally:
            run("pg_ctl", "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
