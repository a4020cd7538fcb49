"""From a sketch to occurrences: every path of a file with what each of its prefixes denotes.

The precise tier's last step. An answer that is not certain says so (`maybe`), one that is missing says why
(`unresolved` and the reason); nothing is matched by text. Source: GRAPH.md (Name resolution).
"""

from collections.abc import Callable, Iterable, Iterator

from m1nd.domain.rust import paths
from m1nd.domain.rust.bodies.model import Raw, TypeSource
from m1nd.domain.rust.bodies.sketch import Sketch
from m1nd.domain.rust.lexical import Lexical, RibContext
from m1nd.domain.rust.names import (
    Confidence,
    Definition,
    DefinitionKind,
    Namespace,
    Occurrence,
    Role,
    Segment,
)
from m1nd.domain.rust.prelude import BUILTIN_ATTRIBUTES, SYSROOT_CRATES, builtin
from m1nd.domain.rust.receivers import Receivers
from m1nd.domain.rust.scope import Binding

PLAIN = (Role.EXPRESSION, Role.CALL, Role.TYPE, Role.PATTERN, Role.STRUCT)
"""Roles whose answer depends on the rib and the names alone."""
TOKENS = "macro tokens"
ARGUMENT = "macro argument"
IN_MACRO_CALL = "item inside a macro call"
UNKNOWN_MACRO = "macro not found"
HELPER = "derive helper or unknown attribute"
GENERIC = "associated item of a generic parameter"


