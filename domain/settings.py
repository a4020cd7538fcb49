"""What the owner has set for this repository, beyond a process's environment: a fact of the log like any other (D32)."""

from typing import ClassVar, Self

from m1nd.domain.base import Aggregate, Command, CreatedEvent, Event, event
from m1nd.domain.refusal import refuse

STREAM = "settings"
VERIFY_AGENTS = "verify.agents"
VALUES = {VERIFY_AGENTS: ("check", "none")}
"""Every key with its values, the one that holds until it is set first."""


class Settings(Aggregate):
    TOPIC = "settings"

    class SettingsOpened(CreatedEvent):
        """The first setting was made."""

        TOPIC: ClassVar[str] = "settings_opened"

    class SettingChanged(Event):
        TOPIC: ClassVar[str] = "setting_changed"
        key: str
        value: str

    @event(SettingsOpened)
    def __init__(self) -> None:
        self.values = {key: values[0] for key, values in VALUES.items()}

    @classmethod
    def open(cls, command: Command) -> Self:
        return cls._begin(cls.SettingsOpened, command, STREAM)

    def set(self, key: str, value: str, command: Command) -> bool:
        """Whether it changed anything. Raises Refused(unknown_setting | usage)."""
        check_setting(key, value)
        if self.values[key] == value:
            return False
        self._record(Settings.SettingChanged, command, key=key, value=value)
        return True

    @event(SettingChanged)
    def _changed(self, key: str, value: str) -> None:
        self.values[key] = value


def check_setting(key: str, value: str) -> None:
    """Raises Refused(unknown_setting | usage)."""
    if key not in VALUES:
        refuse(
            "unknown_setting", f"there is no setting {key!r}: {', '.join(VALUES)}", "m1nd config", setting=key
        )
    if value not in VALUES[key]:
        allowed = " or ".join(VALUES[key])
        refuse("usage", f"{key} is {allowed}, not {value!r}", f"m1nd config set {key} {VALUES[key][0]}")
