"""Makes the tasks of the recall figures from a repository's own history: `python -m benchmarks.make_tasks CLONE CRATE VERSION TAG`.

A task is the subject of a commit made after the pinned version; its answers are the items that the commit changed, tests left
out, as far as the pinned version has them. The first twenty commits that fit are taken, in the order of time, unseen: nobody
chooses. The clone is read, never changed.
"""

import argparse
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from benchmarks.corpora import Pinned, unpacked
from m1nd.domain.north.focus import task_words
from m1nd.domain.rust.facts import FileFacts, ItemKind
from m1nd.domain.rust.walk import file_facts
from m1nd.infrastructure.rust_source.parser import TreeSitterParser

TASKS = Path(__file__).resolve().parent / "tasks"
WANTED = 20
MOST_ANSWERS = 8
"""A commit that changes more is a sweep, which no eight answers hold."""
FEWEST_WORDS = 3
ANSWERS = {
    ItemKind.FN, ItemKind.STRUCT, ItemKind.ENUM, ItemKind.UNION, ItemKind.TRAIT, ItemKind.CONST, ItemKind.STATIC,
    ItemKind.TYPE, ItemKind.MACRO_RULES,
}  # fmt: skip
ROUTINE = re.compile(
    r"^(release|bump|merge|revert|v?\d|chore|ci|build|docs?|changelog|deps|style)\b|\b(clippy|typos?|lints?|warnings?)\b",
    re.IGNORECASE,
)
NUMBER = re.compile(r"\s*\(#\d+\)")
HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? ")
PARSER = TreeSitterParser()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clone", type=Path)
    parser.add_argument("crate")
    parser.add_argument("version")
    parser.add_argument("tag", help="the commit of that version")
    parser.add_argument("--repository", required=True, help="where the clone comes from: OWNER/NAME")
    parser.add_argument("--prefix", default="", help="the crate's folder in the repository, with its slash")
    given = parser.parse_args()
    root = unpacked(Pinned(given.crate, given.version))
    known = {
        path.relative_to(root).as_posix(): names_of(path.read_bytes()) for path in sorted(root.rglob("*.rs"))
    }
    tasks = []
    for commit, subject in commits(given.clone, given.tag):
        answers = sorted(
            f"{path}::{name}"
            for path, name in set(changed(given.clone, commit, given.prefix))
            if name in known.get(path, ())
        )
        if 0 < len(answers) <= MOST_ANSWERS:
            tasks.append({"text": subject, "commit": commit[:12], "answers": answers})
        if len(tasks) == WANTED:
            break
    source = {
        "crate": given.crate,
        "version": given.version,
        "repository": given.repository,
        "tag": given.tag,
    }
    TASKS.mkdir(exist_ok=True)
    text = json.dumps({**source, "tasks": tasks}, indent=1, ensure_ascii=False)
    (TASKS / f"{given.crate}.json").write_text(text + "\n", encoding="utf-8")
    print(f"{given.crate}: {len(tasks)} tasks, {sum(len(task['answers']) for task in tasks)} answers")


def git(clone: Path, *line: str) -> str:
    done = subprocess.run(["git", "-C", str(clone), *line], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def commits(clone: Path, tag: str) -> Iterator[tuple[str, str]]:
    """Commits after the tag, oldest first, whose subject speaks of a change of the code."""
    log = git(clone, "log", "--reverse", "--no-merges", "--first-parent", "--format=%H%x09%s", f"{tag}..HEAD")
    for line in log.splitlines():
        commit, _, subject = line.partition("\t")
        plain = NUMBER.sub("", subject).strip()
        if not ROUTINE.match(plain) and len(task_words(plain)) >= FEWEST_WORDS:
            yield commit, plain


def changed(clone: Path, commit: str, prefix: str) -> Iterator[tuple[str, str]]:
    """`(path, name)` of the items around every line that a commit took out or put something behind."""
    diff = git(
        clone, "diff", "-U0", "--no-renames", "--diff-filter=M", f"{commit}^", commit, "--", f"{prefix}*.rs"
    )
    path, facts, source = "", None, b""
    for line in diff.splitlines():
        if line.startswith("--- a/"):
            path = line.removeprefix("--- a/")
            source = git(clone, "show", f"{commit}^:{path}").encode()
            facts = file_facts(source, PARSER)
        elif (hunk := HUNK.match(line)) and facts is not None:
            first, count = int(hunk[1]), int(hunk[2] or 1)
            inside = path.removeprefix(prefix)
            if not inside.startswith(("src/", "crates/")):
                continue
            for number in range(first, first + max(count, 1)):
                name = item_at(facts, source, number)
                if name:
                    yield inside, name


def item_at(facts: FileFacts, source: bytes, line: int) -> str:
    """The name of the innermost item on a line; empty outside of any, and in tests."""
    lines = source.split(b"\n")
    if line > len(lines):
        return ""
    offset = (
        sum(len(text) + 1 for text in lines[: line - 1])
        + len(lines[line - 1])
        - len(lines[line - 1].lstrip())
    )
    found = -1
    for index, item in enumerate(facts.items):
        if item.extent_start <= offset < item.end:
            found = index
    while found >= 0 and facts.items[found].kind not in ANSWERS:
        if is_test(facts, found):
            return ""
        found = facts.items[found].parent
    return "" if found < 0 or is_test(facts, found) else facts.items[found].name


def is_test(facts: FileFacts, index: int) -> bool:
    while index >= 0:
        item = facts.items[index]
        if item.name in ("test", "tests") or any("test" in attribute for attribute in item.attributes):
            return True
        index = item.parent
    return False


def names_of(source: bytes) -> frozenset[str]:
    facts = file_facts(source, PARSER)
    return frozenset(
        item.name
        for index, item in enumerate(facts.items)
        if item.kind in ANSWERS and not is_test(facts, index)
    )


if __name__ == "__main__":
    main()
