"""Names that the newcomers would meet at the destination (seed 002 §5.A8, W12, W23, cases 168 to 180)."""

from m1nd.domain.move.traits.knowledge import hides_a_trait
from m1nd.domain.move.world import Move, names_within
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace
from m1nd.domain.rust.scope import Binding
from m1nd.domain.rust.visibility import is_inside

NAMESPACES = {
    ItemKind.FN: (Namespace.VALUE,),
    ItemKind.CONST: (Namespace.VALUE,),
    ItemKind.STATIC: (Namespace.VALUE,),
    ItemKind.TYPE: (Namespace.TYPE,),
    ItemKind.ENUM: (Namespace.TYPE,),
    ItemKind.UNION: (Namespace.TYPE,),
    ItemKind.TRAIT: (Namespace.TYPE,),
    ItemKind.MACRO_RULES: (Namespace.MACRO,),
    ItemKind.MOD: (Namespace.TYPE,),
}
"""Which namespaces a kind binds; a struct binds the value namespace too when it is a unit or tuple struct."""


def check_collisions(move: Move) -> None:
    """Refuse what the destination already binds: `collision`, `shadows_glob_import`, `shadows_prelude`."""
    workspace, home = move.workspace, move.home.definition
    for index in move.items:
        item = move.facts.items[index]
        definition = workspace.definition(move.source.definition, index)
        for namespace in _namespaces(move, index):
            for binding in workspace.scope(home).get(namespace, item.name):
                if binding.definition == definition:
                    continue
                other = "::".join(binding.definition.path)
                if binding.origin == "glob" and not _shadowed_unseen(move, binding, item.name):
                    refuse(
                        "shadows_glob_import",
                        f"a glob import of {move.dest_place} provides `{item.name}` ({other}); the newcomer would shadow it",
                        hint=f"import {other} explicitly under another name first",
                        name=item.name,
                    )
                if binding.origin == "glob":
                    continue
                what = "imports" if binding.origin == "import" else "already defines"
                refuse(
                    "collision",
                    f"{move.dest_place} {what} a `{item.name}` in the {namespace.value} namespace ({other}, "
                    f"{binding.definition.item_kind or binding.definition.kind.value}); rustc would answer E0428 or E0255",
                    hint=f"rename one of the two `{item.name}` first, or choose another destination",
                    name=item.name,
                    kind=binding.definition.item_kind,
                    namespace=namespace.value,
                )
            _check_prelude(move, item.name, namespace)
        if Namespace.TYPE in _namespaces(move, index):
            _check_hidden_trait(move, item.name, move.after(definition))


def _check_hidden_trait(move: Move, name: str, definition: Definition) -> None:
    """A trait in scope by a glob of another crate is in scope no more beside an item of its name."""
    if hides_a_trait(move.workspace, move.home.definition, definition):
        refuse(
            "shadows_glob_import",
            f"a glob import of {move.dest_place} brings a trait `{name}`; the newcomer would take it out of scope",
            hint=f"import the trait `{name}` as `_` there first",
            name=name,
        )


def _shadowed_unseen(move: Move, binding: Binding, name: str) -> bool:
    """The glob shows the name only inside the destination's module, and nobody there spells it."""
    home, modules = move.home.definition, move.workspace.modules.values()
    inside = binding.visibility.scope is not None and is_inside(binding.visibility.scope, home)
    return inside and not any(
        name in names_within(move.workspace, m) for m in modules if is_inside(m.definition, home)
    )


def _namespaces(move: Move, index: int) -> tuple[Namespace, ...]:
    item = move.facts.items[index]
    if item.kind is ItemKind.STRUCT:
        braces = move.workspace.sources[move.source_file][item.body_start : item.body_start + 1] == b"{"
        return (Namespace.TYPE,) if item.has_body and braces else (Namespace.TYPE, Namespace.VALUE)
    return NAMESPACES.get(item.kind, ())


def _check_prelude(move: Move, name: str, namespace: Namespace) -> None:
    """The destination's own text means the prelude's name."""
    workspace, home = move.workspace, move.home.definition
    prelude = [
        b
        for b in workspace.lookup(home, name, namespace)
        if b.origin in ("prelude", "builtin", "extern_prelude")
    ]
    if not prelude:
        return
    for occurrence in workspace.occurrences_of(move.dest_file, frozenset((name,)), home.crate):
        first = occurrence.denotes[0] if occurrence.denotes else ()
        if (
            is_inside(occurrence.module, home)
            and not move.moves(move.dest_file, occurrence.start)
            and occurrence.segments
            and occurrence.segments[0].name == name
            and any(d.kind in (DefinitionKind.EXTERNAL, DefinitionKind.BUILTIN) for d in first)
        ):
            refuse(
                "shadows_prelude",
                f"{move.dest_place} uses the prelude's `{name}`; the newcomer would shadow it",
                hint="rename the item first",
                name=name,
            )
