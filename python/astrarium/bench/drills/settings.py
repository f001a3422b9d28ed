"""What the drills are run with, and what each of them hands back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from astrarium.bench.report import Spread
from astrarium.errors import ConfigError

if TYPE_CHECKING:
    import torch


SOAK_EPOCHS: Final = 100
"""Of the soak, unless another number is given."""
STEADY_BATCH: Final = 4
"""The batch size that the limits of the steady epoch are for."""
TIMEOUT_EPOCHS: Final = 2
"""Of the timeout drill, unless another number is given."""
BENCH_JITTER_MS: Final = 8.0


def find_device(name: str) -> torch.device:
    """A device that is there."""
    import torch

    if name not in ("cpu", "cuda"):
        raise ConfigError(f"device is {name!r}; give cpu or cuda")
    if name == "cuda" and not torch.cuda.is_available():
        raise ConfigError("device is 'cuda', but torch sees no GPU; give cpu")
    return torch.device(name)


def use_one_thread() -> None:
    """As every trainer of hosts does."""
    import torch

    torch.set_num_threads(1)


@dataclass(frozen=True, slots=True)
class DrillSettings:
    """What may be chosen."""

    device: torch.device = field(default_factory=lambda: find_device("cpu"))
    epochs: int | None = None
    """As each drill needs, unless told."""
    batch_size: int = STEADY_BATCH
    timeout_every: int = 2
    timeout_ms: float = 100.0
    """How long a controller is waited for in the drill, in place of two seconds."""
    requests: int = 64
    concurrency: int = 8
    ready_latency_ms: float = 40.0
    jitter_ms: float = 0.0
    deadline_ms: float = 5.0


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures of one scenario."""

    scenario: str
    metrics: dict[str, float]
    telemetry: dict[str, Any] = field(default_factory=dict[str, Any])
    """What the code under test counted and told itself."""
    details: dict[str, Any] = field(default_factory=dict[str, Any])


def bench_jitter_ms(settings: DrillSettings) -> float:
    """Return by how much the latencies of the prefetch bench differ; none is below 0."""
    return min(BENCH_JITTER_MS, settings.ready_latency_ms)


def spread(name: str, samples_ms: list[float]) -> dict[str, float]:
    """The mean and two percentiles of times, by name."""
    found = Spread.of(samples_ms)
    return {
        f"{name}_ms_mean": found.mean,
        f"{name}_ms_p50": found.p50,
        f"{name}_ms_p95": found.p95,
    }
