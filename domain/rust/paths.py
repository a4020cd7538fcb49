"""What a path denotes, segment by segment: the one walk from a first segment to the last.

Pure over a `Context` (how the first segment is looked up) and the linker (what a definition contains). A path that
cannot be followed keeps the prefix that could, and says why it stops; nothing is guessed.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from attrs import frozen

from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace
from m1nd.domain.rust.scope import Binding

if TYPE_CHECKING:
    from m1nd.domain.rust.imports import Linker

AMBIGUOUS = "ambiguous"
NOT_FOUND = "not found"
NOT_VISIBLE = "not visible"
EXTERNAL_GLOB = "external glob"
ASSOCIATED = "associated"
UNKNOWN_CRATE = "unknown crate"
CFG_TWINS = "cfg twins"
MISSING_FILE = "module without a file"


class Context(Protocol):
    """Where a path is written. `module` decides visibility, `self` and `super`."""

    @property
    def module(self) -> Definition: ...

    def first(self, name: str, namespace: Namespace) -> tuple[Binding, ...]:
        """The bindings of an unqualified name."""
        ...


@frozen
class Answer:
    """`denotes[i]`: what the prefix up to segment i denotes, all twins; `via` of the first segment's import."""

    denotes: tuple[tuple[Definition, ...], ...]
    reason: str = ""
    via: tuple[str, int] | None = None

    @property
    def target(self) -> tuple[Definition, ...]:
        return self.denotes[-1] if self.denotes else ()


def follow(
    linker: "Linker",
    context: Context,
    segments: Sequence[str],
    namespaces: Sequence[Namespace],
    absolute: bool = False,
    start: tuple[Definition, ...] | None = None,
) -> Answer:
    """Resolve a path. `start`: what stands before the first segment (`<T>::x`), instead of a lookup."""
    denotes: list[tuple[Definition, ...]] = []
    via: tuple[str, int] | None = None
    reason = ""
    current: tuple[Definition, ...] = start or ()
    last = len(segments) - 1
    rooted = start is None
    for index, segment in enumerate(segments):
        wanted = namespaces if index == last else (Namespace.TYPE,)
        if rooted:
            found, via, why, rooted = _first(linker, context, segments, index, wanted, absolute, current)
        else:
            found, why = step(linker, current, segment, wanted, context.module)
        reason = reason or why
        denotes.append(found)
        if not found:
            denotes.extend(() for _ in segments[index + 1 :])
            return Answer(tuple(denotes), why or NOT_FOUND, via)
        current = found
    if not reason and len(current) > 1:
        reason = plural(linker, current, namespaces)
    return Answer(tuple(denotes), reason, via)


def _first(
    linker: "Linker",
    context: Context,
    segments: Sequence[str],
    index: int,
    wanted: Sequence[Namespace],
    absolute: bool,
    before: tuple[Definition, ...],
) -> tuple[tuple[Definition, ...], tuple[str, int] | None, str, bool]:
    """One segment at the head of a path: the found, via, reason, and whether the next is still at the head."""
    segment = segments[index]
    module = before[0] if before else context.module
    if segment in ("crate", "$crate") and index == 0 and not absolute:
        return (linker.root(context.module),), None, "", False
    if segment == "self" and index == 0 and not absolute and len(segments) > 1:
        return (module,), None, "", segments[1] == "super"
    if segment == "super" and not absolute:
        if not module.path:
            return (), None, "too many leading super", False
        parent = linker.forest.parent(module)
        following = segments[index + 1] if index + 1 < len(segments) else ""
        return (parent,), None, "", following == "super"
    if absolute:
        found, why = linker.absolute(context.module, segment, wanted)
        return found, None, why, False
    bindings = certain([b for namespace in wanted for b in context.first(segment, namespace)])
    via = next((b.via for b in bindings), None)
    why = EXTERNAL_GLOB if any(b.origin in ("external_glob", "shadowable") for b in bindings) else ""
    return unique(b.definition for b in bindings), via, why, False


def step(
    linker: "Linker",
    containers: Sequence[Definition],
    name: str,
    namespaces: Sequence[Namespace],
    from_module: Definition,
) -> tuple[tuple[Definition, ...], str]:
    """What `name` is inside each of `containers`, and why not (or why doubtful)."""
    seen: list[Binding] = []
    for container in containers:
        for namespace in namespaces:
            seen.extend(linker.member(container, namespace, name, from_module))
    seen = certain(seen)
    visible = [b for b in seen if linker.can_see(from_module, b.visibility)]
    if visible:
        doubtful = any(b.origin == "external_glob" for b in visible)
        return unique(b.definition for b in visible), EXTERNAL_GLOB if doubtful else ""
    if seen:
        return unique(b.definition for b in seen), NOT_VISIBLE
    return (), _why_not(linker, containers)


def _why_not(linker: "Linker", containers: Sequence[Definition]) -> str:
    kinds = {c.kind for c in containers}
    if DefinitionKind.MODULE in kinds:
        if any(c.kind is DefinitionKind.MODULE and c not in linker.forest.modules for c in containers):
            return MISSING_FILE
        return linker.doubt(containers[0])
    return ASSOCIATED


def plural(linker: "Linker", found: Sequence[Definition], namespaces: Sequence[Namespace]) -> str:
    """Why a path has several targets: cfg twins, several namespaces (no doubt at all), or an ambiguity."""
    if len(namespaces) > 1 and len({linker.kind_group(d) for d in found}) == len(found):
        return ""
    return CFG_TWINS if any(linker.has_cfg(d) for d in found) else AMBIGUOUS


def certain(bindings: list[Binding]) -> list[Binding]:
    """Bindings that are known; what an unseen glob may hold counts only where nothing is known."""
    return [b for b in bindings if b.origin != "external_glob"] or bindings


def unique(definitions: Iterable[Definition]) -> tuple[Definition, ...]:
    return tuple(dict.fromkeys(definitions))
