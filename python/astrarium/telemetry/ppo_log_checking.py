"""Holding a PPO log to its fields, its numbering, and another log."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from astrarium.errors import AstrariumError
from astrarium.telemetry import ppo_log_fields as fields
from astrarium.telemetry.ppo_log import files_of
from astrarium.telemetry.ppo_log_fields import OFFSET

_NOT_COMPARED: Final = {
    *fields.WORDS,
    *fields.FLAGS,
    *("epoch", "steps", "cycle_id", "epoch_duration_sec", OFFSET),
}
"""What grows with the run, or differs between equal ones."""

Line = dict[str, Any]


class PpoLogError(AstrariumError, ValueError):
    """There is no log to look at."""


@dataclass(frozen=True, slots=True)
class Drift:
    """How far the mean of a field lies from that of another log."""

    field: str
    mean: float
    baseline: float

    @property
    def absolute(self) -> float:
        """The difference."""
        return self.mean - self.baseline

    @property
    def relative(self) -> float | None:
        """The same over the baseline's size; None where that is 0."""
        return None if self.baseline == 0.0 else self.absolute / abs(self.baseline)

    def beyond(self, relative_max: float, absolute_max: float) -> str | None:
        """Which limit it is beyond, in words; anything is infinitely more than nothing."""
        relative = self.relative
        size = abs(relative) if relative is not None else math.inf if self.absolute else 0.0
        if size > relative_max:
            told = "from nothing" if relative is None else f"{relative:+.1%}"
            return f"{told}, more than {relative_max:.1%}"
        if abs(self.absolute) > absolute_max:
            return f"{self.absolute:+g}, more than {absolute_max:g}"
        return None


@dataclass(frozen=True, slots=True)
class LogReport:
    """What there is to say about a log."""

    files: tuple[Path, ...]
    lines: int
    faults: tuple[str, ...]
    drift: tuple[Drift, ...]


def check(
    path: Path,
    baseline: Path | None = None,
    relative_max: float = math.inf,
    absolute_max: float = math.inf,
) -> LogReport:
    """Look at every line of a log, and at how it differs from a baseline.

    A field whose mean lies further from the baseline's than `relative_max`, as a part of it, or
    than `absolute_max` is a fault.
    """
    lines, faults = read(path)
    drift: tuple[Drift, ...] = ()
    if baseline is not None:
        before, spoiled = read(baseline)
        if spoiled:
            raise PpoLogError(f"the baseline is no whole log: {spoiled[0]}")
        drift = drifts(lines, before)
        faults += [
            f"{one.field} is {one.mean:g} in the mean, the baseline's {one.baseline:g}: {words}"
            for one in drift
            if (words := one.beyond(relative_max, absolute_max)) is not None
        ]
    return LogReport(tuple(files_of(path)), len(lines), tuple(faults), drift)


def read(path: Path) -> tuple[list[Line], list[str]]:
    """The lines of a log in order, and what is wrong with any of them."""
    files = files_of(path)
    if not files:
        raise PpoLogError(f"there is no PPO log at {path}; give the path of its first file")
    lines: list[Line] = []
    faults: list[str] = []
    for number, place in enumerate(files):
        if number and place.name != f"{path.name}.{number}":
            faults.append(f"{path.name}.{number} is missing before {place.name}")
        content = place.read_bytes()
        for at, text in enumerate(content.splitlines(keepends=True), 1):
            line, wrong = _line(text)
            if line is not None:
                wrong += _gap(lines, line)
                lines.append(line)
            faults += [f"{place.name}:{at}: {one}" for one in wrong]
    if not lines and not faults:
        faults.append(f"{path.name} is empty; a log has a line for each update")
    return lines, faults


def _line(text: bytes) -> tuple[Line | None, list[str]]:
    if not text.endswith(b"\n"):
        return None, ["the line has no end"]
    try:
        line = msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.MsgspecError as error:
        return None, [f"not a JSON object: {error}"]
    return line, fields.faults_of(line)


def _gap(before: Sequence[Line], line: Line) -> list[str]:
    """What is wrong with a line's number, after those before."""
    offset = line.get(OFFSET)
    last = before[-1].get(OFFSET) if before else None
    if not isinstance(offset, int):
        return []
    expected = last + 1 if isinstance(last, int) else len(before)
    if offset == expected:
        return []
    return [f"{OFFSET} is {offset} where {expected} comes next"]


def drifts(lines: Sequence[Line], baseline: Sequence[Line]) -> tuple[Drift, ...]:
    """Of every number both logs have, in the order of the fields."""
    here, there = means(lines), means(baseline)
    return tuple(Drift(name, here[name], there[name]) for name in here if name in there)


def means(lines: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The mean of every field that can be compared.

    Of what was cloned there is nothing to compare: its loss is another one, and it plays nothing.
    """
    columns: dict[str, list[float]] = {}
    for line in (one for one in lines if one.get("data_mode") != fields.REPLAY):
        for name, value in line.items():
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if number and name in fields.KNOWN and name not in _NOT_COMPARED:
                columns.setdefault(name, []).append(float(value))
    return {name: math.fsum(column) / len(column) for name, column in columns.items()}
