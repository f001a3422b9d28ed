"""An LSTM over sequences, beside the library's cell called step by step."""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from astrarium.train.recurrence import unroll_lstm


def stepped(
    cell: nn.LSTMCell, inputs: Tensor, state: tuple[Tensor, Tensor], kept: Tensor
) -> Tensor:
    short, long = state
    hidden: list[Tensor] = []
    for now, keep in zip(inputs, kept, strict=True):
        short, long = cell(now, (short * keep, long * keep))
        hidden.append(short)
    return torch.stack(hidden)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    steps=st.integers(1, 6),
    rows=st.integers(1, 4),
    width=st.integers(1, 5),
    size=st.integers(1, 5),
    clearing=st.sampled_from([0.0, 0.3, 1.0]),
)
def test_states_and_gradients_are_those_of_the_cell(
    seed: int, steps: int, rows: int, width: int, size: int, clearing: float
) -> None:
    draws = torch.Generator().manual_seed(seed)
    cell = nn.LSTMCell(width, size).double()
    for parameter in cell.parameters():
        parameter.data = torch.randn(parameter.shape, generator=draws, dtype=torch.double)
    inputs = torch.randn(steps, rows, width, generator=draws, dtype=torch.double)
    inputs.requires_grad_(True)
    begun = torch.randn(2, rows, size, generator=draws, dtype=torch.double)
    state = (begun[0], begun[1])
    kept = (torch.rand(steps, rows, 1, generator=draws) >= clearing).double()
    weight = torch.randn(steps, rows, size, generator=draws, dtype=torch.double)
    learned = [inputs, *cell.parameters()]
    ours = unroll_lstm(cell, inputs, state, kept)
    theirs = stepped(cell, inputs, state, kept)
    torch.testing.assert_close(ours, theirs, rtol=1e-12, atol=1e-12)
    found = torch.autograd.grad((ours * weight).sum(), learned)
    wanted = torch.autograd.grad((theirs * weight).sum(), learned)
    torch.testing.assert_close(found, wanted, rtol=1e-10, atol=1e-12)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_the_fused_kernels_of_a_gpu_say_the_same() -> None:
    torch.manual_seed(1)
    cell, inputs = nn.LSTMCell(5, 7), torch.randn(6, 3, 5)
    state, kept = (torch.randn(3, 7), torch.randn(3, 7)), (torch.rand(6, 3, 1) > 0.3).float()
    ours = unroll_lstm(cell, inputs, state, kept)
    found = torch.autograd.grad(ours.square().sum(), list(cell.parameters()))
    there = cell.cuda()
    moved = unroll_lstm(there, inputs.cuda(), (state[0].cuda(), state[1].cuda()), kept.cuda())
    found_there = torch.autograd.grad(moved.square().sum(), list(there.parameters()))
    torch.testing.assert_close(moved.cpu(), ours)
    torch.testing.assert_close([one.cpu() for one in found_there], list(found))
