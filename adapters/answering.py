"""One verb, called by its wire name with its wire arguments: what every door but a typed line does (PORTS.md).

The function that answers is the one behind the verb's command (`adapters/cli/context.py`, `verb`); what only a typed line
can say keeps its default. Checks no argument against its schema: the door does.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import click
from attrs import frozen

from m1nd.adapters.cli.context import Answer, Call
from m1nd.adapters.cli.program import program
from m1nd.adapters.verb_shape import Verb


@frozen
class Answering:
    """The function behind a verb, and what its parameters are where nobody gives a value."""

    function: Callable[..., Answer]
    defaults: Mapping[str, Any]
    tuples: frozenset[str]
    """Parameters that a typed line fills with any number of values."""

    def __call__(self, call: Call, arguments: Mapping[str, Any]) -> Answer:
        """Raises Refused, and TypeError where the function takes no such argument."""
        given = {name: tuple(value) if name in self.tuples else value for name, value in arguments.items()}
        return self.function(call, **{**self.defaults, **given})


@cache
def answering(verb: Verb) -> Answering:
    """The function that answers `verb`; imports the one module that holds it.

    Raises LookupError where neither a command nor `Verb.function` leads to one.
    """
    if verb.function:
        module, _, name = verb.function.partition(":")
        return Answering(getattr(importlib.import_module(module), name), {}, frozenset())
    command = _command(verb)
    function = getattr(command.callback, "answers", None)
    if function is None:
        raise LookupError(f"no function answers {verb.name}")
    context = click.Context(command, info_name=command.name)
    options = [parameter for parameter in command.params if parameter.expose_value and parameter.name]
    return Answering(
        function,
        {str(p.name): _default(p, context) for p in options if p.name in _parameters(function)},
        frozenset(str(p.name) for p in options if (p.multiple or p.nargs == -1) and p.callback is None),
    )


def _parameters(function: Callable[..., Answer]) -> frozenset[str]:
    import inspect

    return frozenset(list(inspect.signature(function).parameters)[1:])


def parameters(verb: Verb) -> frozenset[str]:
    """The names that the function behind `verb` takes, besides the call."""
    return _parameters(answering(verb).function)


def _command(verb: Verb) -> click.Command:
    """The command whose line the table shows."""
    found: click.Command = program()
    for word in verb.command.split()[1:]:
        if not isinstance(found, click.Group):
            break
        deeper = found.get_command(click.Context(found, info_name=found.name), word)
        if deeper is None:
            break
        found = deeper
    return found


def _default(parameter: click.Parameter, context: click.Context) -> Any:
    """What click would give the function if the line said nothing; None for what a line must say."""
    if parameter.required:
        return None
    value = parameter.get_default(context)
    if type(value).__name__ == "Sentinel":  # click's sign for "no default at all"
        value = None
    value = parameter.type_cast_value(context, value)
    return value if parameter.callback is None else parameter.callback(context, parameter, value)
