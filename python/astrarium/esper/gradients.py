"""How the gradients of seeds look: sampled without waiting, read once an epoch."""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from astrarium.esper.contracts.seeds import GradientHealth
from astrarium.esper.descent import Descent

VANISHING_NORM: Final = 1e-7
EXPLODING_CLIPS: Final = 10.0
SAMPLE_STRIDE: Final = 10
"""Steps from one sample to the next."""
_HOST_NORM_MIN: Final = 1e-8
_RATIO_MAX: Final = 10.0


@dataclass(frozen=True, slots=True)
class GradientSample:
    """The gradients of one seed over one epoch."""

    health: GradientHealth
    ratio: float
    """Against the host's, each by the root of its parameters."""


def gradient_health(norms: Sequence[float], clip: float) -> GradientHealth:
    """From the norms of a seed's tensors.

    A seed in training pushes against nothing, so now and then one of its tensors is beyond the
    bound; only if most are, or one is not finite, its gradients explode.
    """
    finite = [norm for norm in norms if math.isfinite(norm)]
    count = max(len(norms), 1)
    vanishing = sum(norm < VANISHING_NORM for norm in finite) / count
    exploding = sum(not norm <= EXPLODING_CLIPS * clip for norm in norms) / count
    return GradientHealth(
        norm=math.hypot(*finite),
        health=max(0.0, 1.0 - 0.5 * vanishing - 0.8 * exploding),
        vanishing=vanishing > 0.5,
        exploding=exploding > 0.5 or len(finite) < len(norms),
    )


def gradient_ratio(seed_norm: float, host_norm: float, seed_size: int, host_size: int) -> float:
    """The seed's gradient against the host's, as if they had equally many parameters."""
    if not host_norm >= _HOST_NORM_MIN or not math.isfinite(host_norm):
        return 0.0
    if not math.isfinite(seed_norm):
        return _RATIO_MAX
    return min(seed_norm / host_norm * math.sqrt(host_size / seed_size), _RATIO_MAX)


def gradient_norms(descents: Mapping[str, Descent]) -> Tensor:
    """One for each tensor, between a backward pass and the step that follows it."""
    grads = [p.grad for one in descents.values() for p in one.parameters if p.grad is not None]
    return torch.stack([torch.linalg.vector_norm(grad) for grad in grads])


class GradientSampler:
    """Collects the norms of gradients over an epoch."""

    def __init__(self) -> None:
        self._samples: list[Tensor] = []
        self._of: tuple[tuple[str, Descent], ...] = ()

    def sample(self, descents: Mapping[str, Descent], norms: Tensor) -> None:
        """Remember the `gradient_norms` of those who learn; nothing is waited for.

        Where others learn than before, the samples begin anew.
        """
        if (of := tuple(descents.items())) != self._of:
            self._of = of
            self._samples.clear()
        self._samples.append(norms.clone())

    def read(self) -> dict[str, GradientSample]:
        """Every seed's gradients since the last reading, in one transfer."""
        if not self._samples:
            return {}
        norms: list[float] = torch.stack(self._samples).mean(dim=0).tolist()
        self._samples.clear()
        of, pieces = self._of, list[list[float]]()
        for _, descent in of:
            pieces.append(norms[: len(descent.parameters)])
            norms = norms[len(descent.parameters) :]
        (_, host), host_norm = of[0], math.hypot(*pieces[0])
        found: dict[str, GradientSample] = {}
        for (slot_id, descent), piece in zip(of[1:], pieces[1:], strict=True):
            health = gradient_health(piece, descent.clip)
            sizes = descent.flat.numel(), host.flat.numel()
            ratio = gradient_ratio(health.norm, host_norm, *sizes)
            found[slot_id] = GradientSample(health, ratio)
        return found
