"""Chance as a player: any legal choice of each head, any position of each control."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from astrarium.worlds.vector import Actions, Arrays, Flags

Chances = npt.NDArray[np.float64]

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2: Final = np.uint64(0x94D049BB133111EB)


def random_legal(world: Arrays, step: int) -> Actions:
    """Uniform legal actions, from `chances`: the same in any batch and at any place in it.

    Controls are drawn too, and go straight to the world.
    """
    layout = world.layout
    agents, heads = layout.agents, len(layout.heads)
    chance = chances(world, step, heads + layout.controls)
    if layout.controls:
        world.controls[...] = 2.0 * chance[:, :, heads:] - 1.0
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


def chances(world: Arrays, step: int, count: int, salt: int = 0) -> Chances:
    """(n, m, count) numbers from 0 up to 1, all equally likely.

    Each is a hash of the episode's seed, the step, the agent and its number, so an episode draws
    the same ones in any batch and at any place in it; another `salt` gives others.
    """
    agents = world.layout.agents
    slots = np.arange(agents * count, dtype=np.uint64).reshape(1, agents, count)
    with np.errstate(over="ignore"):
        moment = np.uint64(step) * np.uint64(agents * count) + slots
        seeds = world.episode_seed[:, np.newaxis, np.newaxis] ^ _mix(np.uint64(salt) * _GOLDEN)
        key = _mix(seeds) + (moment + np.uint64(1)) * _GOLDEN
    # The upper 53 bits make every double in 0..1 equally likely.
    return (_mix(key) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _mix(word: Any) -> Any:
    """SplitMix64's finaliser: every bit of the word decides about every bit of the result."""
    with np.errstate(over="ignore"):
        word = (word ^ (word >> np.uint64(30))) * _MIX_1
        word = (word ^ (word >> np.uint64(27))) * _MIX_2
    return word ^ (word >> np.uint64(31))
