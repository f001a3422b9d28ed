"""A PPO log while it grows: every new line held to limits."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from astrarium.telemetry import ppo_log_fields as fields
from astrarium.telemetry.ppo_log import files_of
from astrarium.telemetry.ppo_log_checking import PpoLogError, means, read

Line = dict[str, Any]

LOSS_DRIFT_MAX: Final = 0.10
QUEUE_DRIFT_MAX: Final = 0.15
ENTROPY_SHIFT_MAX: Final = 0.1
"""How far a line may lie from the baseline: parts of its mean, and for the entropy nats."""
_QUEUES: Final = ("queue_conflict_events", "queue_conflict_intensity_sum")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a line is held to by itself.

    Short trainings with the presets of all worlds keep to the defaults: they reached a KL
    divergence of 0.027, a gradient norm of 7.3, a correlation of -0.35, no help for late comers in
    some updates, and 43 % of chats that fail.
    """

    kl_max: float = 0.05
    grad_max: float = 15.0
    """Of the norm before it is clipped."""
    correlation_min: float = -0.5
    """Advantages that run against the rewards they come from say that values are wrong."""
    late_help_min: float = 0.0
    chat_failure_max: float = 0.75
    """Part of all chats."""


@dataclass(frozen=True, slots=True)
class LogAlert:
    """A line beyond a limit."""

    epoch: int
    field: str
    value: float
    words: str


def baseline_of(path: Path) -> dict[str, float]:
    """The means of a whole log, to hold others to."""
    lines, faults = read(path)
    if faults:
        raise PpoLogError(f"the baseline is no whole log: {faults[0]}")
    return means(lines)


def alerts_of(
    line: Mapping[str, Any], limits: Limits, baseline: Mapping[str, float] | None = None
) -> list[LogAlert]:
    """What is beyond its limit. Fields that a line does not have are not judged."""
    faults = fields.faults_of(line)
    if faults:
        return [LogAlert(int(line.get("epoch") or 0), "line", 0.0, one) for one in faults]
    if line.get("data_mode") == fields.REPLAY:
        # The limits are those of PPO: what cloning came to is judged by its accuracy.
        return [] if line.get("anneal_bc_passed", True) else [_unlike(line)]
    found = [*_alone(line, limits), *_beside(line, baseline or {})]
    return [LogAlert(line["epoch"], *one) for one in found]


def _unlike(line: Mapping[str, Any]) -> LogAlert:
    accuracy, least = line["anneal_bc_accuracy"], line["anneal_bc_threshold"]
    return LogAlert(line["epoch"], "anneal_bc_accuracy", accuracy, f"below {least:g}")


def _alone(line: Mapping[str, Any], limits: Limits) -> Iterator[tuple[str, float, str]]:
    for name, most in (
        ("kl_divergence", limits.kl_max),
        ("kl_divergence_max", 2 * limits.kl_max),
        ("grad_norm", limits.grad_max),
    ):
        if line.get(name, 0.0) > most:
            yield name, line[name], f"above {most:g}"
    correlation = line.get("reward_advantage_corr", 0.0)
    if correlation < limits.correlation_min:
        yield "reward_advantage_corr", correlation, f"below {limits.correlation_min:g}"
    helped = line.get("late_help_events")
    if helped is not None and helped < limits.late_help_min:
        yield "late_help_events", helped, f"below {limits.late_help_min:g}"
    failed = line.get("chat_failure_events", 0.0)
    share = failed / max(failed + line.get("chat_success_events", 0.0), 1.0)
    if share > limits.chat_failure_max:
        words = f"{share:.0%} of all chats, above {limits.chat_failure_max:.0%}"
        yield "chat_failure_events", failed, words


def _beside(
    line: Mapping[str, Any], baseline: Mapping[str, float]
) -> Iterator[tuple[str, float, str]]:
    drifts = {"loss_total": LOSS_DRIFT_MAX, **dict.fromkeys(_QUEUES, QUEUE_DRIFT_MAX)}
    for name, most in drifts.items():
        if name in line and name in baseline:
            usual = baseline[name]
            if abs(line[name] - usual) > most * abs(usual):
                yield name, line[name], f"more than {most:.0%} off the baseline's {usual:.4g}"
    name = "batch_entropy_mean"
    if name in line and name in baseline:
        usual = baseline[name]
        if abs(line[name] - usual) > ENTROPY_SHIFT_MAX:
            yield name, line[name], f"more than {ENTROPY_SHIFT_MAX} off the baseline's {usual:.4g}"


class Tail:
    """The end of a log, across its files. Nothing is told twice.

    A run that goes back takes its log back: the lines it writes anew are told, the others not.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._told: dict[int, int] = {}
        """Hashes of lines, by epoch."""
        self._places: dict[Path, tuple[int, bytes]] = {}
        """How far each file was read, and the line before that."""

    def fresh(self) -> list[Line]:
        """The whole lines that were written since the last call."""
        files = files_of(self._path)
        for gone in [place for place in self._places if place not in files]:
            del self._places[gone]
        found: list[Line] = []
        for place in files:
            # One that a run takes back at this very moment is not there any more.
            with contextlib.suppress(FileNotFoundError):
                found += self._of(place)
        return found

    def _of(self, place: Path) -> Iterator[Line]:
        end, last = self._places.get(place, (0, b""))
        with place.open("rb") as file:
            file.seek(end - len(last))
            # A file that was written anew has something else there, though its inode may be the
            # same and it may be longer by now.
            if file.read(len(last)) != last:
                end = file.seek(0)
            content = file.read()
        whole = content[: content.rfind(b"\n") + 1]
        lines = whole.splitlines(keepends=True)
        if lines:
            self._places[place] = (end + len(whole), lines[-1])
        for text in lines:
            line = _decoded(text)
            epoch = line.get("epoch")
            if isinstance(epoch, int):
                if self._told.get(epoch) == hash(text):
                    continue
                self._told[epoch] = hash(text)
            yield line


def _decoded(text: bytes) -> Line:
    """A line; one that is no object has no fields, which is what is wrong with it."""
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.MsgspecError:
        return {}
