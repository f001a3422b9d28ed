"""What every measurement leaves behind: one JSON report, written whole or not at all."""

from __future__ import annotations

import json
import math
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from astrarium import atomic
from astrarium.errors import AstrariumError
from astrarium.machine import Machine

PASSED: Final = 0
FAILED: Final = 2
"""Exit status of a measurement that missed what it was held to."""

FOLDER: Final = Path("bench-reports")


class ReportError(AstrariumError, ValueError):
    """A report that cannot be read, or does not say what it should."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Several samples of one figure, in six numbers."""

    min: float
    max: float
    mean: float
    p50: float
    p95: float
    p99: float

    @classmethod
    def of(cls, samples: Sequence[float]) -> Spread:
        """The spread of at least one sample."""
        return cls(
            min=min(samples),
            max=max(samples),
            mean=math.fsum(samples) / len(samples),
            p50=percentile(samples, 50),
            p95=percentile(samples, 95),
            p99=percentile(samples, 99),
        )


def percentile(samples: Sequence[float], percent: float) -> float:
    """The value below which `percent` of the samples lie, on a line between neighbours."""
    if not samples or not 0 <= percent <= 100:
        raise ValueError(f"no {percent}th percentile of {len(samples)} samples; give 0 to 100 of 1")
    ordered = sorted(samples)
    place = (len(ordered) - 1) * percent / 100
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def new_run_id() -> str:
    """A name no other run has, in the order of time."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}"


@dataclass(frozen=True, slots=True)
class Report:
    """One measurement. `reasons` says what was missed, and is empty when it passed."""

    kind: str
    config: Mapping[str, Any]
    machine: Machine
    reasons: Sequence[str]
    results: Mapping[str, Any]
    artifacts: Mapping[str, str] = field(default_factory=dict[str, str])
    generated_at: str = field(default_factory=_now)
    run_id: str = field(default_factory=new_run_id)

    @property
    def passed(self) -> bool:
        """Whether nothing was missed."""
        return not self.reasons

    def as_dict(self) -> dict[str, Any]:
        """The report in the shape it is written in."""
        return {
            "kind": self.kind,
            "generated_at": self.generated_at,
            "run_id": self.run_id,
            "config": dict(self.config),
            "machine": asdict(self.machine),
            "summary": {"pass": self.passed, "reasons": list(self.reasons)},
            "results": dict(self.results),
            "artifacts": dict(self.artifacts),
        }

    def write(self, path: Path | None = None) -> Path:
        """Write it to `path`, or under its own name in the reports folder."""
        return write_json(self.as_dict(), path or FOLDER / f"{self.kind}-{self.run_id}.json")


def write_json(content: Mapping[str, Any], path: Path) -> Path:
    """Write `content` so that a reader finds the old file or the new one, never a part."""
    atomic.write_text(path, json.dumps(content, indent=2, allow_nan=False) + "\n")
    return path


def check_place(path: Path | None) -> None:
    """Refuse, before anything is measured, a place where no report could be written."""
    if path is None:
        atomic.check_folder(FOLDER)
    else:
        atomic.check_file(path)


def read_json(path: Path) -> Any:
    """The content of a report file."""
    try:
        return json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ReportError(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise ReportError(f"{path} is not JSON: {error}") from error
