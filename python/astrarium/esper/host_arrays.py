"""The arrays of a batch of hosts, in one piece of memory that processes can share."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from astrarium.worlds.vector import Layout

_ALIGNMENT: Final = 64


class HostArrays:
    """What `VectorWorld` shows and takes, for n hosts of one controller each."""

    def __init__(self, n: int, layout: Layout, memory: npt.NDArray[np.uint8] | None = None) -> None:
        """`memory` holds the arrays already, or is all zeros and will; see `bytes_needed`."""
        self.layout: Final = layout
        self.num_worlds: Final = n
        self._memory = np.zeros(bytes_needed(n, layout), np.uint8) if memory is None else memory
        self._taken = 0
        self.obs: Final = self._array(np.float32, n, 1, layout.obs_dim)
        self.final_obs: Final = self._array(np.float32, n, 1, layout.obs_dim)
        self.mask: Final = self._array(np.uint8, n, 1, layout.num_choices)
        self.alive: Final = self._array(np.uint8, n, 1)
        self.actions: Final = self._array(np.int32, n, 1, len(layout.heads))
        self.controls: Final = self._array(np.float32, n, 1, layout.controls)
        self.reward: Final = self._array(np.float32, n, 1)
        self.terms: Final = self._array(np.float32, n, 1, len(layout.terms))
        self.terminated: Final = self._array(np.uint8, n, 1)
        self.truncated: Final = self._array(np.uint8, n, 1)
        self.events: Final = self._array(np.uint32, n, 1)
        self.stats: Final = self._array(np.float32, n, len(layout.stats))
        self.episode_seed: Final = self._array(np.uint64, n)
        self.episode: Final = self._array(np.uint64, n)
        self.run_seed: Final = self._array(np.uint64, n)
        self.lane: Final = self._array(np.int64, n)
        """The index of the world that each host's seeds are drawn for."""
        self.over: Final = self._array(np.bool_, n)
        self.alive[:] = 1

    def _array(self, kind: type[Any], *shape: int) -> npt.NDArray[Any]:
        size = int(np.prod(shape)) * np.dtype(kind).itemsize
        first = self._taken
        self._taken += _rounded(size)
        return self._memory[first : first + size].view(kind).reshape(shape)

    def forget_the_last_step(self, chosen: list[int]) -> None:
        """Let the chosen hosts show nothing that a step produced."""
        for array in (self.reward, self.terms, self.terminated, self.truncated, self.events):
            array[chosen] = 0
        self.stats[chosen] = 0


def bytes_needed(n: int, layout: Layout) -> int:
    """How much memory the arrays of n hosts take."""
    floats = 2 * layout.obs_dim + layout.controls + 1 + len(layout.terms) + len(layout.stats)
    words = len(layout.heads) + 1
    flags = layout.num_choices + 4
    arrays = 17
    return n * (4 * (floats + words) + flags + 4 * 8) + arrays * _ALIGNMENT


def _rounded(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
