"""The part of the application that records what the owner sets (`domain/settings.py`)."""

from m1nd.application.appending import Appending
from m1nd.domain.base import Aggregate, Command
from m1nd.domain.settings import STREAM, VALUES, Settings


class SettingRecords(Appending):
    """Every method may raise Refused of the groups log and store."""

    def setting(self, key: str) -> str:
        """The value that holds now."""
        found = self._load(Settings, STREAM)
        return VALUES[key][0] if found is None else found.values[key]

    def change_setting(self, key: str, value: str, command: Command) -> bool:
        """Whether it changed anything. Raises Refused(unknown_setting | usage)."""

        def work() -> list[Aggregate]:
            settings = self._load(Settings, STREAM) or Settings.open(command)
            return [settings] if settings.set(key, value, command) else []

        return bool(self._append(command, work).events)
