"""The one source of chance: a PCG32 stream and the distributions drawn from it.

How many words each helper consumes is as much a part of the rules as what it returns: one word
more or less shifts every later draw of the episode.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from . import f32
from .f32 import ONE, ZERO, Vector

_MASK64: Final = (1 << 64) - 1
_MASK32: Final = (1 << 32) - 1
_MULTIPLIER: Final = 6364136223846793005
_STREAM: Final = 54
_LOG_FLOOR: Final = np.float32(1e-8)
"""Smallest number a logarithm is taken of; a zero word would give infinity."""

_HALF: Final = np.float32(0.5)
_SIX: Final = np.float32(6.0)
_MINUS_TWO: Final = np.float32(-2.0)


class Draws:
    """One environment's generator. `state` alone tells where in the stream it is."""

    __slots__ = ("increment", "state")

    def __init__(self, seed: int) -> None:
        """Start the stream of an unsigned 64-bit seed."""
        self.increment = (_STREAM << 1) | 1
        self.state = 0
        self.next_u32()
        self.state = (self.state + seed) & _MASK64
        self.next_u32()

    def next_u32(self) -> int:
        """The next word, and the only thing that moves the stream."""
        old = self.state
        self.state = (old * _MULTIPLIER + self.increment) & _MASK64
        word = (((old >> 18) ^ old) >> 27) & _MASK32
        rotation = old >> 59
        return ((word >> rotation) | (word << (-rotation & 31))) & _MASK32

    def unit(self) -> np.float32:
        """A number in 0..1. The one double in the rules: exact, then rounded once.

        The top 128 words round up to exactly 1.
        """
        return np.float32(self.next_u32() / 2.0**32)

    def integer(self, low: int, high: int) -> int:
        """A whole number in low..high-1, with plain modulo bias; draws even for a span of one."""
        return low + self.next_u32() % (high - low)

    def uniform(self, low: np.float32, high: np.float32) -> np.float32:
        """A number in low..high; the span is rounded before it is scaled."""
        return low + (high - low) * self.unit()

    def exponential(self) -> np.float32:
        """Exponential with mean 1."""
        return -f32.log(max(self.unit(), _LOG_FLOOR))

    def normal(self, mean: np.float32, deviation: np.float32) -> np.float32:
        """Box-Muller, two words; its second value is thrown away, never kept for later."""
        radius_unit = max(self.unit(), _LOG_FLOOR)
        angle_unit = self.unit()
        z = f32.sqrt(_MINUS_TWO * f32.log(radius_unit)) * f32.cos(f32.TAU * angle_unit)
        return mean + deviation * z

    def lognormal(self, mean: np.float32, deviation: np.float32) -> np.float32:
        """e to a normal draw."""
        return f32.exp(self.normal(mean, deviation))

    def beta32(self) -> np.float32:
        """Beta(3, 2), as three exponentials against two."""
        a = f32.ordered_sum([self.exponential() for _ in range(3)])
        b = f32.ordered_sum([self.exponential() for _ in range(2)])
        return a / (a + b) if a + b > ZERO else _HALF

    def dirichlet6(self) -> Vector:
        """Six shares of one, uniform over the simplex."""
        weights = np.array([self.exponential() for _ in range(6)], dtype=np.float32)
        total = f32.ordered_sum(weights)
        if total <= ZERO:
            return np.full(6, ONE / _SIX, dtype=np.float32)
        return weights / total
