"""What an argument must be, whichever door it comes through: text that can be written down, numbers that a log can hold."""

import math
from typing import Any

WIDEST = 1 << 63
"""One more than the largest whole number of the log, the views and most readers of JSON."""


def unfit(value: object) -> str:
    """Why no log and no file can hold `value`, in one clause; empty where they can. Looks into lists and objects."""
    open_values = [value]
    while open_values:
        now = open_values.pop()
        if problem := _problem(now):
            return problem
        if isinstance(now, dict):
            open_values += [*now.keys(), *now.values()]
        elif isinstance(now, (list, tuple)):
            open_values += now
    return ""


def _problem(value: Any) -> str:
    if isinstance(value, str):
        return "" if _is_text(value) else "holds what is no text in Unicode"
    if isinstance(value, int):
        return "" if -WIDEST <= value < WIDEST else "holds a number beyond 64 bits"
    if isinstance(value, float):
        return "" if math.isfinite(value) else "holds what is no finite number"
    return ""


def _is_text(value: str) -> bool:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
