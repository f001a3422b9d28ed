"""After a battle: the people, hulls and stores of its result become those of the war.

Survivors of lost ships join the nearest friendly people, prisoners the captor's nearest cells.
"""

from __future__ import annotations

from astrarium.campaign import governance
from astrarium.campaign.audit import audit
from astrarium.campaign.book import DEAD, HULLS, PEOPLE, SEA, USED
from astrarium.campaign.encounters import Encounter, withdraw
from astrarium.campaign.fleets import nearest
from astrarium.campaign.identity import fingerprint
from astrarium.campaign.state import Fleet, Fought, Ship
from astrarium.campaign.today import Today
from astrarium.worlds.tidebreak.package import BattlePackage
from astrarium.worlds.tidebreak.result import BattleResult, ShipOutcome

LOST = ("DESTROYED", "SCUTTLED")


def apply(today: Today, encounter: Encounter, package: BattlePackage, result: BattleResult) -> None:
    """Take a result into the war. Raises a `LedgerError` before anything has changed."""
    audit(package, result)
    fleet_of = {s: f for group in encounter.sides.values() for f in group for s in f.ships}
    sides: dict[str, dict[str, int]] = {
        name: {"ships": 0, "lost": 0, "captured": 0, "killed": 0} for name in encounter.sides
    }
    for outcome in sorted(result.ships, key=lambda outcome: outcome.ship_id):
        ship = today.war.ships[outcome.ship_id]
        side = sides[ship.faction]
        side["ships"] += 1
        side["lost"] += outcome.fate in LOST
        side["captured"] += outcome.fate == "CAPTURED"
        side["killed"] += outcome.crew.killed + outcome.marines.killed + outcome.passengers.killed
        _settle(today, encounter, ship, fleet_of[ship.id], outcome)
    for team in result.teams:
        today.war.factions[team.team_id].morale_bias += team.morale_delta
    _judge(today, encounter, result.winner_team_id)
    fought = Fought(
        encounter.id,
        today.war.day,
        encounter.node,
        encounter.kind,
        result.winner_team_id,
        result.ended_by,
        float(result.duration_s),
        sides,
        fingerprint(result),
    )
    today.war.battles.append(fought)
    won = today.name(fought.winner) if fought.winner else "nobody"
    lost = ", ".join(
        f"{name} lost {s['lost'] + s['captured']} of {s['ships']}" for name, s in sides.items()
    )
    text = f"{won} won battle {encounter.id}; {lost}"
    today.tell("fought", text, battle=encounter.id, node=encounter.node)


def _settle(
    today: Today, encounter: Encounter, ship: Ship, fleet: Fleet, outcome: ShipOutcome
) -> None:
    owner = ship.faction
    _count_people(today, encounter, ship, outcome)
    _count_stores(today, encounter, ship, outcome)
    for mount in outcome.ammo:
        ship.rounds[mount.slot] = mount.remaining + mount.seized
    ship.decoys = outcome.decoys.remaining
    ship.fatigue = min(1.0, ship.fatigue + 0.3)
    craft = {squadron.id: squadron.aboard for squadron in outcome.squadrons}
    ship.craft = [craft.get(f"{ship.id}-{n}", had) for n, had in enumerate(ship.craft)]
    ship.hp = max(0.0, min(1.0, outcome.final_state.hp / today.plan.hulls[ship.hull].hp))
    if outcome.fate in LOST:
        _sink(today, encounter, ship, fleet)
    elif outcome.fate == "CAPTURED" and today.plan.hulls[ship.hull].speed > 0.0:
        _take_prize(today, encounter, ship, fleet, owner, outcome.team_id_final)
    elif outcome.fate == "CAPTURED":
        _silence(today, encounter, ship, outcome.team_id_final)


def _count_people(today: Today, encounter: Encounter, ship: Ship, outcome: ShipOutcome) -> None:
    account = f"ship {ship.id}"
    crew, marines, below = outcome.crew, outcome.marines, outcome.passengers
    killed = crew.killed + marines.killed + below.killed
    captured = crew.captured + marines.captured + below.captured
    today.book.enter(PEOPLE, killed, account, DEAD)
    today.war.dead += killed
    if captured:
        captor = today.plan.enemy(ship.faction)
        cells = nearest(today, captor, encounter.node)
        today.book.enter(PEOPLE, captured, account, f"cells {cells.id}")
        cells.prisoners[ship.faction] = cells.prisoners.get(ship.faction, 0) + captured
    for ledger in (crew, marines, below):
        # One common account stands between the ship that gave and the one that took.
        today.book.enter(PEOPLE, ledger.transferred_out, account, f"boats {encounter.id}")
        today.book.enter(PEOPLE, ledger.transferred_in, f"boats {encounter.id}", account)
    ship.fit, ship.wounded = crew.fit, crew.wounded
    ship.marines, ship.marines_wounded = marines.fit, marines.wounded + below.fit + below.wounded


