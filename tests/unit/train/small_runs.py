"""Trainers small enough for a test."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from textbook import Watcher

from astrarium import worlds
from astrarium.train.config import TrainConfig, layered
from astrarium.train.ppo import PPO, Update

LANTERNS: dict[str, Any] = {"id": "lanterns-v1", "settings": {"ticks_max": 30}, "worlds": 6}
PROSPECTOR: dict[str, Any] = {"id": "prospector-v2", "settings": {"time_max": 60}, "worlds": 5}
SMALL: dict[str, Any] = {
    "policy": {"hidden": [16, 12]},
    "ppo": {"rollout_steps": 16, "epochs": 2, "minibatches": 3, "learning_rate": 2e-3},
    "run": {"device": "cpu", "seed": 5},
}


def small(*layers: Mapping[str, Any]) -> TrainConfig:
    """A tiny run with these changes, in lanterns unless they name another world."""
    elsewhere = any("world" in layer for layer in layers)
    return layered(SMALL, {} if elsewhere else {"world": LANTERNS}, *layers)


@contextlib.contextmanager
def training(config: TrainConfig, world: Any = None, threads: int = 1) -> Iterator[PPO]:
    """A trainer in the config's world, or in another that is there already."""
    made = world is None
    if made:
        world = worlds.make_vec(
            config.world.id,
            config.world.worlds,
            threads=threads,
            seed=config.run.seed,
            config=config.world.settings,
        )
    ppo = PPO(config, world, threads)
    try:
        yield ppo
    finally:
        ppo.close()
        if made:
            world.close()


def updates(ppo: PPO, count: int = 1, watch=lambda world: None) -> list[Update]:
    """A few updates in a run of ten."""
    return [ppo.update(at / 10, watch) for at in range(ppo.updates, ppo.updates + count)]


def weights(ppo: PPO) -> torch.Tensor:
    """Of all policies side by side."""
    return torch.cat([learner.network.flat for learner in ppo.learners]).clone()


def weights_after(config: TrainConfig, count: int = 2, *, world=None, threads=1) -> torch.Tensor:
    """The end of a short training."""
    with training(config, world, threads) as ppo:
        updates(ppo, count)
        return weights(ppo)


def watched(ppo: PPO, count: int) -> Iterator[tuple[Update, Watcher]]:
    """Updates one by one, each with what the worlds showed in it."""
    watcher = Watcher(ppo.world)
    for at in range(count):
        watcher.begin()
        yield ppo.update(at / 10, watcher), watcher
