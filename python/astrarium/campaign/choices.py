"""What a faction would like to do today: the best action it can afford, by its goals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from astrarium.campaign import fleets, governance, investment
from astrarium.campaign.encounters import fights
from astrarium.campaign.plan import Action
from astrarium.campaign.routes import raiders, transports
from astrarium.campaign.siege import breach_quality, defence
from astrarium.campaign.state import Decision, Faction, Fleet, Node
from astrarium.campaign.today import Today

_WORRY_DAYS: Final = 45.0
_ENVOY_DAYS: Final = 30
_SAVING: Final = 1.6
"""It waits for an action it wants so much more than the best it can afford."""
_LEAN_MATERIALS: Final = 400.0
"""With less than this a faction would rather recycle than build."""
_LEAST_SALVAGE: Final = 100.0
_SALVAGE_DAYS: Final = 60.0
"""More salvage than its bays take in so many days asks for another."""
_SLIPS: Final = 3
"""Ships on order at one time."""
_GOOD_ODDS: Final = 1.15
_GOOD_BREACH: Final = 1.1


class Option(NamedTuple):
    """Something that could be done, and how much it is wanted."""

    score: float
    action: Action
    kind: str
    target: str
    fleet: str = ""


class Goals(NamedTuple):
    """How much a faction cares."""

    expand: float
    defend: float
    trade: float
    weaken: float
    survive: float


def goals_of(today: Today, faction: Faction) -> Goals:
    """A faction's goals by its traits, and by how long its stores last."""
    traits = today.plan.faction(faction.id).traits
    least = min(faction.supply_days.values(), default=0.0)
    return Goals(
        expand=traits.expansion,
        defend=0.3 + 0.4 * traits.isolation + 0.3 * traits.tradition,
        trade=traits.commerce,
        weaken=traits.militarism,
        survive=max(0.0, min(1.0, 1.0 - least / _WORRY_DAYS)),
    )


def choose(today: Today) -> None:
    """Earn action points, then put the best affordable action into the decision queue."""
    points = today.plan.points
    for faction in today.war.factions.values():
        nodes = len(today.war.nodes_of(faction.id))
        earned = points.per_day * (1.0 + points.prosperity * faction.prosperity)
        earned *= points.base + points.per_node * nodes
        faction.points = min(points.cap, faction.points + earned)
        option = best(today, faction)
        if option is not None:
            _decide(today, faction, option)


def best(today: Today, faction: Faction) -> Option | None:
    """The best affordable option; among equals the first by name. Saving is always affordable."""
    costs, least = today.plan.actions, today.plan.points.least_score
    weighed = [
        option._replace(score=option.score * governance.pull(today, faction, option.action))
        for option in options(today, faction)
    ]
    wanted = sorted(
        (option for option in weighed if option.score >= least),
        key=lambda option: (-option.score, option[1:]),
    )
    for option in wanted:
        if costs[option.action] <= faction.points:
            return option if wanted[0].score < _SAVING * option.score else None
    return None


def options(today: Today, faction: Faction) -> Iterator[Option]:
    """Everything worth a thought."""
    goals = goals_of(today, faction)
    waiting = {(decision.action, decision.kind, decision.target) for decision in faction.queue}
    for maker in (_invest, _reinforce, _missions, _invade, _covert, _diplomacy):
        for option in maker(today, faction, goals):
            if option[1:4] not in waiting:
                yield option


def _decide(today: Today, faction: Faction, option: Option) -> None:
    faction.points -= today.plan.actions[option.action]
    wait = governance.latency(today, faction, f"{option.action} {option.kind} {option.target}")
    rush = today.plan.governance.rush_cost
    urgent = option.score > 0.8 and wait > 2 and faction.capital >= rush
    if urgent:
        faction.capital -= rush
        wait //= 2
    due = today.war.day + wait
    faction.queue.append(
        Decision(option.action, option.kind, option.target, option.fleet, today.war.day, due)
    )
    if option.action == "diplomacy":
        faction.last_envoy = today.war.day
    text = f"{today.name(faction.id)} decides: {option.action} {option.kind} {option.target}"
    today.tell("decided", text, faction=faction.id, action=option.action, due=due, rushed=urgent)


def _invest(today: Today, faction: Faction, goals: Goals) -> Iterator[Option]:
    plan = today.plan.faction(faction.id)
    seat = today.war.nodes[plan.seat]
    if seat.holder != faction.id or seat.stores["materials"] < today.plan.investment.materials:
        return
    if any(decision.action == "invest" for decision in faction.queue):
        return
    works = investment.wanted(today, faction, seat)
    if works:
        # Stores that last are no reason to hurry.
        least = min(faction.supply_days.values())
        urgency = max(0.0, 1.0 - least / investment.PLENTY_DAYS)
        yield Option(0.3 + 1.5 * urgency, "invest", "works", seat.id)
    if seat.stores["materials"] < _LEAN_MATERIALS and faction.supply_days["fuel"] > 30.0:
        yield Option(0.4 + 0.4 * goals.trade, "invest", "recycler", seat.id)
    if _salvage_lies_idle(today, seat):
        yield Option(0.5 + 0.5 * goals.trade, "invest", "salvage_bay", seat.id)


