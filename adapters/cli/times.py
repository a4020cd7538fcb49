"""Times as a person writes them on a line."""

from datetime import datetime

from m1nd.domain.refusal import refuse


def time_in_utc(text: str) -> datetime | None:
    """None for an empty text. Raises Refused(usage) for what is neither a UTC time nor a date."""
    from m1nd.domain.receipts.times import parse_end

    if not text:
        return None
    time = parse_end(text)
    if time is None:
        refuse("usage", f"{text!r} is no time in UTC: 2026-05-01T12:00:00Z, or a date")
    return time
