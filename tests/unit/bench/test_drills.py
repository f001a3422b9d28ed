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

SETTINGS = DrillSettings()
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
    found = record.rows([fast], SETTINGS)
    assert [row[-1] for row in found] == [True, False]
    command = "astrarium esper harness steady-train"
    page = record.markdown([fast], "a machine, commit abc", command, SETTINGS)
    assert "| steady epoch, mean / p95 | 4.35 / 6.27 ms (linear model) | ≤ 4 / 6 ms |" in page
    assert "a machine, commit abc" in page


def judged(scenario: str, settings: DrillSettings, **metrics: float) -> tuple[str, bool | None]:
    """What is asked for under these settings, and the verdict."""
    (row,) = record.rows([Measured(scenario, metrics)], settings)
    return row[2], row[4]


@pytest.mark.parametrize(
    ("settings", "counts", "asked", "met"),
    [
        ({}, (2, 1, 0), "1 of 2, grafting 0", True),
        ({"epochs": 6, "timeout_every": 3}, (6, 2, 0), "2 of 6, grafting 0", True),
        ({"epochs": 6, "timeout_every": 3}, (2, 1, 0), "2 of 6, grafting 0", False),
        ({"epochs": 8, "timeout_every": 1}, (3, 3, 0), "3 of 3, grafting 0", True),
        ({"epochs": 6}, (6, 3, 1), "3 of 6, grafting 0", False),
    ],
)
def test_timeouts_are_judged_by_the_settings(
    settings: dict[str, int], counts: tuple[int, int, int], asked: str, met: bool
) -> None:
    names = ("evaluations", "timeouts_total", "grafting_failures")
    metrics = dict(zip(names, map(float, counts), strict=True))
    verdict = judged("tamiyo_timeout", replace(SETTINGS, **settings), **metrics)
    assert verdict == (asked, met)


def test_a_controller_that_always_hangs_meets_what_is_asked() -> None:
    settings = DrillSettings(epochs=4, timeout_every=1, timeout_ms=5.0)
    found = scenarios.tamiyo_timeout(settings)
    (row,) = record.rows([found], settings)
    assert row[-1], row


@pytest.mark.parametrize(
    ("deadline", "took", "missed", "met"),
    [
        (5.0, 9.0, 1.0, True),
        (5.0, 9.0, 0.0, False),
        (50.0, 9.0, 0.0, True),
        (50.0, 9.0, 1.0, False),
    ],
)
def test_a_deadline_is_judged_by_what_it_is(
    deadline: float, took: float, missed: float, met: bool
) -> None:
    metrics = dict.fromkeys(("restore_ms_p50", "full_restore_ms_p50"), 1.0)
    metrics |= {"drill_restore_ms": took, "drill_deadline_exceeded": missed}
    settings = replace(SETTINGS, deadline_ms=deadline)
    *_, row = record.rows([Measured("rollback_deadline", metrics)], settings)
    assert (row[2], row[4]) == (f"1 if it takes more than {deadline:g} ms", met)


def test_prefetches_are_judged_by_how_far_away_seeds_are() -> None:
    far = replace(SETTINGS, ready_latency_ms=100.0)
    bench = {"latency_ms_mean": 101.0, "latency_ms_p50": 101.0, "errors": 0.0}
    assert judged("kasmina_prefetch_bench", far, **bench, latency_ms_p95=113.0) == (
        "p95 ≤ 113.4 ms, 0",
        True,
    )
    assert not judged("kasmina_prefetch_bench", SETTINGS, **bench, latency_ms_p95=113.0)[1]
    burst = {"latency_ms_mean": 1.0, "latency_ms_p95": 1.0, "build_ms_mean": 0.0}
    asked, met = judged("kasmina_prefetch_burst", far, **burst, overhead_ms_mean=0.5)
    assert (asked, met) == ("≤ 1 ms over 100", True)


def test_what_other_settings_make_incomparable_is_not_judged() -> None:
    steady = {"epoch_ms_mean": 3.0, "epoch_ms_p95": 5.0, "hook_ms_mean": 1.0, "hook_ms_p95": 6.0}
    large = replace(SETTINGS, batch_size=64)
    found = [Measured("steady_train", steady)]
    assert [row[-1] for row in record.rows(found, large)] == [None, True]
    assert "| not judged |" in record.markdown(found, "here", "command", large)
    soak = {"epochs": 20.0, "alpha_min": 0.0, "violations": 0.0, "slots_probed": 1.0}
    assert judged("seed_soak", replace(SETTINGS, epochs=20), **soak) == (
        "20, 1.0, 0, probe on",
        None,
    )
    soak |= {"epochs": 150.0, "alpha_min": 1.0}
    assert judged("seed_soak", replace(SETTINGS, epochs=150), **soak)[1] is True
    assert judged("seed_soak", SETTINGS, **soak)[1] is False


def test_a_soak_of_few_epochs_ends_without_a_seed() -> None:
    found = growing.seed_soak(DrillSettings(epochs=1))
    assert (found.metrics["alpha_min"], found.metrics["violations"]) == (0.0, 0.0)
