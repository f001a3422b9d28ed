"""One day of a war as its rules see it: the plan, the war, the book, the draws and the log."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from astrarium.campaign.book import Book
from astrarium.campaign.charts import Chart
from astrarium.campaign.draws import Draws
from astrarium.campaign.plan import Plan
from astrarium.campaign.state import Fleet, Ship, War

Record = dict[str, Any]


@dataclass
class Today:
    """The day that is being lived. Rules change `war` and tell what they did."""

    plan: Plan
    war: War
    chart: Chart
    book: Book
    draws: Draws
    records: list[Record] = field(default_factory=list[Record])

    def tell(self, kind: str, text: str, **facts: Any) -> None:
        """Enter one thing that happened into the log."""
        self.records.append({"day": self.war.day, "kind": kind, "text": text, **facts})

    def value(self, ship: Ship) -> float:
        """What a ship is worth, 1 for a sound corvette."""
        return self.plan.hulls[ship.hull].cost / 120.0 * ship.hp

    def strength(self, fleet: Fleet) -> float:
        """What a fleet is worth in a fight."""
        return sum(self.value(ship) for ship in self.war.crews(fleet) if ship.rounds)

    def name(self, faction: str) -> str:
        """What a faction is called."""
        return self.plan.faction(faction).name

    def place(self, node: str) -> str:
        """What a node is called."""
        return self.chart.names[node]


def opened(plan: Plan, war: War) -> Today:
    """The day after the last one."""
    war.day += 1
    return Today(plan, war, Chart.of(plan), Book(war), Draws(war.seed, war.day))
