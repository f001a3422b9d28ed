"""The project's own trainer on hosts that grow: end to end, and exact when stopped and resumed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from little_hosts import little_data, little_entry, little_world

from astrarium import worlds
from astrarium.errors import ConfigError
from astrarium.esper import orders
from astrarium.esper.contracts.actions import WAIT
from astrarium.esper.entry import WORLDS, world_id
from astrarium.esper.episode import HostEpisode
from astrarium.esper.experiment.learned import LearnedController, find_policy
from astrarium.esper.tasks import task, task_names
from astrarium.runs import RunFolder
from astrarium.train import training
from astrarium.train.config import TrainConfig, layered, preset
from astrarium.train.player import load_player
from astrarium.worlds import registry

PRESET = "esper-digits-impaired-v1"
LITTLE: dict[str, Any] = {
    "world": {"worlds": 4, "settings": {"epochs": 6}},
    "policy": {"hidden": [8], "memory_size": 8},
    "ppo": {"rollout_steps": 6},
    "run": {"total_env_steps": 48, "window_env_steps": 24, "eval_episodes": 1, "threads": 1},
}


@pytest.fixture(autouse=True)
def _on_little_data(monkeypatch: pytest.MonkeyPatch) -> None:
    worlds.ids()
    monkeypatch.setitem(registry._known, PRESET, little_entry())


def config_in(root: Path) -> TrainConfig:
    return layered(preset(PRESET), LITTLE, {"run": {"root": root, "id": "one"}})


def kept(folder: Path) -> dict[str, Any]:
    """Everything the last checkpoint holds."""
    run = RunFolder.open(folder)
    last = run.checkpoints()[-1]
    point = run.load_checkpoint(last.window_id, resumable=last.resumable)
    arrays = {**point.policy, **point.trainer}
    told = {name: (array.shape, array.tobytes()) for name, array in arrays.items()}
    return {**told, "worlds": point.worlds, "steps": point.env_steps_total}


def test_it_learns_end_to_end_and_goes_on_exactly_where_it_stopped(tmp_path: Path) -> None:
    whole = training.start(config_in(tmp_path / "whole"))
    assert whole.status == "completed"
    rows = RunFolder.open(whole.folder).windows()
    assert [row["window_complete"] for row in rows] == [True, True]
    assert all("accuracy_mean" in row for row in rows)

    parted = training.start(config_in(tmp_path / "parted"), stop=lambda: True)
    assert parted.status == "interrupted"
    assert training.resume(parted.folder).status == "completed"
    assert kept(parted.folder) == kept(whole.folder)


def test_a_learnt_policy_decides_in_a_trial_as_it_does_in_its_world(tmp_path: Path) -> None:
    folder = training.start(config_in(tmp_path)).folder
    policy = find_policy(folder)
    assert (policy.task, policy.id) == ("digits_impaired", "one@1")
    world = little_world(1, autoreset="disabled", epochs=6, budget_epochs=300, seed_limit=5)
    world.reset_with_seeds([9])
    player = load_player(RunFolder.open(folder))
    episode = HostEpisode(little_data(), world.hosts[0].rules, 9)
    learned = LearnedController(policy)
    episode.proceed()
    for step in range(6):
        chosen = player(world, step)
        spec = orders.action_of(chosen[0, 0], world.mask[0, 0], world.hosts[0].network.slot_ids)
        assert learned.decide(episode) == spec
        world.step(chosen)
        episode.decide(spec)
        if not episode.is_over:
            episode.proceed()
    assert episode.network.states() == world.hosts[0].network.states()
    episode.epoch = 7
    assert learned.decide(episode) is WAIT, "it has learnt to look ahead for six epochs"


def test_a_run_of_another_world_is_no_policy(tmp_path: Path) -> None:
    other = {
        "world": {"id": "lanterns-v1", "worlds": 2},
        "ppo": {"rollout_steps": 4, "minibatches": 1},
        "run": {"root": tmp_path, "id": "two", "total_env_steps": 8, "window_env_steps": 8},
    }
    folder = training.start(layered(other, {"run": {"eval_episodes": 0, "threads": 1}})).folder
    with pytest.raises(ConfigError, match="two, a run of lanterns-v1, no world of Esper's"):
        find_policy(folder)


@pytest.mark.parametrize("name", [PRESET, "esper-textures-impaired-v1"])
def test_a_preset_is_that_of_its_task_and_of_experiments(name: str) -> None:
    config = layered(preset(name))
    entry = next(one for one in WORLDS if one.id == config.world.id)
    settings = entry.config(**config.world.settings)
    assert settings.gamma == config.ppo.gamma
    spec = task(next(one for one in task_names() if world_id(one) == config.world.id))
    assert settings.budget_epochs == spec.budget_epochs
    assert settings.seed_limit == len(spec.host.slot_ids)


def test_what_is_learnt_on_digits_can_be_carried_to_textures() -> None:
    digits, textures = (
        layered(preset(f"esper-{name}-impaired-v1")) for name in ("digits", "textures")
    )
    assert digits.policy == textures.policy
    # How much of an episode is over is part of what a policy sees.
    assert digits.world.settings["epochs"] == textures.world.settings["epochs"]
    first, second = (next(w for w in WORLDS if w.id == one.world.id) for one in (digits, textures))
    assert first.layout == second.layout
