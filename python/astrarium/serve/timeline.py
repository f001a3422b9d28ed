"""A replay at a glance, gathered while it is unpacked: events, rewards and their terms."""

from __future__ import annotations

from array import array
from typing import Any, Final

from astrarium.runs.replays import FrameFacts

POINTS_MAX: Final = 4_000
EVENTS_MAX: Final = 20_000
"""A replay in which more than this happens shows its first ones."""


class Timeline:
    """Grows frame by frame."""

    def __init__(self) -> None:
        self.ticks = 0
        self._rewards = array("d")
        self._events: list[tuple[int, str]] = []
        self._terms: dict[str, float] = {}

    def add(self, frame: FrameFacts) -> None:
        """Take in the next frame."""
        self.ticks = frame.t
        reward = frame.reward
        self._rewards.append(sum(reward) if isinstance(reward, list) else reward)
        if frame.events and len(self._events) < EVENTS_MAX:
            self._events += [(frame.frame_index, name) for name in frame.events]
        terms = frame.terms
        if terms is not None:
            for row in terms if isinstance(terms, list) else (terms,):
                for name, value in row.items():
                    if value:
                        self._terms[name] = self._terms.get(name, 0.0) + value

    def shown(self, names: list[str]) -> dict[str, Any]:
        """In the form it is sent; a long replay's rewards are summed over `stride` frames."""
        stride = max(1, -(-len(self._rewards) // POINTS_MAX))
        rewards = self._rewards.tolist()
        if stride > 1:
            rewards = [sum(rewards[at : at + stride]) for at in range(0, len(rewards), stride)]
        return {
            "frames": len(self._rewards),
            "ticks": self.ticks,
            "events": [{"frame": frame, "name": name} for frame, name in self._events],
            "stride": stride,
            "reward": rewards,
            "terms": {name: self._terms.get(name, 0.0) for name in names} | self._terms,
        }
