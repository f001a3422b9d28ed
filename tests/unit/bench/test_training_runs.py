"""The modes that train: what a run is told, what is impossible, and one that runs."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from astrarium.bench.candidates import Candidate, Effort
from astrarium.bench.floor import bench_floor
from astrarium.bench.matrix import Plan, bench_matrix
from astrarium.bench.profile import profile
from astrarium.bench.training_runs import MODES, TrainingRuns
from astrarium.runs import RunFolder
from astrarium.train import training
from astrarium.train.config import TrainConfig

QUIET = Console(quiet=True)
NATIVE = ("prospector-v1", "native")


def small(mode: str) -> Candidate:
    return Candidate(mode, *NATIVE, num_worlds=2, threads=1, backend="ppo", minibatches=1, epochs=1)


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What each training run was told and left behind."""
    seen: list[dict[str, Any]] = []
    start = training.start

    def watched(config: TrainConfig, **options: Any) -> training.Outcome:
        outcome = start(config, **options)
        run = RunFolder.open(outcome.folder)
        index, rows = run.replay_index(), run.windows()
        seen.append({"config": config, "outcome": outcome, "rows": rows, "index": index})
        return outcome

    monkeypatch.setattr(training, "start", watched)
    return seen


@pytest.mark.parametrize("mode", list(MODES))
def test_a_sample_is_a_whole_run(mode: str, ran: list[dict[str, Any]]) -> None:
    done = profile(small(mode), Effort(ticks=2400, repeats=2))
    assert (done.status, done.reason) == ("ok", "")
    # One to warm up before the samples, one under the tracer after them.
    warm, first, second, traced = ran
    assert warm["outcome"].env_steps_total < 2400 <= first["outcome"].env_steps_total
    assert traced["outcome"].calls_total == warm["outcome"].calls_total == 2 * 128
    for run, sample in zip((first, second), done.samples, strict=True):
        assert sample.steps == run["outcome"].calls_total
        ticks = sample.ticks_per_second * sample.wall_s
        assert ticks == pytest.approx(run["outcome"].env_steps_total)
    assert done.peak_heap_bytes > 0
    assert not any(run["outcome"].folder.exists() for run in ran)
    replays = len(first["index"].entries)
    assert replays == (len(first["rows"]) if mode == "trainer_eval" else 0)
    assert len(first["rows"]) >= 4
    assert done.steps_per_second.min <= done.steps_per_second.p99 <= done.steps_per_second.max


def test_the_candidate_says_what_the_trainer_is_told(ran: list[dict[str, Any]]) -> None:
    chosen = Candidate("trainer", *NATIVE, 4, 2, "ppo", minibatches=3, epochs=2)
    assert chosen.name == "ppo, native, n=4, 2 threads, 2×3 minibatches"
    assert profile(chosen, Effort(ticks=1, repeats=1)).status == "ok"
    config = ran[-1]["config"]
    assert (config.world.id, config.world.worlds, config.run.threads) == ("prospector-v1", 4, 2)
    assert (config.ppo.minibatches, config.ppo.epochs) == (3, 2)
    assert config.run.device == "cpu"


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (("reference", 64, 1, "ppo", 4, 4), "a trainer needs a native batch"),
        (("native", 0, 1, "ppo", 4, 4), "a trainer needs a native batch"),
        (("native", 1, 2, "ppo", 4, 4), "a batch uses no more threads than it has worlds"),
        (("native", 1, 1, "ppo", 129, 4), "a rollout of 128 steps makes no 129 minibatches"),
    ],
)
def test_what_is_impossible_is_skipped(settings: tuple[Any, ...], reason: str) -> None:
    done = profile(Candidate("trainer", "prospector-v1", *settings), Effort())
    assert (done.status, done.reason) == ("skipped", reason)


def plan(**changes: Any) -> Plan:
    whole: dict[str, Any] = {
        "implementations": ("native",),
        "threads": (1,),
        "train_sizes": (2,),
        "minibatches": (1, 2),
        "epochs": (1,),
        "modes": ("trainer",),
        "required": ("trainer", "ppo"),
        "ticks": 1,
        "repeats": 1,
    }
    return Plan(**(whole | changes))


def test_without_torch_the_backend_is_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec

    def without_torch(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name == "torch" else find(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", without_torch)
    report = bench_matrix(plan(enforce_coverage=True), QUIET)
    assert {one["status"] for one in report.results["candidates"]} == {"skipped"}
    assert 'pip install "astrarium[train]"' in report.results["candidates"][0]["reason"]
    assert report.results["coverage"]["gaps"] == ["trainer", "ppo"]
    assert report.reasons == ["trainer: no candidate worked", "ppo: no candidate worked"]


def test_a_training_that_breaks_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("it broke")

    monkeypatch.setattr(training, "start", broken)
    report = bench_matrix(plan(minibatches=(1,)), QUIET)
    name = "trainer, ppo, native, n=2, 1 thread, 1×1 minibatches"
    assert report.reasons == [f"{name}: RuntimeError: it broke"]
    assert report.results["coverage"]["gaps"] == ["trainer", "ppo"]


def test_the_floor_reruns_the_best_candidate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    matrix = bench_matrix(plan(minibatches=(2,)), QUIET)
    assert matrix.reasons == []
    assert matrix.results["coverage"]["gaps"] == []
    best = matrix.results["modes"]["trainer"]["best_candidate"]
    tried: list[tuple[Candidate, Effort]] = []
    samples = TrainingRuns.samples

    def watched(self: TrainingRuns, effort: Effort) -> list[Any]:
        tried.append((self.candidate, effort))
        return samples(self, effort)

    monkeypatch.setattr(TrainingRuns, "samples", watched)
    report = bench_floor(matrix.write(tmp_path / "matrix.json"), (), QUIET)
    assert [one.name for one, _ in tried] == [best["name"]]
    assert tried[0][1] == Effort(seconds=2.0, ticks=1, repeats=1)
    # Whether the floor holds is the machine's business; that it was tried is ours.
    assert report.results["modes"]["trainer"]["status"] in ("pass", "fail")


def test_stepping_loads_no_torch() -> None:
    words = "bench matrix --modes env_only --sizes 1 --threads 1 --seconds 0.001 --repeats 1"
    code = (
        "import sys\n"
        "from astrarium.cli import main\n"
        "try:\n"
        f"    main({words.split()!r} + ['--implementations', 'native'])\n"
        "except SystemExit as ended:\n"
        "    sys.exit('torch' in sys.modules or ended.code)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
