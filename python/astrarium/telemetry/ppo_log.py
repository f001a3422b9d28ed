"""The PPO log of a run: NDJSON that other tools know, a line for every update.

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

from astrarium import atomic
from astrarium.runs import documents, journal
from astrarium.telemetry import ppo_log_fields as fields
from astrarium.telemetry.events import SHARED, Event, RunResumed, RunStarted, UpdateFinished
from astrarium.telemetry.ppo_log_fields import Version

NAME: Final = "ppo"
ENTRIES_MAX: Final = 10_000
"""Lines of a file before the next one is begun."""
OFFSET: Final = "log_stream_offset"
_ANNEALED: Final = (*fields.BASELINE, *fields.BASELINE_MAY, *fields.ANNEAL)
"""What the event of an update tells of its anneal."""
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
            kept = [line for line in journal.read(place) if line["epoch"] <= epoch]
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
            lines = journal.read(place)
            suffix = place.name.removeprefix(f"{self._path.name}").removeprefix(".")
            self._number, self._entries = int(suffix or 0), len(lines)
            self._offset += len(lines)
            if lines:
                self._epoch = int(lines[-1]["epoch"])
                self._offset = int(lines[-1].get(OFFSET, self._offset - 1)) + 1

    def _file(self, number: int) -> Path:
        return self._path if number == 0 else self._path.with_name(f"{self._path.name}.{number}")


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
        self._update = -1
        self._began = self._seen = ""
        """When the update at hand began, and the last event."""

    def window(self, row: Mapping[str, Any]) -> None:
        """Nothing to do: a log is about updates."""

    def event(self, event: Event) -> None:
        """Write the line of an update, once; go back with a run that does."""
        if isinstance(event, UpdateFinished):
            if event.update != self._update:
                self._update, self._began = event.update, self._seen
            log = self._log(event.policy)
            if event.update + 1 > log.epoch:
                log.append(line_of(event, _seconds(self._began, event.at), self._version))
        elif isinstance(event, RunResumed):
            for path in self._folder.glob(f"{NAME}*.ndjson"):
                policy = path.name.removesuffix(".ndjson").removeprefix(NAME).removeprefix("-")
                self._log(policy or SHARED).cut(event.update)
            self._update = -1
        elif isinstance(event, RunStarted):
            self._update = -1
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


def line_of(event: UpdateFinished, seconds: float, version: Version) -> dict[str, Any]:
    """An update as a line; a figure that does not exist is 0, since every number is finite."""
    base: dict[str, Any] = {
        "telemetry_version": version,
        "epoch": event.update + 1,
        "updates": event.minibatches or 0,
        "transitions": event.transitions or 0,
        "steps": event.env_steps_total,
        "loss_policy": event.policy_loss or 0.0,
        "loss_value": event.value_loss or 0.0,
        "loss_entropy": -(event.entropy or 0.0),
        "loss_total": event.loss or 0.0,
        "clip_fraction": event.clip_fraction or 0.0,
        "adv_mean": event.advantage_mean or 0.0,
        "adv_std": event.advantage_std or 0.0,
        "grad_norm": event.grad_norm or 0.0,
        "kl_divergence": event.approx_kl or 0.0,
        "lr": event.learning_rate or 0.0,
    }
    return base if version == "1.0" else {**base, **_added(event, seconds)}


def _added(event: UpdateFinished, seconds: float) -> dict[str, Any]:
    """What version 1.1 has besides."""
    stats, anneal = event.world_stats or {}, event.anneal or {}
    return {
        "epoch_duration_sec": seconds,
        "data_mode": anneal.get("data_mode", "rollout"),
        "cycle_id": event.update + 1,
        "batch_entropy_mean": event.entropy or 0.0,
        "batch_entropy_std": event.entropy_std or 0.0,
        "grad_norm_max": event.grad_norm_max or 0.0,
        "kl_divergence_max": event.approx_kl_max or 0.0,
        "reward_advantage_corr": event.reward_advantage_corr or 0.0,
        "rollout_ticks": event.rollout_ticks or 0,
        OFFSET: 0,
        **{f"conflict.{name}_avg": stats.get(name, 0.0) for name in fields.RIVALRY},
        "clip_fraction_max": event.clip_fraction_max or 0.0,
        "clip_triggered_minibatches": event.clipped_minibatches or 0,
        "adv_zero_std_batches": event.flat_minibatches or 0,
        "adv_min_std": event.advantage_std_min or 0.0,
        **{name: stats[name] for name in fields.SCENARIO if name in stats},
        **{name: anneal[name] for name in _ANNEALED if name in anneal},
    }
