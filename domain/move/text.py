"""Small questions about source text: lines, line ends, indentation, the head of a file. Bytes in, offsets out."""

BOM = b"\xef\xbb\xbf"


def newline_of(source: bytes) -> bytes:
    """The file's line end: that of its first line; `\\n` for a file of one line."""
    first = source.find(b"\n")
    return b"\r\n" if first > 0 and source[first - 1 : first] == b"\r" else b"\n"


def head_end(source: bytes) -> int:
    """Where text may begin: after a byte-order mark."""
    return len(BOM) if source.startswith(BOM) else 0


def line_start(source: bytes, position: int) -> int:
    """Offset of the first byte of the line that holds `position` (after a byte-order mark)."""
    start = source.rfind(b"\n", 0, position) + 1
    return max(start, head_end(source)) if start == 0 else start


def line_end(source: bytes, position: int) -> int:
    """Offset just after the line end of the line that holds `position`, or the end of the text."""
    end = source.find(b"\n", position)
    return len(source) if end < 0 else end + 1


def only_blank(text: bytes) -> bool:
    return not text.strip(b" \t\r\n")


def indentation(source: bytes, position: int) -> bytes:
    """The blanks before the first other byte of the line that holds `position`."""
    start = line_start(source, position)
    line = source[start:position]
    return line[: len(line) - len(line.lstrip(b" \t"))]


def line_number(source: bytes, position: int) -> int:
    """1-based."""
    return source.count(b"\n", 0, position) + 1
