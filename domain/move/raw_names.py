"""Names that are keywords, as source text must spell them (`r#type`); facts hold them without `r#`."""

from collections.abc import Iterable

KEYWORDS = frozenset(
    [
        "abstract",
        "as",
        "async",
        "await",
        "become",
        "box",
        "break",
        "const",
        "continue",
        "do",
        "dyn",
        "else",
        "enum",
        "extern",
        "false",
        "final",
        "fn",
        "for",
        "gen",
        "if",
        "impl",
        "in",
        "let",
        "loop",
        "macro",
        "match",
        "mod",
        "move",
        "mut",
        "override",
        "priv",
        "pub",
        "ref",
        "return",
        "static",
        "struct",
        "trait",
        "true",
        "try",
        "type",
        "typeof",
        "unsafe",
        "unsized",
        "use",
        "virtual",
        "where",
        "while",
        "yield",
    ]
)


def raw_name(name: str) -> str:
    """A module's name as it must be spelled in a path."""
    return f"r#{name}" if name in KEYWORDS else name


def raw_segment(name: str) -> str:
    """A segment of a path as it must be spelled; what leads a path is no name."""
    return name if name in ("self", "super", "crate", "$crate") else raw_name(name)


def raw_path(segments: Iterable[str]) -> str:
    """A path as it must be spelled."""
    return "::".join(map(raw_segment, segments))
