"""The corpora of the speed figures: pinned crates by name, in sizes of 9 thousand, 128 thousand and 770 thousand lines."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tests.support.corpus import Pinned, Unusable, unpacked

__all__ = ["LARGE", "MEDIUM", "SMALL", "SYNTAX", "Unusable", "folder_of", "line_count", "texts"]

Members = tuple[Pinned, ...]
SMALL: Members = (Pinned("ignore", "0.4.23"), Pinned("globset", "0.4.15"))
SYNTAX: Members = (Pinned("syn", "2.0.98"),)
MEDIUM: Members = (Pinned("tokio", "1.43.0"),)
LARGE: Members = (
    *MEDIUM,
    *SYNTAX,
    Pinned("jiff", "1.0.2"),
    Pinned("sqlparser", "0.64.0"),
    Pinned("rustix", "1.1.6"),
    Pinned("tracing", "0.1.44"),
    Pinned("object", "0.40.0"),
    Pinned("bevy_ecs", "0.15.2"),
    Pinned("regex-automata", "0.4.19"),
    Pinned("just", "1.59.0"),
    Pinned("rustls", "0.23.46"),
)


@contextmanager
def folder_of(members: Members) -> Iterator[Path]:
    """A copy of the crates in one folder. Raises Unusable where one cannot be had."""
    with tempfile.TemporaryDirectory(prefix="m1nd-bench-") as folder:
        for member in members:
            shutil.copytree(unpacked(member), Path(folder) / member.name)
        yield Path(folder)


def texts(root: Path) -> list[bytes]:
    """All Rust sources of a folder that m1nd reads whole."""
    found = [path.read_bytes() for path in sorted(root.rglob("*.rs")) if path.is_file()]
    return [text for text in found if len(text) <= 1 << 20]


def line_count(sources: list[bytes]) -> int:
    return sum(text.count(b"\n") for text in sources)
