"""What `m1nd doctor` says about agent hosts: whether each file that names m1nd names it rightly, and whether that starts.

Starts only the command that m1nd would write itself (`adapters/hosts.py`), whatever a file of the repository names.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from m1nd.adapters.hosts import HOSTS, Host, our_command
from m1nd.application.use_cases.doctor import Check, State
from m1nd.domain.refusal import Refused

Probe = Callable[[], Mapping[str, int]]
"""Tools that our command lists, by protocol revision."""


def start_with_nothing() -> Mapping[str, int]:
    """From a folder in no repository, with an empty environment."""
    from m1nd.adapters.mcp.probe import probe

    return probe(our_command(), os.sep, {})


def host_checks(
    root: str, environment: Mapping[str, str], start: Probe = start_with_nothing
) -> Iterator[Check]:
    """One check for every host whose file names m1nd."""
    started = cache(start)
    for host in HOSTS.values():
        text = _text(host, root, environment)
        if text is None:
            continue
        try:
            found = host.found(text)
        except Refused as refused:
            if "m1nd" in text:
                says = f"{refused.refusal.message}; what it says of m1nd cannot be looked at"
                yield Check(host.name, State.WARN, says, f"m1nd setup {host.name} --print")
            continue
        if found is not None:
            yield _check(host, list(found), started)


def _text(host: Host, root: str, environment: Mapping[str, str]) -> str | None:
    try:
        with open(host.path(root, environment), encoding="utf-8", errors="replace") as file:
            return file.read()
    except (Refused, OSError):
        return None  # there is no such file, or none that a host could read


def _check(host: Host, found: list[str], started: Probe) -> Check:
    again = f"m1nd setup {host.name}"
    if not found:
        return Check(
            host.name, State.FAIL, f"{host.file} names m1nd in a form that the host does not read", again
        )
    if found != list(our_command()):
        if not os.path.isabs(found[0]) or not os.access(found[0], os.X_OK):
            says = f"{host.file} starts a program by a name that a host does not find"
            return Check(host.name, State.FAIL, says, again)
        return Check(host.name, State.WARN, f"{host.file} starts another m1nd than this one", again)
    tools = started()
    if not all(tools.values()):
        silent = ", ".join(revision for revision, count in tools.items() if not count)
        return Check(
            host.name,
            State.FAIL,
            f"{host.file} is right, but what it starts does not speak {silent}",
            "m1nd mcp",
        )
    return Check(
        host.name,
        State.OK,
        f"{host.file} starts this m1nd, also with an empty environment: {min(tools.values())} tools, {' and '.join(tools)}",
    )
