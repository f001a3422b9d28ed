"""The sea as a graph: which way a fleet takes, and how long it is under way."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from functools import cache

from astrarium.campaign.plan import Plan


@dataclass(frozen=True)
class Chart:
    """Links by node, in days. Ways are the shortest; among equals the one first in the alphabet."""

    links: dict[str, dict[str, int]]
    names: dict[str, str]

    @staticmethod
    def of(plan: Plan) -> Chart:
        """The chart of a plan's sea."""
        return _drawn(plan.sea.links, tuple((node.id, node.name) for node in plan.nodes))

    def days(self, a: str, b: str) -> int:
        """Days on one link."""
        return self.links[a][b]

    def way(self, start: str, goal: str) -> list[str]:
        """The nodes from start to goal, both included."""
        return self._search(start)[goal][1]

    def distance(self, start: str, goal: str) -> int:
        """Days under way from start to goal."""
        return self._search(start)[goal][0]

    def _search(self, start: str) -> dict[str, tuple[int, list[str]]]:
        found: dict[str, tuple[int, list[str]]] = {}
        waiting: list[tuple[int, list[str]]] = [(0, [start])]
        while waiting:
            days, way = heapq.heappop(waiting)
            if way[-1] in found:
                continue
            found[way[-1]] = (days, way)
            for neighbour, length in self.links[way[-1]].items():
                if neighbour not in found:
                    heapq.heappush(waiting, (days + length, [*way, neighbour]))
        return found


@cache
def _drawn(links: tuple[tuple[str, str, int], ...], names: tuple[tuple[str, str], ...]) -> Chart:
    drawn: dict[str, dict[str, int]] = {node: {} for node, _ in names}
    for a, b, days in links:
        drawn[a][b] = drawn[b][a] = days
    return Chart(drawn, dict(names))
