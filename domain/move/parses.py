"""The planned text parses as well as today's (TRANSPLANT.md plan 7). Nothing is resolved here."""

from collections import Counter
from collections.abc import Iterator

from m1nd.domain.move.compose import Composition
from m1nd.domain.move.world import Move
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.sections import Sections
from m1nd.domain.rust.syntax import SyntaxNode
from m1nd.domain.rust.workspace import Workspace


def check_parse(move: Move, planned: Workspace, composition: Composition) -> None:
    """The changed files together may not hold more syntax errors than before. Raises Refused(result_does_not_parse).

    Together, because text that the parser does not understand may move with the item.
    """
    parser, sources = move.workspace.parser, move.workspace.sources
    if not any(parser.parse(text).has_error for text in _new_sections(move, planned, composition)):
        return
    gained = {
        path: _errors(planned.parser.parse(text))
        - (_errors(parser.parse(sources[move.today(path)])) if move.today(path) in sources else 0)
        for path, text in composition.texts.items()
    }
    if sum(gained.values()) > 0:
        path = max(gained, key=lambda p: gained[p])
        today = move.today(path)
        broken = today in sources and parser.parse(sources[today]).has_error
        refuse(
            "result_does_not_parse",
            f"{path} does not parse as it is, and less of it would after the move; nothing was written"
            if broken
            else f"the planned text of {path} does not parse; nothing was written",
            hint=f"mend the syntax of {path} first, then preview again" if broken else "",
            path=path,
        )


def _errors(root: SyntaxNode) -> int:
    if not root.has_error:
        return 0
    count, todo = 0, [root]
    while todo:
        node = todo.pop()
        if node.type == "ERROR" or node.is_missing:
            count += 1
        if node.has_error:
            todo += node.children
    return count


def _new_sections(move: Move, planned: Workspace, composition: Composition) -> Iterator[bytes]:
    """The sections of the planned files that no changed file of today has; a file that holds an error is one section."""
    known: Counter[bytes] = Counter()
    for path in composition.texts:
        if move.today(path) in move.workspace.facts:
            known.update(_sections(move.workspace, move.today(path)))
    for path in composition.texts:
        for text in _sections(planned, path):
            if known[text] > 0:
                known[text] -= 1
            else:
                yield text


def _sections(workspace: Workspace, path: str) -> Iterator[bytes]:
    source = workspace.sources[path]
    return (source[s.start : s.end] for s in Sections(workspace.facts[path], len(source)))
