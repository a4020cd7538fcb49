"""Rules of the move shown as text: a small workspace before, the files that change after, or the code of a refusal.

A workspace is one text: each file begins with a line `//- src/alpha.rs`. A workspace without a crate root gets a
`src/lib.rs` that declares every other file of `src` with `pub mod`.
"""

from collections.abc import Mapping
from textwrap import dedent
from typing import Any, Protocol

from tests.support.moves import plan

from m1nd.domain.move.plan import MovePlan
from m1nd.domain.refusal import Refused

MARK = "//- "


def files_of(text: str) -> dict[str, str]:
    """The files of a workspace text, in order; a file without lines is empty."""
    files: dict[str, str] = {}
    path = ""
    for line in dedent(text).splitlines(keepends=True):
        if line.startswith(MARK):
            path = line.removeprefix(MARK).strip()
            files[path] = ""
        elif path:
            files[path] += line
        elif line.strip():
            raise ValueError(f"text before the first {MARK!r}: {line!r}")
    return files


def with_root(files: Mapping[str, str]) -> dict[str, str]:
    """The files, with the crate root they lack."""
    if any(path in files for path in ("Cargo.toml", "src/lib.rs", "src/main.rs")):
        return dict(files)
    stems = [p.removeprefix("src/").removesuffix(".rs") for p in files if p.startswith("src/")]
    root = "".join(f"pub mod {stem};\n" for stem in sorted(stems) if "/" not in stem)
    return {"src/lib.rs": root, **files}


class Check(Protocol):
    """What a rule's test is given: it states a move and what must come of it."""

    def __call__(
        self,
        before: str,
        after: str,
        symbol: str = ...,
        source: str = ...,
        dest: str = ...,
        edition: int = ...,
        receipt: Mapping[str, Any] = ...,
        publish: bool = ...,
    ) -> None:
        """Moving `symbol` changes the files in `after` into that text and no others; `receipt` holds fields of the receipt."""

    def refused(
        self,
        before: str,
        code: str,
        *words: str,
        symbol: str = ...,
        source: str = ...,
        dest: str = ...,
        builds: bool = ...,
        publish: bool = ...,
    ) -> None:
        """Moving `symbol` is refused with `code`, and the message holds every one of `words`. `builds`: rustc accepts `before`."""


SYMBOL, SOURCE, DEST = "move_me", "src/alpha.rs", "src/beta.rs"
NOTHING: Mapping[str, Any] = {}


class Planned:
    """Checks the plan."""

    def __call__(
        self,
        before: str,
        after: str,
        symbol: str = SYMBOL,
        source: str = SOURCE,
        dest: str = DEST,
        edition: int = 2021,
        receipt: Mapping[str, Any] = NOTHING,
        publish: bool = False,
    ) -> None:
        files = with_root(files_of(before))
        found = plan(files, symbol, source, dest, edition, publish)
        assert changed_files(found) == files_of(after)
        assert {key: found.receipt[key] for key in receipt} == receipt
        assert found.receipt["refs_unresolved"] == receipt.get("refs_unresolved", [])

    def refused(
        self,
        before: str,
        code: str,
        *words: str,
        symbol: str = SYMBOL,
        source: str = SOURCE,
        dest: str = DEST,
        builds: bool = True,
        publish: bool = False,
    ) -> None:
        del builds
        found = refused(with_root(files_of(before)), symbol, source, dest, publish)
        assert found is not None, "the move was planned"
        assert found.refusal.code == code, found.refusal.message
        for word in words:
            assert word in found.refusal.message


def changed_files(found: MovePlan) -> dict[str, str]:
    return {file.path: (file.after or b"").decode() for file in found.files}


def refused(
    files: Mapping[str, str], symbol: str, source: str, dest: str, publish: bool = False
) -> Refused | None:
    try:
        plan(files, symbol, source, dest, publish=publish)
    except Refused as found:
        return found
    return None
