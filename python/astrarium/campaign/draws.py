"""Named draws: what chance decides follows from the war's seed, the day, the place and the purpose.

No draw depends on another, so nothing is kept between days and no order can change a war.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True)
class Draws:
    """The draws of one day."""

    seed: int
    day: int

    def word(self, place: str, purpose: str) -> int:
        """64 bits."""
        name = f"{self.seed}/{self.day}/{place}/{purpose}"
        return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little")

    def share(self, place: str, purpose: str) -> float:
        """From 0 up to but not including 1."""
        return (self.word(place, purpose) >> 11) / 2**53

    def chance(self, probability: float, place: str, purpose: str) -> bool:
        """Whether something of this probability happens."""
        return self.share(place, purpose) < probability

    def between(self, low: float, high: float, place: str, purpose: str) -> float:
        """A number from a range."""
        return low + (high - low) * self.share(place, purpose)

    def days(self, least: int, most: int, place: str, purpose: str) -> int:
        """A whole number from a range, both ends included."""
        return least + int(self.share(place, purpose) * (most - least + 1))

    def battle_seed(self, place: str) -> int:
        """A seed for a battle at a place on this day; never 0."""
        return self.word(place, "battle") or 1
