"""Promise 5: rewards come with their named terms, and the terms sum to the reward."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from astrarium.check.report import Finding
from astrarium.check.trial import Trial

_ULPS: Final = 4
"""Room for a world that adds in another order or in double precision."""


def faults(trial: Trial) -> Iterator[Finding]:
    """Rewards that are not finite, or not what their terms say."""
    rewards = trial.baseline.frames["reward"]
    terms = trial.baseline.frames["terms"]
    names = trial.layout.terms
    if not names:
        yield Finding(5, "the reward has no named terms", "name at least one in layout.terms")
        return
    for field, array in (("reward", rewards), ("terms", terms)):
        wrong = np.argwhere(~np.isfinite(array))
        if len(wrong):
            step, world, *index = (int(at) for at in wrong[0])
            value = array[tuple(wrong[0])]
            yield Finding(
                5,
                f"step {step}, world {world}: {field}{index} is {value}",
                "bound what the term is computed from; look for a division by zero",
            )
            return
    yield from _sums(rewards, terms, names)


def _sums(
    rewards: npt.NDArray[Any], terms: npt.NDArray[Any], names: tuple[str, ...]
) -> Iterator[Finding]:
    total = np.zeros_like(rewards)
    size = np.abs(rewards)
    for term in range(len(names)):
        total = total + terms[..., term]
        size = size + np.abs(terms[..., term])
    allowed = _ULPS * np.finfo(np.float32).eps * size
    wrong = np.argwhere(np.abs(total - rewards) > allowed)
    if len(wrong):
        step, world, agent = (int(at) for at in wrong[0])
        parts = " ".join(
            f"{name} {value:+.6g}"
            for name, value in zip(names, terms[step, world, agent], strict=True)
        )
        reward = rewards[step, world, agent]
        yield Finding(
            5,
            f"step {step}, world {world}, agent {agent}: reward is {reward:.6g}, "
            f"its terms sum to {total[step, world, agent]:.6g} ({parts})",
            "compute the reward as the sum of the terms, in order, and give every part a name",
        )
