"""What is asked of a move."""

from attrs import evolve, frozen


@frozen
class MoveRequest:
    """Move `symbol` from `source_file` to `dest_file`; paths normalised, relative to the root.

    Either may be a place inside a file (`src/a.rs::inner`), which `inline_modules.located` takes apart.
    `symbol`: a bare name, `crate::a::name`, `inner::name`, or `path:line` (D46). `index`: where an id named the item, which of the source
    file's facts it is; names may be shared by several kinds, ids are not.
    `already_moved`: what the log knows of an earlier move of that symbol out of that file: `(home, transplant id)`.
    """

    symbol: str
    source_file: str
    dest_file: str
    already_moved: tuple[str, str] | None = None
    index: int | None = None
    also: tuple[str, ...] = ()
    """More items of the source file to move in the same plan, each spelled like `symbol`."""
    also_indices: tuple[int | None, ...] = ()
    """As `index`, for each of `also`; empty where no id was given."""
    create_dest: bool = False
    """The destination file may be created, with its `mod` line."""
    source_inner: tuple[str, ...] = ()
    """The way from the source file to the inline module that holds the symbol (`inline_modules.py`)."""
    dest_inner: tuple[str, ...] = ()
    """The way from the destination file to the inline module that will hold it."""
    publish: bool = False
    """What the other crate would have to see may be made `pub` (`crates/publishing.py`)."""

    def each(self) -> "tuple[MoveRequest, ...]":
        """One request an item, this one's own first."""
        indices = self.also_indices or (None,) * len(self.also)
        alone = evolve(self, also=(), also_indices=())
        others = (
            evolve(alone, symbol=symbol, index=index, already_moved=None)
            for symbol, index in zip(self.also, indices, strict=True)
        )
        return (alone, *others)


@frozen
class Unreadable:
    """A `.rs` file that yields no facts: why, and its bytes where they could be read (they may name the moved item)."""

    reason: str
    text: bytes = b""
