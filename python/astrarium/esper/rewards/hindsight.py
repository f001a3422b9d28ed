"""Credit for scaffolds: seeds that helped another one on its way to becoming a fossil."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

CREDIT_MAX: Final = 0.2
CREDIT_WEIGHT: Final = 0.1
CREDIT_SCALE: Final = 0.1


@dataclass(frozen=True, slots=True)
class Boost:
    """The most one seed was seen to add to another."""

    scaffold_id: str
    boost: float
    epoch: int
    """When it was seen."""


@dataclass(frozen=True, slots=True)
class ScaffoldCredit:
    """What one scaffold is given."""

    scaffold_id: str
    credit: float
    delay_epochs: int


def scaffold_credits(
    boosts: Sequence[Boost], improvement: float, epoch: int, gamma: float
) -> tuple[ScaffoldCredit, ...]:
    """Credit of every scaffold of a seed fossilized at `epoch` after improving by so much.

    Where the credits exceed what may be given in all, each is cut in proportion.
    """
    given: list[ScaffoldCredit] = []
    for one in boosts:
        delay = epoch - one.epoch
        worth = max(0.0, one.boost) * max(0.0, improvement)
        credit = CREDIT_WEIGHT * math.tanh(CREDIT_SCALE * worth) * gamma**delay
        given.append(ScaffoldCredit(one.scaffold_id, credit, delay))
    total = math.fsum(one.credit for one in given)
    if total <= CREDIT_MAX:
        return tuple(given)
    cut = CREDIT_MAX / total
    return tuple(ScaffoldCredit(c.scaffold_id, c.credit * cut, c.delay_epochs) for c in given)
