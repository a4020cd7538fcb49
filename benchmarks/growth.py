"""How ingest, memory and a fresh question grow with the repository, from a thousand to a million lines."""

import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.corpora import LARGE, folder_of, line_count, texts
from benchmarks.figures import M1ND
from benchmarks.rooms.ingest import ingest, peak_and_disk

SIZES = (1_000, 10_000, 100_000, 300_000, 1_000_000)


def measure(sizes: tuple[int, ...] = SIZES) -> Iterator[Mapping[str, float]]:
    """One row a size: lines, ingest seconds, peak MiB, disk KiB, search milliseconds.

    The files are those of the large corpus, in the order of their paths; past its end they come again in other folders.
    """
    with folder_of(LARGE) as source:
        files = [path for path in sorted(source.rglob("*.rs")) if path.is_file()]
        for size in sizes:
            with tempfile.TemporaryDirectory(prefix="m1nd-growth-") as folder:
                root = Path(folder)
                lines = _fill(root, source, files, size)
                yield _row(root, lines)


def _row(root: Path, lines: int) -> Mapping[str, float]:
    begun = time.perf_counter()
    ingest(root, 2)
    seconds = time.perf_counter() - begun
    peak, disk = peak_and_disk(root)
    line = [*M1ND, "--root", str(root), "--quiet", "search", "Visitor"]
    subprocess.run(line, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    took = []
    for _ in range(5):
        begun = time.perf_counter()
        subprocess.run(line, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        took.append((time.perf_counter() - begun) * 1000)
    return {
        "lines": lines,
        "ingest_s": round(seconds, 3),
        "peak_mib": round(peak, 1),
        "disk_kib": round(disk, 1),
        "search_ms": round(min(took), 1),
    }


def _fill(root: Path, source: Path, files: list[Path], size: int) -> int:
    lines = copy = 0
    while lines < size:
        for path in files:
            text = path.read_bytes()
            place = root / f"copy{copy}" / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text)
            lines += text.count(b"\n")
            if lines >= size:
                break
        copy += 1
    return line_count(texts(root))
