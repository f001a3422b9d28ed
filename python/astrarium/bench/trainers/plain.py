"""PPO as one plain file of torch: collect, look back, learn, again.

The yardstick: what anybody writes who knows the algorithm and the library, in the manner of
single-file implementations. Autograd, Adam, `Categorical`, no tricks. It steps the batch of worlds
directly, so it pays for no adapter, and leaves the checks of distributions out.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

from astrarium import worlds
from astrarium.bench.trainers import contract
from astrarium.bench.trainers.contract import Task, Timed, timed
from astrarium.worlds import VectorWorld

if TYPE_CHECKING:
    import torch
    from torch import nn


class Learner:
    """A network, its optimizer, and one rollout of a batch of worlds."""

    def __init__(self, world: VectorWorld, task: Task) -> None:
        import torch
        from torch import nn

        torch.manual_seed(task.seed)  # pyright: ignore[reportUnknownMemberType]
        self.task = task
        self.world = world
        self.trunk = trunk(world.layout.obs_dim, task.hidden)
        self.actor = nn.Linear(task.hidden[-1], world.layout.num_choices)
        self.critic = nn.Linear(task.hidden[-1], 1)
        self.parameters = [
            weight for part in (self.trunk, self.actor, self.critic) for weight in part.parameters()
        ]
        self.optimizer = torch.optim.Adam(self.parameters, lr=contract.LEARNING_RATE, eps=1e-5)
        steps, n = task.rollout_steps, world.num_worlds
        self.obs = torch.zeros(steps, n, world.layout.obs_dim)
        self.actions = torch.zeros(steps, n, dtype=torch.int64)
        self.log_probs = torch.zeros(steps, n)
        self.rewards = torch.zeros(steps, n)
        self.values = torch.zeros(steps, n)
        self.dones = torch.zeros(steps, n)
        self.next_obs = torch.tensor(world.obs[:, 0])
        self.next_done = torch.zeros(n)

    def choices(self, obs: torch.Tensor) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        """What the network would do, and what it expects from there."""
        from torch.distributions import Categorical

        features = self.trunk(obs)
        choices = Categorical(logits=self.actor(features), validate_args=False)
        return choices, self.critic(features).squeeze(-1)

    def iterate(self) -> int:
        """Collect a rollout and learn from it."""
        import torch

        with torch.no_grad():
            self.collect()
            advantages, returns = self.look_back()
        self.learn(advantages, returns)
        return self.task.batch_size

    def collect(self) -> None:
        """Play every world for the length of a rollout."""
        import torch

        world = self.world
        for step in range(self.task.rollout_steps):
            self.obs[step] = self.next_obs
            self.dones[step] = self.next_done
            choices, value = self.choices(self.next_obs)
            action = choices.sample()
            self.actions[step] = action
            self.log_probs[step] = choices.log_prob(action)
            self.values[step] = value
            world.step(action.numpy())
            self.rewards[step] = torch.tensor(world.reward[:, 0])
            self.next_obs = torch.tensor(world.obs[:, 0])
            self.next_done = torch.tensor(world.terminated[:, 0] | world.truncated[:, 0]).float()

    def look_back(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Generalised advantages, from the last step to the first, and returns."""
        import torch

        advantages = torch.zeros_like(self.rewards)
        _, next_value = self.choices(self.next_obs)
        going_on, trace = 1 - self.next_done, torch.zeros_like(next_value)
        for step in reversed(range(self.task.rollout_steps)):
            ahead = contract.DISCOUNT * next_value * going_on
            surprise = self.rewards[step] + ahead - self.values[step]
            trace = surprise + contract.DISCOUNT * contract.TRACE_DECAY * going_on * trace
            advantages[step] = trace
            next_value, going_on = self.values[step], 1 - self.dones[step]
        return advantages, advantages + self.values

    def learn(self, advantages: torch.Tensor, returns: torch.Tensor) -> None:
        """Several epochs of shuffled minibatches."""
        import torch
        from torch import nn

        obs = self.obs.flatten(0, 1)
        actions, log_probs = self.actions.flatten(), self.log_probs.flatten()
        advantages, returns = advantages.flatten(), returns.flatten()
        for _ in range(self.task.epochs):
            for at in torch.randperm(len(obs)).chunk(self.task.minibatches):
                choices, value = self.choices(obs[at])
                now = cast("torch.Tensor", choices.log_prob(actions[at]))
                ratio = (now - log_probs[at]).exp()
                gain = advantages[at]
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                clipped = ratio.clamp(1 - contract.CLIP, 1 + contract.CLIP)
                loss = -torch.min(gain * ratio, gain * clipped).mean()
                loss = loss + contract.VALUE_WEIGHT * 0.5 * (value - returns[at]).square().mean()
                loss = loss - contract.ENTROPY_WEIGHT * choices.entropy().mean()
                self.optimizer.zero_grad()
                loss.backward()  # pyright: ignore[reportUnknownMemberType]
                nn.utils.clip_grad_norm_(self.parameters, contract.GRADIENT_NORM_MAX)
                self.optimizer.step()  # pyright: ignore[reportUnknownMemberType]


def trunk(obs_dim: int, hidden: tuple[int, ...]) -> nn.Sequential:
    """The layers that actor and critic share."""
    from torch import nn

    layers: list[nn.Module] = []
    for inputs, outputs in pairwise((obs_dim, *hidden)):
        layers += [nn.Linear(inputs, outputs), nn.ReLU()]
    return nn.Sequential(*layers)


def measure(task: Task) -> tuple[Timed, dict[str, Any]]:
    """Steps per second of each iteration."""
    import torch

    torch.set_num_threads(task.threads)
    world = worlds.make_vec(task.world, task.num_worlds, threads=task.threads, seed=task.seed)
    learner = Learner(world, task)
    rates = timed(task, learner.iterate)
    world.close()
    weights = sum(weight.numel() for weight in learner.parameters)
    return rates, {"optimizer": "Adam", "mask": "ignored", "weights": weights}
