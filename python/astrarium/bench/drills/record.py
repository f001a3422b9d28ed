"""Figures on record: files of every run, what an earlier run had, and what was asked for."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from astrarium import atomic
from astrarium.bench.drills.settings import (
    SOAK_EPOCHS,
    STEADY_BATCH,
    TIMEOUT_EPOCHS,
    DrillSettings,
    Measured,
    bench_jitter_ms,
)
from astrarium.bench.report import ReportError, write_json
from astrarium.esper.breaker import BreakerLimits
from astrarium.machine import Machine

if TYPE_CHECKING:
    import torch

REGRESSION_MAX: Final = 0.05
COLUMNS: Final = ("commit", "cpu", "cores", "load", "device", "scenario", "metric", "value")

PREFETCH_MARGIN_MS: Final = 5.4
"""What the 95th percentile on record, 53.4 ms, is above 40 ms and a jitter of 8."""

Metrics = Mapping[str, float]
Row = tuple[str, str, str, str, bool | None]
"""Name, what is on record, what is asked for, what it is here, and whether that is met; None where
the settings leave nothing to judge."""


def environment(machine: Machine, device: torch.device) -> dict[str, Any]:
    """Where it was measured."""
    import torch

    told: dict[str, Any] = asdict(machine)
    words = torch.cuda.get_device_name(device) if device.type == "cuda" else "cpu"
    return told | {
        "torch": torch.__version__,
        "torch_threads": torch.get_num_threads(),
        "device": words,
    }


def write(found: Measured, folder: Path, where: Mapping[str, Any]) -> Path:
    """One file of all there is to say, and rows at the end of the summary."""
    path = write_json(
        {
            "scenario": found.scenario,
            "environment": dict(where),
            "metrics": found.metrics,
            "telemetry": found.telemetry,
            "details": found.details,
        },
        folder / f"{found.scenario}_metrics.json",
    )
    summary = folder / "summary.csv"
    before = summary.read_text("utf-8") if summary.exists() else ",".join(COLUMNS) + "\n"
    rows = io.StringIO()
    writer = csv.writer(rows, lineterminator="\n")
    told = [where[name] for name in COLUMNS[:5]]
    writer.writerows([*told, found.scenario, name, repr(v)] for name, v in found.metrics.items())
    atomic.write_text(summary, before + rows.getvalue())
    return path


def read_baseline(path: Path) -> dict[tuple[str, str], float]:
    """The last value of every metric in an earlier summary."""
    try:
        rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
        return {(row["scenario"], row["metric"]): float(row["value"]) for row in rows}
    except OSError as error:
        raise ReportError(f"cannot read {path}: {error.strerror or error}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise ReportError(f"{path} is not a summary.csv of this command: {error}") from error


def regressions(
    found: Sequence[Measured], baseline: Mapping[tuple[str, str], float]
) -> tuple[str, ...]:
    """Medians and rates that are more than five per cent worse than they were.

    Means and percentiles at the edge are told but not judged: on a busy machine they only say who
    else was at work.
    """
    worse: list[str] = []
    for one in found:
        for name, value in one.metrics.items():
            before = baseline.get((one.scenario, name))
            if before is None or not before > 0.0:
                continue
            if name.endswith("_ms_p50"):
                change = value / before - 1.0
            elif name.endswith("_per_s"):
                change = before / value - 1.0
            else:
                continue
            if change > REGRESSION_MAX:
                told = f"{one.scenario}: {name} was {before:.4g} and is {value:.4g}"
                worse.append(f"{told}, {change:.0%} worse")
    return tuple(worse)


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of the table: what is on record elsewhere, what is asked for, how it is read."""

    name: str
    scenario: str
    recorded: str
    asked: str | Callable[[DrillSettings], str]
    """What is asked for under these settings."""
    here: Callable[[Metrics], str]
    met: Callable[[Metrics, DrillSettings], bool]
    applies: Callable[[DrillSettings], bool] = lambda _: True
    """Whether the figure asks for anything under these settings; elsewhere it is not judged."""

    def row(self, metrics: Metrics, settings: DrillSettings) -> Row:
        """Return its row of the table."""
        asked = self.asked if isinstance(self.asked, str) else self.asked(settings)
        met = self.met(metrics, settings) if self.applies(settings) else None
        return self.name, self.recorded, asked, self.here(metrics), met


