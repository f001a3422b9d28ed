"""What a plan says by name must be there: places, hulls and facilities that it describes."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from astrarium.errors import did_you_mean
from astrarium.worlds.config import KeyPath

if TYPE_CHECKING:
    from astrarium.campaign.plan import FactionPlan, Plan

_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")


class PlanChecks:
    """Everything that does not go together in a plan, with where it stands."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._places = [node.id for node in plan.nodes]
        self._hulls = list(plan.hulls)
        self._links = {frozenset((a, b)) for a, b, _ in plan.sea.links}
        self.problems: list[tuple[KeyPath, str]] = []
        for index, (a, b, _) in enumerate(plan.sea.links):
            self._need(a, self._places, "sea", "links", index)
            self._need(b, self._places, "sea", "links", index)
        for kind, facility in plan.facilities.items():
            for resource in (*facility.inputs, *facility.outputs):
                self._need(resource, plan.resources, "facilities", kind)
        for index, faction in enumerate(plan.factions):
            self._check_faction(faction, "factions", index)
        self._check_initials()

    def _need(self, name: str, known: Collection[str], *path: str | int) -> None:
        if name not in known:
            self._refuse(f"{name!r} is not known{did_you_mean(name, known)}", *path)

    def _refuse(self, words: str, *path: str | int) -> None:
        self.problems.append((path, words))

    def _check_faction(self, faction: FactionPlan, *where: str | int) -> None:
        if not _COLOUR.fullmatch(faction.colour):
            self._refuse(f"{faction.colour!r} is no colour; write it as #rrggbb", *where, "colour")
        self._need(faction.seat, self._places, *where, "seat")
        for number, yard in enumerate(faction.land_yards):
            self._need(yard, self._places, *where, "land_yards", number)
        for node, kinds in faction.facilities.items():
            self._need(node, self._places, *where, "facilities")
            for kind in kinds:
                self._need(kind, list(self._plan.facilities), *where, "facilities", node)
        for node, hull in faction.stations.items():
            self._need(node, self._places, *where, "stations")
            self._need(hull, self._hulls, *where, "stations", node)
        self._check_fleets(faction, *where)

    def _check_fleets(self, faction: FactionPlan, *where: str | int) -> None:
        for number, fleet in enumerate(faction.fleets):
            self._need(fleet.at, self._places, *where, "fleets", number, "at")
            for hull in fleet.ships:
                self._need(hull, self._hulls, *where, "fleets", number, "ships")
        for number, convoy in enumerate(faction.convoys):
            route = (*where, "convoys", number, "route")
            for end in convoy.route:
                self._need(end, self._places, *route)
            known = set(convoy.route) <= set(self._places)
            if known and frozenset(convoy.route) not in self._links:
                a, b = convoy.route
                self._refuse(f"no link of the sea joins {a!r} and {b!r}", *route)
            for hull in convoy.ships:
                self._need(hull, self._hulls, *where, "convoys", number, "ships")

    def _check_initials(self) -> None:
        """Ships and fleets are numbered after the initial of their faction."""
        first, second = (faction.id for faction in self._plan.factions)
        if first[:1].upper() == second[:1].upper():
            words = f"{second!r} begins like {first!r}, and ships are told apart by the initial"
            self._refuse(words, "factions", 1, "id")
