"""Behaviour cloning: a policy learns to do what a teacher did, and says how well it does.

Learned by masked cross-entropy over all heads and the squared miss of the value. Judged on whole
trajectories that nothing was learned from, by a gate that is the same for everybody.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

import contextlib
from collections.abc import Generator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch

from astrarium.train.adam import Adam
from astrarium.train.captures import Capture, check_varied
from astrarium.train.config import PPOSection
from astrarium.train.demonstrations import VALUE_WEIGHT, Demonstrations, Mimic
from astrarium.train.errors import CaptureError, NonFiniteError
from astrarium.train.normalise import ObservationScale
from astrarium.train.policy import Network, Shape
from astrarium.train.streams import stream

ACCURACY_MIN: Final = 0.90
VALUE_MISS_MAX: Final = 0.05
VALUE_EXPLAINED_MIN: Final = 0.1
"""Returns seldom fill their range, so that values which say nothing may miss little of it."""

_SLOWED: Final = 0.95
"""Of the learning rate, gone at the end: the last batches must not decide what is forgotten."""

Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Study:
    """How a policy learns from captures."""

    epochs: int = 10
    batch_rows: int = 64
    """Decisions of a minibatch; policies with memory take whole trajectories until so many."""
    learning_rate: float = 1e-3
    held_out: float = 0.2
    """Share of trajectories that are only judged by."""
    accuracy_min: float = ACCURACY_MIN
    value_miss_max: float = VALUE_MISS_MAX
    value_explained_min: float = VALUE_EXPLAINED_MIN


@dataclass(frozen=True, slots=True)
class Practice:
    """How the learning went, in means over its minibatches."""

    minibatches: int
    transitions: int
    """Decisions learned from, each as often as it was gone over."""
    learning_rate: float
    """At its beginning."""
    policy_loss: float
    """Cross-entropy."""
    value_loss: float
    """Squared miss of the value."""
    loss: float
    grad_norm: float
    grad_norm_max: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """How well a policy does what its teacher did, on trajectories it has not seen."""

    accuracy: float
    """Share of decisions in which every head that matters chose as the teacher; where only one
    action is legal nothing is decided."""
    value_miss: float
    """Mean squared, of returns over their range."""
    value_explained: float
    """How much of the returns' variance the values explain; 0 for values that say nothing."""
    passed: bool
    learned_trajectories: int
    held_out_trajectories: int
    learned_rows: int
    held_out_rows: int
    illegal_rows: int
    """Decisions of the teacher that the mask forbids; nothing is learned from them."""
    value_scale: float
    """The deviation of returns: values of this policy are returns over it."""

    def facts(self) -> dict[str, Any]:
        """By name."""
        return asdict(self)


def split(count: int, held_out: float, seed: int) -> tuple[Places, Places]:
    """Trajectories to learn from and to be judged by, each in exactly one of the two."""
    if count < 2:
        raise CaptureError(
            f"{count} trajectory cannot be split into some to learn from and some to be judged "
            "by; capture more episodes"
        )
    order = stream(seed, "imitation/split").permutation(count)
    kept_back = min(count - 1, max(1, round(held_out * count)))
    return np.sort(order[kept_back:]), np.sort(order[:kept_back])


class Imitation:
    """Captures, divided, and ready to be learned from by a network of one shape."""

    def __init__(
        self,
        captures: Sequence[Capture],
        shape: Shape,
        *,
        seed: int,
        gamma: float,
        study: Study,
    ) -> None:
        check_varied(captures)
        learned, held_out = split(len(captures), study.held_out, seed)
        self.study = study
        self._seed = seed
        chosen = [captures[at] for at in learned]
        self.learned = Demonstrations(chosen, shape, gamma)
        self._values = self.learned.value_scale()
        self.learned.measure_values(self._values)
        self.held_out = Demonstrations([captures[at] for at in held_out], shape, gamma)
        self.held_out.measure_values(self._values)

    def fit_scale(self, scale: ObservationScale) -> None:
        """Let a scale of observations begin with what was captured."""
        scale.moments.add(self.learned.obs.numpy())
        scale.refresh()

    def learn(
        self, network: Network, scale: ObservationScale | None, *, epochs: int, cycle: int = 0
    ) -> Practice:
        """Improve on everything so many times, ever more slowly; each order is drawn by name."""
        rates = PPOSection(learning_rate=self.study.learning_rate)
        optimizer = Adam(network.flat, rates)
        mimic = Mimic(network, scale, self.learned)
        crosses: list[float] = []
        misses: list[float] = []
        lengths: list[float] = []
        steps = 0
        with one_thread():
            for epoch in range(epochs):
                order = stream(self._seed, "imitation/batches", cycle, epoch)
                batches = list(mimic.batches(order, self.study.batch_rows))
                for at, items in enumerate(batches):
                    done = (epoch + at / len(batches)) / epochs
                    optimizer.rate.fill_(self.study.learning_rate * (1.0 - _SLOWED * done))
                    cross, missed, count = mimic.gradient(items, optimizer.gradient)
                    length = optimizer.follow(float("inf"))
                    if not np.isfinite(length):
                        raise NonFiniteError(
                            "the gradient of the imitation is not finite; lower its learning rate"
                        )
                    crosses.append(cross)
                    misses.append(missed)
                    lengths.append(length)
                    steps += count
        return Practice(
            minibatches=len(lengths),
            transitions=steps,
            learning_rate=self.study.learning_rate,
            policy_loss=float(np.mean(crosses)),
            value_loss=float(np.mean(misses)),
            loss=float(np.mean(crosses)) + VALUE_WEIGHT * float(np.mean(misses)),
            grad_norm=float(np.mean(lengths)),
            grad_norm_max=max(lengths),
        )

    def judge(self, network: Network, scale: ObservationScale | None) -> Judgement:
        """On what was held out."""
        with one_thread():
            accuracy, miss = Mimic(network, scale, self.held_out).judged()
        explained = self._explained(miss)
        study = self.study
        is_valued = explained is None or explained > study.value_explained_min
        return Judgement(
            accuracy=accuracy,
            value_miss=miss,
            value_explained=explained or 0.0,
            passed=accuracy >= study.accuracy_min and miss <= study.value_miss_max and is_valued,
            learned_trajectories=len(self.learned.lengths),
            held_out_trajectories=len(self.held_out.lengths),
            learned_rows=len(self.learned.obs),
            held_out_rows=len(self.held_out.obs),
            illegal_rows=self.learned.illegal + self.held_out.illegal,
            value_scale=self._values.deviation,
        )

    def _explained(self, miss: float) -> float | None:
        """How much of the held-out returns' variance; None where they are all the same."""
        unit = self.held_out.miss_unit
        variance = float((self.held_out.values.double() * unit).var(correction=0))
        return 1.0 - miss / variance if variance > 0 else None


@contextlib.contextmanager
def one_thread() -> Generator[None]:
    """Torch adds up in one order only if one thread does it."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
