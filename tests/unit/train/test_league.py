"""Runs that meet their own past."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_runs import LANTERNS, PROSPECTOR, small, training

from astrarium.errors import ConfigError
from astrarium.runs import RunFolder
from astrarium.train.league import league_of
from astrarium.train.training import resume, start

LEAGUE = {
    "world": {**LANTERNS, "worlds": 8},
    "league": {"share": 0.5, "size": 2},
    "run": {"total_env_steps": 1200, "window_env_steps": 256, "eval_episodes": 0},
}


def test_guests_play_one_side_of_some_worlds_and_teach_nothing(tmp_path: Path) -> None:
    outcome = start(small(LEAGUE, {"run": {"root": str(tmp_path), "id": "first"}}))
    run = RunFolder.open(outcome.folder)
    assert len(run.checkpoints()) > 2
    config = small(LEAGUE)
    with training(config) as ppo:
        league = league_of(config, ppo)
        assert league is not None
        league.follow(run, 3)
        ppo.update(0.1, lambda world: None)
        own = ppo.learners[0].rollout.own.numpy().reshape(-1, 8, 2)
        assert own[:, 4:].all()
        assert (own[:, :4].sum(axis=2) == 1).all()
        assert own[0, 0].tolist() == [True, False]
        assert own[0, 1].tolist() == [False, True]


def test_without_a_past_everybody_is_oneself() -> None:
    config = small(LEAGUE)
    with training(config) as ppo:
        assert league_of(config, ppo) is not None
        ppo.update(0.1, lambda world: None)
        assert ppo.learners[0].rollout.own.all()


def test_a_league_needs_two_sides() -> None:
    config = small({"world": PROSPECTOR, "league": {"share": 0.5}})
    with training(config) as ppo, pytest.raises(ConfigError, match="two sides"):
        league_of(config, ppo)


def test_a_run_that_was_stopped_meets_the_same_opponents(tmp_path: Path) -> None:
    whole = start(small(LEAGUE, {"run": {"root": str(tmp_path), "id": "whole"}}))
    asked = iter([False, True])
    parted = start(
        small(LEAGUE, {"run": {"root": str(tmp_path), "id": "parted"}}), stop=lambda: next(asked)
    )
    assert parted.status == "interrupted"
    resume(parted.folder)
    one, two = (RunFolder.open(one.folder).load_checkpoint("latest") for one in (whole, parted))
    assert one.window_id == two.window_id
    assert all((one.policy[name] == two.policy[name]).all() for name in one.policy)


def test_a_captain_meets_its_own_past(tmp_path: Path) -> None:
    """In every other world of the league the guest has the blue ship, else the red one."""
    duel = {
        "world": {
            "id": "tidebreak-v1",
            "worlds": 4,
            "settings": {"side": "both", "decision_ticks": 10, "fidelity": "F0"},
        },
        "league": {"share": 0.5},
        "run": {"total_env_steps": 1280, "window_env_steps": 640, "eval_episodes": 0},
    }
    run = RunFolder.open(start(small(duel, {"run": {"root": str(tmp_path)}})).folder)
    config = small(duel)
    with training(config) as ppo:
        league = league_of(config, ppo)
        assert league is not None
        league.follow(run, 1)
        ppo.update(0.1, lambda world: None)
        own = ppo.learners[0].rollout.own.numpy().reshape(-1, 4, 2)
        assert own[:, 0].tolist() == [[True, False]] * len(own)
        assert own[:, 1].tolist() == [[False, True]] * len(own)
        assert own[:, 2:].all()


def test_a_league_of_unequal_fleets_is_refused() -> None:
    settings = {"scenario": "uneven", "side": "both", "fidelity": "F0"}
    world = {"id": "tidebreak-v1", "worlds": 2, "settings": settings}
    config = small({"world": world, "league": {"share": 0.5}})
    with training(config) as ppo, pytest.raises(ConfigError, match="two sides of equal size"):
        league_of(config, ppo)
