"""Battles beside an earlier run of the same bench, on a machine as fast or slow as it is today.

A processor's speed differs from hour to hour and from machine to machine. So whatever took time is
told in the work of a yardstick, measured in the same run, that no change of this house can move.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from astrarium.bench.battles import scenarios
from astrarium.bench.report import Report, ReportError, read_json, write_json

SLOWER_MAX: Final = 0.15
REGRESSED: Final = 1
"""Exit status when something is slower than the baseline."""

_ROUNDS: Final = 40
_BLOCK: Final = bytes(4_000_000)


def yardstick() -> float:
    """Megabytes hashed in a processor second: the fastest of short rounds."""

    def round_s() -> float:
        begun = time.thread_time()
        hashlib.blake2b(_BLOCK).digest()
        return time.thread_time() - begun

    return len(_BLOCK) / 1e6 / min(round_s() for _ in range(_ROUNDS))


def costs(report: Report, megabytes_per_s: float) -> dict[str, float]:
    """What each row takes, in megabytes the yardstick would have hashed meanwhile."""
    found: dict[str, float] = {}
    for check in report.results["checks"]:
        value = check["value"]
        if value and check["unit"] == " ticks/s":
            found[check["name"]] = megabytes_per_s / value
        elif value and check["unit"] == " µs":
            found[check["name"]] = megabytes_per_s * value / 1e6
    for name, rates in scenarios(report.results["core"]).items():
        found[f"{name}, doctrines and all observed"] = megabytes_per_s / max(rates)
    return found


def save(path: Path, report: Report, found: Mapping[str, float]) -> Path:
    """Keep what rows take, to hold later runs to."""
    kept = {"config": dict(report.config), "costs": dict(found)}
    return write_json({**kept, "machine": asdict(report.machine)}, path)


def read(path: Path, config: Mapping[str, Any]) -> dict[str, float]:
    """A baseline that was measured as `config` measures."""
    kept: Any = read_json(path)
    try:
        asked: dict[str, Any] = kept["config"]
        before: dict[str, float] = kept["costs"]
    except (KeyError, TypeError):
        raise ReportError(
            f"{path} is no baseline; `bench battles --save-baseline` writes one"
        ) from None
    if asked != config:
        raise ReportError(
            f"{path} was measured otherwise than asked (--quick, --threads); measure as then"
        )
    return before


def slower(found: Mapping[str, float], before: Mapping[str, float]) -> list[str]:
    """Rows that take over fifteen per cent more than they did."""
    change = {name: found[name] / before[name] - 1.0 for name in found if name in before}
    return [f"{name}: {by:.0%} slower" for name, by in change.items() if by > SLOWER_MAX]