class FileResolver:
    """Occurrences of one mounted file."""

    def __init__(
        self,
        sketch: Sketch,
        lexical: Lexical,
        sketch_of: Callable[[str], Sketch],
        lexical_of: Callable[[Definition], Lexical | None],
    ) -> None:
        self.sketch = sketch
        self.lexical = lexical
        self.linker = lexical.linker
        self.receivers = Receivers(lexical, self.target_of, sketch_of, lexical_of)
        self._answers: dict[int, paths.Answer] = {}
        self._made: dict[int, Occurrence | None] = {}
        self._plain: dict[tuple[object, ...], paths.Answer] = {}
        self._doubtful: dict[Definition, bool] = {}

    def occurrences(self, names: frozenset[str] | None = None) -> Iterator[Occurrence]:
        """In textual order. `names`: only paths with a segment so called."""
        for raw in self.sketch.raws() if names is None else self.sketch.called(names):
            found = self.occurrence(raw)
            if found is not None:
                yield found

    def between(self, start: int, end: int) -> Iterator[Occurrence]:
        """Those that start in bytes `start..end`, in textual order."""
        for raw in self.sketch.between(start, end):
            found = self.occurrence(raw)
            if found is not None:
                yield found

    def type_before(self, start: int) -> Definition | None:
        """The type before the dot of the method name at `start`, or of the plain name there; None where it is not plain."""
        raw = self.sketch.first_at(start)
        if raw is None:
            return None
        source = raw.receiver if raw.role is Role.METHOD else TypeSource("value", raw)
        return self.receivers.type_of(self.lexical, source, 0)

    def names_at(self, start: int, name: str, namespace: Namespace) -> tuple[Binding, ...]:
        """What an unqualified name means beside the path that starts at `start`: blocks, module, preludes."""
        raw = self.sketch.first_at(start)
        return self.lexical.first(raw.rib, name, namespace, start) if raw is not None else ()

    def occurrence(self, raw: Raw) -> Occurrence | None:
        """The occurrence of one path; None for a binding, and for a word that means nothing."""
        known = self._made.get(id(raw), raw)
        if isinstance(known, Raw):
            known = self._made[id(raw)] = self._occurrence(raw)
        return known

    def _occurrence(self, raw: Raw) -> Occurrence | None:
        if raw.candidate is not None and not self._is_reference(raw):
            return None
        answer = self.answer(raw)
        if raw.quiet and not (self._worth_telling(answer) or _is_imported_path(raw, answer)):
            return None
        confidence, reason = self._confidence(raw, answer)
        return Occurrence(
            role=raw.role,
            segments=tuple(Segment(*s) for s in raw.segments),
            start=raw.start,
            end=raw.end,
            absolute=raw.absolute,
            module=self.lexical.module_of(raw.rib),
            item=raw.item,
            denotes=tuple(d[:1] for d in answer.denotes[:-1]) + answer.denotes[-1:],
            confidence=confidence,
            reason=reason,
            namespaces=_namespaces(raw, answer),
            in_macro=raw.in_macro,
            shorthand=raw.shorthand,
            via=answer.via,
            based=raw.based,
        )

    def _is_reference(self, raw: Raw) -> bool:
        name = raw.segments[0][0]
        if raw.rib is None:
            return False
        return self.lexical.is_constant(raw.rib, name, raw.start)

    @staticmethod
    def _worth_telling(answer: paths.Answer) -> bool:
        return any(d.kind in (DefinitionKind.ITEM, DefinitionKind.MODULE) for d in answer.target)

    # Answers

    def target_of(self, lexical: Lexical, raw: Raw) -> tuple[Definition, ...]:
        """What a path denotes, in the lookup of its own file."""
        if lexical is self.lexical:
            return self.answer(raw).target
        return resolve(lexical, raw, self._self_in(lexical)).target

    def _self_in(self, lexical: Lexical) -> Callable[[Raw], Definition | None]:
        def find(raw: Raw) -> Definition | None:
            return self.receivers._self_type(lexical, raw.rib, 0)

        return find

    def answer(self, raw: Raw) -> paths.Answer:
        known = self._answers.get(id(raw))
        if known is None:
            known = self._answer(raw)
            self._answers[id(raw)] = known
        return known

    def _answer(self, raw: Raw) -> paths.Answer:
        if raw.role in (Role.METHOD, Role.FIELD):
            found, reason = self.receivers.members(raw, raw.role is Role.METHOD)
            return paths.Answer((found,), reason)
        if raw.role is Role.DOC:
            return self._doc_link(raw)
        if raw.role in PLAIN and not (raw.based or raw.fallback):
            place = (raw.rib.serial, raw.namespaces, raw.absolute, bool(raw.macros))
            key = (*place, *(s[0] for s in raw.segments))
            known = self._plain.get(key)
            if known is None:
                known = self._plain[key] = resolve(self.lexical, raw, self._self_of)
            return known
        return resolve(self.lexical, raw, self._self_of)

    def _self_of(self, raw: Raw) -> Definition | None:
        return self.receivers.self_type(raw.rib)

    def _doc_link(self, raw: Raw) -> paths.Answer:
        """A link also reaches fields and the module itself: `[Type::field]`, `[self]`."""
        if [s[0] for s in raw.segments] == ["self"]:
            return paths.Answer(((self.lexical.home_of(raw),),))
        answer = resolve(self.lexical, raw, lambda r: self._documented(r))
        if not answer.target and len(raw.segments) > 1 and answer.denotes[-2]:
            owner = answer.denotes[-2][0]
            field = self.receivers.field(owner, raw.segments[-1][0])
            if field is not None:
                found = self.receivers.field_definition(owner, field)
                return paths.Answer((*answer.denotes[:-1], (found,)), "", answer.via)
        return answer

    def _documented(self, raw: Raw) -> Definition | None:
        """`Self` in a doc comment: the type of the impl around it, else the item it documents."""
        inside = self.receivers.self_type(raw.rib)
        if inside is not None or raw.item < 0:
            return inside
        found = self.linker.forest.definitions(self.lexical.home_of(raw), raw.item)
        return found[0] if found else None

    # Confidence

    def _confidence(self, raw: Raw, answer: paths.Answer) -> tuple[Confidence, str]:
        if not answer.target:
            return Confidence.UNRESOLVED, self._why(raw, answer)
        if answer.reason:
            return Confidence.MAYBE, answer.reason
        if not raw.certain:
            return Confidence.MAYBE, TOKENS
        if any(not self._is_std_macro(m) for m in raw.macros):
            return Confidence.MAYBE, ARGUMENT
        if any(self._in_macro_call(d) for d in answer.target):
            return Confidence.MAYBE, IN_MACRO_CALL
        return Confidence.EXACT, ""

    def _in_macro_call(self, definition: Definition) -> bool:
        known = self._doubtful.get(definition)
        if known is None:
            known = self._doubtful[definition] = self.linker.forest.in_macro_call(definition)
        return known

    def _why(self, raw: Raw, answer: paths.Answer) -> str:
        if raw.role in (Role.METHOD, Role.FIELD):
            return answer.reason
        first = next((d for d in reversed(answer.denotes) if d), ())
        if first and first[0].kind is DefinitionKind.LOCAL:
            return GENERIC
        if not raw.certain:
            return TOKENS
        if any(not self._is_std_macro(m) for m in raw.macros):
            return ARGUMENT
        if raw.role is Role.MACRO:
            return UNKNOWN_MACRO
        if raw.role is Role.ATTRIBUTE and raw.namespaces == (Namespace.MACRO,) and len(raw.segments) == 1:
            return HELPER
        return answer.reason or paths.NOT_FOUND

    def _is_std_macro(self, macro: Raw) -> bool:
        target = self.answer(macro).target
        return (
            bool(target) and target[0].kind is DefinitionKind.EXTERNAL and target[0].crate in SYSROOT_CRATES
        )


