"""Who needs how much a day, how long what there is will last, and what that is worth."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from astrarium.campaign.state import Fleet, Node, Ship
from astrarium.campaign.today import Today

VITAL: Final[tuple[str, ...]] = ("food", "water", "fuel")
PLENTY_DAYS: Final = 999.0
"""Shown where nothing is needed, so that a log holds no infinities."""


def ship_need(today: Today, ship: Ship, fleet: Fleet) -> dict[str, float]:
    """What a ship uses today."""
    economy, shipping = today.plan.economy, today.plan.shipping
    fuel = shipping.fuel_per_day[today.plan.hulls[ship.hull].size]
    if fleet.kind in ("convoy", "prizes"):
        fuel *= shipping.laid_up_factor
    elif fleet.under_way:
        fuel *= shipping.under_way_factor
    return {
        "food": economy.food_per_person * ship.people,
        "water": economy.water_per_person * ship.people,
        "fuel": fuel,
    }


def in_port(today: Today, node: Node) -> list[tuple[Fleet, Ship]]:
    """The holder's ships that lie at a node, by id."""
    here = (f for f in today.war.fleets.values() if f.at == node.id and f.faction == node.holder)
    fleets = sorted(here, key=lambda fleet: fleet.id)
    return [(fleet, ship) for fleet in fleets for ship in today.war.crews(fleet)]


def ashore_need(today: Today, node: Node) -> dict[str, float]:
    """What the people of a node and its life support use a day."""
    economy = today.plan.economy
    people = node.population + sum(node.prisoners.values())
    water_makers = node.facilities.get("desalination", 0)
    return {
        "food": economy.food_per_person * people,
        "water": economy.water_per_person * people,
        "fuel": today.plan.facilities["desalination"].inputs.get("fuel", 0.0) * water_makers,
    }


def node_need(today: Today, node: Node) -> dict[str, float]:
    """What a node and the ships in its port use a day."""
    need = ashore_need(today, node)
    for fleet, ship in in_port(today, node):
        for resource, amount in ship_need(today, ship, fleet).items():
            need[resource] += amount
    return need


def days_left(stock: float, need: float) -> float:
    """How long a stock lasts."""
    return min(PLENTY_DAYS, stock / need) if need > 0 else PLENTY_DAYS


def factor(today: Today, days: float) -> float:
    """What a supply of so many days is worth: the factor of the band it lies in."""
    bands = today.plan.economy.supply_bands
    return next((worth for least, worth in bands if days > least), bands[-1][1])


def fleet_days(today: Today, fleet: Fleet) -> float:
    """How long the ships of a fleet last on what is aboard, by the one that is worst off."""
    days = PLENTY_DAYS
    for ship in today.war.crews(fleet):
        for resource, need in ship_need(today, ship, fleet).items():
            days = min(days, days_left(ship.stores.get(resource, 0.0), need))
    return days


def take_stock(today: Today) -> None:
    """The supply part of a day: days left, supply factor and prosperity of each faction."""
    span = today.plan.economy.prosperity_days
    for faction in today.war.factions.values():
        nodes = today.war.nodes_of(faction.id)
        needs = [node_need(today, node) for node in nodes]
        days = {
            resource: days_left(
                math.fsum(node.stores.get(resource, 0.0) for node in nodes),
                math.fsum(need[resource] for need in needs),
            )
            for resource in VITAL
        }
        faction.supply_days = days
        faction.supply_factor = factor(today, min(days.values()))
        faction.prosperity = math.fsum(math.tanh((d - span) / span) for d in days.values()) / 3


def balances(
    today: Today, faction: str, efficiency: float, more: Mapping[str, int]
) -> dict[str, float]:
    """What a day leaves of each vital resource, as a share of what it takes, with all at work.

    `more` are facilities that could be built.
    """
    nodes = today.war.nodes_of(faction)
    made: dict[str, float] = dict.fromkeys(VITAL, 0.0)
    taken = dict(made)
    for node in nodes:
        for resource, need in ashore_need(today, node).items():
            taken[resource] += need if resource != "fuel" else 0.0
    for fleet in today.war.fleets.values():
        for ship in today.war.crews(fleet) if fleet.faction == faction else ():
            for resource, need in ship_need(today, ship, fleet).items():
                taken[resource] += need
    for counts in (*(node.facilities for node in nodes), more):
        for kind, count in counts.items():
            for resource, amount in today.plan.facilities[kind].inputs.items():
                if resource in VITAL and kind != "factory":
                    taken[resource] += amount * count * efficiency
            for resource, amount in today.plan.facilities[kind].outputs.items():
                if resource in VITAL:
                    made[resource] += amount * count * efficiency
    return {r: (made[r] - taken[r]) / max(1.0, taken[r]) for r in VITAL}
