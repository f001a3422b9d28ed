"""Policies from checkpoints and run folders: the right ones, or a refusal."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from small_players import GROUPS, LSTM, SCALED, made, player, trained
from small_runs import PROSPECTOR, small

from astrarium.runs import RunFolder
from astrarium.train import training as runs
from astrarium.train.errors import PolicyMismatchError
from astrarium.train.player import load_player, player_of

# The wrong weights


def test_another_architecture_is_refused() -> None:
    config = small()
    point = trained(config, count=0)
    layout = made(config, [0]).layout
    for layer in ({"policy": {"hidden": [16]}}, {"policy": {"activation": "tanh"}}, LSTM):
        with pytest.raises(PolicyMismatchError, match="the checkpoint is of a mlp-13-16x12-relu-"):
            player(small(layer), point, layout)


def test_another_world_is_refused() -> None:
    config = small()
    point = trained(config, count=0)
    other = small({"world": PROSPECTOR})
    with pytest.raises(PolicyMismatchError, match="the world the checkpoint was trained with"):
        player(other, point, made(other, [0]).layout)


def test_weights_of_another_shape_or_group_are_refused() -> None:
    config = small()
    point = trained(config, count=0)
    layout = made(config, [0]).layout
    spoilt = dict(point.policy)
    spoilt["shared.hidden.1.weight"] = np.zeros((3, 3), np.float32)
    with pytest.raises(
        PolicyMismatchError, match=r"shared\.hidden\.1\.weight is of shape \(3, 3\)"
    ):
        player(config, dataclasses.replace(point, policy=spoilt), layout)
    del spoilt["shared.hidden.1.weight"]
    with pytest.raises(PolicyMismatchError, match=r"hidden\.1\.weight is missing"):
        player(config, dataclasses.replace(point, policy=spoilt), layout)
    grouped = small({"policy": {"groups": {"left": [0], "right": [1]}}})
    with pytest.raises(PolicyMismatchError, match=r"left\.\S+ is missing in the checkpoint"):
        player(grouped, point, layout)


def test_a_scale_that_was_not_saved_is_missed() -> None:
    point = trained(small(), count=0)
    layout = made(small(), [0]).layout
    with pytest.raises(PolicyMismatchError, match=r"shared\.observation_scale\.\S+ is missing"):
        player(small(SCALED), point, layout)


# From a run folder


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A whole small run."""
    config = small(
        GROUPS,
        SCALED,
        {
            "run": {
                "root": str(tmp_path_factory.mktemp("runs")),
                "id": "mine",
                "total_env_steps": 300,
                "window_env_steps": 100,
                "eval_episodes": 0,
                "threads": 1,
            }
        },
    )
    return RunFolder.open(runs.start(config).folder)


def test_a_player_is_loaded_from_a_run(run: RunFolder) -> None:
    latest, first = load_player(run), load_player(run, 0)
    last = run.checkpoints()[-1].window_id
    assert (latest.name, first.name) == (f"mine@{last}", "mine@0")
    assert last > 0
    config = small(GROUPS)
    opinions = []
    for one in (load_player(run, thinking=True), load_player(run, 0, thinking=True)):
        world = made(config, np.arange(5))
        one(world, 0)
        assert one.thoughts is not None
        opinions.append(one.thoughts.value)
    assert not np.allclose(*opinions)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_weights_that_are_not_finite_are_refused_by_name(run: RunFolder, value: float) -> None:
    checkpoint = run.load_checkpoint()
    name = sorted(name for name in checkpoint.policy if "observation_scale" not in name)[0]
    spoilt = dict(checkpoint.policy)
    spoilt[name] = spoilt[name].copy()
    spoilt[name].flat[0] = value
    config = small(GROUPS, SCALED)
    layout = made(config, np.arange(1)).layout
    with pytest.raises(PolicyMismatchError, match=f"{name} has 1 of .* NaN or infinite"):
        player_of(dataclasses.replace(checkpoint, policy=spoilt), config, layout, "mine")


def test_a_checkpoint_that_is_not_there_is_named(run: RunFolder) -> None:
    with pytest.raises(ValueError, match="no checkpoint of window 77"):
        load_player(run, 77)


def test_the_run_of_the_fixture_is_whole(run: RunFolder) -> None:
    assert run.status() == "completed"
    assert len(run.windows()) >= 3
