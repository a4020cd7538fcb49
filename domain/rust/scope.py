"""Names bound in one module: bindings and the mapping of a module's scope. Values only; nothing is resolved here."""

from collections.abc import Mapping, Sequence

from attrs import field, frozen

from m1nd.domain.rust.names import Definition, Namespace
from m1nd.domain.rust.visibility import Visibility, narrower


@frozen
class Binding:
    """One name of a module and what it denotes.

    `origin`: `item`, `import`, `glob`, `extern_crate`, `macro_use`, `macro_export`, `macro_rules` (textual),
    `extern_prelude`, `prelude`, `builtin`; the last four come from `Workspace.lookup` only.
    `via`: `(file, index)` of the UseFact it came through (imports and globs).
    """

    definition: Definition
    visibility: Visibility
    origin: str
    via: tuple[str, int] | None = None


@frozen
class ModuleScope:
    """The names of a module: own items, imports and globs, shadowing applied; preludes not included.

    `external_globs`: glob imports of modules whose source is not in the repository: the scope may hold names
    that cannot be listed.
    """

    names: Mapping[tuple[Namespace, str], tuple[Binding, ...]]
    external_globs: tuple[Binding, ...] = field(default=())

    def get(self, namespace: Namespace, name: str) -> tuple[Binding, ...]:
        return self.names.get((namespace, name), ())

    def spelled(self, name: str) -> tuple[Binding, ...]:
        """The bindings of `name` in all three namespaces."""
        return tuple(b for n in Namespace for b in self.names.get((n, name), ()))


def dedupe(bindings: Sequence[Binding]) -> tuple[Binding, ...]:
    """One binding a definition: the most visible, the first where equal."""
    best: dict[Definition, Binding] = {}
    for binding in bindings:
        known = best.get(binding.definition)
        if known is None or _wider(binding, known):
            best[binding.definition] = binding
    return tuple(best.values())


def _wider(left: Binding, right: Binding) -> bool:
    return (
        left.visibility != right.visibility
        and narrower(left.visibility, right.visibility) == right.visibility
    )
