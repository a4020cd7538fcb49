"""Times as a person writes them on a line."""

from datetime import UTC, datetime

from m1nd.domain.refusal import refuse


def time_in_utc(text: str) -> datetime | None:
    """An ISO 8601 time with a zone, or a date, which begins at midnight UTC; None for an empty text. Raises Refused(usage)."""
    if not text:
        return None
    try:
        time = datetime.fromisoformat(f"{text}T00:00:00Z" if len(text) == len("2026-05-01") else text)
    except ValueError:
        time = None
    if time is None or time.tzinfo is None:
        refuse("usage", f"{text!r} is no time with a zone (2026-05-01T12:00:00Z), and no date")
    return time.astimezone(UTC)
