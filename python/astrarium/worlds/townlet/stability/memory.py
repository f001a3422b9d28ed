"""What a monitor remembers: sums over sliding windows, exact, and small enough to be kept.

Numbers that add up are whole: a sum of floats would depend on the order in which they came and
went, and a monitor that was kept and restored must say what one that never stopped would.
"""

from __future__ import annotations

from typing import Final

import msgspec

from astrarium.worlds.townlet.stability.moments import Totals

MICRO: Final = 1_000_000


def micro(value: float) -> int:
    """A figure in millionths."""
    return round(value * MICRO)


class Window(msgspec.Struct):
    """Sums of several columns over the last ticks; a tick without anything takes no room."""

    sums: list[int]
    rows: list[tuple[int, list[int]]] = []

    def add(self, tick: int, width: int, row: list[int]) -> None:
        """Add the row of a tick, and let go of what is no longer among the last `width` ticks."""
        if any(row):
            self.rows.append((tick, row))
            self.sums = [old + new for old, new in zip(self.sums, row, strict=True)]
        gone = 0
        while gone < len(self.rows) and self.rows[gone][0] <= tick - width:
            old = self.rows[gone][1]
            self.sums = [total - part for total, part in zip(self.sums, old, strict=True)]
            gone += 1
        del self.rows[:gone]


def window(columns: int) -> Window:
    """An empty one."""
    return Window([0] * columns)


class AlertMemory(msgspec.Struct):
    """What alerts are worked out from."""

    tick: int = -1
    """The last one seen."""
    firing: list[str] = []
    starving: dict[str, int] = {}
    """Ticks in a row without food, by citizen."""
    counted: list[str] = []
    """Those of them whose incident was counted; how long one takes may change meanwhile."""
    starved: Window = msgspec.field(default_factory=lambda: window(1))
    rewards: Window = msgspec.field(default_factory=lambda: window(3))
    """How many, their sum and the sum of their squares, in millionths."""
    choices: Window = msgspec.field(default_factory=lambda: window(2))
    """Decisions, and those that dropped something unfinished."""
    totals: Totals | None = None
    """As of the last tick."""
    persons: int = 0
    late: list[str] = []
    """Citizens late or absent today."""
    late_days: list[int] = []
    """How many they were on the last whole days."""
    targets: list[tuple[int, str]] = []
    """Who was targeted by a perturbation, and when."""
    lives: dict[str, int] = {}
    """Return so far of the life in each seat, in millionths."""
    returns: list[int] = []
    """Of the lives that ended last."""


class Stretch(msgspec.Struct):
    """A part of a day of one citizen, summed up."""

    number: int
    """Which part, counted from the town's beginning."""
    ticks: int = 0
    reward: int = 0
    """In millionths, as the next."""
    deficit: int = 0
    """Means over the needs."""
    violations: int = 0


class FigureMemory(msgspec.Struct):
    """What figures are worked out from."""

    tick: int = -1
    conflicts: Window = msgspec.field(default_factory=lambda: window(2))
    """Conflicts of the last day, and their intensity in millionths."""
    late_today: tuple[int, int] = (0, 0)
    """Late starts and late helps."""
    helps: list[int] = []
    """Late helps of the last days on which somebody was late."""
    arrived: dict[str, int] = {}
    """When a citizen was first seen."""
    unwell: dict[str, int] = {}
    """When a need of a citizen was last low."""
    hired: dict[str, tuple[str, int]] = {}
    """A citizen's job, and since when."""
    quarrels: dict[str, int] = {}
    """When two last had a conflict."""
    shunned: dict[str, int] = {}
    """Since when two have avoided each other."""
    estranged: dict[str, int] = {}
    """When two had last avoided each other for long."""
    stretches: dict[str, list[Stretch]] = {}
    """The last day of each citizen, part by part."""
    attendances: dict[str, float] = {}
    red: list[str] = []
    """Figures that were red at the end of the last day."""
