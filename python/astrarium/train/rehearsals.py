"""What becomes of the updates in which a policy is guided: remembered, judged, and taken back.

A rehearsal is an update of which a teacher gave a part, of the orders or of the gradient. Its
measures are kept with the run. A policy that went astray in one is as it was before it, weights
and the optimiser's memory; what the worlds lived through stays, and so do the scales, which only
say what was seen.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import torch
from torch import Tensor

from astrarium.telemetry.events import PromotionJudged
from astrarium.train import anneal
from astrarium.train.anneal import Baseline, Measured, Rollback
from astrarium.train.learner import Learner


class Rehearsals:
    """The latest ones of each policy."""

    def __init__(
        self, learners: Sequence[Learner], baseline: Baseline, accuracy_min: float
    ) -> None:
        self._learners = learners
        self._baseline = baseline
        self._accuracy_min = accuracy_min
        self._latest: dict[str, list[Measured]] = {}
        self._before: dict[str, list[Tensor]] = {}
        """What each policy learned until the rehearsal at hand."""

    def begin(self) -> None:
        """Remember every policy as it is."""
        for one in self._learners:
            self._before[one.name] = [part.clone() for part in _learned(one)]

    def note(self, learner: Learner, measured: Measured) -> Rollback:
        """Judge what was just rehearsed; a policy that is to be taken back is as it was."""
        known = [*self._latest.get(learner.name, ()), measured][-anneal.REHEARSALS :]
        self._latest[learner.name] = known
        verdict = anneal.rollback(known, self._baseline, self._accuracy_min)
        if verdict.reasons:
            with torch.no_grad():
                for part, before in zip(_learned(learner), self._before[learner.name], strict=True):
                    part.copy_(before)
        return verdict

    def judged(self) -> list[PromotionJudged]:
        """Whether each policy that was rehearsed may be promoted."""
        found: list[PromotionJudged] = []
        for name, known in self._latest.items():
            faults = tuple(anneal.promotion_faults(known, self._baseline))
            found.append(PromotionJudged(policy=name, ready=not faults, faults=faults))
        return found

    def state(self) -> dict[str, Any]:
        """What a checkpoint keeps."""
        return {name: [asdict(one) for one in known] for name, known in self._latest.items()}

    def load(self, state: Mapping[str, Any]) -> None:
        """Go on from a checkpoint."""
        self._latest = {name: [Measured(**one) for one in known] for name, known in state.items()}


def _learned(learner: Learner) -> list[Tensor]:
    """All that learning changes of a policy."""
    return [learner.network.flat, *learner.optimizer.state.values()]
