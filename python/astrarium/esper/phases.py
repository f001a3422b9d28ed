"""The two phases of an epoch that touch tensors: training, and validation of many at once.

Sums stay on the device while an epoch runs; each phase brings its figures over once, at its end.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from astrarium.esper.aggregation import Aggregation
from astrarium.esper.aggregation_metrics import AggregationReport
from astrarium.esper.attribution import AlphaConfigurations, Attribution, Row, attribute
from astrarium.esper.gradient_sources import GradientSources
from astrarium.esper.gradients import (
    SAMPLE_STRIDE,
    GradientSample,
    GradientSampler,
    gradient_norms,
)
from astrarium.esper.isolation import IsolationMonitor
from astrarium.esper.launching import Graphs, Launcher, Outputs
from astrarium.esper.network import GrownNetwork
from astrarium.esper.tasks import TaskSpec
from astrarium.esper.tasks.batches import Preloaded
from astrarium.esper.tasks.dataset import Dataset
from astrarium.train.streams import stream

VALIDATION_ROWS: Final = 4096
"""Rows of one pass, all configurations together."""
BACKWARD_COST: Final = 3
"""A training sample costs three forward passes."""


class TaskData:
    """The parts of a task, wholly on one device."""

    def __init__(self, spec: TaskSpec, data: Dataset, device: torch.device) -> None:
        self.spec = spec
        self.device = device
        self.graphs = Graphs(device)
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
    aggregation: AggregationReport | None = None
    """None where batches were not parted."""


@dataclass(frozen=True, slots=True)
class Validated:
    """What a validation said, with everything on and otherwise."""

    loss: float
    attribution: Attribution
    rows: tuple[Row, ...] = ()
    """Which seeds were on, in every variant that was validated."""
    accuracies: tuple[float, ...] = ()
    """Of those variants."""


@dataclass(frozen=True, slots=True)
class Parting:
    """How batches are parted, and what the last epoch's parts came to."""

    rules: Aggregation
    shares_before: Mapping[str, float] = field(default_factory=dict[str, float])


def train_epoch(
    network: GrownNetwork,
    data: TaskData,
    seed: int,
    epoch: int,
    monitor: IsolationMonitor,
    launcher: Launcher,
    parting: Parting | None = None,
) -> Trained:
    """Every training sample once, in the order of this seed and epoch."""
    settings = data.spec.training
    recipes = data.train.recipes(settings.batch, seed, epoch, augment=settings.augment)
    sources = None if parting is None else GradientSources(parting.rules, seed, epoch)
    sums = torch.zeros(2, device=data.device, dtype=torch.float64)
    sampler, steps = GradientSampler(), len(recipes)
    due = monitor.due(network, steps)
    network.train()
    launcher.noise = network.host.reseed(stream(seed, "esper.dropout", epoch))
    launcher.adopt(network.structure())
    for step, recipe in enumerate(recipes):
        if step in due:
            monitor.check(network, *data.train.gather(recipe), loss_of, step, steps)
            # It may have pruned a seed.
            launcher.adopt(network.structure())
        looks, last = step % SAMPLE_STRIDE == 0, step == steps - 1
        if sources is None:
            work = partial(_train_step, network, data.train, looks=looks)
            name = "step with a look" if looks else "step"
            told, *norms = launcher.run(name, work, recipe)
        else:
            told, *norms = _train_step(network, data.train, recipe, sources, looks=looks, last=last)
        if norms:
            sampler.sample(network.learning(), norms[0])
        sums += told
    total_loss, right = (float(one) for one in (sums / len(data.train)).tolist())
    parts = None if sources is None else sources.report(parting.shares_before if parting else {})
    return Trained(total_loss, 100.0 * right, sampler.read(), parts)


def _train_step(
    network: GrownNetwork,
    part: Preloaded,
    recipe: Tensor,
    sources: GradientSources | None = None,
    *,
    looks: bool,
    last: bool = False,
) -> Outputs:
    """One step down the slope of a batch; its loss and hits in sum, and norms for who looks."""
    x, y = part.gather(recipe)
    if sources is None:
        outputs = network(x)
        loss = loss_of(outputs, y)
        loss.backward()
    else:
        outputs, y, loss = sources.backward(network, x, y, loss_of, look=last)
    norms = (gradient_norms(network.learning()),) if looks else ()
    network.step()
    with torch.no_grad():
        told = torch.stack([loss.detach() * len(y), _share_right(outputs, y) * len(y)])
    return told, *norms


@torch.no_grad()
def validate(
    network: GrownNetwork, part: Preloaded, asked: AlphaConfigurations, launcher: Launcher
) -> Validated:
    """All configurations in one pass over a part."""
    network.eval()
    launcher.adopt(network.structure())
    rows = configured(network, asked)

    def work() -> Outputs:
        sums = torch.zeros(len(rows) + 1, device=part.labels.device, dtype=torch.float64)
        for x, y in part.in_order(max(1, VALIDATION_ROWS // len(rows))):
            outputs = network(x, rows)
            sums[0] += loss_of(outputs[0], y) * len(y)
            sums[1:] += torch.stack([_share_right(one, y) for one in outputs]) * len(y)
        return (sums / len(part),)

    # The rows ask for seeds to be on or off; how strong they are is read where they are blended.
    loss, *right = launcher.run((part, asked.slots, asked.rows), work)[0].tolist()
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
