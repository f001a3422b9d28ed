"""Multiply-accumulates of a forward pass, counted where matrices are multiplied."""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from astrarium.esper.hosts import RoutedHost
from astrarium.esper.transformer_host import CausalAttention, TiedHead


def forward_macs(module: nn.Module, run: Callable[[], Tensor]) -> int:
    """Those of `module` while `run` runs, for the one sample it should run with.

    Convolutions, linear layers, attention and tied heads count; norms, activations and pools, a
    few per cent at most, do not.
    """
    counted = 0

    def count(part: nn.Module, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        nonlocal counted
        counted += _macs_of(part, inputs[0], output)

    kinds = (nn.Conv2d, nn.Linear, CausalAttention, TiedHead)
    hooks = [
        part.register_forward_hook(count) for part in module.modules() if isinstance(part, kinds)
    ]
    was_training = module.training
    module.eval()
    try:
        with torch.no_grad():
            run()
    finally:
        module.train(was_training)
        for hook in hooks:
            hook.remove()
    return counted


def _macs_of(part: nn.Module, x: Tensor, output: Tensor) -> int:
    match part:
        case nn.Conv2d() | nn.Linear():
            return output.numel() * part.weight[0].numel()
        case CausalAttention():
            # Every pair that may look is multiplied twice: query with key, weight with value.
            return 2 * part.pairs(x.shape[1]) * x.shape[2]
        case TiedHead():
            return output.numel() * x.shape[-1]
        case _:
            return 0


def host_costs(host: RoutedHost, sample: Tensor) -> tuple[int, dict[str, tuple[int, ...]]]:
    """Multiply-accumulates of the host alone, and the shape of a sample's features at each slot."""
    shapes: dict[str, tuple[int, ...]] = {}

    def run() -> Tensor:
        x, previous = sample, None
        for slot_id in host.execution_order():
            x = host.forward_to_segment(slot_id, x, previous)
            shapes[slot_id] = tuple(x.shape)
            previous = slot_id
        return x if previous is None else host.forward_from_segment(previous, x)

    return forward_macs(host, run), shapes
