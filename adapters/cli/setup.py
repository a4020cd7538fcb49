"""`m1nd setup HOST`: writes the entry that makes an agent host start m1nd, or prints it. Runs no program."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.adapters.hosts import HOSTS, Host
from m1nd.domain.refusal import refuse

if TYPE_CHECKING:
    from rich.console import Console


def register(group: click.Group) -> None:
    group.add_command(setup)


@click.command("setup")
@click.argument("host", type=click.Choice(list(HOSTS)))
@click.option("--print", "only_print", is_flag=True, help="Write nothing; show the entry.")
@verb("setup")
def setup(call: Call, host: str, only_print: bool) -> Answer:
    """Tell an agent HOST about m1nd: merge the entry into its file, with all else in it kept."""
    chosen = HOSTS[host]
    root = call.root()
    path = chosen.path(root, call.environment)
    skills: list[str] = []
    written = False
    if not only_print:
        call.deny_if_foreign(root)
        before = _read(chosen, path)
        after = chosen.merged(before)
        written = after != before
        if written:
            _write(path, after, root if not chosen.file.startswith("~/") else os.path.dirname(path))
        skills = write_skills(chosen, root)
    data = {
        "host": chosen.name,
        "file": chosen.file,
        "entry": chosen.shown(),
        "written": written,
        "skills": skills,
    }

    def show(console: Console) -> None:
        if only_print:
            console.print(f"{chosen.file}", style="key")
            console.print(chosen.shown().rstrip(), soft_wrap=True)
            return
        console.print(f"{chosen.file} {'names m1nd now' if written else 'named m1nd already'}")
        for skill in skills:
            console.print(f"{skill} is written")
        if chosen.then:
            console.print(f"next: {chosen.then}")

    return Answer(data, show)


def _read(host: Host, path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError):
        refuse("unreadable", f"{host.file} cannot be read as text", f"m1nd setup {host.name} --print")


def _write(path: str, text: str, inside: str) -> None:
    """Whole or not at all; a link may lead elsewhere inside of the folder `inside`.

    Raises Refused(outside_root) for a link that leads out, OSError.
    """
    real = os.path.realpath(path)
    if os.path.commonpath([real, os.path.realpath(inside)]) != os.path.realpath(inside):
        name = os.path.basename(path)
        refuse("outside_root", f"`{name}` is a link that leads out of its folder", "write the entry by hand")
    os.makedirs(os.path.dirname(real), exist_ok=True)
    partial = f"{real}.m1nd-part"
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(descriptor)
        if os.path.exists(real):
            os.chmod(partial, os.stat(real).st_mode & 0o7777)
        else:
            os.chmod(partial, 0o644)
        os.replace(partial, real)
    except BaseException:
        os.unlink(partial)
        raise


SKILL_FOLDERS: Mapping[str, str] = {"claude-code": ".claude/skills"}
"""Hosts that read skills from the repository, and where."""


def write_skills(host: Host, root: str) -> list[str]:
    """Write the skills that ship with the package where this host reads skills; the files that are new or differ."""
    from m1nd.adapters.skills import SKILLS, text

    folder = SKILL_FOLDERS.get(host.name)
    if folder is None:
        return []
    done = []
    for skill in SKILLS:
        target = os.path.join(folder, f"m1nd-{skill}", "SKILL.md")
        if _read(host, os.path.join(root, target)) != text(skill):
            _write(os.path.join(root, target), text(skill), root)
            done.append(target)
    return done
