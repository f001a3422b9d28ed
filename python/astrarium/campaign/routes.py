"""Trade: convoys carry what one end of a route has and the other lacks; treaties do so abroad."""

from __future__ import annotations

from typing import Final

from astrarium.campaign.book import USED
from astrarium.campaign.state import Faction, Fleet, Node, Ship, War
from astrarium.campaign.supplies import VITAL, days_left, node_need
from astrarium.campaign.today import Today

_LOW_DAYS: Final = 25.0
"""An end of a route with less than this is sent more."""
_LEAST_LOAD: Final = 20.0
"""Below this a convoy does not sail; burning fuel for a handful would be a waste."""


def trade(today: Today) -> None:
    """Let every convoy that may sail carry its load, and treaty partners exchange theirs."""
    for faction in today.war.factions.values():
        for convoy in today.war.fleets_of(faction.id, "convoy"):
            if is_open(today, convoy):
                _sail(today, convoy)
    if "trade" in today.war.relations.treaties and not today.war.relations.at_war:
        _exchange(today)


def is_open(today: Today, convoy: Fleet) -> bool:
    """Whether a route has ships, both its ends, and no enemy on it."""
    war = today.war
    ends = [war.nodes[name] for name in convoy.route]
    held = all(end.holder == convoy.faction for end in ends)
    return held and bool(transports(today, convoy)) and not raiders(war, convoy)


def transports(today: Today, convoy: Fleet) -> list[Ship]:
    """The ships of a convoy that can carry something; those in need of repair stay in port."""
    sound = today.plan.shipping.fit_hp
    ships = (ship for ship in today.war.crews(convoy) if ship.hull == "transport")
    return [ship for ship in ships if ship.fit and ship.hp >= sound]


def raiders(war: War, convoy: Fleet) -> list[Fleet]:
    """Hostile fleets on a route: on its link, or off one of its ends."""
    ends = set(convoy.route)
    return [
        fleet
        for fleet in sorted(war.fleets.values(), key=lambda fleet: fleet.id)
        if fleet.kind == "battle"
        and fleet.faction != convoy.faction
        and fleet.ships
        and (_on_link(fleet, ends) or (war.relations.at_war and fleet.at in ends))
    ]


def _on_link(fleet: Fleet, ends: set[str]) -> bool:
    return fleet.lurking and fleet.leg is not None and set(fleet.leg) == ends


def load_for(today: Today, convoy: Fleet) -> list[tuple[str, float, str, str]]:
    """What a route should carry today: resource, amount, from, to."""
    a, b = (today.war.nodes[name] for name in convoy.route)
    room, load = today.plan.economy.route_capacity, list[tuple[str, float, str, str]]()
    for resource in today.plan.resources:
        for giver, taker in ((a, b), (b, a)):
            amount = min(room, _worth_sending(today, resource, giver, taker))
            if amount > 0:
                load.append((resource, amount, giver.id, taker.id))
                room -= amount
    total = sum(amount for _, amount, _, _ in load)
    return load if total >= _LEAST_LOAD else []


def _worth_sending(today: Today, resource: str, giver: Node, taker: Node) -> float:
    have, has = giver.stores.get(resource, 0.0), taker.stores.get(resource, 0.0)
    if resource in VITAL:
        need, wanted = node_need(today, giver)[resource], node_need(today, taker)[resource]
        if wanted <= 0 or days_left(has, wanted) >= _LOW_DAYS:
            return 0.0
        # Both ends shall last equally long.
        equal = (have * wanted - has * need) / (need + wanted)
        return max(0.0, min(have, equal))
    if resource == "luxuries":
        return 0.0
    use = {
        node.id: sum(
            count * today.plan.facilities[kind].inputs.get(resource, 0.0)
            for kind, count in node.facilities.items()
        )
        for node in (giver, taker)
    }
    if use[taker.id] and not use[giver.id]:
        return have
    scarce = has < use[taker.id] * _LOW_DAYS
    return max(0.0, (have - has) / 2) if use[taker.id] and scarce else 0.0


def _sail(today: Today, convoy: Fleet) -> None:
    load = load_for(today, convoy)
    if not load:
        return
    for resource, amount, source, target in load:
        today.book.move(resource, amount, f"node {source}", f"node {target}")
    burn_under_way(today, convoy)
    total = sum(amount for _, amount, _, _ in load)
    today.tell(
        "convoy_sailed",
        f"{convoy.name} carried {total:.0f} t",
        faction=convoy.faction,
        fleet=convoy.id,
        load=[{"resource": r, "amount": n, "from": a, "to": b} for r, n, a, b in load],
    )


def burn_under_way(today: Today, convoy: Fleet) -> None:
    """The fuel of a day at sea: one transport carries the load, the escorts go with it."""
    shipping = today.plan.shipping
    carrier = transports(today, convoy)[:1]
    escorts = [ship for ship in today.war.crews(convoy) if ship.hull != "transport"]
    for ship in (*carrier, *escorts):
        size = today.plan.hulls[ship.hull].size
        fuel = shipping.fuel_per_day[size] * shipping.under_way_factor
        today.book.move("fuel", fuel, f"ship {ship.id}", USED)


def _exchange(today: Today) -> None:
    """Each gives what lasts it longest for what it lacks most, ton for ton."""
    first, second = today.war.factions.values()
    wants, offers = _lacks(first, second), _lacks(second, first)
    if not wants or not offers or wants == offers:
        return
    seats = [today.plan.faction(faction.id).seat for faction in (first, second)]
    if any(
        today.war.nodes[seat].holder != f.id for seat, f in zip(seats, (first, second), strict=True)
    ):
        return
    home, abroad = (today.war.nodes[seat] for seat in seats)
    amount = min(
        today.plan.relations.trade_per_day,
        abroad.stores.get(wants, 0.0) / 2,
        home.stores.get(offers, 0.0) / 2,
    )
    today.book.move(wants, amount, f"node {abroad.id}", f"node {home.id}")
    today.book.move(offers, amount, f"node {home.id}", f"node {abroad.id}")
    today.tell("traded", f"{amount:.0f} t of {wants} against {offers}", amount=amount)


def _lacks(buyer: Faction, seller: Faction) -> str | None:
    """What the buyer has least of, if the seller has more of it to spare."""
    for resource in sorted(VITAL, key=lambda r: (buyer.supply_days.get(r, 0.0), r)):
        mine, theirs = buyer.supply_days.get(resource, 0.0), seller.supply_days.get(resource, 0.0)
        if theirs > mine + 10.0:
            return resource
    return None
