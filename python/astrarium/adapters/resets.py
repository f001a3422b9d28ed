"""Refuse a step before the first reset, as Gymnasium and its users expect it."""

from __future__ import annotations

from astrarium.adapters.errors import explain_missing
from astrarium.errors import ResetNeededError
from astrarium.worlds import VectorWorld

try:
    from gymnasium.error import ResetNeeded
except ModuleNotFoundError as error:
    explain_missing(error, "gym", "gymnasium")


class StepBeforeResetError(ResetNeededError, ResetNeeded):
    """An environment was stepped before its first reset; Gymnasium's `ResetNeeded` too."""


def require_reset(was_reset: bool, world: VectorWorld) -> None:
    """Refuse a step of an environment that was never reset."""
    if not was_reset:
        world.digests()  # a closed world refuses this in its own words
        raise StepBeforeResetError(
            f"step() came before the first reset() of this environment of {world.world_id}; "
            "begin an episode with env.reset()"
        )