def _is_imported_path(raw: Raw, answer: paths.Answer) -> bool:
    """`ArgAction::Count`, `formatcp!("{N}")` in the arguments of a derive's own attribute: through an import, no word of the attribute's."""
    path = raw.role is Role.ATTRIBUTE and len(raw.segments) > 1 and raw.segments[0][0][:1].isupper()
    return (
        (path or raw.role is Role.MACRO) and answer.via is not None and answer.reason != paths.EXTERNAL_GLOB
    )


def _namespaces(raw: Raw, answer: paths.Answer) -> tuple[Namespace, ...]:
    """Where the name was found: a generic argument that is looked up as a type may be a constant (`Array<SIZE>`)."""
    constant = bool(answer.target) and all(d.item_kind in ("const", "static") for d in answer.target)
    return raw.fallback if raw.fallback and constant else raw.namespaces


def resolve(lexical: Lexical, raw: Raw, self_of: Callable[[Raw], Definition | None]) -> paths.Answer:
    """Resolve one written path. `self_of` gives the type that `Self` stands for."""
    linker = lexical.linker
    names = [s[0] for s in raw.segments]
    context = RibContext(lexical, raw.rib, raw.start)
    if raw.role is Role.USE:
        return _use(lexical, raw, context, names)
    if raw.based:
        return _qualified(lexical, raw, context, names, self_of)
    if names[0] == "Self" and not raw.absolute:
        return _from_self(lexical, raw, context, names, self_of)
    if raw.role is Role.VISIBILITY:
        rooted = names[0] in ("crate", "self", "super")
        lead = raw.absolute or (linker.edition(context.module) < 2018 and not rooted)
        return paths.follow(linker, context, names, raw.namespaces, lead)
    answer = paths.follow(linker, context, names, raw.namespaces, raw.absolute)
    if raw.fallback and (not answer.target or answer.reason == paths.EXTERNAL_GLOB):
        other = paths.follow(linker, context, names, raw.fallback, raw.absolute)
        answer = other if other.target and other.reason != paths.EXTERNAL_GLOB else answer
    if not answer.target and raw.macros and raw.namespaces == (Namespace.VALUE,):
        other = paths.follow(linker, context, names, (Namespace.TYPE,), raw.absolute)
        answer = other if other.target else answer
    if not answer.target and raw.role in (Role.MACRO, Role.ATTRIBUTE):
        return _outside_macro(lexical, raw, context, names, answer)
    return answer


