"""The two phases of an epoch that touch tensors: training, and validation of many at once.

Sums stay on the device while an epoch runs; each phase brings its figures over once, at its end.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from astrarium.esper.attribution import AlphaConfigurations, Attribution, Row, attribute
from astrarium.esper.gradients import SAMPLE_STRIDE, GradientSample, GradientSampler
from astrarium.esper.isolation import IsolationMonitor
from astrarium.esper.network import GrownNetwork
from astrarium.esper.tasks import TaskSpec
from astrarium.esper.tasks.batches import Preloaded
from astrarium.esper.tasks.dataset import Dataset

VALIDATION_ROWS: Final = 4096
"""Rows of one pass, all configurations together."""
BACKWARD_COST: Final = 3
"""A training sample costs three forward passes."""


class TaskData:
    """The parts of a task, wholly on one device."""

    def __init__(self, spec: TaskSpec, data: Dataset, device: torch.device) -> None:
        self.spec = spec
        self.device = device
        self.train = Preloaded(data.train, device)
        self.validation = Preloaded(data.validation, device)
        self.test = Preloaded(data.test, device)

    def epoch_macs(self, forward_macs: int, configurations: int) -> float:
        """Multiply-accumulates of an epoch of a network that needs so many forward."""
        trained = BACKWARD_COST * len(self.train)
        return float(forward_macs * (trained + configurations * len(self.validation)))


@dataclass(frozen=True, slots=True)
class Trained:
    """What a training phase came to."""

    loss: float
    accuracy: float
    gradients: Mapping[str, GradientSample]
    """By slot, of the seeds that learnt."""


@dataclass(frozen=True, slots=True)
class Validated:
    """What a validation said, with everything on and otherwise."""

    loss: float
    attribution: Attribution
    rows: tuple[Row, ...] = ()
    """Which seeds were on, in every variant that was validated."""
    accuracies: tuple[float, ...] = ()
    """Of those variants."""


def train_epoch(
    network: GrownNetwork, data: TaskData, seed: int, epoch: int, monitor: IsolationMonitor
) -> Trained:
    """Every training sample once, in the order of this seed and epoch."""
    settings = data.spec.training
    sampler = GradientSampler()
    sums = torch.zeros(2, device=data.device, dtype=torch.float64)
    steps = -(-len(data.train) // settings.batch)
    network.train()
    batches = data.train.epoch(settings.batch, seed, epoch, augment=settings.augment)
    for step, (x, y) in enumerate(batches):
        monitor.check(network, x, y, loss_of, step, steps)
        outputs = network(x)
        loss = loss_of(outputs, y)
        loss.backward()
        if step % SAMPLE_STRIDE == 0:
            sampler.sample(network.learning())
        network.step()
        with torch.no_grad():
            sums += torch.stack([loss.detach() * len(y), _share_right(outputs, y) * len(y)])
    total_loss, right = (float(one) for one in (sums / len(data.train)).tolist())
    return Trained(total_loss, 100.0 * right, sampler.read())


@torch.no_grad()
def validate(network: GrownNetwork, part: Preloaded, asked: AlphaConfigurations) -> Validated:
    """All configurations in one pass over a part."""
    network.eval()
    rows = configured(network, asked)
    sums = torch.zeros(len(rows) + 1, device=part.labels.device, dtype=torch.float64)
    for x, y in part.in_order(max(1, VALIDATION_ROWS // len(rows))):
        outputs = network(x, rows)
        sums[0] += loss_of(outputs[0], y) * len(y)
        sums[1:] += torch.stack([_share_right(one, y) for one in outputs]) * len(y)
    loss, *right = (sums / len(part)).tolist()
    accuracies = tuple(100.0 * one for one in right)
    return Validated(loss, attribute(asked, accuracies), asked.rows, accuracies)


@torch.no_grad()
def score_of(
    network: GrownNetwork, part: Preloaded, kept: tuple[float, ...]
) -> tuple[float, float]:
    """The accuracy and the loss with these amplitudes, one for every slot."""
    network.eval()
    sums = torch.zeros(2, device=part.labels.device, dtype=torch.float64)
    for x, y in part.in_order(VALIDATION_ROWS):
        outputs = network(x, (kept,))[0]
        sums += torch.stack([_share_right(outputs, y), loss_of(outputs, y).double()]) * len(y)
    right, loss = (sums / len(part)).tolist()
    return 100.0 * right, loss


def configured(network: GrownNetwork, asked: AlphaConfigurations) -> tuple[tuple[float, ...], ...]:
    """Amplitudes of every slot for each row asked for: as they are, or nothing."""
    present = dict(zip(network.slot_ids, network.amplitudes(), strict=True))
    rows: list[tuple[float, ...]] = []
    for row in asked.rows:
        on = dict(zip(asked.slots, row, strict=True))
        rows.append(tuple(present[slot] if on.get(slot) else 0.0 for slot in network.slot_ids))
    return tuple(rows)


def loss_of(outputs: Tensor, labels: Tensor) -> Tensor:
    """Cross-entropy, over samples or over every token of them."""
    return functional.cross_entropy(outputs.flatten(0, -2), labels.flatten())


def _share_right(outputs: Tensor, labels: Tensor) -> Tensor:
    return (outputs.argmax(-1) == labels).double().mean()
