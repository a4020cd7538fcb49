"""Names bound in one module: bindings and the mapping of a module's scope. Values only; nothing is resolved here."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from attrs import frozen

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


class ModuleScope:
    """The names of a module: own items, imports and globs, shadowing applied; preludes not included.

    Names are looked up one by one; all of them are listed only for whoever asks for `names`.
    """

    def __init__(
        self,
        find: Callable[[Namespace, str], tuple[Binding, ...]],
        spelled: Callable[[], Iterable[str]],
        globs: Callable[[], tuple[Binding, ...]],
    ) -> None:
        """`find` answers for one name, `spelled` tells all names that may be bound, `globs` those globs that cannot be listed."""
        self._find = find
        self._spelled = spelled
        self._globs = globs
        self._names: Mapping[tuple[Namespace, str], tuple[Binding, ...]] | None = None

    @property
    def names(self) -> Mapping[tuple[Namespace, str], tuple[Binding, ...]]:
        """All of it, in the order of the names."""
        if self._names is None:
            asked = ((n, name) for name in sorted(self._spelled()) for n in Namespace)
            self._names = {key: found for key in asked if (found := self._find(*key))}
        return self._names

    @property
    def external_globs(self) -> tuple[Binding, ...]:
        """Glob imports of modules whose source is not in the repository: the scope may hold names that cannot be listed."""
        return self._globs()

    def get(self, namespace: Namespace, name: str) -> tuple[Binding, ...]:
        return self._find(namespace, name)

    def spelled(self, name: str) -> tuple[Binding, ...]:
        """The bindings of `name` in all three namespaces."""
        return tuple(b for n in Namespace for b in self._find(n, name))


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