def _evaluations(settings: DrillSettings) -> tuple[int, int]:
    """Return how often the controller of the timeout drill is asked, and how often it hangs.

    After so many timeouts in a row the breaker opens, and it is not asked again.
    """
    epochs = settings.epochs or TIMEOUT_EPOCHS
    if settings.timeout_every == 1:
        epochs = min(epochs, BreakerLimits().failures)
    return epochs, epochs // settings.timeout_every


def _timeouts_asked(settings: DrillSettings) -> str:
    evaluations, timeouts = _evaluations(settings)
    return f"{timeouts} of {evaluations}, grafting 0"


def _prefetch_p95_ms(settings: DrillSettings) -> float:
    """Return the 95th percentile that is asked for: as much above the farthest as on record."""
    return settings.ready_latency_ms + bench_jitter_ms(settings) + PREFETCH_MARGIN_MS


def _steady_limits_ms(settings: DrillSettings) -> tuple[float, float]:
    """Return the mean and the 95th percentile that are asked for of an epoch."""
    return (20.0, 40.0) if settings.device.type == "cuda" else (4.0, 6.0)


FIGURES: Final = (
    Figure(
        "steady epoch, mean / p95",
        "steady_train",
        "4.35 / 6.27 ms (linear model)",
        lambda s: "≤ {:g} / {:g} ms".format(*_steady_limits_ms(s)),
        lambda m: f"{m['epoch_ms_mean']:.2f} / {m['epoch_ms_p95']:.2f} ms",
        lambda m, s: (
            m["epoch_ms_mean"] <= _steady_limits_ms(s)[0]
            and m["epoch_ms_p95"] <= _steady_limits_ms(s)[1]
        ),
        applies=lambda s: s.batch_size == STEADY_BATCH,
    ),
    Figure(
        "of it deciding, committing, snapshot",
        "steady_train",
        "-",
        "≤ 50 ms",
        lambda m: f"{m['hook_ms_mean']:.2f} / {m['hook_ms_p95']:.2f} ms",
        lambda m, _: m["hook_ms_p95"] <= 50.0,
    ),
    Figure(
        "restore of 1 M parameters from memory, p50",
        "rollback_deadline",
        "12 ms (injected)",
        "≤ 12 ms",
        lambda m: f"{m['restore_ms_p50']:.1f} ms",
        lambda m, _: m["restore_ms_p50"] <= 12.0,
    ),
    Figure(
        "the same from its file, p50",
        "rollback_deadline",
        "-",
        "≤ 250 ms",
        lambda m: f"{m['full_restore_ms_p50']:.1f} ms",
        lambda m, _: m["full_restore_ms_p50"] <= 250.0,
    ),
    Figure(
        "rollback drill, deadlines missed",
        "rollback_deadline",
        "1",
        lambda s: f"1 if it takes more than {s.deadline_ms:g} ms",
        lambda m: f"{m['drill_deadline_exceeded']:.0f} in {m['drill_restore_ms']:.1f} ms",
        lambda m, s: m["drill_deadline_exceeded"] == float(m["drill_restore_ms"] > s.deadline_ms),
    ),
    Figure(
        "controller timeouts of evaluations",
        "tamiyo_timeout",
        "1 of 2, grafting 0",
        _timeouts_asked,
        lambda m: (
            f"{m['timeouts_total']:.0f} of {m['evaluations']:.0f}, "
            f"grafting {m['grafting_failures']:.0f}"
        ),
        lambda m, s: (
            (m["evaluations"], m["timeouts_total"], m["grafting_failures"]) == (*_evaluations(s), 0)
        ),
    ),
    Figure(
        "prefetch burst, mean / p95",
        "kasmina_prefetch_burst",
        "40.7 / 41.1 ms",
        lambda s: f"≤ 1 ms over {s.ready_latency_ms:g}",
        lambda m: (
            f"{m['latency_ms_mean']:.1f} / {m['latency_ms_p95']:.1f} ms, "
            f"{m['overhead_ms_mean']:.2f} over, of it {m['build_ms_mean']:.2f} building"
        ),
        lambda m, _: m["overhead_ms_mean"] <= 1.0,
    ),
    Figure(
        "prefetch bench, mean / p50 / p95, errors",
        "kasmina_prefetch_bench",
        "40.1 / 39.9 / 53.4 ms, 0",
        lambda s: f"p95 ≤ {_prefetch_p95_ms(s):.1f} ms, 0",
        lambda m: (
            f"{m['latency_ms_mean']:.1f} / {m['latency_ms_p50']:.1f} / "
            f"{m['latency_ms_p95']:.1f} ms, {m['errors']:.0f}"
        ),
        lambda m, s: m["errors"] == 0.0 and m["latency_ms_p95"] <= _prefetch_p95_ms(s),
    ),
    Figure(
        "a seed that learns: time, MACs, loss",
        "seed_overhead",
        "×4.3, same loss (GPU)",
        "time ≤ 1.5 × MACs",
        lambda m: (
            f"×{m['training_time_ratio']:.2f}, ×{m['training_macs_ratio']:.2f}, "
            + ("same loss" if m["training_loss_difference"] == 0.0 else "another loss")
        ),
        lambda m, _: (
            m["training_time_ratio"] <= 1.5 * m["training_macs_ratio"]
            and m["training_loss_difference"] == 0.0
        ),
    ),
    Figure(
        "three seeds that are felt: time, MACs",
        "seed_overhead",
        "-",
        "time ≤ 1.5 × MACs",
        lambda m: f"×{m['felt_time_ratio']:.2f}, ×{m['felt_macs_ratio']:.2f}",
        lambda m, _: m["felt_time_ratio"] <= 1.5 * m["felt_macs_ratio"],
    ),
    Figure(
        "soak: epochs, amplitude, violations",
        "seed_soak",
        "100, 1.0, 0",
        lambda s: f"{s.epochs or SOAK_EPOCHS}, 1.0, 0, probe on",
        lambda m: f"{m['epochs']:.0f}, {m['alpha_min']:.1f}, {m['violations']:.0f}",
        lambda m, s: (
            (m["epochs"], m["alpha_min"], m["violations"]) == (s.epochs or SOAK_EPOCHS, 1, 0)
            and m["slots_probed"] > 0
        ),
        # In fewer epochs not every seed can reach full amplitude.
        applies=lambda s: (s.epochs or SOAK_EPOCHS) >= SOAK_EPOCHS,
    ),
    Figure(
        "PPO, 1 host × 5 epochs, 1,000 images",
        "short_run",
        "0.32 episodes/s",
        "≥ 0.5 episodes/s",
        lambda m: f"{m['episodes_per_s']:.2f} episodes/s",
        lambda m, _: m["episodes_per_s"] >= 0.5,
    ),
    Figure(
        "PPO, 1 host × 5 epochs, CIFAR-10",
        "cifar_run",
        "0.0255 episodes/s, 7.48 s an epoch",
        "≥ 0.1275 episodes/s",
        lambda m: (
            f"{m['episodes_per_s']:.4f} episodes/s, {m['vector_epoch_ms_p50'] / 1e3:.2f} s an epoch"
        ),
        lambda m, _: m["episodes_per_s"] >= 0.1275,
    ),
    Figure(
        "PPO, 4 hosts × 25 epochs, 3 slots",
        "vector_run",
        "0.90 episodes/s, 0.16 s an epoch",
        "≥ 2 episodes/s",
        lambda m: (
            f"{m['episodes_per_s']:.2f} episodes/s, {m['vector_epoch_ms_p50'] / 1e3:.2f} s an epoch"
        ),
        lambda m, _: m["episodes_per_s"] >= 2.0,
    ),
)


def rows(found: Sequence[Measured], settings: DrillSettings) -> list[Row]:
    """What there is of the table, for drills that ran with these settings."""
    by_name = {one.scenario: one.metrics for one in found}
    return [
        one.row(metrics, settings)
        for one in FIGURES
        if (metrics := by_name.get(one.scenario)) is not None
    ]


_VERDICTS: Final = {True: "yes", False: "no", None: "not judged"}


def markdown(found: Sequence[Measured], where: str, command: str, settings: DrillSettings) -> str:
    """The table as a page shows it."""
    lines = [f"`{command}`", "", where, "", "| figure | on record | asked | here | met |"]
    lines.append("| --- | --- | --- | --- | --- |")
    for *cells, met in rows(found, settings):
        lines.append(f"| {' | '.join(map(str, cells))} | {_VERDICTS[met]} |")
    return "\n".join(lines) + "\n"
