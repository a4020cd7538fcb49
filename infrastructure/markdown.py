"""What a Markdown document mentions: code in back-ticks and links, with their lines. CommonMark by markdown-it."""

from collections.abc import Iterator
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from m1nd.domain.memory.drift import Mention


class MarkdownReader:
    """Implements the port `Documents`. Fenced code is an example and mentions nothing."""

    def __init__(self) -> None:
        self._parser = MarkdownIt("commonmark").enable("table")

    def mentions(self, text: str) -> tuple[Mention, ...]:
        """In the order of the text; the line of a mention is that of its words, from 1."""
        return tuple(
            mention
            for token in self._parser.parse(text)
            if token.type == "inline" and token.map is not None
            for mention in _inline(token, token.map[0] + 1)
        )


def _inline(token: Token, line: int) -> Iterator[Mention]:
    for child in token.children or ():
        if child.type in ("softbreak", "hardbreak"):
            line += 1
        elif child.type == "code_inline":
            yield Mention(line, "code", child.content)
        elif child.type == "link_open":
            yield Mention(line, "link", unquote(str(child.attrs.get("href", ""))))
