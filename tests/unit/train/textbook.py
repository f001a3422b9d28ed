"""PPO a second time: one file, from the formulas, in 64 bits, with nothing shared but the order of
minibatches. It is told what happened in the worlds and must come to the same weights."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import distributions as d

from astrarium.train.config import TrainConfig
from astrarium.train.policy import Network
from astrarium.train.streams import stream


@dataclass
class Watcher:
    """What the worlds showed in a rollout, written down beside the trainer."""

    world: object
    steps: list[dict[str, np.ndarray]] = field(default_factory=list)

    def begin(self) -> None:
        self.steps = []
        self.first = self._seen()

    def __call__(self, world) -> None:
        told = ("actions", "reward", "terminated", "truncated", "final_obs")
        self.steps.append(self._seen() | {name: getattr(world, name).copy() for name in told})

    def _seen(self) -> dict[str, np.ndarray]:
        return {name: getattr(self.world, name).copy() for name in ("obs", "mask", "alive")}

    def happened(self, slots: list[int]) -> dict[str, torch.Tensor]:
        """(T or T + 1, rows, ...) of the agents in these slots."""

        def flat(arrays: list[np.ndarray]) -> torch.Tensor:
            whole = np.stack(arrays)[:, :, slots]
            whole = whole.reshape(whole.shape[0], -1, *whole.shape[3:])
            return torch.from_numpy(whole.astype(np.float64))

        seen = {
            name: flat([self.first[name], *(step[name] for step in self.steps)])
            for name in self.first
        }
        told = [name for name in self.steps[0] if name not in seen]
        return seen | {name: flat([step[name] for step in self.steps]) for name in told}


class Running:
    """Mean and variance of everything seen so far, kept the simplest way: keep everything."""

    def __init__(self) -> None:
        self.seen: list[np.ndarray] = []

    def add(self, rows: np.ndarray) -> None:
        self.seen.append(rows)

    def mean(self) -> np.ndarray:
        return np.concatenate(self.seen).mean(0)

    def deviation(self) -> np.ndarray:
        return np.sqrt(np.concatenate(self.seen).var(0) + 1e-8)


class Textbook:
    """The same policy as `network`, learning by the book."""

    def __init__(self, network: Network, config: TrainConfig, name: str, slots: list[int]) -> None:
        assert config.policy.memory == "none"
        self.config, self.name, self.slots = config, name, slots
        self.heads = network.shape.heads
        self.weights = {
            key: value.detach().double().clone().requires_grad_()
            for key, value in network.named_parameters()
        }
        self.first_moment = {key: torch.zeros_like(one) for key, one in self.weights.items()}
        self.second_moment = {key: torch.zeros_like(one) for key, one in self.weights.items()}
        self.adam_steps = 0
        self.observations, self.discounted = Running(), Running()
        self.open_return: np.ndarray | None = None
        self.figures: dict[str, float] = {}

    def network(self, obs: torch.Tensor) -> torch.Tensor:
        x = obs
        if self.config.ppo.normalise_observations and self.observations.seen:
            mean = torch.from_numpy(self.observations.mean())
            x = (x - mean) / torch.from_numpy(self.observations.deviation())
        if self.config.ppo.normalise_observations:
            x = x.clamp(-5, 5)
        for layer in range(len(self.config.policy.hidden)):
            weight, bias = (self.weights[f"hidden.{layer}.{one}"] for one in ("weight", "bias"))
            x = x @ weight.T + bias
            x = torch.relu(x) if self.config.policy.activation == "relu" else torch.tanh(x)
        return x @ self.weights["output.weight"].T + self.weights["output.bias"]

    def judge(self, outputs: torch.Tensor, mask: torch.Tensor, actions: torch.Tensor):
        """Log-probability, entropy and value."""
        log_prob = entropy = torch.zeros(outputs.shape[:-1], dtype=torch.float64)
        first = 0
        for head, size in enumerate(self.heads):
            logits = outputs[..., first : first + size]
            logits = logits.masked_fill(mask[..., first : first + size] == 0, -1e300)
            one = d.Categorical(logits=logits)
            log_prob = log_prob + one.log_prob(actions[..., head])
            entropy = entropy + one.entropy()
            first += size
        return log_prob, entropy, outputs[..., -1]

    def scaled_reward(self, seen: dict[str, torch.Tensor]) -> torch.Tensor:
        reward = seen["reward"]
        if not self.config.ppo.normalise_rewards:
            return reward
        steps, rows = reward.shape
        if self.open_return is None:
            self.open_return = np.zeros(rows)
        for row in range(rows):
            for t in range(steps):
                if not seen["alive"][t, row]:
                    continue
                self.open_return[row] *= self.config.ppo.gamma
                self.open_return[row] += float(reward[t, row])
                self.discounted.add(self.open_return[row : row + 1].copy())
                if seen["terminated"][t, row] or seen["truncated"][t, row]:
                    self.open_return[row] = 0.0
        return reward / float(self.discounted.deviation())

    def advantages(self, seen: dict[str, torch.Tensor], value: torch.Tensor) -> torch.Tensor:
        ppo = self.config.ppo
        reward = self.scaled_reward(seen)
        with torch.no_grad():
            last_value = self.network(seen["final_obs"])[..., -1]
        result = torch.zeros_like(reward)
        for row in range(reward.shape[1]):
            following = 0.0
            for t in reversed(range(len(reward))):
                if not seen["alive"][t, row]:
                    following = 0.0
                    continue
                after = value[t + 1, row]
                if seen["terminated"][t, row]:
                    after, following = 0.0, 0.0
                elif seen["truncated"][t, row]:
                    after, following = last_value[t, row], 0.0
                surprise = reward[t, row] + ppo.gamma * after - value[t, row]
                following = surprise + ppo.gamma * ppo.gae_lambda * following
                result[t, row] = following
        return result

    def learn(self, seen: dict[str, torch.Tensor], update: int, progress: float) -> None:
        ppo = self.config.ppo
        rate = ppo.learning_rate * (1 - progress) + ppo.final_learning_rate * progress
        bonus = ppo.entropy_coef * (1 - progress) + ppo.final_entropy_coef * progress
        with torch.no_grad():
            outputs = self.network(seen["obs"])
            value = outputs[..., -1]
            old, _, _ = self.judge(outputs[:-1], seen["mask"][:-1], seen["actions"])
        advantage = self.advantages(seen, value)
        returns = advantage + value[:-1]
        batch = [seen["obs"][:-1], seen["mask"][:-1], seen["actions"], old, value[:-1]]
        batch = [part.flatten(0, 1) for part in (*batch, advantage, returns)]
        played = np.flatnonzero(seen["alive"][:-1].numpy())
        self.norms: list[float] = []
        for epoch in range(ppo.epochs):
            order = stream(self.config.run.seed, f"minibatches/{self.name}", update, epoch)
            for part in np.array_split(order.permutation(played), ppo.minibatches):
                self.step([one[part] for one in batch], rate, bonus)
        self.observations.add(batch[0][played].numpy())

    def step(self, minibatch: list[torch.Tensor], rate: float, bonus: float) -> None:
        ppo = self.config.ppo
        obs, mask, actions, old, old_value, advantage, returns = minibatch
        if ppo.normalise_advantages:
            advantage = (advantage - advantage.mean()) / (advantage.std(correction=0) + 1e-8)
        log_prob, entropy, value = self.judge(self.network(obs), mask, actions)
        ratio = (log_prob - old).exp()
        surrogate = torch.min(
            ratio * advantage, ratio.clamp(1 - ppo.clip, 1 + ppo.clip) * advantage
        )
        miss = (value - returns) ** 2
        if ppo.value_clip is not None:
            near = old_value + (value - old_value).clamp(-ppo.value_clip, ppo.value_clip)
            miss = torch.max(miss, (near - returns) ** 2)
        loss = (-surrogate + ppo.value_coef * 0.5 * miss - bonus * entropy).mean()
        gradients = torch.autograd.grad(loss, list(self.weights.values()), materialize_grads=True)
        norm = math.sqrt(sum(float((one**2).sum()) for one in gradients))
        self.norms.append(norm)
        shorter = min(1.0, ppo.max_grad_norm / norm)
        self.adam_steps += 1
        for (key, weight), gradient in zip(self.weights.items(), gradients, strict=True):
            self.adam(key, weight, gradient * shorter, rate)

    def adam(self, key: str, weight: torch.Tensor, gradient: torch.Tensor, rate: float) -> None:
        first, second, ppo = self.first_moment[key], self.second_moment[key], self.config.ppo
        first.mul_(0.9).add_(0.1 * gradient)
        second.mul_(ppo.adam_beta2).add_((1 - ppo.adam_beta2) * gradient**2)
        mean = first / (1 - 0.9**self.adam_steps)
        square = second / (1 - ppo.adam_beta2**self.adam_steps)
        with torch.no_grad():
            weight -= rate * mean / (square.sqrt() + ppo.adam_epsilon)
