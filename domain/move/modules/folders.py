"""Where a module's children have their files (the Rust Reference, Module source filenames; The path attribute)."""

from attrs import frozen

from m1nd.domain.move.new_home import child_folder
from m1nd.domain.rust.module_tree import Module, folder, join, path_attributes
from m1nd.domain.rust.workspace import Workspace


@frozen
class Folders:
    """`children`: of those found by their names. `paths`: what a `#[path]` of a `mod` line in the module starts from."""

    children: str
    paths: str


def folders_of(workspace: Workspace, module: Module) -> Folders:
    """A module inline in a file adds its name to the folder of the module around it, or the `#[path]` that it has."""
    if not module.inline or module.parent is None:
        return Folders(child_folder(module), folder(module.file))
    around = folders_of(workspace, workspace.modules[module.parent])
    item = workspace.facts[module.file].items[module.item]
    written = path_attributes(item)
    here = join(around.paths, written[0]) if written else join(around.children, item.name)
    return Folders(here, here)
