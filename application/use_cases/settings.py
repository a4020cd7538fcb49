"""`config_set`: the owner sets something for this repository; it holds for every process that serves it."""

from attrs import frozen

from m1nd.application.brain import Brain
from m1nd.application.use_cases.requests import answered, new_command
from m1nd.domain.settings import check_setting


@frozen
class ConfigSet:
    """`changed` is false where the value held already."""

    key: str
    value: str
    changed: bool


def config_set(brain: Brain, key: str, value: str) -> ConfigSet:
    """Raises Refused(unknown_setting | usage | read_only)."""
    brain.deny_if_read_only("config_set")
    arguments = {"key": key, "value": value}

    def work() -> ConfigSet:
        check_setting(key, value)
        changed = brain.app.change_setting(key, value, new_command(brain, "config_set", arguments))
        return ConfigSet(key, value, changed)

    return answered(brain, "config_set", arguments, work)
