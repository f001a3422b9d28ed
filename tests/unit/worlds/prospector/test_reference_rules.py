"""The reference rules one by one: what each action and system does to the state."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astrarium.worlds.prospector import layout
from astrarium.worlds.prospector.reference import V1, ReferenceProspector, Rules
from astrarium.worlds.prospector.reference.draws import Draws
from astrarium.worlds.prospector.reference.market import sell

f32 = np.float32
NO_PIRATES = replace(V1, pirate_logit=-1000.0)
SAFE = replace(NO_PIRATES, hazard_damage=0.0, hazard_heat=0.0, hazard_alert=0.0)
UNBREAKABLE = replace(SAFE, fracture_logit=-1000.0)
BRITTLE = replace(SAFE, fracture_logit=1000.0)
ALWAYS_PIRATES = replace(V1, pirate_logit=1000.0)


def started(rules: Rules = V1, seed: int = 42) -> ReferenceProspector:
    world = ReferenceProspector(rules=rules)
    world.reset(seed)
    return world


def in_the_field(rules: Rules) -> ReferenceProspector:
    """At node 1 of seed 42 with asteroid 0 selected."""
    world = started(rules)
    world.step(0)
    world.step(layout.SELECT)
    return world


def words_drawn(world: ReferenceProspector, action: int) -> int:
    counter = Draws(0)
    counter.state = world.rng_state
    world.step(action)
    for words in range(1000):
        if counter.state == world.rng_state:
            return words
        counter.next_u32()
    raise AssertionError("the generator jumped")


def load(world: ReferenceProspector, *cargo: float) -> None:
    world.state.ship.cargo[:] = cargo


MARKET = 12
WORLD_FOR_SALES = started()


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (layout.HOLD, MARKET),
        (layout.WIDE_SCAN, MARKET),
        (layout.THREAT_LISTEN, MARKET + 5 * 2),
        (layout.MINE_STANDARD, MARKET),
        (0, MARKET + 4),
    ],
)
def test_words_drawn_at_the_station(action: int, words: int) -> None:
    assert words_drawn(started(NO_PIRATES), action) == words


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (layout.HOLD, 2),
        (layout.WIDE_SCAN, 2 + 6 * 14),
        (layout.DEEP_SCAN, 2 + 14),
        (layout.MINE_STANDARD, 2 + 3),
        (0, 1),
    ],
    ids=["hold", "wide_scan", "deep_scan", "mine", "home: no hazard, no pirates"],
)
def test_words_drawn_in_the_field(action: int, words: int) -> None:
    world = in_the_field(replace(NO_PIRATES, fracture_logit=-1000.0))
    assert words_drawn(world, action) == MARKET + words


@pytest.mark.parametrize(("decoys", "words"), [(0, 4 + MARKET), (1, 5 + MARKET)])
def test_an_encounter_asks_for_a_decoy_only_when_there_is_one(decoys: int, words: int) -> None:
    world = started(ALWAYS_PIRATES)
    world.step(0)
    world.state.ship.decoys = decoys
    assert words_drawn(world, layout.HOLD) == words


def test_a_travel_step_can_meet_pirates_twice() -> None:
    world = started(ALWAYS_PIRATES)
    result = world.step(0)
    assert result.metrics["pirate_encounters"] == 2
    assert result.events == ("pirate_encounter",)


def test_pirates_take_cargo_of_known_value() -> None:
    world = started(replace(ALWAYS_PIRATES, decoy_chance=0.0))
    world.step(0)
    load(world, 10, 10, 10, 10, 10, 10)
    before = world.state.cargo_value()
    lost_share = -world.step(layout.HOLD).terms[layout.REWARD_TERMS.index("pirate")] * 1000
    assert 0.08 <= lost_share / before <= 0.2
    assert world.state.ledger.value_lost == pytest.approx(lost_share)


def test_no_pirates_at_the_station() -> None:
    world = started(ALWAYS_PIRATES)
    assert world.step(layout.HOLD).metrics["pirate_encounters"] == 0


def test_a_burn_covers_its_own_step_and_two_more() -> None:
    world = started(replace(ALWAYS_PIRATES, pirate_logit_escape=5000.0))
    world.step(0)
    seen = world.state.ledger.pirate_encounters
    met: list[bool] = []
    for action in (layout.EMERGENCY_BURN, 6, 6, 6):
        world.step(action)
        met.append(world.state.ledger.pirate_encounters > seen)
    assert met == [False, False, False, True]


def test_a_stabiliser_covers_four_mining_ticks_of_its_slot_number_anywhere() -> None:
    """Kept from the first version: the timer belongs to the number, so it travels along."""
    world = in_the_field(UNBREAKABLE)
    world.step(layout.STABILIZE)
    assert world.state.ship.stabilize_ticks[:2] == [4, 0]
    lanes = world.state.here().lanes
    slot = next(k for k, lane in enumerate(lanes) if 0 < lane.ticks < 4 and lane.to != 0)
    world.step(slot)
    assert world.state.ship.stabilize_ticks[0] == 4 - lanes[slot].ticks > 0
    assert world.state.ship.selected is None


def test_a_steadied_slot_fractures_less() -> None:
    world = in_the_field(replace(BRITTLE, fracture_logit_stabilized=5000.0))
    world.step(layout.STABILIZE)
    covered = [world.step(layout.MINE_CONSERVATIVE).events for _ in range(5)]
    assert covered == [(), (), (), (), ("fracture",)]


def test_a_fracture_spends_the_rock_and_marks_the_place() -> None:
    world = in_the_field(BRITTLE)
    hazard = world.state.here().hazard
    result = world.step(layout.MINE_CONSERVATIVE)
    assert result.events == ("fracture",)
    assert world.state.here().hazard == hazard + f32(0.1)
    assert 6 <= 100 - world.state.ship.hull <= 12
    rock = layout.ASTEROID_BASE
    assert result.obs[rock + layout.ASTEROID_DEPLETION] == 1
    assert result.obs[rock + layout.ASTEROID_SELECTED] == 1
    assert result.obs[layout.MINING_ACTIVE] == 0
    assert world.step(layout.MINE_CONSERVATIVE).invalid_action
    assert world.step(layout.SELECT).invalid_action


def test_a_wide_scan_surveys_spent_rocks_too() -> None:
    world = in_the_field(BRITTLE)
    world.step(layout.MINE_CONSERVATIVE)
    world.step(layout.WIDE_SCAN)
    confidences = {float(rock.confidence) for rock in world.state.here().asteroids}
    assert confidences == {float(f32(0.1) + f32(0.1))}


def test_a_wide_scan_at_the_station_still_counts() -> None:
    assert started().step(layout.WIDE_SCAN).metrics["scan_count"] == 1


def test_deep_scans_find_the_truth() -> None:
    world = in_the_field(SAFE)
    for _ in range(4):
        world.step(layout.DEEP_SCAN)
    rock = world.state.here().asteroids[0]
    assert rock.confidence == 1
    assert np.abs(rock.composition_est - rock.composition).max() < 0.1
    assert rock.composition_est.sum() == pytest.approx(1.0, abs=1e-6)


def test_mining_stops_at_a_full_hold() -> None:
    world = in_the_field(UNBREAKABLE)
    load(world, 199.9, 0, 0, 0, 0, 0)
    depletion = world.state.here().asteroids[0].depletion
    world.step(layout.MINE_AGGRESSIVE)
    assert world.state.ship.total_cargo() == pytest.approx(200.0, abs=1e-4)
    gained = world.state.here().asteroids[0].depletion - depletion
    assert gained == pytest.approx(0.001, abs=1e-6)


def test_heat_above_the_limit_burns_the_hull_and_counts_ticks() -> None:
    world = started()
    world.state.ship.heat = f32(120.0)
    result = world.step(layout.WIDE_SCAN)
    assert result.events == ("overheat_tick",)
    assert result.metrics["overheat_ticks"] == 3
    assert world.state.ship.hull == f32(100.0) - f32(1.25) * f32(12.5)


def test_heat_from_the_place_comes_too_late_to_burn() -> None:
    world = in_the_field(SAFE)
    world.state.rules = replace(SAFE, hazard_heat=10_000.0)
    result = world.step(layout.HOLD)
    assert result.obs[layout.HEAT] == 1
    assert (result.obs[layout.HULL], result.events) == (1, ())


def test_inventory_fades_per_step_and_sales_per_tick() -> None:
    """Kept from the first version: a long action spares the inventory."""
    short, long = started(), started()
    for world in (short, long):
        world.state.market.recent_sales[:] = 10.0
    inventory = short.state.market.inventory.copy()
    short.step(layout.HOLD)
    long.step(layout.WIDE_SCAN)
    assert (short.state.market.inventory == inventory * f32(0.998)).all()
    assert (long.state.market.inventory == short.state.market.inventory).all()
    assert (long.state.market.recent_sales < short.state.market.recent_sales).all()


def test_listening_changes_only_this_side_of_a_lane() -> None:
    world = started()
    world.step(layout.THREAT_LISTEN)
    for lane in world.state.nodes[0].lanes:
        back = next(other for other in world.state.nodes[lane.to].lanes if other.to == 0)
        assert lane.threat_est != f32(0.5)
        assert back.threat_est == f32(0.5)


def test_refining_turns_cheap_metal_into_isotopes() -> None:
    world = started()
    load(world, 20, 10, 0, 0, 0, 0)
    result = world.step(layout.REFINE)
    assert result.dt == 2
    assert world.state.ship.cargo == pytest.approx([17, 8.5, 0, 0, 0.65 * 4.5, 0])
    assert world.state.ship.fuel == 996


def test_jettison_calms_even_an_empty_hold() -> None:
    world = started()
    world.state.ship.alert = f32(50.0)
    world.step(layout.JETTISON + 2)
    assert world.state.ship.alert == 42


def test_repair_kits_mend_up_to_the_limit_and_run_out() -> None:
    world = started()
    world.state.ship.tool = f32(50.0)
    world.state.ship.hull = f32(95.0)
    flags = [world.step(action).invalid_action for action in (34, 35, 34, 34)]
    assert flags == [False, False, False, True]
    assert (world.state.ship.tool, world.state.ship.hull) == (100, 100)


@pytest.mark.parametrize(("bucket", "left"), [(0, 30.0), (1, 20.0), (2, 0.0)])
def test_selling_a_share(bucket: int, left: float) -> None:
    world = started()
    load(world, 0, 0, 0, 40, 0, 0)
    price = world.state.market.price[3]
    result = world.step(layout.SELL + 3 * 3 + bucket)
    assert world.state.ship.cargo[3] == left
    assert 0.55 * price * (40 - left) < result.metrics["credits"] < price * (40 - left)


@settings(max_examples=50, deadline=None)
@given(quantity=st.floats(0.0, 200.0, width=32), inventory=st.floats(0.0, 500.0, width=32))
def test_slippage_never_reaches_its_ceiling(quantity: float, inventory: float) -> None:
    """Kept from the first version: at most 45 % is lost, so the limit of 70 % never binds."""
    world = WORLD_FOR_SALES
    state = world.state
    load(world, 0, 0, 0, quantity, 0, 0)
    state.ship.credits = f32(0.0)
    state.market.inventory[3] = inventory
    sell(state, 3, f32(1.0))
    assert state.ship.credits >= f32(0.5499) * f32(quantity) * state.market.price[3]


def test_spending_is_counted_twice_in_net_profit_and_fuel_use_is_net() -> None:
    world = started()
    world.state.ship.credits = f32(1000.0)
    world.state.ship.fuel = f32(500.0)
    result = world.step(layout.BUY_FUEL_LARGE)
    assert result.metrics["credits"] == 790
    assert result.metrics["net_profit"] == 580
    assert result.metrics["fuel_used"] == 20
    assert result.terms[0] == f32(-210.0) / f32(1000.0)


def test_fuel_into_a_full_tank_is_paid_and_wasted() -> None:
    world = started()
    world.state.ship.credits = f32(60.0)
    result = world.step(layout.BUY_FUEL_SMALL)
    assert (result.invalid_action, result.metrics["credits"]) == (False, 0)
    assert world.step(layout.BUY_FUEL_SMALL).invalid_action


@pytest.mark.parametrize(
    ("action", "cost"), [(layout.BUY_REPAIR_KIT, 150), (layout.BUY_STABILIZER, 175), (66, 110)]
)
def test_supplies_cost_and_stop_at_twelve(action: int, cost: int) -> None:
    world = started()
    world.state.ship.credits = f32(12 * cost)
    position = layout.REPAIR_KITS + action - layout.BUY_REPAIR_KIT
    flags = [world.step(action).invalid_action for _ in range(12)]
    held = (3, 2, 1)[action - layout.BUY_REPAIR_KIT]
    assert flags == [False] * (12 - held) + [True] * held
    assert world.step(layout.HOLD).obs[position] == 1
    assert world.state.ship.credits == held * cost


def test_an_overhaul_needs_its_price_and_takes_three_ticks() -> None:
    world = started()
    world.state.ship.hull = world.state.ship.tool = f32(10.0)
    world.state.ship.credits = f32(279.0)
    assert world.step(layout.OVERHAUL).invalid_action
    world.state.ship.credits = f32(280.0)
    result = world.step(layout.OVERHAUL)
    assert (result.dt, result.metrics["credits"]) == (3, 0)
    assert (result.obs[layout.HULL], result.obs[layout.TOOL]) == (1, 1)


def test_utilization_is_weighted_by_ticks() -> None:
    world = started()
    world.step(layout.HOLD)
    load(world, 100, 0, 0, 0, 0, 0)
    result = world.step(layout.WIDE_SCAN)
    assert result.metrics["cargo_utilization_avg"] == f32(1.5) / f32(4.0)


def test_cargo_makes_travel_dearer() -> None:
    empty, full = started(SAFE), started(SAFE)
    load(full, 200, 0, 0, 0, 0, 0)
    used = [world.step(0).metrics["fuel_used"] for world in (empty, full)]
    assert used[1] == pytest.approx(1.5 * used[0], rel=1e-5)
