"""Code that Rust files include and that no module tree holds: `include!` of other files, doc tests of a README.

Which files, and what of them is code. Such code is not resolved and never rewritten; what of it may name a moved item is
reported (D31). Nothing is read here but the workspace that is handed in.
"""

import re
from collections.abc import Iterator

from m1nd.domain.path_law import normalise
from m1nd.domain.refusal import Refused
from m1nd.domain.rust import doc_links
from m1nd.domain.rust.workspace import Workspace

FILE = rb'(?:concat!\s*\(\s*env!\s*\(\s*"CARGO_MANIFEST_DIR"\s*\)\s*,\s*)?"([^"\\]+)"'
CODE = re.compile(rb"(?<!\w)include!\s*[(\[{]\s*" + FILE)
DOCS = re.compile(rb"(?<!\w)(?:doc\s*=\s*include_str!|doctest!)\s*[(\[{]\s*" + FILE)
MACROS = (b"include!", b"include_str!", b"doctest!")


def included_code(workspace: Workspace) -> Iterator[tuple[str, str, bool]]:
    """`(path, reason, only its doc tests are code)` of every file that a Rust file of the workspace includes as code.

    Files with facts are left out: they are known to the workspace.
    """
    holding = {path for macro in MACROS for path in workspace.files_holding(macro)}
    for path in (p for p in workspace.facts if p in holding):
        source = workspace.sources[path]
        for pattern, docs in ((CODE, False), (DOCS, True)):
            for match in pattern.finditer(source):
                found = _place(workspace, path, match)
                if found is not None and found not in workspace.facts:
                    reason = f"its doc tests are those of {path}" if docs else f"{path} includes it as code"
                    yield found, reason, docs


def doctests_only(text: bytes) -> bytes:
    """The text with everything blanked that is no doc test; lines keep their numbers."""
    kept = bytearray(re.sub(rb"[^\n]", b" ", text))
    for block in doc_links.doctests(text):
        for offset, line in block:
            kept[offset : offset + len(line)] = line
    return bytes(kept)


def _place(workspace: Workspace, path: str, match: "re.Match[bytes]") -> str | None:
    """The included file, relative to the file that includes it, or to its package; None for one elsewhere."""
    written = match[1].decode("utf-8", "replace")
    folder = path.rpartition("/")[0]
    if b"CARGO_MANIFEST_DIR" in match[0]:
        mounts = workspace.mounts(path)
        folder = workspace.target(mounts[0].definition.crate).package if mounts else "."
    elif written.startswith("/"):
        return None
    try:
        return normalise(f"{folder}/{written.lstrip('/')}".lstrip("/"))
    except Refused:
        return None
