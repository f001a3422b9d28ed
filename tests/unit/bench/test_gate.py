"""The matrix and the floor gate, on loops whose speed is made up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from astrarium.bench import profile as profiles
from astrarium.bench.candidates import Candidate, Effort, ImpossibleError
from astrarium.bench.floor import bench_floor
from astrarium.bench.loops import Count, Slice
from astrarium.bench.matrix import IMPLEMENTATIONS, Plan, bench_matrix
from astrarium.bench.profile import Stepping, profile
from astrarium.bench.report import ReportError, write_json
from astrarium.cli import main

QUIET = Console(quiet=True)


class Paced:
    """A loop that says it takes `seconds` for each step of the batch, one per slice in turn."""

    def __init__(self, num_worlds: int, *seconds: float) -> None:
        self.num_worlds = num_worlds
        self.seconds = list(seconds)
        self.closed = False

    def steps(self, calls: int) -> Slice:
        pace = self.seconds[0] if len(self.seconds) == 1 else self.seconds.pop(0)
        steps = calls * self.num_worlds
        return Slice(steps, steps * pace, steps * pace)

    resets = steps

    def count(self, calls: int) -> Count:
        return Count(calls * self.num_worlds, 3.0 * calls * self.num_worlds, 0)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def paced(monkeypatch: pytest.MonkeyPatch) -> dict[int, list[float]]:
    """Seconds per step by batch size: the first for the warm-up, then one per sample."""
    speeds = {1: [0.1], 64: [0.1, 0.01, 0.02, 0.01]}

    def open_loop(candidate: Candidate) -> Stepping:
        if candidate.threads == 2:
            raise ImpossibleError("one is enough")
        if candidate.implementation == "reference":
            raise RuntimeError("it broke")
        loop = Paced(candidate.num_worlds, *speeds[candidate.num_worlds])
        return Stepping(loop, candidate.num_worlds)

    monkeypatch.setitem(profiles.MODES, "env_only", open_loop)
    return speeds


def plan(**changes: Any) -> Plan:
    whole: dict[str, Any] = {"modes": ("env_only",), "implementations": ("native",)}
    whole |= {"sizes": (1, 64), "seconds": 0.5}
    return Plan(**(whole | changes))


def test_a_sample_reports_calls_and_ticks_apart() -> None:
    done = profiles.MODES["env_only"]
    assert done is profiles.env_only
    candidate = Candidate("env_only", "prospector-v1", "native", 4, 1)
    run = profile(candidate, Effort(seconds=0.01, repeats=2))
    assert run.status == "ok"
    assert len(run.samples) == 2
    assert run.spreads["ticks_per_second"].mean > run.steps_per_second.mean > 0
    assert run.peak_heap_bytes > 0
    assert run.peak_resident_bytes >= 0


def test_the_best_candidate_sets_the_floor(paced: dict[int, list[float]]) -> None:
    report = bench_matrix(plan(target=50.0), QUIET)
    assert report.passed
    best = report.results["modes"]["env_only"]
    assert best["best_candidate"]["num_worlds"] == 64
    assert best["mean"] == pytest.approx((100 + 50 + 100) / 3)
    assert best["recommended_floor"] == pytest.approx(50 * 0.9)
    assert best["target_distance"] == pytest.approx(best["mean"] - 50)
    assert [one["name"] for one in best["top"]] == [
        "native, n=64, 1 thread",
        "native, n=1, 1 thread",
    ]
    states = [one["status"] for one in report.results["candidates"]]
    assert states == ["ok", "skipped", "ok", "skipped"]
    assert report.results["candidates"][1]["reason"] == "one is enough"


def test_a_broken_candidate_fails_the_matrix_but_not_the_others(
    paced: dict[int, list[float]],
) -> None:
    report = bench_matrix(plan(implementations=IMPLEMENTATIONS, sizes=(1,), threads=(1,)), QUIET)
    assert report.reasons == ["env_only, reference, n=1, 1 thread: RuntimeError: it broke"]
    assert report.results["modes"]["env_only"]["best_candidate"]["implementation"] == "native"


def test_targets_and_gaps_count_only_when_asked(paced: dict[int, list[float]]) -> None:
    wanting = {"required": ("env_only", "trainer", "ppo"), "target": 1e9}
    relaxed = bench_matrix(plan(**wanting), QUIET)
    assert relaxed.passed
    assert relaxed.results["coverage"]["gaps"] == ["trainer", "ppo"]
    paced[64] = [0.1, 0.01, 0.02, 0.01]
    strict = bench_matrix(plan(**wanting, enforce_target=True, enforce_coverage=True), QUIET)
    assert "1,000,000,000 is asked" in strict.reasons[0]
    assert strict.reasons[1:] == ["trainer: no candidate worked", "ppo: no candidate worked"]


@pytest.mark.parametrize("safety", [0.0, -1.0, 1.01])
def test_a_safety_factor_outside_its_range_is_refused(safety: float) -> None:
    with pytest.raises(ReportError, match="safety"):
        Plan(safety=safety)


def matrix_file(folder: Path, **mode: Any) -> Path:
    """A stored matrix whose one mode is as given."""
    best = {
        "mode": "env_only",
        "world": "prospector-v1",
        "implementation": "native",
        "num_worlds": 1,
        "threads": 1,
        "backend": "",
        "minibatches": 0,
        "epochs": 0,
    }
    whole = {"best_candidate": best, "status": "ok", "recommended_floor": 9.0, "target": 20.0}
    content = {
        "kind": "matrix",
        "run_id": "earlier",
        "config": {"modes": ["env_only"], "seconds": 0.5, "ticks": 1, "repeats": 2},
        "results": {"modes": {"env_only": {**whole, **mode}}},
    }
    return write_json(content, folder / "matrix.json")


def gate(path: Path, *modes: str) -> dict[str, Any]:
    return dict(bench_floor(path, modes, QUIET).results["modes"])


def test_the_gate_holds_a_mode_to_its_floor(tmp_path: Path, paced: dict[int, list[float]]) -> None:
    held = gate(matrix_file(tmp_path))["env_only"]
    assert (held["status"], held["floor"]) == ("pass", 9.0)
    assert held["mean"] == pytest.approx(10.0)
    assert held["target_distance"] == pytest.approx(-10.0)
    failed = bench_floor(matrix_file(tmp_path, recommended_floor=11.0), ("env_only",), QUIET)
    assert failed.reasons == [
        "env_only: 10 steps per second of processor time, below the floor of 11"
    ]


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ({"recommended_floor": 0.0}, "a floor of 0 holds nothing"),
        ({"recommended_floor": -3.0}, "a floor of -3 holds nothing"),
        ({"best_candidate": None}, "the matrix has no candidate that worked"),
        ({"status": "error"}, "the matrix has no candidate that worked"),
    ],
)
def test_a_mode_without_a_floor_or_candidate_is_an_error(
    tmp_path: Path, paced: dict[int, list[float]], mode: dict[str, Any], reason: str
) -> None:
    answer = gate(matrix_file(tmp_path, **mode))["env_only"]
    assert (answer["status"], answer["reason"]) == ("error", reason)


def test_a_missing_mode_is_an_error(tmp_path: Path, paced: dict[int, list[float]]) -> None:
    report = bench_floor(matrix_file(tmp_path), ("trainer",), QUIET)
    assert report.reasons == ["trainer: the matrix has no such mode"]


def test_the_gate_does_not_notice_what_else_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Disturbed(Paced):
        def steps(self, calls: int) -> Slice:
            one = super().steps(calls)
            return Slice(one.steps, 3.0 * one.wall_s, one.cpu_s)

    monkeypatch.setitem(
        profiles.MODES, "env_only", lambda one: Stepping(Disturbed(one.num_worlds, 0.1), 1)
    )
    assert gate(matrix_file(tmp_path))["env_only"]["status"] == "pass"


def test_a_candidate_that_no_longer_works_is_an_error(
    tmp_path: Path, paced: dict[int, list[float]]
) -> None:
    best = {
        "mode": "env_only",
        "world": "prospector-v1",
        "implementation": "reference",
        "num_worlds": 1,
        "threads": 1,
        "backend": "",
        "minibatches": 0,
        "epochs": 0,
    }
    answer = gate(matrix_file(tmp_path, best_candidate=best))["env_only"]
    assert answer["status"] == "error"
    assert "it broke" in answer["reason"]


def test_what_is_no_matrix_is_refused(tmp_path: Path) -> None:
    path = write_json({"kind": "worlds", "run_id": "x"}, tmp_path / "other.json")
    with pytest.raises(ReportError, match=r"other\.json is no matrix report: kind"):
        bench_floor(path, ("env_only",), QUIET)


def status_of(*tokens: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(tokens))
    return int(str(ended.value.code))


def test_exit_status_tells_pass_from_fail(tmp_path: Path, paced: dict[int, list[float]]) -> None:
    json = ("--json", str(tmp_path / "floor.json"))
    assert status_of("bench", "floor", str(matrix_file(tmp_path)), *json) == 0
    slow = matrix_file(tmp_path, recommended_floor=11.0)
    assert status_of("bench", "floor", str(slow), *json) == 2
    assert status_of("bench", "floor", str(slow), "--modes", "trainer", *json) == 2
    assert status_of("bench", "floor", str(tmp_path / "absent.json"), *json) == 2
