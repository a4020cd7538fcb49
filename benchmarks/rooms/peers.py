"""Ingest beside the peers that can be installed by name (G5), each a whole process on a copy of the same Rust files.

They are installed with npm into a cache outside the repository (`$M1ND_PEERS`, else `~/.cache/m1nd-peers`), and left out, with the
reason, where that fails. A peer gets a HOME of its own, and its index is deleted before every run, as ours is.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from attrs import frozen

from benchmarks.corpora import MEDIUM, SMALL, Unusable, folder_of
from benchmarks.figures import M1ND, Figure, Options, interleaved, median

ROOM = "peers"
INSTALL_SECONDS = 600
MOST_SECONDS = 300


@frozen
class Peer:
    """`index` is the command line after the program; `leaves` what it writes into the repository; `bar` how much slower it is."""

    package: str
    version: str
    program: str
    index: tuple[str, ...]
    leaves: tuple[str, ...]
    bar: float


PEERS = (
    Peer("@optave/codegraph", "3.11.2", "codegraph", ("build",), (".codegraph",), 4.0),
    Peer("@colbymchenry/codegraph", "1.6.1", "codegraph", ("init", "-i"), (".codegraph",), 9.0),
)


def measure(options: Options) -> Iterator[Figure]:
    """Raises Unusable where no peer can be had."""
    name, members = ("S", SMALL) if options.quick else ("M", MEDIUM)
    reasons = []
    with folder_of(members) as root, tempfile.TemporaryDirectory(prefix="m1nd-peers-") as scratch:
        _only_rust(root)
        for peer in PEERS:
            try:
                yield _beside(peer, name, root, Path(scratch), min(options.rounds, 3))
            except Unusable as reason:
                reasons.append(str(reason))
    if reasons:
        raise Unusable("; ".join(reasons))


def _only_rust(root: Path) -> None:
    """Nobody is charged for what another does not read."""
    for path in [p for p in root.rglob("*") if p.is_file()]:
        if path.suffix != ".rs" and path.name != "Cargo.toml":
            path.unlink()


def _beside(peer: Peer, name: str, root: Path, scratch: Path, rounds: int) -> Figure:
    program = installed(peer)
    home = scratch / peer.package.replace("/", "+")
    home.mkdir()
    environment = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
    theirs = _fresh([str(program), *peer.index], root, environment, peer.leaves)
    ours = _fresh([*M1ND, "--root", str(root), "--quiet", "ingest"], root, dict(os.environ), (".m1nd",))
    runs = interleaved({"ours": ours, "theirs": theirs}, rounds)
    for left in (*peer.leaves, ".m1nd"):
        shutil.rmtree(root / left, ignore_errors=True)
    return Figure(
        ROOM, f"G5 {peer.package}", f"{peer.package} {peer.version} ÷ whole `m1nd ingest`, wall", name,
        median(runs, lambda r: r["theirs"].wall / r["ours"].wall), "x", peer.bar, least=True,
    )  # fmt: skip


def _fresh(
    command: list[str], root: Path, environment: Mapping[str, str], leaves: tuple[str, ...]
) -> Callable[[], object]:
    def work() -> None:
        for left in leaves:
            shutil.rmtree(root / left, ignore_errors=True)
        done = subprocess.run(
            command, cwd=root, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=MOST_SECONDS, check=False
        )  # fmt: skip
        if done.returncode or not all((root / left).exists() for left in leaves):
            said = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
            raise Unusable(f"`{' '.join(command[-2:])}` failed: {said[-1] if said else done.returncode}")

    return work


def installed(peer: Peer) -> Path:
    """The peer's program. Raises Unusable where npm is not there or cannot install it."""
    place = cache() / f"{peer.package.replace('/', '+')}-{peer.version}"
    program = place / "node_modules" / ".bin" / peer.program
    if program.exists():
        return program
    if not shutil.which("npm"):
        raise Unusable(f"{peer.package}: npm is not installed here")
    place.mkdir(parents=True, exist_ok=True)
    command = ["npm", "install", "--no-audit", "--no-fund", f"{peer.package}@{peer.version}"]
    try:
        done = subprocess.run(command, cwd=place, capture_output=True, timeout=INSTALL_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise Unusable(f"{peer.package}: npm did not install it in {INSTALL_SECONDS} s") from None
    if done.returncode or not program.exists():
        shutil.rmtree(place, ignore_errors=True)
        raise Unusable(f"{peer.package}: npm cannot install it")
    return program


def cache() -> Path:
    chosen = os.environ.get("M1ND_PEERS", "")
    return Path(chosen) if chosen else Path.home() / ".cache" / "m1nd-peers"
