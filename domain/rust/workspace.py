"""The workspace as the resolver sees it: the one door to module trees, scopes, paths and occurrences.

A `Workspace` is a value over facts and bytes: immutable from outside, caches inside. It reads no file and writes
nothing; a planned tree is another `Workspace` (`with_files`). Source: GRAPH.md (Name resolution).
"""

from collections.abc import Mapping, Sequence

from m1nd.domain.rust.cargo import CargoWorkspace, Target
from m1nd.domain.rust.facts import FileFacts, ItemFact
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Definition, Namespace, Occurrence
from m1nd.domain.rust.scope import Binding, ModuleScope
from m1nd.domain.rust.syntax import Parser
from m1nd.domain.rust.visibility import Visibility


class Workspace:
    cargo: CargoWorkspace
    facts: Mapping[str, FileFacts]
    sources: Mapping[str, bytes]
    parser: Parser

    @classmethod
    def build(
        cls, cargo: CargoWorkspace, facts: Mapping[str, FileFacts], sources: Mapping[str, bytes], parser: Parser
    ) -> "Workspace":
        raise NotImplementedError

    def with_files(self, changed: Mapping[str, bytes | None]) -> "Workspace":
        """A planned tree: new bytes per path, None = removed."""
        raise NotImplementedError

    @property
    def crates(self) -> tuple[Target, ...]:
        raise NotImplementedError

    def target(self, crate_key: str) -> Target:
        raise NotImplementedError

    def edition(self, crate_key: str) -> int:
        raise NotImplementedError

    @property
    def modules(self) -> Mapping[Definition, Module]:
        raise NotImplementedError

    def mounts(self, path: str) -> tuple[Module, ...]:
        """Non-inline modules whose file is `path`, one per target that compiles it."""
        raise NotImplementedError

    def orphans(self) -> tuple[str, ...]:
        """`.rs` files that no crate reaches."""
        raise NotImplementedError

    def module_at(self, path: str, offset: int, crate: str | None = None) -> Module | None:
        """The innermost module around a byte offset (the first mount where several compile the file)."""
        raise NotImplementedError

    def definition(self, module: Definition, item_index: int) -> Definition:
        raise NotImplementedError

    def locate(self, definition: Definition) -> tuple[str, int] | None:
        """`(file, item index)` of an ITEM or MODULE; of a field (item_kind `field`) its struct, union or variant."""
        raise NotImplementedError

    def item(self, definition: Definition) -> ItemFact | None:
        raise NotImplementedError

    def scope(self, module: Definition) -> ModuleScope:
        raise NotImplementedError

    def lookup(
        self, module: Definition, name: str, namespace: Namespace, offset: int | None = None
    ) -> tuple[Binding, ...]:
        raise NotImplementedError

    def resolve(
        self,
        module: Definition,
        segments: Sequence[str],
        namespaces: Sequence[Namespace],
        absolute: bool = False,
        offset: int | None = None,
    ) -> tuple[tuple[Definition, ...], ...]:
        raise NotImplementedError

    def can_see(self, from_module: Definition, visibility: Visibility) -> bool:
        raise NotImplementedError

    def visibility_of(self, definition: Definition) -> Visibility:
        raise NotImplementedError

    def reachable(self, definition: Definition, from_module: Definition) -> bool:
        raise NotImplementedError

    def occurrences(self, path: str, crate: str | None = None) -> tuple[Occurrence, ...]:
        raise NotImplementedError

    def names_in(self, path: str) -> frozenset[str]:
        raise NotImplementedError

    def macro_scope(self, module: Definition, offset: int) -> Mapping[str, tuple[Definition, ...]]:
        """Textual `macro_rules` visible at a position: name to definitions (cfg twins give several)."""
        raise NotImplementedError

    def trait_methods(self, definition: Definition) -> frozenset[str]:
        raise NotImplementedError

    def traits_in_scope(
        self, module: Definition, offset: int | None = None
    ) -> tuple[tuple[Definition, tuple[str, int] | None], ...]:
        """Workspace traits, and EXTERNAL imports that may be traits (kind EXTERNAL is the flag), `as _` included."""
        raise NotImplementedError

    def impls_of(self, definition: Definition) -> tuple[tuple[Definition, int], ...]:
        """`(module, item index)` of the impl blocks whose self type is `definition`."""
        raise NotImplementedError
