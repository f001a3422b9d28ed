"""First weights from our own numbers: equal generators give equal bits."""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import Final, Protocol, TypeVar, runtime_checkable

import numpy as np
import torch
from torch import Tensor, nn

EMBEDDING_STD: Final = 0.02
_FORKING: Final = threading.Lock()
"""Two threads that put torch's generator back crosswise would move it."""

Module = TypeVar("Module", bound=nn.Module)


@runtime_checkable
class Particular(Protocol):
    """A module that begins otherwise than its parts would."""

    def begin(self) -> None:
        """Set what must not be random."""
        ...


def grown(
    make: Callable[[], Module],
    generator: np.random.Generator,
    device: torch.device | None = None,
) -> Module:
    """What `make` makes, its weights drawn from `generator` in the order of its parts.

    What torch draws meanwhile is overwritten, and its own generator left where it was.
    """
    with _FORKING, torch.random.fork_rng(devices=[]):
        module = make()
    with torch.no_grad():
        for part in module.modules():
            _begin(part, generator)
        for part in module.modules():
            if isinstance(part, Particular):
                part.begin()
    return module if device is None else module.to(device)


def _begin(part: nn.Module, generator: np.random.Generator) -> None:
    match part:
        case nn.Conv2d() | nn.Linear():
            bound = 1.0 / math.sqrt(part.weight[0].numel())
            _uniform(part.weight, bound, generator)
            if part.bias is not None:
                _uniform(part.bias, bound, generator)
        case nn.Embedding():
            draws = EMBEDDING_STD * generator.standard_normal(tuple(part.weight.shape))
            part.weight.copy_(torch.from_numpy(draws))
        case nn.BatchNorm2d():
            part.reset_parameters()
        case nn.GroupNorm() | nn.LayerNorm():
            part.weight.fill_(1.0)
            part.bias.zero_()
        case _:
            pass


def _uniform(weight: Tensor, bound: float, generator: np.random.Generator) -> None:
    weight.copy_(torch.from_numpy(generator.uniform(-bound, bound, tuple(weight.shape))))


def parameter_count(module: nn.Module) -> int:
    """Its parameters, each counted once."""
    return sum(parameter.numel() for parameter in module.parameters())
