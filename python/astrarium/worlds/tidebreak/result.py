"""The result of a battle: what became of every ship, person, round and tonne that went in."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StrictFloat, StrictInt

from astrarium.worlds.tidebreak.package_map import Part

Count = Annotated[StrictInt, Field(ge=0)]
Amount = Annotated[StrictFloat, Field(ge=0.0)]
Hash = Annotated[str, Field(min_length=16, max_length=16)]
Given = Field(alias="in")
Working = Literal["OPERATIONAL", "DAMAGED", "DESTROYED"]


class Outcome(Part):
    """A part of a result; what went in is written `in` and read `given`."""

    model_config = ConfigDict(serialize_by_alias=True)


class People(Outcome):
    """People of one kind: where they were and where they are."""

    fit: Count
    wounded: Count
    killed: Count
    captured: Count
    transferred_in: Count
    transferred_out: Count


class Ammo(Outcome):
    """Rounds of one mount."""

    slot: Count
    loaded_in: Count
    remaining: Count
    fired: Count
    lost: Count
    seized: Count


class DecoyCount(Outcome):
    """Decoys of a ship."""

    given: Annotated[Count, Given]
    used: Count
    remaining: Count
    lost: Count


class Fuel(Outcome):
    """Fuel in tonnes."""

    given: Annotated[Amount, Given]
    burned: Amount
    remaining: Amount
    lost: Amount
    seized: Amount


class Cargo(Outcome):
    """One kind of cargo."""

    given: Annotated[Amount, Given]
    remaining: Amount
    delivered: Amount
    lost: Amount
    seized: Amount


class SquadronOutcome(Outcome):
    """Craft of one squadron."""

    id: str
    given: Annotated[Count, Given]
    aboard: Count
    stranded: Count
    lost: Count


class Damage(Outcome):
    """Damage a ship did and took."""

    dealt: Amount
    taken_by_cause: dict[str, Amount]


class FinalState(Outcome):
    """Where a ship was at the end."""

    x: StrictFloat
    y: StrictFloat
    heading: StrictFloat
    speed: StrictFloat
    layer: Literal["surface", "submerged", "abyssal"]
    hp: StrictFloat


class DamageReport(Outcome):
    """Health of each part, 0 to 1, and what does not work or goes on harming the ship."""

    parts: dict[str, StrictFloat]
    flags: tuple[str, ...]


class ShipOutcome(Outcome):
    """What became of one ship."""

    ship_id: str
    team_id_initial: str
    team_id_final: str
    fate: Literal["OPERATIONAL", "DISABLED", "DESTROYED", "SCUTTLED", "CAPTURED"]
    capture_method: Literal["BOARDED", "SURRENDERED"] | None = None
    final_state: FinalState
    final_morale: StrictFloat
    crew: People
    marines: People
    passengers: People
    ammo: tuple[Ammo, ...]
    decoys: DecoyCount
    fuel: Fuel
    cargo: dict[str, Cargo]
    squadrons: tuple[SquadronOutcome, ...]
    damage: Damage
    damage_report: DamageReport | None = None
    salvage_value: Amount
    objective_outcome: Literal["met", "failed", "open"] | None = None


class TeamOutcome(Outcome):
    """What became of one team."""

    team_id: str
    morale_delta: StrictFloat
    ships_lost: Count
    ships_surrendered: Count
    value_lost: Amount
    decisive_victory: bool


class EventSummary(Outcome):
    """Counts over the whole battle."""

    shots: Count
    hits: Count
    kills: Count
    captures: Count
    surrenders: Count
    transitions: Count
    botched: Count
    collisions: Count
    hazard_damage: Amount
    detections: Count
    rejected_orders: Count


class Ledger(Outcome):
    """Sums that must agree."""

    people: Count
    rounds: Count
    fuel: Amount
    dealt: Amount
    dealt_by_nature: Amount
    taken: Amount


class ReplayEntry(Outcome):
    """Where the battle can be seen again."""

    seed: Count
    format: Count
    orders_ref: str | None = None
    orders_hash: Hash
    initial_hash: Hash
    final_hash: Hash


class BoardingOutcome(Outcome):
    """One boarding."""

    target_ship_id: str
    attacker_team_id: str
    status: Literal["NONE", "ATTEMPTED", "ESTABLISHED", "REPULSED"]
    attached_duration_s: Amount
    transfer_progress: Amount
    troops_inserted: Count
    attacker_casualties: Count
    defender_casualties: Count
    breach_quality: Amount
    entry_point: str | None = None


class MegashipReport(Outcome):
    """A ship too large to sink."""

    ship_id: str
    propulsion: Working
    cic: Working
    primary_weapons: Working
    power: Working
    district_damage: dict[str, StrictFloat]
    casualty_estimate: Count
    evacuated: Count
    morale_shock: StrictFloat


class BattleResult(Outcome):
    """A battle after it was fought; the arena has checked that it loses and makes nothing."""

    schema_version: Literal["arena.v1"]
    schema_minor: Count
    battle_id: str
    package_hash: Hash
    table_hashes: dict[str, Hash]
    seed: Count
    policy_seed: Count | None = None
    build_id: str
    winner_team_id: str | None = None
    ended_by: Literal["running", "annihilation", "objective", "time_limit"]
    duration_s: Count
    ships: tuple[ShipOutcome, ...]
    teams: tuple[TeamOutcome, ...]
    event_summary: EventSummary
    ledger: Ledger
    replay: ReplayEntry
    boarding_outcomes: tuple[BoardingOutcome, ...]
    megaship_reports: tuple[MegashipReport, ...]
