"""Making, using and carrying: what the rules say, and nothing lost on the way."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astrarium.campaign import choices, economy, routes, supplies
from astrarium.campaign.beginning import begin
from astrarium.campaign.plan import load
from astrarium.campaign.today import Today, opened

PLAN = load()
AMOUNTS = st.floats(0.0, 1e5, allow_nan=False, allow_subnormal=False)
STORES = st.fixed_dictionaries(dict.fromkeys(PLAN.resources, AMOUNTS))
WORKS = st.dictionaries(st.sampled_from(sorted(PLAN.facilities)), st.integers(0, 9))


@settings(max_examples=60, deadline=None)
@given(
    stores=st.lists(STORES, min_size=12, max_size=12),
    works=st.lists(WORKS, min_size=12, max_size=12),
    legitimacy=st.floats(0.0, 1.0),
    people=st.integers(0, 50_000),
)
def test_whatever_is_in_store_nothing_is_lost(
    stores: list[dict[str, float]], works: list[dict[str, int]], legitimacy: float, people: int
) -> None:
    war = begin(PLAN, seed=3)
    for node, store, kinds in zip(war.nodes.values(), stores, works, strict=True):
        node.stores, node.facilities = dict(store), dict(kinds)
    war.nodes["r0"].population = people
    for faction in war.factions.values():
        faction.legitimacy = legitimacy
    today = opened(PLAN, war)
    economy.produce(today)
    economy.consume(today)
    routes.trade(today)
    supplies.take_stock(today)
    today.book.reconcile()
    for faction in war.factions.values():
        assert -1.0 <= faction.prosperity <= 1.0
        assert faction.supply_factor in (0.4, 0.7, 0.9, 1.0)


def only(today: Today, node: str, works: dict[str, int], **stores: float) -> None:
    """One node with these works and stores, the governments at their best, supplies plenty."""
    today.war.nodes[node].facilities = works
    today.war.nodes[node].stores = {**dict.fromkeys(PLAN.resources, 0.0), **stores}
    for faction in today.war.factions.values():
        faction.legitimacy, faction.supply_factor = 1.0, 1.0
        faction.supply_days = dict.fromkeys(supplies.VITAL, 60.0)


def test_a_facility_makes_what_the_table_says(today: Today) -> None:
    only(today, "r1", {"desalination": 2}, fuel=100.0)
    economy.produce(today)
    assert today.war.nodes["r1"].stores["water"] == 400.0
    assert today.war.nodes["r1"].stores["fuel"] == 60.0


def test_a_facility_makes_no_more_than_its_inputs_allow(today: Today) -> None:
    only(today, "r1", {"kelp": 3}, water=10.0)
    economy.produce(today)
    assert today.war.nodes["r1"].stores["food"] == pytest.approx(30.0)
    assert today.war.nodes["r1"].stores["water"] == pytest.approx(0.0)


@pytest.mark.parametrize(("legitimacy", "share"), [(1.0, 1.0), (0.6, 0.8), (0.5, 0.675)])
def test_a_weak_government_works_less_well(today: Today, legitimacy: float, share: float) -> None:
    faction = today.war.factions["accord"]
    faction.legitimacy, faction.supply_factor = legitimacy, 1.0
    assert economy.efficiency(today, faction, today.war.nodes["r0"]) == pytest.approx(share)


def test_people_eat_and_drink_a_hundredth_a_day(today: Today) -> None:
    only(today, "r0", {}, food=5000.0, water=5000.0)
    today.war.fleets["A1"].at = ""  # ships in port would fill up
    before = dict(today.war.nodes["r0"].stores)
    for ship in today.war.ships.values():
        ship.stores = {"food": 1e3, "water": 1e3, "fuel": 1e3}
    economy._feed(today, today.war.nodes["r0"])
    assert before["food"] - today.war.nodes["r0"].stores["food"] == pytest.approx(100.0)
    assert before["water"] - today.war.nodes["r0"].stores["water"] == pytest.approx(100.0)


def test_a_faction_that_cannot_feed_its_people_is_short(today: Today) -> None:
    only(today, "r0", {}, food=1.0, water=5000.0)
    economy.consume(today)
    assert today.war.factions["accord"].short == ["food"]
    assert today.war.factions["dominion"].short == []


@pytest.mark.parametrize("resource", ["food", "water", "fuel"])
def test_a_fleet_at_sea_without_stores_is_short_too(today: Today, resource: str) -> None:
    fleet = today.war.fleets["D1"]
    fleet.at, fleet.path = "", ["r4", "i2"]
    economy.consume(today)
    assert today.war.factions["dominion"].short == []
    today.war.ships[fleet.ships[0]].stores[resource] = 0.0
    economy.consume(today)
    assert today.war.factions["dominion"].short == [resource]
    assert today.war.factions["accord"].short == []
    today.war.ships[fleet.ships[0]].fit = today.war.ships[fleet.ships[0]].marines = 0
    economy.consume(today)
    assert today.war.factions["dominion"].short == [], "an empty hull needs nothing"


def test_wrecks_give_salvage_to_their_holder_unless_disputed(today: Today) -> None:
    today.war.nodes["i1"].holder = "accord"
    today.war.nodes["i3"].holder = "accord"
    today.war.nodes["i3"].contested_since = 1
    before = today.war.nodes["r0"].stores["salvage"]
    economy._salvage(today)
    assert today.war.nodes["r0"].stores["salvage"] - before == 10.0


@pytest.mark.parametrize(
    ("days", "worth"), [(15.1, 1.0), (15.0, 0.9), (7.1, 0.9), (7.0, 0.7), (1.1, 0.7), (0.0, 0.4)]
)
def test_supply_is_worth_what_its_band_says(today: Today, days: float, worth: float) -> None:
    assert supplies.factor(today, days) == worth


def test_prosperity_is_the_mean_over_food_water_and_fuel(today: Today) -> None:
    supplies.take_stock(today)
    days = today.war.factions["accord"].supply_days
    mean = sum(math.tanh((days[r] - 15) / 15) for r in ("food", "water", "fuel")) / 3
    assert today.war.factions["accord"].prosperity == pytest.approx(mean)


def test_a_route_carries_no_more_than_its_capacity(today: Today) -> None:
    today.war.nodes["r1"].stores |= {"food": 0.0, "water": 0.0, "fuel": 0.0}
    load = routes.load_for(today, today.war.fleets["AC1"])
    assert sum(amount for _, amount, _, _ in load) == pytest.approx(100.0)
    assert {(source, target) for _, _, source, target in load} == {("r0", "r1")}


def test_an_enemy_in_wait_closes_a_route(today: Today) -> None:
    convoy, raider = today.war.fleets["AC1"], today.war.fleets["D1"]
    assert routes.is_open(today, convoy)
    raider.at, raider.path, raider.progress, raider.lurking = "", ["r0", "r1"], 1.0, True
    assert routes.raiders(today.war, convoy) == [raider]
    assert not routes.is_open(today, convoy)


@pytest.mark.parametrize(
    ("bays", "salvage", "asks"),
    [(0, 90.0, False), (0, 110.0, True), (1, 590.0, False), (1, 610.0, True), (5, 2900.0, False)],
)
def test_another_salvage_bay_is_wanted_while_more_lies_idle_than_the_bays_use_up(
    today: Today, bays: int, salvage: float, asks: bool
) -> None:
    faction, seat = today.war.factions["dominion"], today.war.nodes["r4"]
    seat.facilities["salvage_bay"] = bays
    seat.stores |= {"salvage": salvage, "materials": 5000.0}
    wishes = choices._invest(today, faction, choices.goals_of(today, faction))
    assert any(option.kind == "salvage_bay" for option in wishes) is asks
