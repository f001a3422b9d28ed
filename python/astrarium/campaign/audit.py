"""Does a battle's result account for everything its package sent in? Asked before it is applied.

The arena checks its own ledger; a campaign that took a result from elsewhere, or a file that was
edited, would still lose people and stores without a trace. So it is checked again at the border.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from astrarium.errors import AstrariumError
from astrarium.worlds.tidebreak.package import BattlePackage
from astrarium.worlds.tidebreak.package_ships import ShipSnapshot
from astrarium.worlds.tidebreak.result import BattleResult, ShipOutcome

_RELATIVE: Final = 1e-9


class LedgerError(AstrariumError, ValueError):
    """A battle's result that does not add up; nothing of its day is applied."""


def audit(package: BattlePackage, result: BattleResult) -> None:
    """Raise a `LedgerError` that names battle, ship and rule if anything is unaccounted for."""
    for fault in _faults(package, result):
        raise LedgerError(f"battle {package.battle_id}: {fault}")


def _faults(package: BattlePackage, result: BattleResult) -> Iterator[str]:
    if (result.battle_id, result.seed) != (package.battle_id, package.seed):
        yield f"K7: the result is of battle {result.battle_id} with seed {result.seed}"
    if result.package_hash != f"{package.hash():016x}":
        yield f"K7: the result is of a package with the hash {result.package_hash}"
    if not 0 <= result.duration_s <= package.time_limit_s:
        yield f"K7: it lasted {result.duration_s} s of {package.time_limit_s}"
    sent = {ship.ship_id: ship for ship in package.ships}
    back = [outcome.ship_id for outcome in result.ships]
    if sorted(back) != sorted(sent):
        odd = sorted(set(back) ^ set(sent)) or sorted({s for s in back if back.count(s) > 1})
        yield f"K1: ships out are not ships in: {', '.join(odd)}"
        return
    for outcome in result.ships:
        for fault in _ship_faults(sent[outcome.ship_id], outcome):
            yield f"{outcome.ship_id}: {fault}"
    yield from _transfer_faults(result)
    yield from _damage_faults(result)


def _ship_faults(ship: ShipSnapshot, outcome: ShipOutcome) -> Iterator[str]:
    if outcome.team_id_initial != ship.team_id:
        yield f"K1: it was of team {ship.team_id}, not {outcome.team_id_initial}"
    if outcome.fate == "CAPTURED" and outcome.team_id_final == ship.team_id:
        yield f"K1: CAPTURED and still of team {outcome.team_id_final}"
    people = (
        ("crew", ship.crew.fit + ship.crew.wounded, outcome.crew),
        ("marines", ship.crew.marines, outcome.marines),
        ("passengers", ship.passengers, outcome.passengers),
    )
    for category, came, after in people:
        left = after.fit + after.wounded + after.killed + after.captured + after.transferred_out
        if came + after.transferred_in != left:
            yield f"K2: {came} {category} went in, {left} came out"
    loaded = {mount.slot: mount.rounds_loaded for mount in ship.weapons}
    if loaded != {mount.slot: mount.loaded_in for mount in outcome.ammo}:
        yield "K3: mounts out are not mounts in"
    for mount in outcome.ammo:
        if mount.loaded_in != mount.remaining + mount.fired + mount.lost + mount.seized:
            yield f"K3: rounds of mount {mount.slot} do not add up"
        if mount.seized and outcome.fate != "CAPTURED":
            yield f"K3: rounds of mount {mount.slot} were seized, but the ship was not"
    fuel = outcome.fuel
    if not _same(ship.fuel_t, fuel.burned + fuel.remaining + fuel.lost + fuel.seized):
        yield f"K4: {ship.fuel_t} t of fuel went in"
    if set(ship.cargo) != set(outcome.cargo):
        yield "K4: cargo out is not cargo in"
        return
    for name, came_in in ship.cargo.items():
        after = outcome.cargo[name]
        if not _same(came_in, after.remaining + after.delivered + after.lost + after.seized):
            yield f"K4: {came_in} t of {name} went in"
    craft = {squadron.squadron_id: squadron.craft for squadron in ship.squadrons}
    if craft != {one.id: one.aboard + one.stranded + one.lost for one in outcome.squadrons}:
        yield "K5: craft of its squadrons do not add up"


def _transfer_faults(result: BattleResult) -> Iterator[str]:
    for category in ("crew", "marines", "passengers"):
        ledgers = [getattr(outcome, category) for outcome in result.ships]
        came, went = (
            sum(getattr(one, f"transferred_{way}") for one in ledgers) for way in ("in", "out")
        )
        if came != went:
            yield f"K2: {went} {category} were transferred out, {came} in"


def _damage_faults(result: BattleResult) -> Iterator[str]:
    dealt = math.fsum(outcome.damage.dealt for outcome in result.ships)
    dealt += result.ledger.dealt_by_nature
    taken = math.fsum(
        amount for outcome in result.ships for amount in outcome.damage.taken_by_cause.values()
    )
    if not _same(dealt, taken):
        yield f"K6: {dealt} damage was done, {taken} taken"


def _same(before: float, after: float) -> bool:
    return abs(before - after) <= _RELATIVE * max(1.0, abs(before))
