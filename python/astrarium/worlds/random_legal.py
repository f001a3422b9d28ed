"""Chance as a player: any legal choice of each head, all equally likely."""

from __future__ import annotations

from typing import Final

import numpy as np

from astrarium.worlds.vector import Actions, Flags, VectorWorld, Words

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2: Final = np.uint64(0x94D049BB133111EB)


def random_legal(world: VectorWorld, step: int) -> Actions:
    """Uniform legal actions.

    Each draw is a hash of the episode's seed, the step, the agent and the head, so an episode
    plays out the same in any batch and at any place in it.
    """
    layout = world.layout
    agents, heads = layout.agents, len(layout.heads)
    slots = np.arange(agents * heads, dtype=np.uint64).reshape(1, agents, heads)
    with np.errstate(over="ignore"):
        moment = np.uint64(step) * np.uint64(agents * heads) + slots
        key = (
            _mix(world.episode_seed[:, np.newaxis, np.newaxis]) + (moment + np.uint64(1)) * _GOLDEN
        )
    # The upper 53 bits make every double in 0..1 equally likely.
    chance = (_mix(key) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    actions = np.empty((world.num_worlds, agents, heads), np.int32)
    first = 0
    for head, choices in enumerate(layout.heads):
        legal: Flags = world.mask[:, :, first : first + choices]
        counted = legal.cumsum(axis=2, dtype=np.int32)
        nth = np.floor(chance[:, :, head] * counted[:, :, -1]).astype(np.int32) + 1
        # The first place where the count reaches n is the nth legal choice.
        actions[:, :, head] = (counted >= nth[:, :, np.newaxis]).argmax(axis=2)
        first += choices
    return actions


def _mix(word: Words) -> Words:
    """SplitMix64's finaliser: every bit of the word decides about every bit of the result."""
    with np.errstate(over="ignore"):
        word = (word ^ (word >> np.uint64(30))) * _MIX_1
        word = (word ^ (word >> np.uint64(27))) * _MIX_2
    return word ^ (word >> np.uint64(31))
