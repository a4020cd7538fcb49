"""From a request to a plan on today's graph, formatted; and which symbols it moves.

Shared by preview and commit, so that both plan in the same way. Reads through the ports; writes and appends nothing.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from attrs import evolve, frozen

from m1nd.application.brain import Brain
from m1nd.application.collector import collector_off
from m1nd.domain.edits import FilePlan
from m1nd.domain.move.included import doctests_only, included_code
from m1nd.domain.move.inline_modules import modules_in
from m1nd.domain.move.plan import MovePlan, plan_move
from m1nd.domain.move.request import MoveRequest, Unreadable
from m1nd.domain.places import place_at
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.file_items import IN_BODY
from m1nd.domain.rust.names import Definition
from m1nd.domain.rust.workspace import Workspace
from m1nd.domain.symbol_move import SymbolMove
from m1nd.domain.symbols import Address, SymbolTable

FORMATTERS = 4
"""Formatters that run at a time."""


@frozen
class PreviewRequest:
    """`symbol`: a name, `crate::a::name`, `inner::name`, `sym_…` or `path:line` (D46).

    Paths are relative to the root; behind one may stand the way to an inline module (`src/a.rs::inner`).
    """

    symbol: str
    source_file: str
    dest_file: str
    allow_protected: str = ""
    also: tuple[str, ...] = ()
    """More items of the source file, each named like `symbol`, for the same plan."""
    create_dest: bool = True
    """A destination that does not exist is made, with its `mod` line."""
    publish: bool = False
    """What a move between crates would have to show to the other crate is made public."""


@collector_off()
def plan_on_today(brain: Brain, request: PreviewRequest) -> MovePlan:
    """Plan on today's graph and format what was written. Raises Refused with every code of the plan."""
    snapshot = brain.graph.rust()
    workspace = snapshot.workspace
    known = frozenset(snapshot.facts) | frozenset(snapshot.unreadable)
    unreadable = {p: Unreadable(why, brain.files.read(p) or b"") for p, why in snapshot.unreadable.items()}
    unreadable.update(_included(brain, workspace))
    plan = plan_move(_resolved(brain, request, workspace), workspace, known, unreadable)
    _check_seen(brain, plan)
    return _formatted(brain, plan, workspace)


def _check_seen(brain: Brain, plan: MovePlan) -> None:
    """A new file that git ignores would vanish from the next commit, and from the graph. Raises Refused(bad_destination)."""
    for path in plan.receipt["files_created"]:
        if brain.files.is_left_out(path):
            refuse(
                "bad_destination",
                f"an ignore rule leaves {path} out: the moved text would be in no commit and in no graph",
                "name a file that is not ignored, or change the ignore rule first",
                path=path,
            )


def _included(brain: Brain, workspace: Workspace) -> Iterator[tuple[str, Unreadable]]:
    """Files that are code only because a Rust file includes them."""
    for path, reason, docs in included_code(workspace):
        text = brain.files.read(path)
        if text is not None:
            yield path, Unreadable(reason, doctests_only(text) if docs else text)


def _resolved(brain: Brain, request: PreviewRequest, workspace: Workspace) -> MoveRequest:
    """Ids turned into items, paths normalised, and what the log knows of an earlier move."""
    source, dest = place_at(request.source_file), place_at(request.dest_file)
    (symbol, index), *others = (
        _named(brain, asked.strip(), source.file, workspace) for asked in (request.symbol, *request.also)
    )
    earlier = brain.views.moved_away(source.file, symbol.rsplit("::", 1)[-1])
    known = (earlier.dest_file, earlier.transplant_id) if earlier is not None else None
    return MoveRequest(
        symbol,
        source.file,
        dest.file,
        known,
        index,
        tuple(name for name, _ in others),
        tuple(number for _, number in others),
        request.create_dest,
        source.inner,
        dest.inner,
        request.publish,
    )


def _named(brain: Brain, symbol: str, source: str, workspace: Workspace) -> tuple[str, int | None]:
    """The name of what is asked for; for an id also which item of the source file it is. Raises Refused(usage)."""
    if not symbol:
        refuse("usage", "name the symbol to move", "m1nd transplant preview SYMBOL SOURCE DEST")
    if not symbol.startswith("sym_"):
        return symbol, None
    index = _item_of(brain, symbol, source, workspace)
    return workspace.facts[source].items[index].name, index


