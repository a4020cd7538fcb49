"""The imports that the plan writes, checked on the planned tree: each leads somewhere, none binds a name twice.

Every rule that adds an import takes care of both; this is the last look at the result, whoever forgot it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from m1nd.domain.move.inline_modules import modules_in, place_of
from m1nd.domain.move.world import Move, own_uses
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import UseFact
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import DefinitionKind, Namespace
from m1nd.domain.rust.workspace import Workspace

Ranges = Mapping[str, tuple[tuple[int, int], ...]]
"""Per planned file the byte ranges of written text."""


def check_new_imports(move: Move, planned: Workspace, new: Ranges) -> None:
    """Refuse what a written import would break: `import_conflict`, or `textual_macro_scope` for the path of a macro.

    A name that is bound twice (E0252, E0255) counts where today's module does not bind it twice.
    """
    for path, ranges in new.items():
        for use in planned.facts[path].uses:
            if not use.glob and any(a <= use.start and use.end <= b for a, b in ranges):
                _leads_somewhere(move, planned, path, use)
        for module in modules_in(planned, path):
            today = move.workspace.modules.get(move.before(module.definition))
            before = set(_doubles(move.workspace, today)) if today is not None else set()
            for namespace, name in _doubles(planned, module):
                if (namespace, name) not in before:
                    place = place_of(planned, module)
                    refuse(
                        "import_conflict",
                        f"after the move {place} would bind `{name}` twice in the {namespace.value} namespace",
                        hint=f"import `{name}` under another name in {place} first, then preview again",
                        file=path,
                        name=name,
                    )


def _leads_somewhere(move: Move, planned: Workspace, path: str, use: UseFact) -> None:
    """An import of a moved item finds it (any other may lead to what a macro makes, which nobody here can list)."""
    module = planned.module_at(path, use.start)
    meant = [
        d
        for d in move.renamed.values()
        if d.name == use.path[-1] and d.path[:-1] == move.home.definition.path
    ]
    if module is None or not meant:
        return
    found = planned.resolve_import(module.definition, use.path, tuple(Namespace), use.absolute)
    if len(found) < 2 or found[-1] or move.home.definition not in found[-2]:
        return
    macro = any(d.item_kind == "macro_rules" for d in meant)
    refuse(
        "textual_macro_scope" if macro else "import_conflict",
        f"{path} would need `use {'::'.join(use.path)};`, which leads nowhere"
        + (": a macro_rules has no path unless it is exported or imported under one" if macro else ""),
        hint=f"write `pub(crate) use {use.path[-1]};` below the macro first, then preview again"
        if macro
        else f"write the full path of `{use.path[-1]}` in {path} first, then preview again",
        file=path,
        name=use.path[-1],
    )


@frozen
class _Bound:
    """What one item or import leaf binds; `conditions` are its cfg attributes. A macro binds nothing but by an import."""

    namespace: Namespace
    name: str
    conditions: frozenset[str]


def _doubles(workspace: Workspace, module: Module) -> Iterator[tuple[Namespace, str]]:
    found: dict[tuple[Namespace, str], list[_Bound]] = {}
    for bound in (*_items(workspace, module), *_imports(workspace, module)):
        known = found.setdefault((bound.namespace, bound.name), [])
        if any(k.conditions <= bound.conditions or bound.conditions <= k.conditions for k in known):
            yield bound.namespace, bound.name
        known.append(bound)


def _items(workspace: Workspace, module: Module) -> Iterator[_Bound]:
    facts = workspace.facts[module.file]
    for index in facts.children(module.scope_item):
        item = facts.items[index]
        for namespace in (Namespace.TYPE, Namespace.VALUE):
            if item.name not in ("", "_") and workspace.linker.binds(module.file, item, namespace):
                yield _Bound(namespace, item.name, _conditions(item.attributes))


def _imports(workspace: Workspace, module: Module) -> Iterator[_Bound]:
    facts = workspace.facts[module.file]
    uses = [use for _, use in own_uses(workspace, module)]
    names = Counter(use.bound_name for use in uses)
    names.update({facts.items[i].name for i in facts.children(module.scope_item)})
    for use in uses:
        item = facts.items[use.item]
        # What one import alone binds is not bound twice, whatever it leads to.
        if use.bound_name in (None, "") or names[use.bound_name] < 2:
            continue
        for namespace in (Namespace.TYPE,) if use.is_self else tuple(Namespace):
            found = workspace.resolve_import(module.definition, use.path, (namespace,), use.absolute)
            if found and any(d.kind in (DefinitionKind.ITEM, DefinitionKind.MODULE) for d in found[-1]):
                yield _Bound(namespace, use.bound_name or "", _conditions(item.attributes))


def _conditions(attributes: Iterable[str]) -> frozenset[str]:
    return frozenset(a for a in attributes if a.startswith("cfg"))