def _count_stores(today: Today, encounter: Encounter, ship: Ship, outcome: ShipOutcome) -> None:
    account = f"ship {ship.id}"
    today.book.move("fuel", outcome.fuel.burned, account, USED)
    today.book.move("fuel", outcome.fuel.lost, account, SEA)
    ways = {resource: (source, target) for resource, _, source, target in encounter.load}
    hold = f"hold {ship.id}"
    for resource, ledger in sorted(outcome.cargo.items()):
        source, target = ways[resource]
        today.book.move(resource, ledger.delivered, hold, f"node {target}")
        today.book.move(resource, ledger.lost, hold, SEA)
        if outcome.fate not in (*LOST, "CAPTURED"):  # those take theirs with them
            today.book.move(resource, ship.hold[resource], hold, f"node {source}")


def _sink(today: Today, encounter: Encounter, ship: Ship, fleet: Fleet) -> None:
    home = nearest(today, ship.faction, encounter.node)
    today.book.enter(PEOPLE, ship.people, f"ship {ship.id}", f"node {home.id}")
    home.population += ship.people
    for account, stores in ((f"ship {ship.id}", ship.stores), (f"hold {ship.id}", ship.hold)):
        for resource in sorted(stores):
            today.book.move(resource, stores[resource], account, SEA)
    today.book.enter(HULLS, 1, f"faction {ship.faction}", SEA)
    today.war.hulls_lost += 1
    fleet.ships.remove(ship.id)
    del today.war.ships[ship.id]
    today.tell("sunk", f"{ship.name} is lost", faction=ship.faction, battle=encounter.id)


def _take_prize(
    today: Today, encounter: Encounter, ship: Ship, fleet: Fleet, loser: str, victor: str
) -> None:
    """A prize is brought to the nearest port of its captor and waits there for a crew."""
    port = nearest(today, victor, encounter.node)
    today.book.enter(HULLS, 1, f"faction {loser}", f"faction {victor}")
    fleet.ships.remove(ship.id)
    ship.faction = victor
    name = f"P-{victor}-{port.id}"
    if name not in today.war.fleets:
        title = f"prizes at {today.place(port.id)}"
        today.war.fleets[name] = Fleet(
            name, title, victor, "prizes", port.id, [], leadership=1.0, at=port.id
        )
    today.war.fleets[name].ships.append(ship.id)
    for resource in sorted(ship.hold):
        today.book.move(resource, ship.hold[resource], f"hold {ship.id}", f"node {port.id}")
    today.tell("captured", f"{ship.name} is taken", faction=victor, battle=encounter.id)


def _silence(today: Today, encounter: Encounter, ship: Ship, victor: str) -> None:
    """What is moored cannot be carried off: its guns are spiked, and a siege decides whose it is.

    Boarders who are still there go home.
    """
    home = nearest(today, victor, encounter.node)
    today.book.enter(PEOPLE, ship.people, f"ship {ship.id}", f"node {home.id}")
    home.population += ship.people
    ship.fit = ship.wounded = ship.marines = ship.marines_wounded = 0
    ship.rounds = [0] * len(ship.rounds)
    ship.decoys = 0
    ship.hp = min(ship.hp, today.plan.shipping.fit_hp)
    today.tell("silenced", f"{ship.name} is silenced", faction=victor, battle=encounter.id)


def _judge(today: Today, encounter: Encounter, winner: str | None) -> None:
    """The beaten withdraw; if nobody won, those who attacked."""
    beaten = encounter.attacker
    if winner is not None:
        beaten = next(name for name in encounter.sides if name != winner)
        governance.fortune(today, today.war.factions[winner], 1)
        governance.fortune(today, today.war.factions[beaten], -1)
    for group in encounter.sides.values():
        for fleet in group:
            if not fleet.ships and fleet.kind == "battle":
                fleet.at, fleet.path, fleet.progress = fleet.home, [], 0.0
                fleet.lurking, fleet.mission = False, None
            elif fleet.kind == "battle" and fleet.faction == beaten:
                withdraw(today, fleet, encounter.node)
