"""Times in views: UTC text of fixed width, so that text order is time order."""

from datetime import UTC, datetime


def text_of(time: datetime) -> str:
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def time_of(text: str) -> datetime:
    return datetime.fromisoformat(text)
