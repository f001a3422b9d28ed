"""The drills: what they find and count, never how long it took."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from astrarium.bench.drills import growing, record, scenarios
from astrarium.bench.drills.settings import DrillSettings, Measured
from astrarium.bench.report import ReportError
from astrarium.esper.shapes import CnnShape
from astrarium.esper.tasks import task
from astrarium.machine import facts

QUICK = DrillSettings(epochs=2, requests=6, concurrency=2, ready_latency_ms=1.0)


def test_steady_training_tells_the_whole_epoch_and_the_hook_in_it() -> None:
    found = scenarios.steady_train(QUICK)
    assert found.scenario == "steady_train"
    assert found.metrics["epochs_failed"] == 0.0
    assert 0.0 < found.metrics["hook_ms_p50"] < found.metrics["epoch_ms_p50"]
    told = found.telemetry["metrics"]
    assert told["tolaria.epochs_total"] == scenarios.WARM_UP + 2.0


def test_the_rollback_drill_really_restores_from_both_tiers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scenarios, "MILLION", scenarios.SMALLEST)
    found = scenarios.rollback_deadline(DrillSettings(deadline_ms=1e-6))
    assert found.metrics["fast_restores"] == scenarios.RESTORES
    assert found.metrics["full_restores"] == scenarios.FULL_RESTORES
    assert found.metrics["drill_deadline_exceeded"] == 1.0
    events = [event["name"] for event in found.telemetry["events"]]
    assert "tolaria.rollback_late" in events
    relaxed = scenarios.rollback_deadline(DrillSettings(deadline_ms=1e9))
    assert relaxed.metrics["drill_deadline_exceeded"] == 0.0


@pytest.mark.parametrize(("epochs", "every", "timeouts"), [(2, 2, 1), (4, 2, 2), (3, 4, 0)])
def test_a_hanging_controller_costs_one_timeout_each_time(
    epochs: int, every: int, timeouts: int
) -> None:
    settings = DrillSettings(epochs=epochs, timeout_every=every, timeout_ms=200.0)
    found = scenarios.tamiyo_timeout(settings)
    assert found.metrics["evaluations"] == epochs
    # On a machine that stands still, other epochs may be late too; these are, for sure.
    assert found.metrics["timeouts_total"] >= timeouts
    assert found.metrics["epochs_failed"] == 0.0
    events = [event["name"] for event in found.telemetry["events"]]
    assert events.count("tolaria.tamiyo_timeout") == found.metrics["timeouts_total"]


def test_a_burst_answers_every_request_and_tells_what_was_simulated() -> None:
    found = scenarios.kasmina_prefetch_burst(QUICK)
    told = found.telemetry["metrics"]
    answered = sum(v for name, v in told.items() if name.startswith("kasmina.prefetch.requests"))
    assert answered == 6.0
    assert found.metrics["simulated_ms_mean"] == 1.0
    whole = found.metrics["simulated_ms_mean"] + found.metrics["overhead_ms_mean"]
    assert whole == pytest.approx(found.metrics["latency_ms_mean"])


def test_seeds_that_learn_do_not_change_the_loss() -> None:
    found = growing.seed_overhead(QUICK)
    assert found.details["training_stages"][0] == "TRAINING"
    assert found.metrics["training_loss_difference"] == 0.0
    assert found.metrics["felt_macs_ratio"] > found.metrics["training_macs_ratio"] > 1.0


def test_a_short_run_is_whole_rounds_of_ppo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "ROUNDS", 1)
    smallest = replace(task("noise"), host=CnnShape(1, 1, 1, 0, rows=(0,)))
    monkeypatch.setattr(growing, "task", lambda _: smallest)
    found = growing.short_run(DrillSettings())
    assert found.metrics["episodes_per_s"] > 0.0
    assert (found.details["hosts"], found.details["epochs"]) == (1, 5)


# On record


def measured(**metrics: float) -> Measured:
    return Measured("steady_train", metrics, {"events": []}, {"epochs": 2})


def test_files_hold_all_and_the_summary_grows(tmp_path: Path) -> None:
    where = record.environment(facts(), torch.device("cpu"))
    for value in (4.0, 5.0):
        path = record.write(measured(epoch_ms_p50=value), tmp_path, where)
    told = json.loads(path.read_text("utf-8"))
    assert list(told) == ["scenario", "environment", "metrics", "telemetry", "details"]
    assert told["metrics"] == {"epoch_ms_p50": 5.0}
    assert told["environment"]["torch"] == torch.__version__
    lines = (tmp_path / "summary.csv").read_text("utf-8").splitlines()
    assert len(lines) == 3
    baseline = record.read_baseline(tmp_path / "summary.csv")
    assert baseline == {("steady_train", "epoch_ms_p50"): 5.0}


@pytest.mark.parametrize(
    ("metric", "before", "now", "worse"),
    [
        ("epoch_ms_p50", 4.0, 4.19, False),
        ("epoch_ms_p50", 4.0, 4.21, True),
        ("epoch_ms_p50", 4.0, 1.0, False),
        ("episodes_per_s", 2.0, 1.95, False),
        ("episodes_per_s", 2.0, 1.8, True),
        ("epoch_ms_p95", 4.0, 40.0, False),
        ("timeouts_total", 1.0, 2.0, False),
    ],
)
def test_more_than_five_per_cent_is_a_regression(
    metric: str, before: float, now: float, worse: bool
) -> None:
    baseline = {("steady_train", metric): before}
    found = record.regressions([measured(**{metric: now})], baseline)
    assert bool(found) == worse
    assert record.regressions([measured(**{metric: now})], {}) == ()


def test_a_baseline_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="cannot read"):
        record.read_baseline(tmp_path / "summary.csv")
    (tmp_path / "summary.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ReportError, match=r"not a summary\.csv"):
        record.read_baseline(tmp_path / "summary.csv")


def test_the_table_has_what_was_measured_and_judges_it() -> None:
    fast = measured(epoch_ms_mean=3.0, epoch_ms_p95=5.0, hook_ms_mean=1.0, hook_ms_p95=60.0)
    found = record.rows([fast])
    assert [row[-1] for row in found] == [True, False]
    page = record.markdown([fast], "a machine, commit abc", "astrarium esper harness steady-train")
    assert "| steady epoch, mean / p95 | 4.35 / 6.27 ms (linear model) | ≤ 4 / 6 ms |" in page
    assert "a machine, commit abc" in page
