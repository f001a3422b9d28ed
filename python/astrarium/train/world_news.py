"""What a world tells besides its arrays, on its way into the run folder."""

from __future__ import annotations

import numpy as np

from astrarium.runs import RunWriter
from astrarium.train.config import TrainConfig
from astrarium.train.ppo import PPO, Update
from astrarium.train.random_play import RandomPlay
from astrarium.worlds.news import Newsroom, RunBeginning, TellsNews


def newsroom_of(world: object) -> Newsroom | None:
    """Where the news of a world is; None for one that tells nothing."""
    return world.newsroom if isinstance(world, TellsNews) else None


def begin(newsroom: Newsroom, config: TrainConfig) -> None:
    """Tell a world what run it is in."""
    ppo, run = config.ppo, config.run
    newsroom.begin(
        RunBeginning(
            controller=config.algorithm,
            seed=run.seed,
            rounds=-(-run.total_env_steps // (ppo.rollout_steps * config.world.worlds)),
            learning_rate=ppo.learning_rate,
            clip=ppo.clip,
            entropy_coef=ppo.entropy_coef,
        )
    )


def write_step(newsroom: Newsroom, writer: RunWriter, ppo: PPO | RandomPlay, step: int) -> None:
    """Write what was told in a step of the rollout."""
    if len(ppo.learners) == 1:
        rollout = ppo.learners[0].rollout
        likely = np.exp(rollout.log_prob[step].numpy())
        newsroom.note_choices(likely, rollout.value[step].numpy())
    writer.append_world_events(newsroom.take())


def write_round(newsroom: Newsroom, writer: RunWriter, update: Update) -> None:
    """Tell the world that its policy has learned, and write what it makes of that."""
    rates = {"learning_rate": update.learning_rate, "entropy_coef": update.entropy_coef}
    for name, figures in update.policies.items():
        newsroom.close_round(name, {**rates, **figures})
    writer.append_world_events(newsroom.take())