def _salvage_lies_idle(today: Today, seat: Node) -> bool:
    taken = today.plan.facilities["salvage_bay"].inputs["salvage"]
    taken *= seat.facilities.get("salvage_bay", 0)
    return seat.stores["salvage"] > max(_LEAST_SALVAGE, _SALVAGE_DAYS * taken)


def _reinforce(today: Today, faction: Faction, goals: Goals) -> Iterator[Option]:
    plan, war = today.plan.faction(faction.id), today.war
    seat = war.nodes[plan.seat]
    if seat.holder != faction.id or len(faction.builds) >= _SLIPS:
        return
    convoys = [war.crews(convoy) for convoy in war.fleets_of(faction.id, "convoy")]
    if any(all(ship.hull != "transport" for ship in ships) for ships in convoys):
        yield Option(0.4 + 0.4 * goals.trade, "reinforce", "transport", seat.id)
    enemy = sum(map(today.strength, war.fleets_of(today.plan.enemy(faction.id))))
    own = sum(map(today.strength, war.fleets_of(faction.id)))
    threat = max(0.5, min(2.0, (enemy + 1.0) / (own + 1.0)))
    wish = (0.35 * goals.defend + 0.35 * goals.weaken) * threat
    if war.relations.at_war:
        wish *= 1.3
    yards = [node for node in war.nodes_of(faction.id) if node.land_yard and node.siege is None]
    hull = _missing_most(today, faction, large=bool(yards))
    place = yards[0] if hull in today.plan.shipping.land_yard_only else seat
    yield Option(wish, "reinforce", hull, place.id)


def _missing_most(today: Today, faction: Faction, *, large: bool) -> str:
    """The class of which one more would still be least, beside what a faction would like to have.

    So a large hull comes after many small ones, not before the first of them.
    """
    landbound = () if large else today.plan.shipping.land_yard_only
    wanted = {hull: n for hull, n in today.plan.wanted.items() if hull not in landbound}
    ships = [ship for ship in today.war.ships.values() if ship.faction == faction.id]
    have = {hull: sum(ship.hull == hull for ship in ships) for hull in wanted}
    for build in faction.builds:
        have[build.hull] = have.get(build.hull, 0) + 1
    return min(wanted, key=lambda hull: ((have[hull] + 1) / wanted[hull], hull))


def idle_fleets(today: Today, faction: Faction) -> list[Fleet]:
    """Fleets that no decision has been taken about."""
    taken = {name for decision in faction.queue for name in decision.fleet.split(",")}
    own = today.war.fleets_of(faction.id)
    return [fleet for fleet in own if fleets.is_idle(today, fleet) and fleet.id not in taken]


def _missions(today: Today, faction: Faction, goals: Goals) -> Iterator[Option]:
    for fleet in idle_fleets(today, faction):
        yield from _guards(today, faction, goals, fleet)
        yield from _claims(today, faction, goals, fleet)
        yield from _raids(today, faction, goals, fleet)


def _guards(today: Today, faction: Faction, goals: Goals, fleet: Fleet) -> Iterator[Option]:
    war = today.war
    for convoy in war.fleets_of(faction.id, "convoy"):
        foes = raiders(war, convoy)
        if foes and today.strength(fleet) > 0.7 * sum(map(today.strength, foes)):
            target = "-".join(sorted(convoy.route))
            yield Option(1.5 * goals.defend, "mission", "guard", target, fleet.id)
    for node in war.nodes_of(faction.id):
        foes = _enemies_at(today, faction.id, node)
        if foes and today.strength(fleet) > 0.7 * sum(map(today.strength, foes)):
            worth = 3.0 if node.siege else 1.2
            yield Option(worth * goals.defend, "mission", "guard", node.id, fleet.id)


def _claims(today: Today, faction: Faction, goals: Goals, fleet: Fleet) -> Iterator[Option]:
    war = today.war
    wrecks = {node.id for node in today.plan.nodes if node.wreck}
    pursued = {f.mission.target for f in war.fleets_of(faction.id) if f.mission}
    pursued |= {decision.target for decision in faction.queue if decision.action == "mission"}
    for node in war.nodes.values():
        if node.holder == faction.id or node.id in pursued or fleets.is_port(today, node):
            continue
        foes = sum(map(today.strength, _enemies_at(today, faction.id, node)))
        if foes > 0.9 * today.strength(fleet):
            continue
        free = node.holder is None or war.relations.at_war
        bold = node.id in wrecks and goals.weaken > 0.5
        if "ceasefire" in war.relations.treaties and node.holder is not None:
            continue
        if free or bold:
            worth = (1.3 if node.id in wrecks else 0.9) * (1.0 if free else 0.5)
            away = 1.0 + 0.1 * today.chart.distance(fleet.at, node.id)
            yield Option(goals.expand * worth / away, "mission", "claim", node.id, fleet.id)


