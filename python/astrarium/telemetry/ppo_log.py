"""The PPO log of a run: NDJSON that other tools know, a line for every cycle.

A cycle is an update, or a cloning that took the place of one.

Written from the run's events, so a log can be made anew at any time. It continues in `<log>.1`,
`<log>.2` and so on once a file is full, and every line has its number in the whole stream. Where a
run goes back to a checkpoint, the log goes back with it: the stream is that of a run that never
stopped, without a gap and without a line told twice.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from astrarium import atomic
from astrarium.runs import DamagedRunError, documents
from astrarium.telemetry import ppo_log_fields as fields
from astrarium.telemetry.events import (
    SHARED,
    Event,
    PolicyCloned,
    RunResumed,
    RunStarted,
    UpdateFinished,
)
from astrarium.telemetry.ppo_log_fields import OFFSET, Version
from astrarium.telemetry.ppo_log_lines import line_of, number_of

_line: Final = msgspec.json.Decoder(dict[str, Any])
NAME: Final = "ppo"
ENTRIES_MAX: Final = 10_000
"""Lines of a file before the next one is begun."""
LOGGED_STATS: Final = (*fields.RIVALRY, *fields.SCENARIO)
"""Stats of a world that a log has a field for."""


def log_path(folder: Path, policy: str = SHARED) -> Path:
    """Where the log of a policy lies: each has its own, since a line does not name it."""
    return folder / (f"{NAME}.ndjson" if policy == SHARED else f"{NAME}-{policy}.ndjson")


def files_of(path: Path) -> list[Path]:
    """The files of a log in order: itself, then by number."""
    found: list[tuple[int, Path]] = [(0, path)] if path.is_file() else []
    for place in path.parent.glob(f"{path.name}.*"):
        number = place.name.removeprefix(f"{path.name}.")
        if number.isascii() and number.isdecimal() and place.is_file():
            found.append((int(number), place))
    return [place for _, place in sorted(found)]


class RotatingLog:
    """The end of one log."""

    def __init__(self, path: Path, entries_max: int = ENTRIES_MAX) -> None:
        self._path = path
        self._entries_max = entries_max
        self._look()

    @property
    def epoch(self) -> int:
        """Of the last line; 0 where there is none."""
        return self._epoch

    def append(self, line: Mapping[str, Any]) -> None:
        """Add a line, with its number in the stream where its version has one."""
        if self._entries >= self._entries_max:
            self._number, self._entries = self._number + 1, 0
        numbered = {**line, OFFSET: self._offset} if OFFSET in line else line
        place = self._file(self._number)
        place.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            content = documents.encode(numbered) + b"\n"
            if os.write(handle, content) < len(content):
                raise OSError(f"{place} takes only a part of a line; is the disk full?")
        finally:
            os.close(handle)
        self._entries, self._offset = self._entries + 1, self._offset + 1
        self._epoch = int(line["epoch"])

    def cut(self, epoch: int) -> None:
        """Forget everything after an epoch."""
        for place in reversed(files_of(self._path)):
            kept = [line for line in _lines(place) if line["epoch"] <= epoch]
            if kept:
                content = b"".join(documents.encode(line) + b"\n" for line in kept)
                atomic.write_bytes(place, content)
                break
            place.unlink()
        self._look()

    def _look(self) -> None:
        """Where the log ends; what a killed writer left of a line is taken away."""
        self._number = self._entries = self._offset = self._epoch = 0
        for place in files_of(self._path):
            _trim(place)
            lines = _lines(place)
            suffix = place.name.removeprefix(f"{self._path.name}").removeprefix(".")
            self._number, self._entries = int(suffix or 0), len(lines)
            self._offset += len(lines)
            if lines:
                self._epoch = int(lines[-1]["epoch"])
                self._offset = int(lines[-1].get(OFFSET, self._offset - 1)) + 1

    def _file(self, number: int) -> Path:
        return self._path if number == 0 else self._path.with_name(f"{self._path.name}.{number}")


def _lines(place: Path) -> list[dict[str, Any]]:
    """The lines of a log, whose format belongs to other tools and has no seals."""
    lines: list[dict[str, Any]] = []
    for number, line in enumerate(place.read_bytes().split(b"\n")[:-1], 1):
        try:
            lines.append(_line.decode(line))
        except (ValueError, RecursionError) as error:
            raise DamagedRunError(
                f"{place}:{number} is damaged: {error}; delete the log, it is written again"
            ) from error
    return lines


def _trim(place: Path) -> None:
    content = place.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        os.truncate(place, whole)


class PpoLogSink:
    """Follows a run and writes the log of each of its policies into a folder."""

    name = "ppo_log"

    def __init__(
        self, folder: Path, *, version: Version = "1.1", entries_max: int = ENTRIES_MAX
    ) -> None:
        self._folder = folder
        self._version: Version = version
        self._entries_max = entries_max
        self._logs: dict[str, RotatingLog] = {}
        self._cycle = -1
        self._began = self._seen = ""
        """When the cycle at hand began, and the last event."""

    def window(self, row: Mapping[str, Any]) -> None:
        """Nothing to do: a log is about cycles."""

    def event(self, event: Event) -> None:
        """Write the line of a cycle, once; go back with a run that does."""
        if isinstance(event, UpdateFinished | PolicyCloned):
            number = number_of(event)
            if number != self._cycle:
                self._cycle, self._began = number, self._seen
            log = self._log(event.policy)
            if number + 1 > log.epoch:
                log.append(line_of(event, _seconds(self._began, event.at), self._version))
        elif isinstance(event, RunResumed):
            for path in self._folder.glob(f"{NAME}*.ndjson"):
                policy = path.name.removesuffix(".ndjson").removeprefix(NAME).removeprefix("-")
                self._log(policy or SHARED).cut(event.update)
            self._cycle = -1
        elif isinstance(event, RunStarted):
            self._cycle = -1
        self._seen = event.at

    def close(self) -> None:
        """Nothing is held back."""

    def _log(self, policy: str) -> RotatingLog:
        if policy not in self._logs:
            path = log_path(self._folder, policy)
            self._logs[policy] = RotatingLog(path, self._entries_max)
        return self._logs[policy]


def _seconds(began: str, ended: str) -> float:
    """Between two events; 0 where the first was not seen."""
    if not began:
        return 0.0
    span = datetime.fromisoformat(ended) - datetime.fromisoformat(began)
    return max(0.0, span.total_seconds())
