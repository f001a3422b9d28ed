"""Captures as tensors, and how far a network is from doing the same.

Trajectories lie one after another. A network without memory takes any of their steps, one with
memory whole trajectories, its state cleared at the beginning of each.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from astrarium.train.captures import Capture, Steps, had_choice
from astrarium.train.correcting import Answers
from astrarium.train.errors import CaptureError
from astrarium.train.factored import relevance
from astrarium.train.loss import head_log_probs
from astrarium.train.normalise import ObservationScale
from astrarium.train.policy import Network, Shape

VALUE_WEIGHT: Final = 0.5
_JUDGED_ROWS: Final = 4096
"""Rows judged together."""

Items = npt.NDArray[np.int64]


def returns_of(steps: Steps, gamma: float) -> npt.NDArray[np.float64]:
    """(T): what each step led to; after a cut, what the teacher expected."""
    result = np.empty(len(steps.rewards))
    following = float(steps.value_preds[-1])
    for t in range(len(result) - 1, -1, -1):
        following = float(steps.rewards[t]) + gamma * following
        result[t] = following
    return result


@dataclass(frozen=True, slots=True)
class ValueScale:
    """The size of returns.

    A policy's values are returns over their deviation, as PPO has them where it normalises
    rewards. Misses are counted over the returns' range, so that 1 is as wrong as can be.
    """

    deviation: float
    range: float


class Demonstrations:
    """All steps of some captures."""

    def __init__(self, captures: Sequence[Capture], shape: Shape, gamma: float) -> None:
        for one in captures:
            _check_shape(one, shape)
        steps = [one.steps for one in captures]
        self.lengths = [len(one.rewards) for one in steps]
        self.firsts = np.cumsum([0, *self.lengths])
        self.obs = torch.from_numpy(np.concatenate([one.obs for one in steps]).astype(np.float32))
        self.mask = torch.from_numpy(np.concatenate([one.action_mask for one in steps]))
        actions = np.concatenate([one.actions for one in steps])
        self.actions = torch.from_numpy(actions.astype(np.int64))
        self._returns = np.concatenate([returns_of(one, gamma) for one in steps])
        self.measure_values(ValueScale(1.0, 1.0))
        self._offsets = np.cumsum([0, *shape.heads[:-1]])
        self.legal = self._legal()
        self.illegal = int((~self.legal).sum())
        self.chosen = torch.from_numpy(np.concatenate([had_choice(one) for one in steps]))
        """Where there was more than one legal action."""

    def add(self, answers: Answers) -> None:
        """Know more steps, of no trajectory. What came of them nobody knows, so that they teach
        nothing about values."""
        count = len(answers.obs)
        self.obs = torch.cat([self.obs, torch.from_numpy(answers.obs)])
        self.mask = torch.cat([self.mask, torch.from_numpy(answers.mask)])
        actions = torch.from_numpy(answers.actions.astype(np.int64))
        self.actions = torch.cat([self.actions, actions])
        self.values = torch.cat([self.values, torch.full((count,), torch.nan)])
        self.chosen = torch.cat([self.chosen, torch.ones(count, dtype=torch.bool)])
        self.legal = self._legal()

    def _legal(self) -> Tensor:
        places = self.actions.numpy() + self._offsets
        return torch.from_numpy((np.take_along_axis(self.mask.numpy(), places, 1) != 0).all(1))

    def value_scale(self) -> ValueScale:
        """How large these returns are; 1 where they are all the same."""
        return ValueScale(float(self._returns.std()) or 1.0, float(np.ptp(self._returns)) or 1.0)

    def measure_values(self, scale: ValueScale) -> None:
        """What the value is to be, in the units of a policy, and what a miss of 1 counts."""
        self.values = torch.from_numpy(self._returns / scale.deviation).float()
        self.miss_unit = scale.deviation / scale.range


def _check_shape(one: Capture, shape: Shape) -> None:
    obs_dim, heads = len(one.facts.feature_names), tuple(map(len, one.facts.action_names))
    if (obs_dim, heads) != (shape.obs_dim, shape.heads):
        raise CaptureError(
            f"{one.facts.trajectory_id} shows {obs_dim} floats and heads {heads}; this policy "
            f"takes {shape.obs_dim} and {shape.heads}: capture them in the world as it is trained"
        )


class Mimic:
    """A network beside what it is to do."""

    def __init__(
        self, network: Network, scale: ObservationScale | None, shown: Demonstrations
    ) -> None:
        self._network = network
        self._scale = scale
        self._shown = shown
        self._sequences = network.state_parts > 0
        self._parameters = list(network.parameters())

    def batches(self, order: np.random.Generator, rows: int) -> Iterator[Items]:
        """Everything once, in an order drawn from `order`, about `rows` steps at a time."""
        lengths = self._shown.lengths
        if not self._sequences:
            places = order.permutation(len(self._shown.obs))
            yield from (places[at : at + rows] for at in range(0, len(places), rows))
            return
        batch: list[int] = []
        for one in order.permutation(len(lengths)):
            batch.append(int(one))
            if sum(lengths[at] for at in batch) >= rows:
                yield np.array(batch)
                batch = []
        if batch:
            yield np.array(batch)

    def gradient(self, items: Items, out: Tensor) -> tuple[float, float, int]:
        """Of the loss of some steps, or trajectories, into `out`.

        Told are the means of cross-entropy and of squared misses of the value, and of how many
        steps they are.
        """
        with torch.enable_grad():
            right, missed, _, _ = self._compare(items)
            loss = right.sum() + VALUE_WEIGHT * missed.sum()
            whole = loss / max(1, len(right))
            found = torch.autograd.grad(whole, self._parameters, allow_unused=True)
        pieces = [
            torch.zeros_like(own) if one is None else one
            for own, one in zip(self._parameters, found, strict=True)
        ]
        torch.cat([one.reshape(-1) for one in pieces], out=out)
        steps = max(1, len(right))
        totals = right.detach().sum(), missed.detach().sum()
        return float(totals[0]) / steps, float(totals[1]) / steps, len(right)

    def judged(self) -> tuple[float, float]:
        """Accuracy where there was a choice, and mean squared miss of the value over everything.

        Where one action alone is legal any policy is right: counted, such steps would let one
        pass that has learned nothing.
        """
        same = missed = 0.0
        count = choices = 0
        with torch.no_grad():
            for items in self._in_order():
                _, miss, alike, chosen = self._compare(items)
                same += float((alike & chosen).sum())
                choices += int(chosen.sum())
                missed += float(miss.double().sum())
                count += len(alike)
        return same / max(1, choices), missed / max(1, count)

    def _in_order(self) -> Iterator[Items]:
        if self._sequences:
            yield from (np.array([at]) for at in range(len(self._shown.lengths)))
        else:
            rows = len(self._shown.obs)
            yield from (
                np.arange(at, min(at + _JUDGED_ROWS, rows)) for at in range(0, rows, _JUDGED_ROWS)
            )

    def _compare(self, items: Items) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Of the legal steps of `items`: cross-entropy, squared miss of the value, sameness, and
        whether there was a choice."""
        shown, shape = self._shown, self._network.shape
        outputs, rows = self._unrolled(items) if self._sequences else self._outputs(items)
        legal = shown.legal[rows]
        outputs, rows = outputs[legal], rows[legal]
        actions = shown.actions[rows]
        each = head_log_probs(shape, outputs, shown.mask[rows])
        chosen = torch.cat(
            [p.gather(-1, a) for p, a in zip(each, actions.split(1, -1), strict=True)], -1
        )
        likeliest = torch.stack([one.argmax(-1) for one in each], -1)
        matters = torch.ones_like(chosen)
        if shape.matters:
            matters = relevance(shape)[actions[:, 0]]
        cross = -(chosen * matters).sum(-1)
        alike = ((likeliest == actions) | (matters == 0)).all(-1)
        values = shown.values[rows]
        missed = (outputs[:, -1] - values) * shown.miss_unit
        missed = torch.where(values.isnan(), 0.0, missed)
        return cross, missed.square(), alike, shown.chosen[rows]

    def _outputs(self, rows: Items) -> tuple[Tensor, Tensor]:
        places = torch.from_numpy(rows)
        outputs, _ = self._network(self._scaled(self._shown.obs[places]))
        return outputs, places

    def _unrolled(self, trajectories: Items) -> tuple[Tensor, Tensor]:
        """Outputs of whole trajectories, side by side as far as the longest goes."""
        lengths = torch.tensor([self._shown.lengths[at] for at in trajectories])
        firsts = torch.tensor([int(self._shown.firsts[at]) for at in trajectories])
        steps = torch.arange(int(lengths.max()))[:, None]
        there = steps < lengths
        # Beyond its end a trajectory shows its first step; nothing of that counts.
        places = firsts + torch.where(there, steps, 0)
        state = self._network.first_state(len(lengths))
        starts = (steps == 0).expand(-1, len(lengths))
        outputs = self._network.unroll(self._scaled(self._shown.obs[places]), state, starts)
        return outputs[there], places[there]

    def _scaled(self, obs: Tensor) -> Tensor:
        return obs if self._scale is None else self._scale.apply_(obs.clone())
