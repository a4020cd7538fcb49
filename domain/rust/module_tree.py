"""The module tree of each crate: which file or inline block is which module.

Built from facts alone; never reads a file. Source: GRAPH.md (Crates, targets, modules).
"""

from attrs import frozen

from m1nd.domain.rust.names import Definition
from m1nd.domain.rust.visibility import Visibility


@frozen
class Module:
    """One module of one crate.

    `item`: index in `file`'s facts of the inline `mod` item, or in the parent's file (`declared_in`) of the
    `mod x;` that mounts it; -1 for a crate root. `body`: byte range of the module's content in `file`.
    `cfg`: texts of the cfg attributes on the whole way from the root (`cfg(unix)`), file-level `#![cfg(…)]` included.
    `path_attribute`: a `#[path]` (or one inside `cfg_attr`) decided the file.
    """

    definition: Definition
    file: str
    item: int
    parent: Definition | None
    inline: bool
    body: tuple[int, int]
    visibility: Visibility
    cfg: tuple[str, ...] = ()
    path_attribute: bool = False
    macro_use: bool = False
    declared_in: tuple[str, int] | None = None
