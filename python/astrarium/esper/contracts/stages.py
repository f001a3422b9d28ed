"""The life of a seed: its stages, and which may follow which."""

from __future__ import annotations

from enum import IntEnum
from types import MappingProxyType
from typing import Final

from astrarium.esper.contracts.errors import IllegalTransitionError


class Stage(IntEnum):
    """Where a seed is in its life. 5 belonged to a stage that no longer exists."""

    UNKNOWN = 0
    DORMANT = 1
    """An empty slot."""
    GERMINATED = 2
    TRAINING = 3
    """The seed learns; the host does not feel it."""
    BLENDING = 4
    """Its amplitude is on the way somewhere."""
    HOLDING = 6
    """At full amplitude, waiting for a decision."""
    FOSSILIZED = 7
    """Part of the host for good."""
    PRUNED = 8
    EMBARGOED = 9
    RESETTING = 10


_AFTER: Final = {
    Stage.UNKNOWN: (Stage.DORMANT,),
    Stage.DORMANT: (Stage.GERMINATED,),
    Stage.GERMINATED: (Stage.TRAINING, Stage.PRUNED),
    Stage.TRAINING: (Stage.BLENDING, Stage.PRUNED),
    Stage.BLENDING: (Stage.HOLDING, Stage.PRUNED),
    # Back to blending only to be turned down, wholly or in part.
    Stage.HOLDING: (Stage.FOSSILIZED, Stage.BLENDING, Stage.PRUNED),
    Stage.FOSSILIZED: (),
    Stage.PRUNED: (Stage.EMBARGOED,),
    Stage.EMBARGOED: (Stage.RESETTING,),
    Stage.RESETTING: (Stage.DORMANT,),
}
TRANSITIONS: Final = MappingProxyType(_AFTER)
"""The stages that may follow each."""

STAGES: Final = tuple(Stage)
"""In the order of their one-hot features."""
ACTIVE: Final = frozenset({Stage.TRAINING, Stage.BLENDING, Stage.HOLDING, Stage.FOSSILIZED})
"""Stages in which the seed runs."""
BLENDED: Final = frozenset({Stage.BLENDING, Stage.HOLDING, Stage.FOSSILIZED})
"""Stages in which the host feels the seed."""
LIVE: Final = frozenset({Stage.GERMINATED, Stage.TRAINING, Stage.BLENDING, Stage.HOLDING})
"""Stages of a seed about which something can still be decided."""
COOLING: Final = frozenset({Stage.PRUNED, Stage.EMBARGOED, Stage.RESETTING})
"""Stages of a slot on the way from a pruned seed to an empty slot."""
BLOCKING: Final = COOLING | {Stage.GERMINATED, Stage.TRAINING}
"""Stages in which a slot keeps every other slot from germinating."""


def check_transition(before: Stage, after: Stage) -> None:
    """Refuse a stage that may not follow."""
    if after not in TRANSITIONS[before]:
        allowed = ", ".join(stage.name for stage in TRANSITIONS[before]) or "nothing"
        raise IllegalTransitionError(
            f"a seed in {before.name} cannot become {after.name}; what may follow is {allowed}"
        )
