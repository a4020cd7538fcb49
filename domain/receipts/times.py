"""Times as evidence carries them: text that is parsed to be judged and kept byte for byte (BLOCKS.md, Receipts)."""

import re
from datetime import UTC, datetime, timedelta

_TIME = re.compile(r"(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|\+00:00)", re.ASCII)
_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def parse_time(text: str) -> datetime | None:
    """An ISO 8601 time in UTC, with or without a fraction of a second; None for anything else, or before 1970."""
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    *whole, fraction = match.groups()
    try:
        time = datetime(*map(int, whole), tzinfo=UTC)  # type: ignore[arg-type, misc]
    except ValueError:
        return None
    time += timedelta(microseconds=int((fraction or "0").ljust(9, "0")) // 1000)
    return time if time >= EPOCH else None


def parse_end(text: str) -> datetime | None:
    """When a validity ends: a time, or a date, which ends as it begins (UTC). None for anything else."""
    match = _DATE.fullmatch(text)
    return parse_time(f"{text}T00:00:00Z" if match else text)


def is_over(expires_on: str | None, as_of: datetime) -> bool:
    """Whether a validity has ended; from the very instant on (half-open)."""
    end = parse_end(expires_on) if expires_on else None
    return end is not None and as_of >= end
