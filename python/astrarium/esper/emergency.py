"""Levels of emergency: they only rise, until somebody resets them."""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final

from astrarium.esper.contracts.errors import EsperError

FAILED_EPOCHS_MAX: Final = 3
BROADCASTS_PER_MINUTE: Final = 60
_FLAG: Final = struct.Struct("<BB6xd48s")
FLAG_BYTES: Final = _FLAG.size


class FlagError(EsperError, ValueError):
    """Bytes that are no emergency flag."""


class Level(IntEnum):
    """How bad it is."""

    NONE = 0
    NOTICE = 1
    ELEVATED = 2
    CONSERVATIVE = 3
    """A controller failed too often; while conservative mode lasts, the host is only trained."""
    HALT = 4


@dataclass(frozen=True, slots=True)
class Emergency:
    """The level in force, why, and what could raise it."""

    level: Level = Level.NONE
    reason: str = ""
    """Of the highest level reached."""
    failed_epochs: int = 0
    """In a row."""


def raised(before: Emergency, level: Level, reason: str) -> Emergency:
    """At least `level`."""
    return replace(before, level=level, reason=reason) if level > before.level else before


def reset() -> Emergency:
    """The only way down."""
    return Emergency()


def after_epoch(before: Emergency, failed: bool) -> Emergency:
    """An epoch was finished, or was not."""
    after = replace(before, failed_epochs=before.failed_epochs + 1 if failed else 0)
    if after.failed_epochs >= FAILED_EPOCHS_MAX:
        return raised(after, Level.HALT, f"{after.failed_epochs} epochs failed in a row")
    return after


def after_breaker(before: Emergency, is_open: bool) -> Emergency:
    """A breaker was looked at."""
    return raised(before, Level.CONSERVATIVE, "breaker open") if is_open else before


def after_rollback(before: Emergency, deadline_missed: bool, halts: bool) -> Emergency:
    """A rollback took place; whether a late one halts the run is for the run to say."""
    if not deadline_missed:
        return before
    return raised(before, Level.HALT if halts else Level.ELEVATED, "rollback deadline missed")


def may_broadcast(sent_s: tuple[float, ...], now_s: float) -> tuple[tuple[float, ...], bool]:
    """Whether one more broadcast may go out now, and the times of the last minute's."""
    recent = tuple(time_s for time_s in sent_s if now_s - time_s < 60.0)
    if len(recent) >= BROADCASTS_PER_MINUTE:
        return recent, False
    return (*recent, now_s), True


def flag_bytes(emergency: Emergency, now_s: float) -> bytes:
    """The flag other processes read: whether it is set, the level, the time, the reason."""
    text = emergency.reason.encode()[:48].decode(errors="ignore").encode()
    return _FLAG.pack(emergency.level > Level.NONE, emergency.level, now_s, text)


def read_flag(data: bytes) -> tuple[Emergency, float]:
    """An emergency as another process left it, and when."""
    if len(data) != FLAG_BYTES:
        raise FlagError(f"an emergency flag has {FLAG_BYTES} bytes, not {len(data)}")
    is_set, level, time_s, text = _FLAG.unpack(data)
    if level not in set(Level) or bool(is_set) != (level > Level.NONE):
        raise FlagError(f"an emergency flag cannot have level {level} and be set to {is_set}")
    return Emergency(Level(level), text.rstrip(b"\0").decode()), time_s
