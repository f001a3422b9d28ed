"""Patterns of seeds that look useful without being so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from astrarium.esper.contracts.rewards import SeedInfo

Pattern = Literal["attribution_ratio", "ransomware_signature"]

RANSOM_CONTRIBUTION: Final = 0.1
RANSOM_TOTAL: Final = -0.2
RANSOM_CRITICAL: Final = 1.0
RATIO_SUSPECT: Final = 5.0


@dataclass(frozen=True, slots=True)
class Suspicion:
    """One seed that fits a pattern."""

    pattern: Pattern
    severity: Literal["warning", "critical"]
    slot_id: str
    seed_id: str
    contribution: float
    counterfactual_total: float


def suspicions(seed: SeedInfo) -> tuple[Suspicion, ...]:
    """What is suspicious about a seed.

    The ransomware signature: the host cannot do without the seed, and would be better off had it
    never met it.
    """
    contribution, total = seed.contribution, seed.counterfactual_total
    if contribution is None or total is None:
        return ()
    found: list[Suspicion] = []
    place = (seed.slot_id, seed.seed_id, contribution, total)
    if total > 0.0 and contribution / total >= RATIO_SUSPECT:
        found.append(Suspicion("attribution_ratio", "warning", *place))
    if contribution > RANSOM_CONTRIBUTION and total < RANSOM_TOTAL:
        severity = "critical" if contribution >= RANSOM_CRITICAL else "warning"
        found.append(Suspicion("ransomware_signature", severity, *place))
    return tuple(found)
