"""The arrays of a batch of hosts."""

from __future__ import annotations

from typing import Final

import numpy as np

from astrarium.worlds.vector import Layout


class HostArrays:
    """What `VectorWorld` shows and takes, for n hosts of one controller each."""

    def __init__(self, n: int, layout: Layout) -> None:
        self.layout: Final = layout
        self.num_worlds: Final = n
        self.obs: Final = np.zeros((n, 1, layout.obs_dim), np.float32)
        self.final_obs: Final = np.zeros((n, 1, layout.obs_dim), np.float32)
        self.mask: Final = np.zeros((n, 1, layout.num_choices), np.uint8)
        self.alive: Final = np.ones((n, 1), np.uint8)
        self.actions: Final = np.zeros((n, 1, len(layout.heads)), np.int32)
        self.controls: Final = np.zeros((n, 1, layout.controls), np.float32)
        self.reward: Final = np.zeros((n, 1), np.float32)
        self.terms: Final = np.zeros((n, 1, len(layout.terms)), np.float32)
        self.terminated: Final = np.zeros((n, 1), np.uint8)
        self.truncated: Final = np.zeros((n, 1), np.uint8)
        self.events: Final = np.zeros((n, 1), np.uint32)
        self.stats: Final = np.zeros((n, len(layout.stats)), np.float32)
        self.episode_seed: Final = np.zeros(n, np.uint64)
        self.episode: Final = np.zeros(n, np.uint64)

    def forget_the_last_step(self, chosen: list[int]) -> None:
        """Let the chosen hosts show nothing that a step produced."""
        for array in (self.reward, self.terms, self.terminated, self.truncated, self.events):
            array[chosen] = 0
        self.stats[chosen] = 0
