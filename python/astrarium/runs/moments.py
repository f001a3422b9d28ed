"""Time, as an argument: whoever writes a run says what o'clock it is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Now = Callable[[], datetime]
"""The present moment, with its time zone."""


def utc_now() -> datetime:
    """The clock of the machine."""
    return datetime.now(UTC)


def written(moment: datetime) -> str:
    """As runs write it: ISO 8601 in UTC to the millisecond, so that text order is time order."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