def _raids(today: Today, faction: Faction, goals: Goals, fleet: Fleet) -> Iterator[Option]:
    war, rules = today.war, today.plan.relations
    if "ceasefire" in war.relations.treaties:
        return
    if not war.relations.at_war and (
        war.relations.disposition >= rules.hostile or goals.weaken < 0.5
    ):
        return
    pursued = {f.mission.target for f in war.fleets_of(faction.id) if f.mission}
    for convoy in war.fleets_of(today.plan.enemy(faction.id), "convoy"):
        target = "-".join(sorted(convoy.route))
        if target in pursued or not transports(today, convoy):
            continue
        wish = (0.5 + 0.5 * goals.weaken) * (1.0 if war.relations.at_war else 0.6)
        away = 1.0 + 0.05 * min(today.chart.distance(fleet.at, end) for end in convoy.route)
        yield Option(wish / away, "mission", "raid", target, fleet.id)


def _enemies_at(today: Today, faction: str, node: Node) -> list[Fleet]:
    enemy = today.plan.enemy(faction)
    return [fleet for fleet in today.war.fleets_of(enemy) if fleet.at == node.id and fleet.ships]


def _invade(today: Today, faction: Faction, goals: Goals) -> Iterator[Option]:
    """Send everything that is ready against one place, where it promises to succeed."""
    war, rules = today.war, today.plan.relations
    if war.day < rules.invasion_day * today.plan.scale.grace:
        return
    if "ceasefire" in war.relations.treaties:
        return
    if not war.relations.at_war and war.relations.disposition >= rules.hostile:
        return
    ready = idle_fleets(today, faction)
    troops = sum(ship.marines for fleet in ready for ship in war.crews(fleet))
    force = sum(map(today.strength, ready))
    names = ",".join(fleet.id for fleet in ready)
    if not troops:
        return
    for node in war.nodes_of(today.plan.enemy(faction.id)):
        if not fleets.is_port(today, node):
            continue
        guard = sum(map(today.strength, _enemies_at(today, faction.id, node)))
        station = war.station(node.id)
        if station and fights(today, station):
            guard += today.strength(station)
        breach = troops * breach_quality(today, node, troops) / max(1.0, defence(today, node))
        odds = (force + 0.1) / (guard + 0.1)
        if odds < _GOOD_ODDS or breach < _GOOD_BREACH:
            continue
        wish = 0.6 * (goals.expand + goals.weaken) * min(1.5, odds) * min(1.2, breach)
        yield Option(wish, "invade", "land", node.id, names)


def _covert(today: Today, faction: Faction, goals: Goals) -> Iterator[Option]:
    war = today.war
    enemy = today.plan.faction(today.plan.enemy(faction.id)).seat
    hostile = war.relations.disposition < today.plan.relations.hostile
    if hostile and war.nodes[enemy].condition > 0.5 and "ceasefire" not in war.relations.treaties:
        yield Option(0.35 * goals.weaken, "covert", "sabotage", enemy)


def _diplomacy(today: Today, faction: Faction, goals: Goals) -> Iterator[Option]:
    war, rules = today.war, today.plan.relations
    if today.war.day - faction.last_envoy < _ENVOY_DAYS:
        return
    enemy = today.plan.enemy(faction.id)
    treaties = war.relations.treaties
    if war.relations.at_war:
        own = sum(map(today.strength, war.fleets_of(faction.id)))
        theirs = sum(map(today.strength, war.fleets_of(enemy)))
        losing = max(0.0, 1.0 - (own + 1.0) / (theirs + 1.0))
        tired = max(0.0, 0.5 - faction.legitimacy)
        wish = 0.5 * goals.survive + losing * (0.4 + 0.4 * goals.trade) + tired
        yield Option(wish, "diplomacy", "ceasefire", enemy)
        return
    if war.relations.disposition > rules.hostile and "trade" not in treaties:
        yield Option(0.3 * goals.trade + 0.3 * goals.survive, "diplomacy", "trade", enemy)
    ripe = war.day >= rules.alliance_day * today.plan.scale.grace
    if ripe and "non_aggression" not in treaties and war.relations.disposition > rules.hostile:
        yield Option(0.3 * goals.defend, "diplomacy", "non_aggression", enemy)
    seat = war.nodes[today.plan.faction(faction.id).seat]
    if seat.stores.get("luxuries", 0.0) >= rules.gift_luxuries and seat.holder == faction.id:
        yield Option(0.3 * goals.trade, "diplomacy", "gift", enemy)
