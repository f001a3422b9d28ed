"""Proximal policy optimisation, from the top.

One update: collect a rollout, work out what each step gained, improve every policy on it. The
worlds write what agents see straight into the rollout, and every random number is fixed by the
run's seed and the update, so a run continued from its state is the run that never stopped.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import torch

from astrarium.errors import ConfigError
from astrarium.train import figures
from astrarium.train.config import RunSection, TrainConfig
from astrarium.train.device import DeviceLearner
from astrarium.train.errors import UnlearnableWorldError
from astrarium.train.lanes import Lanes
from astrarium.train.learner import Learner
from astrarium.worlds.vector import Layout, VectorWorld

SHARED = "shared"
"""The name of the policy of all agents, where there is only one."""

Watch = Callable[[VectorWorld], None]
"""Told after every step of the worlds."""


class Guide(Protocol):
    """Somebody who may have a say in what is done and learned."""

    def begin(self, cycle: int) -> None:
        """Before the rollout of an update."""
        ...

    def steer(self, t: int, world: VectorWorld) -> None:
        """After the policies gave their orders for step `t`, before the world takes them."""
        ...


@dataclass(frozen=True, slots=True)
class Update:
    """What one update did."""

    number: int
    learning_rate: float
    entropy_coef: float
    policies: dict[str, dict[str, Any]]
    """Losses and other figures of each policy."""


class PPO:
    """Policies learning in a batch of worlds."""

    def __init__(self, config: TrainConfig, world: VectorWorld, threads: int) -> None:
        check_learnable(world)
        self._torch_threads = torch.get_num_threads()
        torch.set_num_threads(1)
        self.config = config
        self.world = world
        self.updates = 0
        self.guide: Guide | None = None
        self._lanes = Lanes(threads)
        self.device = pick_device(config.run)
        self.learners = [
            self._learner(name, slots)
            for name, slots in slots_by_policy(config, world.layout).items()
        ]

    @property
    def policy_arch(self) -> str:
        """The architecture of every policy."""
        return self.learners[0].network.arch

    def _learner(self, name: str, slots: tuple[int, ...]) -> Learner:
        if self.device.type == "cpu":
            return Learner(name, self.world, slots, self.config, self._lanes)
        if self.world.layout.matters:
            raise ConfigError(
                f"{self.world.world_id} has heads that matter only at times, which is learned on "
                "the CPU only; set run.device to 'cpu'"
            )
        return DeviceLearner(name, self.world, slots, self.config, self.device)

    def update(self, progress: float, watch: Watch) -> Update:
        """Collect and improve once; `progress` is how much of the run is over, from 0 to 1."""
        if self.guide is not None:
            self.guide.begin(self.updates)
        self.collect(watch)
        for learner in self.learners:
            learner.check()
        ppo = self.config.ppo
        learning_rate = line(ppo.learning_rate, ppo.final_learning_rate, progress)
        entropy_coef = line(ppo.entropy_coef, ppo.final_entropy_coef, progress)
        number = self.updates
        policies = {
            learner.name: {
                **learner.learn(number, learning_rate, entropy_coef),
                **figures.of_pay(learner.paid),
            }
            for learner in self.learners
        }
        self.updates += 1
        return Update(number, learning_rate, entropy_coef, policies)

    def collect(self, watch: Watch) -> None:
        """Fill every policy's rollout with the next steps of the worlds."""
        world, learners = self.world, self.learners
        for learner in learners:
            learner.begin(world, self.updates)
        first = learners[0].rollout
        for t in range(self.config.ppo.rollout_steps):
            for learner in learners:
                learner.act(t)
            # A GPU is still choosing; meanwhile the step before is looked at.
            if t > 0:
                watch(world)
            for learner in learners:
                learner.order(t, world)
            if self.guide is not None:
                self.guide.steer(t, world)
            first.step(t, world)
            for learner in learners[1:]:
                learner.rollout.see(t + 1, world)
                learner.rollout.note(t, world)
            for learner in learners:
                learner.remember(t)
        watch(world)
        for learner in learners:
            learner.note_pay()
            learner.finish()

    def close(self) -> None:
        """Let go of threads, and give torch its own back."""
        self._lanes.close()
        torch.set_num_threads(self._torch_threads)


def pick_device(run: RunSection) -> torch.device:
    """Where the networks live, with torch told how exact to be there."""
    found = torch.cuda.is_available()
    if run.device == "cuda" and not found:
        raise ConfigError("run.device is 'cuda', but torch sees no GPU; choose 'cpu' or 'auto'")
    if run.device == "cpu" or not found:
        return torch.device("cpu")
    # Read by the library when it first multiplies: without it, equal runs may differ.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.backends.cuda.matmul.allow_tf32 = not run.deterministic
    return torch.device("cuda")


def line(first: float, last: float, progress: float) -> float:
    """A straight line from `first` to `last`."""
    return first + (last - first) * min(1.0, max(0.0, progress))


def slots_by_policy(config: TrainConfig, layout: Layout) -> dict[str, tuple[int, ...]]:
    """Which agent slots each policy plays: every slot exactly one."""
    groups = config.policy.groups
    everyone = tuple(range(layout.agents))
    if not groups:
        return {SHARED: everyone}
    played = sorted(slot for slots in groups.values() for slot in slots)
    if played != list(everyone):
        raise ConfigError(
            f"policy.groups plays the slots {played}; every slot of {list(everyone)} "
            "belongs to exactly one group"
        )
    return {name: tuple(sorted(slots)) for name, slots in groups.items()}


def check_learnable(world: VectorWorld) -> None:
    """Refuse a batch whose rollouts would not be what they seem."""
    if world.autoreset != "same_step":
        raise UnlearnableWorldError(
            f"{world.world_id} was made with autoreset {world.autoreset!r}, which puts steps "
            "without a decision into rollouts; make it with autoreset='same_step'"
        )
    if world.layout.matters and world.layout.controls:
        raise UnlearnableWorldError(
            f"{world.world_id} says which heads matter when, but has continuous controls too; "
            "what they deserve is not told"
        )
    if not world.layout.heads and not world.layout.controls:
        raise UnlearnableWorldError(f"{world.world_id} takes no orders; there is nothing to learn")
