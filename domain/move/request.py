"""What is asked of a move."""

from attrs import frozen


@frozen
class MoveRequest:
    """Move `symbol` from `source_file` to `dest_file`; paths normalised, relative to the root.

    `symbol`: a bare name, `crate::a::name`, or `path:line` (D46). `index`: where an id named the item, which of the source
    file's facts it is; names may be shared by several kinds, ids are not.
    `already_moved`: what the log knows of an earlier move of that symbol out of that file: `(home, transplant id)`.
    """

    symbol: str
    source_file: str
    dest_file: str
    already_moved: tuple[str, str] | None = None
    index: int | None = None
    create_dest: bool = False
    """The destination file may be created, with its `mod` line."""


@frozen
class Unreadable:
    """A `.rs` file that yields no facts: why, and its bytes where they could be read (they may name the moved item)."""

    reason: str
    text: bytes = b""
