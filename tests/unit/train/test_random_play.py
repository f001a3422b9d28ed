"""The baseline of random actions: a run like any other, without a policy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_runs import small

from astrarium.cli import main
from astrarium.errors import ConfigError
from astrarium.runs import RunFolder
from astrarium.runs.replaying import verify
from astrarium.runs.replays import read
from astrarium.runs.windows import TIMING_FIELDS
from astrarium.train import training
from astrarium.train.contenders import contender
from astrarium.train.errors import NoPolicyError
from astrarium.train.evaluate import evaluate
from astrarium.train.evaluation_report import kind_of
from astrarium.train.player import load_player
from astrarium.worlds import ladder, make_vec
from astrarium.worlds.random_legal import random_legal

RUN: dict[str, Any] = {"id": "chance", "total_env_steps": 900, "window_env_steps": 300}


def config_in(root: Path, **more: Any) -> Any:
    return small({"algorithm": "random", "run": {**RUN, "root": root, "eval_episodes": 2}}, more)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return RunFolder.open(training.start(config_in(tmp_path_factory.mktemp("runs"))).folder)


def rows(folder: RunFolder) -> list[dict[str, Any]]:
    return [
        {key: value for key, value in row.items() if key not in TIMING_FIELDS}
        for row in folder.windows()
    ]


def test_windows_are_those_of_uniform_legal_actions(run: RunFolder) -> None:
    world = make_vec("lanterns-v1", 6, seed=5, ticks_max=30)
    rewards = []
    for step in range(150):
        world.step(random_legal(world, step))
        rewards.append(world.reward.copy())
    told = rows(run)
    assert [row["window_complete"] for row in told[:3]] == [True] * 3
    assert sum(row["reward_sum"] for row in told[:3]) == pytest.approx(np.sum(rewards))


def test_metadata_checkpoints_and_replays_name_the_baseline(run: RunFolder) -> None:
    told = run.metadata()
    assert (told["trainer_backend"], told["status"]) == ("random", "completed")
    assert not [name for name in told if name.startswith("ppo_")]
    checkpoint = run.load_checkpoint("latest")
    assert checkpoint.policy == {}
    entry = run.replay_index().entries[-1]
    assert entry.trainer_backend == "random"
    replay = read(run.folder / entry.replay_path)
    assert replay.header["policy"]["greedy"] is False
    assert verify(replay, entry).holds


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not(run: RunFolder, tmp_path: Path) -> None:
    part = training.start(config_in(tmp_path), stop=lambda: True)
    assert part.status == "interrupted"
    training.resume(part.folder)
    assert rows(RunFolder.open(part.folder)) == rows(run)


def test_evaluate_plays_it_as_a_baseline_and_expects_nothing(run: RunFolder) -> None:
    one = contender(run)
    evaluation = evaluate([one], ladder.Rules(episodes=4, seed=3), versus=[])
    assert kind_of(evaluation, one.name) == "baseline"
    assert evaluation.expectations() == []
    played = ladder.play(
        one.entry, "random_legal", random_legal, ladder.Rules(episodes=4, seed=3), one.config
    )
    assert np.array_equal(
        evaluation.records[one.name].columns["return_total"], played.columns["return_total"]
    )


def test_the_list_of_runs_says_so(run: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    root = str(run.folder.parent)
    with pytest.raises(SystemExit):
        main(["runs", "list", "--root", root, "--json"])
    assert json.loads(capsys.readouterr().out)[0]["trainer_backend"] == "random"
    with pytest.raises(SystemExit):
        main(["runs", "list", "--root", root])
    assert "random (baseline)" in capsys.readouterr().out


def test_nobody_takes_a_policy_from_it(run: RunFolder, tmp_path: Path) -> None:
    with pytest.raises(NoPolicyError, match="baseline of random actions"):
        load_player(run)
    begun = small({"run": {"root": tmp_path, "init_from": run.folder}})
    with pytest.raises(NoPolicyError, match="name a run that was trained"):
        training.start(begun)


@pytest.mark.parametrize(
    ("section", "settings", "words"),
    [
        ("run", {"init_from": "runs/x"}, "run.init_from"),
        ("anneal", {"teacher": "nearest_dark_lamp"}, "anneal.teacher"),
        ("league", {"share": 0.5}, "league.share"),
    ],
)
def test_settings_of_learning_are_refused(
    section: str, settings: dict[str, Any], words: str
) -> None:
    with pytest.raises(ConfigError, match=words):
        small({"algorithm": "random", section: settings})
