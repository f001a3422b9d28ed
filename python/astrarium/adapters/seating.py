"""Who sits where: names of agents and the slots of a world, for a library that knows no revival."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt


class Seating:
    """The slot of each agent that is or was in play in this episode.

    Either each slot has one name, and who leaves it is gone; or names are given out in order, one
    to everybody who takes a free slot.
    """

    def __init__(self, names: list[str], slots_change_hands: bool) -> None:
        self._names: Final = names
        self._slots_change_hands: Final = slots_change_hands
        self._slot_of: dict[str, int] = {}
        self._sitting: dict[int, str] = {}
        # Slots that still show somebody who was cut off.
        self._emptying: set[int] = set()
        self.is_full = False
        """Whether somebody came after the last name was given out."""

    def clear(self) -> None:
        """A new episode: nobody is there."""
        self._slot_of.clear()
        self._sitting.clear()
        self._emptying.clear()
        self.is_full = False

    def seat(self, alive: npt.NDArray[np.bool_]) -> list[str]:
        """Name whoever is new in a slot; everyone in play, in the order of their slots."""
        self._emptying = {slot for slot in self._emptying if alive[slot]}
        for slot in np.flatnonzero(alive).tolist():
            if slot in self._sitting or slot in self._emptying:
                continue
            if (name := self._name_for(slot)) is not None:
                self._slot_of[name] = slot
                self._sitting[slot] = name
        return [name for slot, name in sorted(self._sitting.items()) if alive[slot]]

    def leave(self, names: Iterable[str]) -> None:
        """Those called `names` are in play no more."""
        for name in names:
            self._emptying.add(self._slot_of[name])
            self._sitting.pop(self._slot_of[name], None)

    def slots(self, names: Iterable[str]) -> list[tuple[str, int]]:
        """Each of `names` with its slot."""
        return [(name, self._slot_of[name]) for name in names]

    def _name_for(self, slot: int) -> str | None:
        if not self._slots_change_hands:
            name = self._names[slot]
            return None if name in self._slot_of else name
        if len(self._slot_of) == len(self._names):
            self.is_full = True
            return None
        return self._names[len(self._slot_of)]
