"""One policy learning on a GPU, beside worlds that stay on the CPU.

Observations go from the memory the worlds write to the GPU once, and stay there. What happens to a
step (the transfer, the network, the choice, the way back) is one captured graph per step of the
rollout, and so is what happens to a minibatch: the CPU launches graphs and steps worlds.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Generator
from typing import Any, Final

import torch
from torch import Tensor

from astrarium.train import figures
from astrarium.train.config import TrainConfig
from astrarium.train.errors import NonFiniteError
from astrarium.train.lanes import Lanes
from astrarium.train.learner import Learner
from astrarium.train.loss import (
    SUMS,
    Samples,
    bounded,
    control_log_prob,
    head_log_probs,
    loss,
)
from astrarium.train.returns import advantages, explained_variance
from astrarium.train.streams import stream
from astrarium.worlds.vector import VectorWorld

_REPORTED: Final = (*SUMS, "grad_norm", "advantage_std")
_BELOW_ONE: Final = 1.0 - 1e-6
_WARM_UPS: Final = 3
"""Runs before a capture, so that libraries have chosen their kernels and taken their memory."""


class DeviceLearner(Learner):
    """As `Learner`, with everything but the worlds on `device`."""

    def __init__(
        self,
        name: str,
        world: VectorWorld,
        slots: tuple[int, ...],
        config: TrainConfig,
        device: torch.device,
    ) -> None:
        super().__init__(name, world, slots, config, Lanes(1), device)
        layout, steps, rows = world.layout, config.ppo.rollout_steps, self.rollout.rows
        self._device = device
        self._captures = device.type == "cuda"
        self._entropy_coef = torch.zeros((), device=device)

        def zeros(*size: int, kind: torch.dtype = torch.float32) -> Tensor:
            return torch.zeros(size, dtype=kind, device=device)

        self._obs = zeros(steps + 1, rows, layout.obs_dim)
        self._mask = zeros(steps + 1, rows, layout.num_choices, kind=torch.uint8)
        self._starts = zeros(steps + 1, rows, kind=torch.bool)
        self._actions = zeros(steps, rows, len(layout.heads), kind=torch.int32)
        self._draws = zeros(steps, rows, layout.controls)
        self._log_prob = zeros(steps, rows)
        self._value = zeros(steps + 1, rows)
        self._advantage = zeros(steps, rows)
        self._returns = zeros(steps, rows)
        self._alive = zeros(steps, rows, kind=torch.bool)
        self._counted = zeros(steps, rows, kind=torch.bool)
        self._uniform_there = zeros(steps, rows, len(layout.heads))
        self._normal_there = zeros(steps, rows, layout.controls)
        self._first_state = tuple(torch.zeros_like(part) for part in self.state)
        pinned = torch.cuda.is_available()
        self._starts_here = torch.zeros(2, rows, dtype=torch.bool, pin_memory=pinned)
        self._actions_here = torch.zeros(
            rows, len(layout.heads), dtype=torch.int32, pin_memory=pinned
        )
        self._controls_here = torch.zeros(rows, layout.controls, pin_memory=pinned)
        items = rows * (1 if self.state else steps)
        self._part = zeros(items // config.ppo.minibatches, kind=torch.int64)
        """Rows, or sequences, of the minibatch at hand."""
        self._report = zeros(len(SUMS) + 2)
        self._minibatch = zeros(1, kind=torch.int64)
        self._reports = zeros(config.ppo.epochs * config.ppo.minibatches, len(_REPORTED))
        """What every minibatch reported: extremes cannot be told from sums."""
        self._graphs: dict[Any, Callable[[], None]] = {}

    # Acting

    def begin(self, world: VectorWorld, update: int) -> None:
        """A new rollout, from what the agents see now."""
        super().begin(world, update)
        self._uniform_there.copy_(torch.from_numpy(self._uniform))
        self._normal_there.copy_(torch.from_numpy(self._normal))
        for first, part in zip(self._first_state, self.state, strict=True):
            first.copy_(part)

    def act(self, t: int) -> None:
        """Begin to choose the orders of step `t`; `order` waits for them."""
        self._starts_here[t % 2] = self.rollout.starts[t]
        self._launch(("act", t), lambda: self._choose_there(t))

    def order(self, t: int, world: VectorWorld) -> None:
        """Write the choices of step `t` where the world takes its orders from."""
        if self._captures:
            torch.cuda.current_stream().synchronize()
        slots = slice(None) if self.rollout.whole else list(self.rollout.slots)
        shape = (world.num_worlds, len(self.rollout.slots), -1)
        if world.layout.heads:
            world.actions[:, slots] = self._actions_here.numpy().reshape(shape)
        if world.layout.controls:
            world.controls[:, slots] = self._controls_here.numpy().reshape(shape)

    def _choose_there(self, t: int) -> None:
        shape = self.network.shape
        outputs = self._look(t)
        log_prob = torch.zeros_like(self._log_prob[t])
        for head, each in enumerate(head_log_probs(shape, outputs, self._mask[t])):
            shares = each.exp().cumsum(-1)
            target = self._uniform_there[t, :, head : head + 1] * shares[:, -1:] * _BELOW_ONE
            choice = (shares <= target).sum(-1, keepdim=True)
            self._actions[t, :, head] = choice.squeeze(-1).int()
            log_prob += each.gather(-1, choice).squeeze(-1)
        if shape.controls:
            means = outputs[:, shape.choices : shape.choices + shape.controls]
            deviation = self.network.log_std.exp()
            draws = torch.addcmul(means, deviation, self._normal_there[t])
            self._draws[t] = draws
            log_prob += control_log_prob(self.network, means, draws)
            self._controls_here.copy_(bounded(self.network, draws), non_blocking=True)
        self._log_prob[t] = log_prob
        self._actions_here.copy_(self._actions[t], non_blocking=True)

    def _look(self, t: int) -> Tensor:
        """Bring step `t` over; its outputs, with the recurrent state moved on."""
        rollout = self.rollout
        self._obs[t].copy_(rollout.obs[t % 2], non_blocking=True)
        self._mask[t].copy_(rollout.mask[t % 2], non_blocking=True)
        self._starts[t].copy_(self._starts_here[t % 2], non_blocking=True)
        kept = ~self._starts[t].unsqueeze(-1)
        state = tuple(part * kept for part in self.state)
        outputs, after = self.network(self._scaled(self._obs[t]), state)
        for part, new in zip(self.state, after, strict=True):
            part.copy_(new)
        self._value[t] = outputs[:, -1]
        return outputs

    def finish(self) -> None:
        """Value what the agents see after the rollout, and work out what was gained."""
        rollout, ppo = self.rollout, self._ppo
        last = rollout.steps
        self._starts_here[last % 2] = rollout.starts[last]
        before = tuple(part.clone() for part in self.state)
        with torch.no_grad():
            self._look(last)
        for part, old in zip(self.state, before, strict=True):
            part.copy_(old * ~self._starts[last].unsqueeze(-1))
        self._judge()
        if self.reward_scale is not None:
            ended = (rollout.terminated | rollout.truncated).numpy()
            alive = rollout.alive[:-1].numpy()
            self.reward_scale.scale_(rollout.reward.numpy(), ended, alive)
        self._alive.copy_(rollout.alive[:-1])
        self._counted.copy_(rollout.counted())
        there = [rollout.reward, rollout.cut_value, rollout.terminated, rollout.truncated]
        reward, cut_value, terminated, truncated = (part.to(self._device) for part in there)
        self._advantage.copy_(
            advantages(
                reward,
                self._value,
                cut_value,
                terminated,
                truncated,
                self._alive,
                gamma=ppo.gamma,
                gae_lambda=ppo.gae_lambda,
            )
        )
        torch.add(self._advantage, self._value[:-1], out=self._returns)

    # Learning

    def learn(self, update: int, learning_rate: float, entropy_coef: float) -> dict[str, Any]:
        """Improve on the rollout; what happened, by name."""
        ppo = self._ppo
        self.optimizer.rate.fill_(learning_rate)
        self._entropy_coef.fill_(entropy_coef)
        count = self.rollout.rows * (1 if self.state else self.rollout.steps)
        size = len(self._part)
        numbers = torch.Generator(self._device)
        numbers.manual_seed(
            int(stream(self._seed, f"minibatches/{self.name}", update).integers(2**62))
        )
        self._report.zero_()
        self._minibatch.zero_()
        epochs = 0
        for _ in range(self.epochs):
            order = torch.randperm(count, generator=numbers, device=self._device)
            before = self._report.clone()
            for at in range(ppo.minibatches):
                self._part.copy_(order[at * size : (at + 1) * size])
                self._launch(("improve", size), self._improve)
            epochs += 1
            if ppo.target_kl is not None:
                moved = (self._report - before).tolist()
                if moved[3] / max(1.0, moved[-1]) > ppo.target_kl:
                    break
        self._refresh_scale()
        return {**self._told(epochs * ppo.minibatches, entropy_coef), "epochs_run": epochs}

    def _told(self, minibatches: int, entropy_coef: float) -> dict[str, Any]:
        """The sums of an update as means by name."""
        *sums, norms, rows = self._report.tolist()
        if not math.isfinite(norms):
            raise NonFiniteError(self._culprit())
        each = self._reports[:minibatches].tolist()
        reports: list[dict[str, float]] = [dict(zip(_REPORTED, one, strict=True)) for one in each]
        played = self._counted.flatten()
        values = self._value[:-1].flatten()[played], self._returns.flatten()[played]
        return {
            **figures.of_minibatches(reports, self._ppo.value_coef, entropy_coef),
            **figures.of_rollout(self.rollout.reward, self._advantage, self._counted),
            **{name: total / max(1.0, rows) for name, total in zip(SUMS, sums, strict=True)},
            "grad_norm": norms / minibatches,
            "minibatches": minibatches,
            "explained_variance": explained_variance(*values),
        }

    def _improve(self) -> None:
        """One step down the gradient of the minibatch whose indices are in place."""
        ppo, part = self._ppo, self._part
        with torch.enable_grad():
            outputs, samples, counted = self._replayed(part)
            weight = counted.float()
            rows = weight.sum().clamp_min(1.0)
            mean, scale = torch.zeros_like(rows), torch.ones_like(rows)
            middle = (samples.advantage * weight).sum() / rows
            spread = ((samples.advantage - middle).square() * weight).sum() / rows
            if ppo.normalise_advantages:
                mean, scale = middle, 1.0 / (spread.sqrt() + 1e-8)
            clip = outputs.new_full((), ppo.clip)
            value_clip = outputs.new_full((), ppo.value_clip or math.inf)
            value_coef = outputs.new_full((), ppo.value_coef)
            numbers = (clip, value_clip, value_coef, self._entropy_coef, mean, scale, 1.0 / rows)
            whole, sums = loss(self.network, outputs, samples, torch.stack(numbers), counted)
            parameters = list(self.network.parameters())
            found = torch.autograd.grad(whole, parameters, allow_unused=True)
        into = self.optimizer.gradient
        flat = [
            torch.zeros_like(own) if one is None else one
            for own, one in zip(parameters, found, strict=True)
        ]
        torch.cat([one.reshape(-1) for one in flat], out=into)
        norm = into.norm()
        into.mul_((ppo.max_grad_norm / (norm + 1e-6)).clamp_max(1.0))
        self.optimizer.step()
        self._report.add_(torch.cat([sums, norm.view(1), rows.view(1)]))
        row = torch.cat([sums / rows, norm.view(1), spread.sqrt().view(1)])
        places = torch.arange(len(self._reports), device=self._device)
        here = (places == self._minibatch).unsqueeze(1)
        self._reports.copy_(torch.where(here, row, self._reports))
        self._minibatch.add_(1)

    def _replayed(self, part: Tensor) -> tuple[Tensor, Samples, Tensor]:
        """Outputs of the present network on some rows, or sequences, of the rollout."""
        stacked = (
            self._mask[:-1],
            self._actions,
            self._draws,
            self._log_prob,
            self._value[:-1],
            self._advantage,
            self._returns,
        )
        if self.state:
            begun = tuple(one[part] for one in self._first_state)
            obs = self._scaled(self._obs[:-1, part])
            outputs = self.network.unroll(obs, begun, self._starts[:-1, part])
            return outputs, Samples(*(one[:, part] for one in stacked)), self._counted[:, part]
        outputs, _ = self.network(self._scaled(self._obs[:-1].flatten(0, 1)[part]))
        samples = Samples(*(one.flatten(0, 1)[part] for one in stacked))
        return outputs, samples, self._counted.flatten()[part]

    def _suspects(self) -> list[tuple[str, Tensor, str]]:
        there = {
            "observations": self._obs,
            "values": self._value,
            "log-probabilities": self._log_prob,
            "advantages": self._advantage,
        }
        return [(name, there.get(name, here), advice) for name, here, advice in super()._suspects()]

    # Inside

    def _launch(self, name: Any, work: Callable[[], None]) -> None:
        """Do `work`: the first time while recording it, then by replaying the recording."""
        if not self._captures:
            with torch.no_grad():
                work()
            return
        if name not in self._graphs:
            self._graphs[name] = self._captured(work)
        self._graphs[name]()

    def _captured(self, work: Callable[[], None]) -> Callable[[], None]:
        """`work` as a graph; capturing runs it a few times, so what it changes is put back."""
        with torch.no_grad(), self._untouched():
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                for _ in range(_WARM_UPS):
                    work()
            torch.cuda.current_stream().wait_stream(side)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                work()
        return graph.replay

    @contextlib.contextmanager
    def _untouched(self) -> Generator[None]:
        """Everything a rehearsal changes besides its results: weights, optimiser, memory."""
        learned = self.optimizer.state.values()
        told = [self._report, self._reports, self._minibatch]
        changing = [self.network.flat, *self.state, *learned, *told]
        saved = [one.clone() for one in changing]
        yield
        for one, before in zip(changing, saved, strict=True):
            one.copy_(before)

    def _refresh_scale(self) -> None:
        if self.scale is not None:
            played = self._obs[:-1].flatten(0, 1)[self._alive.flatten()].double()
            mean, spread = played.mean(0), played.var(0, correction=0) * len(played)
            self.scale.moments.join(len(played), mean.cpu().numpy(), spread.cpu().numpy())
            self.scale.refresh()