def _item_of(brain: Brain, symbol_id: str, source: str, workspace: Workspace) -> int:
    """Which item of the source file bears `symbol_id`. Raises Refused(symbol_not_found)."""
    table = brain.identities.table()
    for module in modules_in(workspace, source):
        facts = workspace.facts[source]
        for index in facts.children(module.scope_item):
            if not facts.items[index].name:
                continue
            definition = workspace.definition(module.definition, index)
            if table.id_at(address_of(workspace, definition)) == symbol_id:
                return index
    refuse(
        "symbol_not_found",
        f"{source} holds no item {symbol_id}",
        f"m1nd context {symbol_id}",
        symbol_id=symbol_id,
    )


def _formatted(brain: Brain, plan: MovePlan, workspace: Workspace) -> MovePlan:
    """Run the formatter over what was written (seed 002 §7.7); several files at a time, each in a process of its own."""
    edition = workspace.edition(plan.move.source.definition.crate)
    with ThreadPoolExecutor(FORMATTERS) as pool:
        done = list(pool.map(lambda file: _formatted_file(brain, plan, file, edition), plan.files))
    notes = dict.fromkeys(
        note if note in ("applied", "rustfmt unavailable") else f"{file.path}: {note}" for file, note in done
    )
    files = tuple(file for file, _ in done if file.after != file.before)
    return evolve(plan, files=files, receipt=dict(plan.receipt, rustfmt="; ".join(notes)))


def _formatted_file(brain: Brain, plan: MovePlan, file: FilePlan, edition: int) -> tuple[FilePlan, str]:
    """One planned file, formatted, and the formatter's note.

    A file that was formatted before is formatted whole, so that the order of its imports is right too; the destination
    only where the source was formatted as well, since moved text keeps its form. In any other file only whole new lines
    are: a move does not reformat anybody's code. A file that moves whole counts by what it was; nothing was written in
    one that goes.
    """
    if file.after is None:
        return file, "applied"
    whole, note = brain.formatter.format(file.path, file.after, edition, [(0, len(file.after))])
    if whole == file.after:
        return file, note
    was = plan.move.today(file.path)
    models = [plan.move.workspace.sources[was]] if was != file.path else [file.before]
    models = [model for model in models if model is not None]
    if file.path == plan.move.dest_file:
        models.append(plan.move.workspace.sources[plan.move.source_file])
    if all(_is_formatted(brain, file.path, model, edition) for model in models):
        return evolve(file, after=whole), note
    lines = _new_lines(file.after, plan.new.get(file.path, ()))
    text, note = brain.formatter.format(file.path, file.after, edition, lines)
    return evolve(file, after=text), note


def _new_lines(text: bytes, ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ranges that are whole lines: statements that were added, not words that were exchanged."""
    return [(a, b) for a, b in ranges if text[a - 1 : a] in (b"", b"\n") and text[a:b].endswith(b"\n")]


def _is_formatted(brain: Brain, path: str, text: bytes, edition: int) -> bool:
    """The file is as rustfmt would write it."""
    found, note = brain.formatter.format(path, text, edition, [(0, len(text))])
    return note == "applied" and found == text


def address_of(workspace: Workspace, definition: Definition) -> Address:
    """The address of an item for its `symbol_id` (D30)."""
    crate = workspace.target(definition.crate)
    module = "::".join((crate.name, *(name.removesuffix(IN_BODY) for name in definition.path[:-1])))
    kind = definition.item_kind or ItemKind.MOD.value
    return Address(kind=kind, module=module, name=definition.name, ordinal=definition.ordinal)


def symbol_moves(plan: MovePlan, table: SymbolTable) -> list[SymbolMove]:
    """One step per moved item, its variants and members too, the asked-for one first."""
    workspace = plan.move.workspace
    root = workspace.definition(plan.move.source.definition, plan.move.root)
    order = sorted(plan.moved.items(), key=lambda pair: (pair[0] != root, pair[0].path, pair[0].ordinal))
    steps: list[SymbolMove] = []
    for old, new in order:
        source = address_of(workspace, old)
        target = address_of(workspace, _behind_residents(workspace, new))
        steps.append(SymbolMove(symbol_id=table.id_at(source), source=source, target=target))
    return steps


def _behind_residents(workspace: Workspace, arriving: Definition) -> Definition:
    """Its number among equals at the new home: moved text stands behind what is there (two impls with a `fmt` each)."""
    residents = 0
    while workspace.locate(evolve(arriving, ordinal=residents)) is not None:
        residents += 1
    return evolve(arriving, ordinal=arriving.ordinal + residents)
