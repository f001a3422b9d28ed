"""The pool of hosts against torch's own."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional

from astrarium.esper.pooling import Pool


@given(
    st.integers(0, 2**31), st.integers(1, 3), st.integers(1, 4), st.integers(1, 4), st.booleans()
)
def test_it_is_the_maximum_and_sends_gradients_where_it_came_from(
    seed: int, channels: int, height: int, width: int, coarse: bool
) -> None:
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn((2, channels, 2 * height, 2 * width), generator=generator)
    if coarse:
        # Many equals: one of each four gets the gradient, whichever.
        x = x.round()
    ours, theirs = x.clone().requires_grad_(), x.clone().requires_grad_()
    found, expected = Pool()(ours), functional.max_pool2d(theirs, 2)
    assert torch.equal(found, expected)
    slope = torch.randn(found.shape, generator=generator)
    found.backward(slope)
    expected.backward(slope)
    assert ours.grad is not None
    assert theirs.grad is not None
    by_four = functional.avg_pool2d(ours.grad, 2) * 4
    torch.testing.assert_close(by_four, slope)
    at_largest = functional.interpolate(found.detach(), scale_factor=2) == x
    assert not ours.grad[~at_largest].any()
    if not coarse:
        assert torch.equal(ours.grad, theirs.grad)


@pytest.mark.parametrize("shape", [(1, 2, 5, 4), (1, 2, 4, 3)])
def test_what_has_no_partner_is_left_out(shape: tuple[int, ...]) -> None:
    x = torch.randn(shape)
    assert torch.equal(Pool()(x), functional.max_pool2d(x, 2))
