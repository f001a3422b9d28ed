"""The registry of blueprints: what can be germinated, where, and how large it is."""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import torch
from torch import nn

from astrarium.errors import did_you_mean
from astrarium.esper import blueprint_modules as modules
from astrarium.esper.contracts.errors import BlueprintError
from astrarium.esper.contracts.heads import BLUEPRINTS
from astrarium.esper.contracts.seeds import Topology
from astrarium.esper.weights import grown, parameter_count

_PROBE_SIDE: Final = 32
_PROBE_BATCH, _PROBE_TIME = 2, 8


@dataclass(frozen=True, slots=True)
class Blueprint:
    """A kind of seed for one topology."""

    name: str
    topology: Topology
    make: Callable[[int], nn.Module]
    """From the width of the features."""
    parameters: Callable[[int], int]
    """How many it has, from the same width."""
    begins_as_identity: bool

    @property
    def index(self) -> int:
        """Its number in actions and embeddings."""
        return BLUEPRINTS.index(self.name)


def _identity(_width: int) -> nn.Module:
    return nn.Identity()


def _group_norm_seed(width: int) -> nn.Module:
    return modules.NormSeed(nn.GroupNorm(modules.group_count(width), width))


def _layer_norm_seed(width: int) -> nn.Module:
    return modules.NormSeed(nn.LayerNorm(width))


def _attention(kind: type[modules.AttentionSeed], width: int) -> nn.Module:
    if width % modules.ATTENTION_HEADS:
        raise BlueprintError(
            f"features of width {width} cannot be split over {modules.ATTENTION_HEADS} heads; "
            "germinate something without attention there"
        )
    return kind(width)


def _squeeze_size(c: int) -> int:
    return 2 * c * max(1, c // 4) + c


def _bottleneck_size(c: int) -> int:
    narrow = max(8, c // 4)
    return 2 * c * narrow + 9 * narrow**2 + 2 * c


_CONV_LIGHT = partial(modules.ConvResidual, kernel=3)
_DEPTHWISE = partial(modules.ConvResidual, kernel=1, depthwise=True)
_LORA, _LORA_LARGE = partial(modules.LowRank, rank=8), partial(modules.LowRank, rank=32)
_MLP_SMALL, _MLP = partial(modules.MlpSeed, ratio=2), partial(modules.MlpSeed, ratio=4)
_DENSE = partial(_attention, modules.AttentionSeed)
_SPARSE = partial(_attention, modules.SparseAttentionSeed)

_TABLE: Final = (
    Blueprint("noop", "cnn", _identity, lambda c: 0, True),
    Blueprint("conv_light", "cnn", _CONV_LIGHT, lambda c: 9 * c**2 + 2 * c, False),
    Blueprint("attention", "cnn", modules.SqueezeExcite, _squeeze_size, False),
    Blueprint("norm", "cnn", _group_norm_seed, lambda c: 2 * c + 1, True),
    Blueprint("depthwise", "cnn", _DEPTHWISE, lambda c: c**2 + 11 * c, False),
    Blueprint("bottleneck", "cnn", modules.Bottleneck, _bottleneck_size, True),
    Blueprint("conv_small", "cnn", modules.ConvSmall, lambda c: c**2 + 2 * c, True),
    Blueprint("conv_heavy", "cnn", modules.ConvHeavy, lambda c: 18 * c**2 + 4 * c, False),
    Blueprint("noop", "transformer", _identity, lambda d: 0, True),
    Blueprint("attention", "transformer", _DENSE, lambda d: 4 * d**2 + 4 * d, True),
    Blueprint("norm", "transformer", _layer_norm_seed, lambda d: 2 * d + 1, True),
    Blueprint("lora", "transformer", _LORA, lambda d: 16 * d, True),
    Blueprint("lora_large", "transformer", _LORA_LARGE, lambda d: 64 * d, True),
    Blueprint("mlp_small", "transformer", _MLP_SMALL, lambda d: 4 * d**2 + 3 * d, True),
    Blueprint("mlp", "transformer", _MLP, lambda d: 8 * d**2 + 5 * d, True),
    Blueprint("flex_attention", "transformer", _SPARSE, lambda d: 4 * d**2 + 4 * d, True),
)
_BY_NAME: Final = {(entry.name, entry.topology): entry for entry in _TABLE}


def allowed_blueprints(topology: Topology) -> tuple[str, ...]:
    """What may be germinated in a host of this topology: all that fit but the empty one."""
    return tuple(name for name in BLUEPRINTS[1:] if (name, topology) in _BY_NAME)


def find_blueprint(name: str, topology: Topology) -> Blueprint:
    """The blueprint of that name for that topology."""
    if name not in BLUEPRINTS:
        raise BlueprintError(f"no blueprint is called {name!r}{did_you_mean(name, BLUEPRINTS)}")
    try:
        return _BY_NAME[name, topology]
    except KeyError:
        known = ", ".join(allowed_blueprints(topology))
        raise BlueprintError(
            f"{name} does not fit a {topology} host; what does is {known}"
        ) from None


def make_seed(
    blueprint: Blueprint,
    width: int,
    generator: np.random.Generator,
    device: torch.device | None = None,
    quiet: bool = False,
) -> nn.Module:
    """A seed with first weights, its promise of shape tried; `quiet` ones begin as the identity."""
    seed = grown(lambda: blueprint.make(width), generator, device)
    if quiet and isinstance(seed, modules.Quietable):
        with torch.no_grad():
            seed.quieten()
    check_shape(blueprint, width, seed)
    return seed


def check_shape(blueprint: Blueprint, width: int, seed: nn.Module) -> None:
    """Refuse a seed that changes the shape of its input, or is not the size it should be."""
    if blueprint.topology == "cnn":
        shape: tuple[int, ...] = (1, width, _PROBE_SIDE, _PROBE_SIDE)
    else:
        shape = (_PROBE_BATCH, _PROBE_TIME, width)
    device = next((parameter.device for parameter in seed.parameters()), torch.device("cpu"))
    was_training = seed.training
    seed.eval()
    with torch.no_grad():
        found = seed(torch.zeros(shape, device=device))
    seed.train(was_training)
    if tuple(found.shape) != shape:
        raise BlueprintError(
            f"{blueprint.name} turned {shape} into {tuple(found.shape)}; seeds keep the shape"
        )
    size, promised = parameter_count(seed), blueprint.parameters(width)
    if size != promised:
        raise BlueprintError(
            f"{blueprint.name} has {size} parameters at width {width}, not {promised}"
        )
