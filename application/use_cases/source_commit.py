"""The commit that the working tree stands on, read from `.git` without running anything; best effort."""

import re

from m1nd.application.brain import Brain
from m1nd.domain.refusal import Refused

SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def source_commit(brain: Brain) -> str:
    """The commit's id; empty where there is no git, or where it keeps the id in a way that is not read here."""
    head = _text(brain, ".git/HEAD")
    if SHA.fullmatch(head):
        return head
    name = head.removeprefix("ref: ")
    if name == head or not name.startswith("refs/"):
        return ""
    loose = _text(brain, f".git/{name}")
    if SHA.fullmatch(loose):
        return loose
    for line in _text(brain, ".git/packed-refs").splitlines():
        digest, _, ref = line.partition(" ")
        if ref == name and SHA.fullmatch(digest):
            return digest
    return ""


def _text(brain: Brain, path: str) -> str:
    try:
        content = brain.files.read(path)
    except Refused:
        # A worktree's `.git` is a file, and links may lead out: then the commit is not known, and nothing depends on it.
        return ""
    return "" if content is None else content.decode("ascii", "replace").strip()
