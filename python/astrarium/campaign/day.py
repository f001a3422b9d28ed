"""One day of a war, in its written order. A day is lived wholly or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from astrarium.campaign import (
    aftermath,
    choices,
    decisions,
    economy,
    encounters,
    fleets,
    governance,
    packages,
    relations,
    routes,
    siege,
    supplies,
    yards,
)
from astrarium.campaign.encounters import Encounter
from astrarium.campaign.plan import Plan
from astrarium.campaign.state import War
from astrarium.campaign.today import Record, Today, opened
from astrarium.worlds.tidebreak.package import BattlePackage
from astrarium.worlds.tidebreak.result import BattleResult

Controllers = dict[str, str]
"""The captain of each team: a doctrine, or a policy as `run:ID@window`."""
Fight = Callable[[Sequence[BattlePackage], Sequence[Controllers]], Sequence[BattleResult]]
"""Whatever fights a day's battles as one batch."""


@dataclass(frozen=True)
class Battle:
    """A battle as it was fought."""

    id: str
    controllers: Controllers
    package: BattlePackage
    result: BattleResult


@dataclass(frozen=True)
class Evening:
    """A day that is over: the war after it, what happened, and its battles."""

    war: War
    records: list[Record]
    battles: list[Battle]


def live(plan: Plan, war: War, fight: Fight) -> Evening:
    """Live the next day. `war` itself is left as it was, whatever goes wrong."""
    today = opened(plan, war.copy())
    economy.produce(today)
    economy.consume(today)
    routes.trade(today)
    supplies.take_stock(today)
    decisions.carry_out(today)
    choices.choose(today)
    fleets.move(today)
    met = encounters.meet(today)
    battles = _fight(today, met, fight)
    for encounter, battle in zip(met, battles, strict=True):
        aftermath.apply(today, encounter, battle.package, battle.result)
    relations.plant_flags(today)
    siege.besiege(today)
    governance.govern(today)
    relations.drift(today)
    yards.tend(today)
    _forget_empty_prizes(today)
    today.book.reconcile()
    return Evening(today.war, today.records, battles)


def _fight(today: Today, met: list[Encounter], fight: Fight) -> list[Battle]:
    """Load the convoys that were caught, then fight everything in one batch."""
    for encounter in met:
        _embark(today, encounter)
    sent = [packages.pack(today, encounter) for encounter in met]
    orders = [packages.controllers(today, encounter) for encounter in met]
    if not sent:
        return []
    results = fight(sent, orders)
    return [
        Battle(encounter.id, controllers, package, result)
        for encounter, controllers, package, result in zip(met, orders, sent, results, strict=True)
    ]


def _embark(today: Today, encounter: Encounter) -> None:
    """What a caught convoy carries is in its holds when it is caught, in equal shares."""
    if not encounter.load:
        return
    convoy = next(name for name in encounter.sides if name != encounter.attacker)
    carriers = [ship for ship in encounter.ships(today, convoy) if ship.hull == "transport"]
    for resource, amount, source, _ in encounter.load:
        for ship in carriers:
            share = amount / len(carriers)
            today.book.move(resource, share, f"node {source}", f"hold {ship.id}")


def _forget_empty_prizes(today: Today) -> None:
    gone = [f.id for f in today.war.fleets.values() if f.kind == "prizes" and not f.ships]
    for name in gone:
        del today.war.fleets[name]
