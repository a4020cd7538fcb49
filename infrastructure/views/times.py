"""Times in views: UTC text of fixed width, so that text order is time order."""

from datetime import UTC, datetime


def text_of(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="microseconds")


def time_of(text: str) -> datetime:
    return datetime.fromisoformat(text)
