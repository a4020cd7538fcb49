"""The level of a lint at a place: attributes of the modules around it, then the manifest's `[lints]`, then rustc's own."""

import re

from m1nd.domain.move.module_text import inner_attributes
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.workspace import Workspace

LEVEL = re.compile(r"\b(allow|expect|warn|deny|forbid)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
GROUPS = {
    "unused": (
        "unused_imports",
        "dead_code",
        "unused_variables",
        "unused_mut",
        "unused_macros",
        "unused_unsafe",
    ),
    "warnings": (
        "unused_imports",
        "dead_code",
        "unused_variables",
        "unused_mut",
        "unused_macros",
        "unused_unsafe",
        "private_interfaces",
        "deprecated",
        "non_snake_case",
        "non_camel_case_types",
        "non_upper_case_globals",
    ),
    "nonstandard_style": ("non_snake_case", "non_camel_case_types", "non_upper_case_globals"),
    "bad_style": ("non_snake_case", "non_camel_case_types", "non_upper_case_globals"),
}
DENIED = ("deny", "forbid")


def level_of(workspace: Workspace, module: Module, lint: str) -> str:
    """The level of a lint in a module: the innermost attribute that names it or its group, then `[lints]`, then `warn`."""
    here: Module | None = module
    while here is not None:
        texts = level_texts(workspace, here)
        found = _last_level(texts, lint)
        if found:
            return found
        here = workspace.modules.get(here.parent) if here.parent is not None else None
    package = workspace.cargo.package_at(workspace.target(module.definition.crate).package)
    for name, level in package.lints if package is not None else ():
        if name.removeprefix("rust.") in _names(lint):
            return level
    return "warn" if lint not in ("missing_docs", "unreachable_pub", "unsafe_code") else "allow"


def _names(lint: str) -> tuple[str, ...]:
    return (lint, *(g for g, members in GROUPS.items() if lint in members))


def level_texts(workspace: Workspace, module: Module) -> list[str]:
    """The attributes of a module that may set lint levels: those of its `mod` item, and those inside its file."""
    texts: list[str] = []
    if module.declared_in is not None:
        file, index = module.declared_in
        texts += workspace.facts[file].items[index].attributes
    return [*texts, *inner_attributes(workspace, module)]


def _last_level(texts: list[str], lint: str) -> str:
    """The last level that a text gives to the lint; what only tests deny, a build of the tests denies in all the code."""
    level = ""
    for text in texts:
        of_tests = text.startswith("cfg_attr") and "test" in text.split(",")[0]
        for match in LEVEL.finditer(text):
            listed = {part.strip() for part in match[2].split(",")}
            if listed & set(_names(lint)) and not (of_tests and match[1] not in DENIED):
                level = match[1]
    return level


def is_denied(workspace: Workspace, module: Module, lint: str) -> bool:
    return level_of(workspace, module, lint) in DENIED


def denied_lints(workspace: Workspace, module: Module) -> frozenset[str]:
    """Every lint or group that an attribute around the module, or the manifest, names and that is denied there."""
    names: set[str] = set()
    here: Module | None = module
    while here is not None:
        for text in level_texts(workspace, here):
            names.update(part.strip() for match in LEVEL.finditer(text) for part in match[2].split(","))
        here = workspace.modules.get(here.parent) if here.parent is not None else None
    package = workspace.cargo.package_at(workspace.target(module.definition.crate).package)
    names.update(name.removeprefix("rust.") for name, _ in (package.lints if package is not None else ()))
    plain = (n for n in names if n and "::" not in n and "." not in n and "=" not in n)
    return frozenset(n for n in plain if is_denied(workspace, module, n))
