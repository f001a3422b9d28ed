"""Small networks that grow, and what they are told."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from astrarium.esper.building import build_host
from astrarium.esper.contracts.actions import ActionSpec
from astrarium.esper.contracts.heads import (
    AlphaCurve,
    AlphaSpeed,
    AlphaTarget,
    Op,
    Style,
    Tempo,
)
from astrarium.esper.contracts.seeds import (
    EpochMeasurement,
    GradientHealth,
    SeedMeasurement,
    Topology,
)
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.network import GrownNetwork, GrowthConfig
from astrarium.esper.shapes import CnnShape, TransformerShape

CNN = CnnShape(base=4, blocks=2, kernel=1, pools=1, in_channels=1, classes=3)
TRANSFORMER = TransformerShape(
    width=8, heads=0, layers=2, context=6, vocabulary=5, segments=2, mlp_ratio=2
)
SHAPES: dict[Topology, CnnShape | TransformerShape] = {"cnn": CNN, "transformer": TRANSFORMER}
SEEDLING: dict[Topology, str] = {"cnn": "conv_light", "transformer": "attention"}
FINE = GradientHealth(norm=0.5, health=1.0, vanishing=False, exploding=False)


def network_of(
    topology: Topology = "cnn", config: GrowthConfig | None = None, seed: int = 7
) -> GrownNetwork:
    host = build_host(SHAPES[topology], np.random.default_rng(seed))
    return GrownNetwork(host, batch_of(topology, 1)[0], seed, config, now_ms=lambda: 0.0)


def batch_of(topology: Topology, rows: int = 6, seed: int = 0) -> tuple[Tensor, Tensor]:
    """Inputs and targets."""
    generator = np.random.default_rng(seed)
    if topology == "cnn":
        x = torch.from_numpy(generator.standard_normal((rows, 1, 6, 6))).float()
        return x, torch.from_numpy(generator.integers(0, 3, rows))
    tokens = torch.from_numpy(generator.integers(0, 5, (rows, 6)))
    return tokens, torch.from_numpy(generator.integers(0, 5, (rows, 6)))


def loss_of(logits: Tensor, targets: Tensor) -> Tensor:
    return functional.cross_entropy(logits.flatten(0, -2), targets.flatten())


def train_once(network: GrownNetwork, seed: int = 0) -> None:
    """One step of training."""
    x, y = batch_of(network.host.topology, seed=seed)
    network.train()
    loss_of(network(x), y).backward()
    network.step()


def measured(network: GrownNetwork, epoch: int, accuracy: float = 50.0) -> EpochMeasurement:
    """An epoch in which everything looks well."""
    seeds = tuple(
        SeedMeasurement(slot_id, 2.0, 0.1, 0.1, FINE, 1.0) for slot_id in network.slot_ids
    )
    return EpochMeasurement(epoch, accuracy, seeds)


def epoch_of(network: GrownNetwork, epoch: int, action: ActionSpec | None = None) -> bool:
    """One whole epoch, and whether its action happened."""
    train_once(network, seed=epoch)
    network.measure(measured(network, epoch))
    done = action is None or network.apply(action).action_success
    network.tick()
    return done


def germinate(network: GrownNetwork, slot_id: str, style: Style = Style.LINEAR_ADD) -> ActionSpec:
    return ActionSpec(
        Op.GERMINATE,
        slot_id,
        SEEDLING[network.host.topology],
        style=style,
        tempo=Tempo.FAST,
        alpha_target=AlphaTarget.FULL,
    )


def prune(slot_id: str, speed: AlphaSpeed = AlphaSpeed.INSTANT) -> ActionSpec:
    return ActionSpec(Op.PRUNE, slot_id, alpha_speed=speed)


def retarget(
    slot_id: str,
    target: AlphaTarget,
    speed: AlphaSpeed = AlphaSpeed.FAST,
    style: Style = Style.LINEAR_ADD,
) -> ActionSpec:
    return ActionSpec(
        Op.SET_ALPHA_TARGET,
        slot_id,
        style=style,
        alpha_target=target,
        alpha_speed=speed,
        alpha_curve=AlphaCurve.LINEAR,
    )


def grow_to(
    network: GrownNetwork, slot_id: str, stage: Stage, style: Style = Style.LINEAR_ADD
) -> int:
    """Bring a seed to a stage by the shortest way; the epoch it got there."""
    epoch = network.clock.epoch
    ask = germinate(network, slot_id, style)
    for _ in range(60):
        if network.slot(slot_id).state.stage is stage:
            return epoch
        epoch += 1
        epoch_of(network, epoch, ask)
        now = network.slot(slot_id).state.stage
        after = Op.FOSSILIZE if now is Stage.HOLDING else Op.ADVANCE
        ask = (
            germinate(network, slot_id, style)
            if now is Stage.DORMANT
            else ActionSpec(after, slot_id)
        )
    raise AssertionError(f"{slot_id} did not reach {stage.name}")
