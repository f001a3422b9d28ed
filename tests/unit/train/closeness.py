"""Tensors that are nearly equal. (torch's own check loads an algebra system first, for seconds.)"""

from __future__ import annotations

import numpy as np
from torch import Tensor


def close(found: Tensor, expected: Tensor, *, rtol: float = 2e-6, atol: float = 1e-5) -> None:
    """Fail where they differ by more than `atol` and `rtol` of the expected together."""
    np.testing.assert_allclose(
        found.detach().numpy(), expected.detach().numpy(), rtol=rtol, atol=atol
    )
