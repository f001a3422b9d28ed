"""The baseline of every world: uniform legal actions in place of policies that learn.

A run with `algorithm = "random"` writes the windows, replays and metadata of a training. Its
checkpoints hold no policy. Each draw depends on the episode's seed and the step, so a run that was
stopped and goes on equals one that was not.
"""

from __future__ import annotations

from typing import Final

from astrarium.train.config import TrainConfig
from astrarium.train.ppo import Update, Watch
from astrarium.worlds.random_legal import random_legal
from astrarium.worlds.vector import VectorWorld

NO_POLICY: Final = "none"
"""What its checkpoints give as the architecture of their policy."""


class RandomPlay:
    """Steps the worlds of a run with random legal actions; takes the place of `PPO`."""

    learners: Final = ()
    policy_arch: Final = NO_POLICY

    def __init__(self, config: TrainConfig, world: VectorWorld) -> None:
        self.config = config
        self.world = world
        self.updates = 0

    def update(self, progress: float, watch: Watch) -> Update:
        """Play one rollout; nothing is learned, whatever the progress."""
        del progress
        steps = self.config.ppo.rollout_steps
        for step in range(self.updates * steps, (self.updates + 1) * steps):
            self.world.step(random_legal(self.world, step))
            watch(self.world)
        number = self.updates
        self.updates += 1
        return Update(number, learning_rate=0.0, entropy_coef=0.0, policies={})

    def close(self) -> None:
        """Nothing to let go of."""
