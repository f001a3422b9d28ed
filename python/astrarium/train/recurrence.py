"""An LSTM over whole sequences whose state is cleared where an episode begins.

The library's own layer cannot clear a state on the way, and its cell, called step by step, leaves
autograd a product of matrices for every step and every weight. Here what does not depend on the
step before is done for all steps at once, in both directions.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

# One kernel for all gates of a step; the cell of the library calls the same.
_fused = torch.ops.aten._thnn_fused_lstm_cell.default
_fused_back = torch.ops.aten._thnn_fused_lstm_cell_backward_impl.default


def unroll_lstm(
    cell: nn.LSTMCell, inputs: Tensor, state: tuple[Tensor, ...], kept: Tensor
) -> Tensor:
    """Hidden states (T, rows, size) of `inputs` (T, rows, width) from a state on.

    `kept` (T, rows, 1) is 0 where an episode begins and 1 elsewhere. No gradient goes into the
    first state: it was found by an older network.
    """
    given = functional.linear(inputs, cell.weight_ih, cell.bias_ih + cell.bias_hh)
    short, long = state
    return _Steps.apply(given, cell.weight_hh, short, long, kept)  # pyright: ignore[reportReturnType]


class _Steps(torch.autograd.Function):
    """What has to go step by step."""

    @staticmethod
    def forward(ctx: Any, *given: Tensor) -> Tensor:
        """The hidden states."""
        inputs, weight, short, long, kept = given
        cells: list[Tensor] = []
        gates: list[Tensor] = []
        hidden: list[Tensor] = []
        befores: list[Tensor] = []
        for now, keep in zip(inputs, kept, strict=True):
            before, cell = short * keep, long * keep
            short, long, gate = _step(now, before @ weight.t(), cell)
            befores.append(before)
            hidden.append(short)
            cells += (cell, long)
            gates.append(gate)
        ctx.save_for_backward(weight, kept, torch.stack(befores), *cells, *gates)
        return torch.stack(hidden)

    @staticmethod
    def backward(ctx: Any, *slopes: Tensor) -> tuple[Tensor | None, ...]:
        """From the slope of the hidden states to those of inputs and weight."""
        (of_hidden,) = slopes
        weight, kept, befores, *rest = ctx.saved_tensors
        steps = len(kept)
        cells, gates = rest[: 2 * steps], rest[2 * steps :]
        found: list[Tensor] = []
        of_short, of_long = torch.zeros_like(befores[0]), torch.zeros_like(befores[0])
        for t in range(steps - 1, -1, -1):
            before, after = cells[2 * t : 2 * t + 2]
            slope, of_long = _step_back(gates[t], before, after, of_short + of_hidden[t], of_long)
            found.append(slope)
            of_short, of_long = (slope @ weight) * kept[t], of_long * kept[t]
        slope = torch.stack(found[::-1])
        return slope, slope.flatten(0, 1).t() @ befores.flatten(0, 1), None, None, None


def _step(given: Tensor, recalled: Tensor, cell: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The hidden state, the cell and the gates after a step."""
    if given.is_cuda:
        return _fused(given, recalled, cell)
    size = cell.shape[1]
    gates = given + recalled
    gates[:, : 2 * size].sigmoid_()
    gates[:, 2 * size : 3 * size].tanh_()
    gates[:, 3 * size :].sigmoid_()
    taken, stays, new, shown = gates.split(size, 1)
    after = torch.addcmul(stays * cell, taken, new)
    return after.tanh().mul_(shown), after, gates


def _step_back(
    gates: Tensor, before: Tensor, after: Tensor, of_hidden: Tensor, of_cell: Tensor
) -> tuple[Tensor, Tensor]:
    """The slopes of the sums that became gates, and of the cell before."""
    if gates.is_cuda:
        slope, of_before, _ = _fused_back(of_hidden, of_cell, before, after, gates, False)
        return slope, of_before
    taken, stays, new, shown = gates.split(before.shape[1], 1)
    bent = after.tanh()
    of_cell = torch.addcmul(of_cell, of_hidden * shown, 1.0 - bent * bent)
    slope = torch.cat(
        (
            of_cell * new * taken * (1.0 - taken),
            of_cell * before * stays * (1.0 - stays),
            of_cell * taken * (1.0 - new * new),
            of_hidden * bent * shown * (1.0 - shown),
        ),
        dim=1,
    )
    return slope, of_cell * stays