def _use(lexical: Lexical, raw: Raw, context: RibContext, names: list[str]) -> paths.Answer:
    linker = lexical.linker
    leaf = raw.use
    if leaf is None:
        if names[0] == "self":
            return paths.Answer(((linker.root(context.module),),))
        return paths.Answer(((linker.outside.crate_called(context.module.crate, names[0]),),))
    path = ["crate" if n == "$crate" else n for n in leaf.path]
    answer = linker.follow_use(context, path, leaf.absolute, raw.namespaces)
    if leaf.is_self and len(raw.segments) != len(answer.denotes):
        return paths.Answer(answer.denotes[: len(raw.segments)], answer.reason, answer.via)
    return answer


def _qualified(
    lexical: Lexical,
    raw: Raw,
    context: RibContext,
    names: list[str],
    self_of: Callable[[Raw], Definition | None],
) -> paths.Answer:
    """`<T as Trait>::x`, `<T>::x`: what stands in the angle brackets is no segment."""
    linker = lexical.linker
    of = _type_target(lexical, raw.base, self_of)
    trait = _type_target(lexical, raw.trait, self_of)
    empty = tuple(() for _ in names)
    if trait is not None and trait.kind is DefinitionKind.ITEM:
        return paths.follow(linker, context, names, raw.namespaces, start=(trait,))
    if trait is not None or raw.trait is not None:
        if trait is not None and trait.kind is DefinitionKind.EXTERNAL:
            return paths.follow(linker, context, names, raw.namespaces, start=(trait,))
        return paths.Answer(empty, paths.ASSOCIATED)
    if of is None:
        return paths.Answer(empty, paths.ASSOCIATED)
    return paths.follow(linker, context, names, raw.namespaces, start=(of,))


def _type_target(
    lexical: Lexical, raw: Raw | None, self_of: Callable[[Raw], Definition | None]
) -> Definition | None:
    if raw is None:
        return None
    if raw.segments[0][0] == "Self" and len(raw.segments) == 1 and not raw.based:
        return self_of(raw)
    target = resolve(lexical, raw, self_of).target
    return target[0] if target else None


def _from_self(
    lexical: Lexical,
    raw: Raw,
    context: RibContext,
    names: list[str],
    self_of: Callable[[Raw], Definition | None],
) -> paths.Answer:
    """`Self` and `Self::x`: the word itself is a local name, what follows is that of its type."""
    linker = lexical.linker
    own = tuple(b.definition for b in context.first("Self", Namespace.TYPE))
    stands_for = self_of(raw)
    if not own and stands_for is not None and raw.role is Role.DOC:
        own = (stands_for,)
    if len(names) == 1 or not own:
        return paths.Answer((own, *(() for _ in names[1:])), "" if own else paths.NOT_FOUND)
    if stands_for is None:
        return paths.Answer((own, *(() for _ in names[1:])), paths.ASSOCIATED)
    rest = paths.follow(linker, context, names[1:], raw.namespaces, start=(stands_for,))
    return paths.Answer((own, *rest.denotes), rest.reason)


def _outside_macro(
    lexical: Lexical, raw: Raw, context: RibContext, names: list[str], answer: paths.Answer
) -> paths.Answer:
    """A macro that nothing names: of a `#[macro_use] extern crate` we cannot see, or a built-in attribute.

    The standard crates are no such crates: what macros they have is known (`prelude.py`).
    """
    if len(names) > 1:
        return answer
    if raw.role is Role.ATTRIBUTE and names[0] in BUILTIN_ATTRIBUTES:
        return paths.Answer(((builtin(names[0]),),))
    crates: Iterable[Definition] = lexical.linker.outside.macro_use_crates(context.module.crate)
    unseen = (c for c in crates if c.crate not in SYSROOT_CRATES)
    found = tuple(Definition(DefinitionKind.EXTERNAL, c.crate, (*c.path, names[0])) for c in unseen)
    return paths.Answer((found,), paths.EXTERNAL_GLOB if found else answer.reason)
