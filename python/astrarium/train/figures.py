"""What an update tells of itself, besides the means of its losses."""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnnecessaryComparison=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from torch import Tensor

from astrarium.train.normalise import Moments

_FLAT: Final = 1e-8
"""A deviation of advantages below this says that all were the same."""


def of_minibatches(
    reports: Sequence[Mapping[str, float]], value_coef: float, entropy_coef: float
) -> dict[str, Any]:
    """Means of what each minibatch reported, and the extremes among them; nothing of nothing."""
    if not reports:
        return {}
    columns = {name: np.array([one[name] for one in reports]) for name in reports[0]}
    means = {name: float(np.mean(column)) for name, column in columns.items()}
    deviation = columns["advantage_std"]
    del means["advantage_std"]
    loss = means["policy_loss"] + value_coef * means["value_loss"]
    return {
        **means,
        "loss": loss - entropy_coef * means["entropy"],
        "entropy_std": float(columns["entropy"].std()),
        "grad_norm_max": float(columns["grad_norm"].max()),
        "approx_kl_max": float(columns["approx_kl"].max()),
        "clip_fraction_max": float(columns["clip_fraction"].max()),
        "clipped_minibatches": int((columns["clip_fraction"] > 0).sum()),
        "minibatches": len(reports),
        "advantage_std_min": float(deviation.min()),
        "flat_minibatches": int((deviation < _FLAT).sum()),
    }


def of_pay(paid: Moments) -> dict[str, float]:
    """Of every reward since the run began, as the world paid it; nothing of none."""
    if paid.count[0] == 0:
        return {}
    return {
        "reward_running_mean": float(paid.mean[0]),
        "reward_running_variance": float(paid.spread[0] / paid.count[0]),
    }


def of_rollout(reward: Tensor, advantage: Tensor, counted: Tensor) -> dict[str, Any]:
    """Of the decisions that were learned from; nothing of none."""
    chosen = counted.cpu().numpy()
    paid: npt.NDArray[np.float64] = reward.cpu().numpy()[chosen].astype(np.float64)
    gained: npt.NDArray[np.float64] = advantage.cpu().numpy()[chosen].astype(np.float64)
    if len(paid) == 0:
        return {"transitions": 0}
    spread = float(paid.std() * gained.std())
    together = float(((paid - paid.mean()) * (gained - gained.mean())).mean())
    return {
        "transitions": len(paid),
        "advantage_mean": float(gained.mean()),
        "advantage_std": float(gained.std()),
        "reward_advantage_corr": together / spread if spread > 0 else 0.0,
    }
