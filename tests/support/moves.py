"""Plan moves in process: small workspaces as dictionaries in, planned files out. No log, no disk, no cargo."""

from collections.abc import Mapping

from m1nd.domain.move.plan import MovePlan, plan_move
from m1nd.domain.move.request import MoveRequest
from m1nd.domain.places import place_at
from m1nd.domain.refusal import Refused
from m1nd.domain.rust.walk import file_facts
from m1nd.domain.rust.workspace import Workspace
from m1nd.infrastructure.cargo_manifest import read_cargo
from m1nd.infrastructure.rust_source.parser import TreeSitterParser

MANIFEST = '[package]\nname = "case"\nversion = "0.1.0"\nedition = "{edition}"\n\n[workspace]\n'


def encoded(files: Mapping[str, str], edition: int = 2021) -> dict[str, bytes]:
    """The files as bytes, with a manifest where none is given."""
    texts = {"Cargo.toml": MANIFEST.format(edition=edition), **files}
    return {path: text.encode("utf-8", "surrogatepass") for path, text in texts.items()}


def workspace_of(sources: Mapping[str, bytes]) -> Workspace:
    parser = TreeSitterParser()
    facts = {path: file_facts(text, parser) for path, text in sources.items() if path.endswith(".rs")}
    return Workspace.build(read_cargo(sorted(sources), sources.get), facts, sources, parser)


def plan(
    files: Mapping[str, str], symbol: str, source: str, dest: str, edition: int = 2021, publish: bool = False
) -> MovePlan:
    """The plan of one move; a destination that does not exist is made. Raises Refused."""
    sources = encoded(files, edition)
    request = MoveRequest(
        symbol, str(place_at(source)), str(place_at(dest)), create_dest=True, publish=publish
    )
    return plan_move(request, workspace_of(sources), frozenset(sources), {})


def moved(
    files: Mapping[str, str], symbol: str, source: str, dest: str, edition: int = 2021
) -> dict[str, str]:
    """Every file after the move, the untouched ones too."""
    after = dict(files)
    for file in plan(files, symbol, source, dest, edition).files:
        after[file.path] = (file.after or b"").decode("utf-8", "surrogatepass")
    return after


def refusal(files: Mapping[str, str], symbol: str, source: str, dest: str, edition: int = 2021) -> str:
    """The code with which the move is refused; empty when it is planned."""
    try:
        plan(files, symbol, source, dest, edition)
    except Refused as refused:
        return refused.refusal.code
    return ""
