"""How fast the trainer itself goes: whole updates of a world, timed one by one."""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch

from astrarium.runs import WindowMeter
from astrarium.train.config import layered
from astrarium.train.ppo import PPO
from astrarium.worlds.vector import VectorWorld


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of one update."""

    steps: int
    collect: float
    learn: float

    @property
    def steps_per_second(self) -> float:
        """Steps of all worlds over the whole update."""
        return self.steps / (self.collect + self.learn)

    @property
    def collected_per_second(self) -> float:
        """Steps of all worlds over the collecting alone."""
        return self.steps / self.collect


def time_updates(
    world: VectorWorld,
    *,
    rollout_steps: int = 128,
    epochs: int = 4,
    minibatches: int = 4,
    hidden: Sequence[int] = (128, 128),
    threads: int = 1,
    device: Literal["cpu", "cuda"] = "cpu",
    deterministic: bool = True,
    updates: int = 5,
) -> list[Timing]:
    """`updates` updates of `world`, after one to warm up, with the accounting of a real run."""
    config = layered(
        {
            "world": {"id": world.world_id, "worlds": world.num_worlds},
            "policy": {"hidden": tuple(hidden)},
            "ppo": {
                "rollout_steps": rollout_steps,
                "epochs": epochs,
                "minibatches": minibatches,
                "normalise_rewards": False,
            },
            "run": {"device": device, "deterministic": deterministic},
        }
    )
    ppo = PPO(config, world, threads)
    meter = WindowMeter("timing", world.layout, world.num_worlds, 1 << 40, {})
    timings: list[Timing] = []

    def watch(one: VectorWorld) -> None:
        meter.note(one)

    try:
        for number in range(updates + 1):
            began = time.perf_counter()
            ppo.collect(watch)
            _settle(device)
            collected = time.perf_counter()
            for learner in ppo.learners:
                learner.learn(number, config.ppo.learning_rate, config.ppo.entropy_coef)
            _settle(device)
            learned = time.perf_counter()
            ppo.updates += 1
            steps = rollout_steps * world.num_worlds
            timings.append(Timing(steps, collected - began, learned - collected))
    finally:
        ppo.close()
    return timings[1:]


def _settle(device: str) -> None:
    """A GPU works on after the call that asked it to."""
    if device == "cuda":
        torch.cuda.synchronize()
