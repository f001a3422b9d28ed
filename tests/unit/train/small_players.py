"""Players of tiny policies."""

from __future__ import annotations

import numpy as np
import torch
from small_runs import training, updates

from astrarium import worlds
from astrarium.runs import Checkpoint, WindowMeter
from astrarium.train.checkpointing import checkpoint_of
from astrarium.train.config import TrainConfig
from astrarium.train.player import Player, player_of
from astrarium.train.stat_meter import StatMeter

LSTM = {"policy": {"memory": "lstm", "memory_size": 8}}
GROUPS = {"policy": {"groups": {"left": [0], "right": [1]}, "memory": "gru", "memory_size": 8}}
SCALED = {"ppo": {"normalise_observations": True}}


def trained(config: TrainConfig, world=None, count: int = 2, louder=50.0) -> Checkpoint:
    """A checkpoint of a policy with opinions."""
    with training(config, world) as ppo:
        updates(ppo, count)
        with torch.no_grad():
            for learner in ppo.learners:
                learner.network.output.weight[:-1] *= louder
        layout, batch = ppo.world.layout, ppo.world.num_worlds
        if not hasattr(ppo.world, "snapshot"):
            ppo.world.snapshot = lambda: b""
        return checkpoint_of(
            ppo, WindowMeter("", layout, batch, 100, {}), StatMeter(layout, batch, (), ()), 0, 0
        )


def player(config: TrainConfig, point: Checkpoint, layout, **options) -> Player:
    return player_of(point, config, layout, "me", **options)


def course(world, policy: Player, steps: int) -> list[np.ndarray]:
    """Digests of all worlds after each step."""
    digests = []
    for step in range(steps):
        world.step(policy(world, step))
        digests.append(world.digests())
    return digests


def made(config: TrainConfig, seeds):
    world = worlds.make_vec(config.world.id, len(seeds), config=config.world.settings)
    world.reset_with_seeds(seeds)
    return world
