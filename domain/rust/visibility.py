"""Who may see a name: visibility as written, turned into the module inside which it holds.

A visibility is a value. This module never looks anything up; paths of `pub(in …)` are resolved by the caller.
"""

from attrs import frozen

from m1nd.domain.rust.names import Definition


@frozen
class Visibility:
    """`scope` None: public everywhere; else the module inside which (children included) the name is visible.

    A private name has the module it is declared in.
    """

    scope: Definition | None

    @property
    def public(self) -> bool:
        return self.scope is None


PUBLIC = Visibility(None)


def is_inside(module: Definition, scope: Definition) -> bool:
    """`module` is `scope` or one of its descendants."""
    return module.crate == scope.crate and module.path[: len(scope.path)] == scope.path


def can_see(from_module: Definition, visibility: Visibility) -> bool:
    return visibility.scope is None or is_inside(from_module, visibility.scope)


def narrower(left: Visibility, right: Visibility) -> Visibility:
    """The smaller of two visibilities of one crate (a re-export shows at most what it names)."""
    if left.scope is None:
        return right
    if right.scope is None or right.scope.crate != left.scope.crate:
        return left
    return left if len(left.scope.path) >= len(right.scope.path) else right


def parse_visibility(text: str, module: Definition) -> Visibility:
    """The visibility that `text` (`ItemFact.visibility`) gives to a name declared in `module`.

    The path of `pub(in …)` must be that of an ancestor (rustc E0742), so it is read without any lookup.
    """
    if not text:
        return Visibility(module)
    if text == "pub":
        return PUBLIC
    inner = text[text.find("(") + 1 : text.rfind(")")].strip() if "(" in text else text
    segments = [s.strip() for s in inner.removeprefix("in ").split("::") if s.strip()]
    return Visibility(_ancestor(segments, module))


def _ancestor(segments: list[str], module: Definition) -> Definition:
    path = module.path
    if segments[:1] == ["crate"]:
        path = tuple(segments[1:])
    elif segments[:1] in (["self"], ["super"]):
        for segment in segments:
            if segment == "super":
                path = path[:-1]
            elif segment != "self":
                path = (*path, segment)
    else:
        path = tuple(segments)
    return Definition(module.kind, module.crate, path, "", module.ordinal if path == module.path else 0)
