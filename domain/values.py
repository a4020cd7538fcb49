"""Frozen values inside events. Apart from `base`, so that who needs only a value does not load the event-sourcing library."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, JsonValue


def _plain(value: Any) -> Any:
    """Tuples as lists, all the way down, so that what is stored equals what is read back."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


JsonObject = Annotated[dict[str, JsonValue], BeforeValidator(_plain)]
"""An object whose inner shape another contract fixes (a receipt, a verification); stored as it is."""


class Value(BaseModel):
    """A frozen value inside an event; a field that is not declared is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
