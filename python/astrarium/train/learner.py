"""One policy while it learns: it acts, remembers, and improves on what it remembers."""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from astrarium import _native
from astrarium.train import figures
from astrarium.train.adam import Adam
from astrarium.train.config import PPOSection, TrainConfig
from astrarium.train.errors import NonFiniteError
from astrarium.train.factored import head_entropies
from astrarium.train.gradients import AutogradGradient, named
from astrarium.train.lanes import Lanes, spans
from astrarium.train.loss import Objective, bounded, control_log_prob
from astrarium.train.native_policy import NativePolicy
from astrarium.train.normalise import Moments, ObservationScale, RewardScale
from astrarium.train.policy import Network, Shape
from astrarium.train.returns import explained_variance
from astrarium.train.rollout import Rollout
from astrarium.train.streams import stream
from astrarium.worlds.vector import VectorWorld

ACT_ROWS: Final = 512
"""Rows that choose together, on one thread."""
_SMALLEST_DEVIATION: Final = 1e-8


class Learner:
    """A policy, the rollout it fills, its optimiser and its scales."""

    def __init__(
        self,
        name: str,
        world: VectorWorld,
        slots: tuple[int, ...],
        config: TrainConfig,
        lanes: Lanes,
        device: torch.device | None = None,
    ) -> None:
        layout, ppo = world.layout, config.ppo
        self.name = name
        self._seed, self._ppo, self._lanes = config.run.seed, ppo, lanes
        weights = stream(self._seed, f"weights/{name}")
        self.network = Network(Shape.of(layout), config.policy, weights, device)
        self.rollout = Rollout(
            world,
            ppo.rollout_steps,
            slots,
            passing=device is not None,
            limits_end=ppo.limits_end,
        )
        rows = self.rollout.rows
        scaled = ppo.normalise_observations
        self.scale = ObservationScale(layout.obs_dim, device) if scaled else None
        self.reward_scale = RewardScale(rows, ppo.gamma) if ppo.normalise_rewards else None
        self.paid = Moments(1)
        """Every reward of an agent in play, as the world paid it."""
        self.state = self.network.first_state(rows)
        self._begun = self.state
        """The recurrent state the present rollout began with."""
        self._cut_states: list[tuple[Tensor, ...]] = []
        self.optimizer = Adam(self.network.flat, ppo)
        self.epochs = ppo.epochs
        """Passes over the next rollout."""
        self.lesson: Callable[[Tensor], None] | None = None
        """Adds what a teacher would have learned to the gradient of every minibatch."""
        discrete = layout.controls == 0 and not layout.matters
        plain = discrete and config.policy.memory == "none" and device is None
        self._native = NativePolicy(self.network, self.scale, lanes.count) if plain else None
        self._gradient = self._native or AutogradGradient(self.network, lanes, self.scale)

    # Acting

    def begin(self, world: VectorWorld, update: int) -> None:
        """A new rollout, from what the agents see now."""
        rollout, shape = self.rollout, self.network.shape
        rollout.begin(world)
        self._begun = tuple(part.clone() for part in self.state)
        self._cut_states.clear()
        draws = stream(self._seed, f"actions/{self.name}", update)
        size = (rollout.steps, rollout.rows)
        self._uniform = draws.random((*size, len(shape.heads)), dtype=np.float32)
        self._normal = draws.standard_normal((*size, shape.controls), dtype=np.float32)

    def act(self, t: int) -> None:
        """Choose the orders of step `t`."""
        rollout = self.rollout
        if self._native is not None:
            self._native.act(rollout, t, self._uniform[t])
            return
        self._forget(rollout.starts[t])

        def work(lane: int, span: slice) -> None:
            self._choose(t, span, self._outputs(rollout.obs[t, span], span))

        with torch.no_grad():
            self._lanes.run(work, spans(rollout.rows, ACT_ROWS))

    def remember(self, t: int) -> None:
        """Keep what is needed to value the episodes that step `t` cut off."""
        if self.state and self.rollout.cuts and self.rollout.cuts[-1][0] == t:
            rows = torch.from_numpy(self.rollout.cuts[-1][1]).to(self.state[0].device)
            self._cut_states.append(tuple(part[rows] for part in self.state))

    def _judge(self) -> None:
        """Value the last sight of every episode that was cut off."""
        cuts = self.rollout.cuts
        if not cuts:
            return
        obs = torch.from_numpy(np.concatenate([seen for _, _, seen in cuts]))
        state = tuple(torch.cat(parts) for parts in zip(*self._cut_states, strict=True))
        with torch.no_grad():
            obs = obs.to(self.network.flat.device)
            outputs, _ = self.network(self._scaled(obs), state)
        steps = np.concatenate([np.full(len(rows), t) for t, rows, _ in cuts])
        rows = np.concatenate([rows for _, rows, _ in cuts])
        self.rollout.cut_value[torch.from_numpy(steps), torch.from_numpy(rows)] = outputs[
            :, -1
        ].cpu()

    def note_pay(self) -> None:
        """Take in what a whole rollout paid, before `finish` scales it."""
        alive = self.rollout.alive[:-1].numpy()
        # In 64 bits: the square of a reward may be more than a float holds.
        self.paid.add(self.rollout.reward.numpy()[alive][:, np.newaxis].astype(np.float64))

    def finish(self) -> None:
        """Value what the agents see after the rollout, and work out what was gained."""
        rollout, ppo = self.rollout, self._ppo
        if self._native is not None:
            self._native.value(rollout, rollout.steps)
        else:
            self._value_last()
        self._judge()
        if self.reward_scale is not None:
            ended = (rollout.terminated | rollout.truncated).numpy()
            alive = rollout.alive[:-1].numpy()
            self.reward_scale.scale_(rollout.reward.numpy(), ended, alive)
        rollout.finish(ppo.gamma, ppo.gae_lambda)

    def _value_last(self) -> None:
        rollout, before = self.rollout, self.state
        self._forget(rollout.starts[rollout.steps])

        def work(lane: int, span: slice) -> None:
            outputs = self._outputs(rollout.obs[-1, span], span)
            rollout.value[-1, span] = outputs[:, -1]

        with torch.no_grad():
            self.state = tuple(part.clone() for part in before)
            self._lanes.run(work, spans(rollout.rows, ACT_ROWS))
            self.state = before

    def check(self) -> None:
        """Refuse a rollout with numbers that are not finite, before anything is learned from it."""
        for name, tensor, _ in self._suspects():
            # What is wrong anywhere before these shows in one of them.
            telling = name in ("weights", "log-probabilities", "advantages")
            if telling and not bool(torch.isfinite(tensor).all()):
                raise NonFiniteError(self._culprit())

    # Learning

    def learn(self, update: int, learning_rate: float, entropy_coef: float) -> dict[str, Any]:
        """Improve on the rollout; what happened, by name."""
        rollout, ppo = self.rollout, self._ppo
        self.optimizer.rate.fill_(learning_rate)
        samples = rollout.samples()
        self._gradient.prepare(rollout, samples)
        openness: dict[str, Any] = {}
        if self.network.shape.matters:
            assert isinstance(self._gradient, AutogradGradient)
            # By head, which the rollout does not keep.
            orders = self._gradient.order_figures(self._begun)
            samples = replace(samples, log_prob=orders[..., 0])
            self._gradient.prepare(rollout, samples)
            openness = {"head_entropies": head_entropies(orders, rollout.counted().flatten())}
        whole_sequences = self.network.state_parts > 0
        items = np.arange(rollout.rows) if whole_sequences else rollout.played()
        counted = rollout.counted().numpy()
        advantage = samples.advantage.numpy()
        reports: list[dict[str, float]] = []
        epochs = 0
        for epoch in range(self.epochs):
            order = stream(self._seed, f"minibatches/{self.name}", update, epoch).permutation(items)
            divergence: list[float] = []
            for part in np.array_split(order, ppo.minibatches):
                if whole_sequences:
                    chosen = rollout.advantage.numpy()[:, part][counted[:, part]]
                else:
                    chosen = advantage[part]
                if len(chosen) == 0:
                    continue
                objective = self._objective(chosen, entropy_coef)
                report = named(self._descend(part, objective), len(chosen))
                report["advantage_std"] = float(chosen.std(dtype=np.float64))
                report["grad_norm"] = self._step()
                divergence.append(report["approx_kl"])
                reports.append(report)
            epochs += 1
            if ppo.target_kl is not None and divergence and np.mean(divergence) > ppo.target_kl:
                break
        self._refresh_scale()
        played = torch.from_numpy(rollout.played())
        return {
            **figures.of_minibatches(reports, ppo.value_coef, entropy_coef),
            **figures.of_rollout(rollout.reward, rollout.advantage, rollout.counted()),
            "explained_variance": explained_variance(
                samples.value[played], samples.returns[played]
            ),
            "epochs_run": epochs,
            **openness,
        }

    def _objective(self, advantage: npt.NDArray[np.float32], entropy_coef: float) -> Objective:
        ppo: PPOSection = self._ppo
        mean, scale = 0.0, 1.0
        if ppo.normalise_advantages and len(advantage) > 1:
            mean = float(advantage.mean(dtype=np.float64))
            scale = 1.0 / (float(advantage.std(dtype=np.float64)) + _SMALLEST_DEVIATION)
        return Objective(
            clip=ppo.clip,
            value_clip=float("inf") if ppo.value_clip is None else ppo.value_clip,
            value_coef=ppo.value_coef,
            entropy_coef=entropy_coef,
            advantage_mean=mean,
            advantage_scale=scale,
            row_weight=1.0 / len(advantage),
        )

    def _descend(
        self, part: npt.NDArray[np.int64], objective: Objective
    ) -> npt.NDArray[np.float64]:
        out = self.optimizer.gradient
        if self.network.state_parts:
            assert isinstance(self._gradient, AutogradGradient)
            return self._gradient.of_sequences(part, self._begun, objective, out)
        return self._gradient(part, objective, out)

    def _step(self) -> float:
        """Follow the gradient, shortened to the longest allowed; its length before that."""
        if self.lesson is not None:
            self.lesson(self.optimizer.gradient)
        length = self.optimizer.follow(self._ppo.max_grad_norm)
        if not np.isfinite(length):
            raise NonFiniteError(self._culprit())
        return length

    def _culprit(self) -> str:
        """The first thing on the way to the gradient that is not finite, in words."""
        for name, tensor, advice in self._suspects():
            bad = ~torch.isfinite(tensor)
            if bool(bad.any()):
                place = tuple(int(at) for at in bad.nonzero()[0])
                return (
                    f"policy {self.name!r}: {name} are not finite (first at {place}); {advice}. "
                    "Checkpoints are from before this and whole."
                )
        return (
            f"policy {self.name!r}: the gradient is not finite, although all it comes from is; "
            "lower ppo.learning_rate. Checkpoints are from before this and whole."
        )

    def _suspects(self) -> list[tuple[str, Tensor, str]]:
        """Everything on the way to the gradient, in order, and what to do if it is the culprit."""
        rollout = self.rollout
        return [
            ("weights", self.network.flat, "lower ppo.learning_rate or ppo.max_grad_norm"),
            (
                "observations",
                rollout.obs,
                "the world shows what is not finite: `astrarium check` it",
            ),
            ("rewards", rollout.reward, "the world pays what is not finite: `astrarium check` it"),
            ("values", rollout.value, "lower ppo.learning_rate or ppo.value_coef"),
            ("log-probabilities", rollout.log_prob, "lower ppo.learning_rate"),
            ("advantages", rollout.advantage, "set ppo.normalise_rewards"),
        ]

    # Inside

    def _outputs(self, obs: Tensor, span: slice) -> Tensor:
        """Outputs for some rows of a step; their recurrent state moves on."""
        state = tuple(part[span] for part in self.state)
        outputs, after = self.network(self._scaled(obs), state)
        for part, new in zip(self.state, after, strict=True):
            part[span] = new
        return outputs

    def _choose(self, t: int, span: slice, outputs: Tensor) -> None:
        rollout, shape = self.rollout, self.network.shape
        _native.choose_actions(
            shape.heads,
            outputs.numpy(),
            rollout.mask[t, span].numpy(),
            self._uniform[t, span],
            rollout.actions[t, span].numpy(),
            rollout.log_prob[t, span].numpy(),
            rollout.value[t, span].numpy(),
        )
        if shape.controls:
            means = outputs[:, shape.choices : shape.choices + shape.controls]
            noise = torch.from_numpy(self._normal[t, span])
            draws = torch.addcmul(means, self.network.log_std.exp(), noise)
            rollout.draws[t, span] = draws
            rollout.log_prob[t, span] += control_log_prob(self.network, means, draws)

    def order(self, t: int, world: VectorWorld) -> None:
        """Write the choices of step `t` where the world takes its orders from."""
        rollout = self.rollout
        shape = (world.num_worlds, len(rollout.slots), -1)
        slots = slice(None) if rollout.whole else list(rollout.slots)
        if world.layout.heads:
            world.actions[:, slots] = rollout.actions[t].numpy().reshape(shape)
        if world.layout.controls:
            controls = bounded(self.network, rollout.draws[t])
            world.controls[:, slots] = controls.detach().numpy().reshape(shape)

    def _forget(self, starts: Tensor) -> None:
        """Clear the recurrent state of rows whose episode begins."""
        for part in self.state:
            part[starts] = 0.0

    def _scaled(self, obs: Tensor) -> Tensor:
        return obs if self.scale is None else self.scale.apply_(obs.clone())

    def _refresh_scale(self) -> None:
        if self.scale is not None:
            seen, played = self.rollout.flat_obs().numpy(), self.rollout.played()
            # Taking all of them by index would copy them all.
            self.scale.moments.add(seen if len(played) == len(seen) else seen[played])
            self.scale.refresh()
