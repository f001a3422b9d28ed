"""The reference world from outside: published episode, invalid actions, endings, promises."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astrarium.worlds.prospector import layout
from astrarium.worlds.prospector.reference import V1, ReferenceProspector, StepResult

NO_PIRATES = replace(V1, pirate_logit=-1000.0)
SAFE = replace(NO_PIRATES, hazard_damage=0.0, hazard_heat=0.0, hazard_alert=0.0)
EPISODE = [6, 8, 0, 12, 10, 28, 29, 30, 33, 68]


def started(seed: int = 42, time_max: float = layout.TIME_MAX) -> ReferenceProspector:
    world = ReferenceProspector(time_max=time_max)
    world.reset(seed)
    return world


def play(world: ReferenceProspector, actions: list[int]) -> list[StepResult]:
    return [world.step(action) for action in actions]


def term(result: StepResult, name: str) -> np.float32:
    return result.terms[layout.REWARD_TERMS.index(name)]


def test_published_episode() -> None:
    rewards = [
        *(-0.001, -0.012999999, -0.18767929, -0.021923615, -0.31736314, -0.023623507),
        *(-0.022996876, -0.714034, -0.050964706, -0.023561783),
    ]
    results = play(started(), EPISODE)
    assert [result.reward for result in results] == [np.float32(value) for value in rewards]
    assert [result.dt for result in results] == [1, 3, 4, 1, 4, 1, 1, 1, 2, 1]
    assert not any(result.invalid_action for result in results)
    assert [result.terminated for result in results] == [False] * 9 + [True]


def test_first_observation_of_seed_42() -> None:
    obs = ReferenceProspector().reset(42)
    assert obs.dtype == np.float32
    assert obs[[0, 1, 2, 3, 4, 5, 6, 7]].tolist() == [1, 1, 0, 1, 0, 0, 1, 0]
    assert obs[[17, 18, 19, 20, 21, 22, 23]].tolist() == [1, 0, 1, 0, 0, 0, 0]
    assert obs[24:31].tolist() == [1, 0, 1, 0, 0.5, np.float32(46.99332) * np.float32(1 / 160), 0.5]
    assert not obs[59:244].any()
    assert obs[245] == 1.0, "a price above its base saturates"
    assert obs[246] == np.float32(76.43968) * (np.float32(1) / np.float32(85))
    assert not obs[layout.PRICE_DELTA].any()


@pytest.mark.parametrize(
    ("action", "fuel", "alert"), [(layout.FOCUSED_SCAN, 996, 0), (layout.DEEP_SCAN, 992, 3)]
)
def test_an_invalid_scan_keeps_its_charges(action: int, fuel: int, alert: int) -> None:
    world, held = started(), started()
    result = world.step(action)
    held.step(layout.HOLD)
    assert (result.invalid_action, result.dt, result.action) == (True, 1, action)
    assert (world.state.ship.fuel, world.state.ship.alert) == (fuel, alert)
    assert term(result, "scan") == np.float32(-0.005)
    assert term(result, "invalid") == np.float32(-0.01)
    assert result.metrics["scan_count"] == 0
    assert world.rng_state == held.rng_state


@pytest.mark.parametrize("action", [69, 200, 255, 256, -1, -3, 1 << 40])
def test_an_index_out_of_range_holds_twice(action: int) -> None:
    world = started()
    world.state.ship.alert = np.float32(50.0)
    world.state.ship.heat = np.float32(50.0)
    result = world.step(action)
    assert (result.action, result.dt, result.invalid_action) == (layout.HOLD, 1, True)
    assert world.state.ship.alert == 44.0
    assert world.state.ship.heat == 50.0 - 3 * 2.5
    assert result.events == ("invalid_action",)


def test_a_valid_hold_and_an_invalid_action_hold_once() -> None:
    for action, invalid in ((layout.HOLD, False), (layout.MINE_STANDARD, True)):
        world = started()
        world.state.ship.alert = np.float32(50.0)
        world.state.ship.heat = np.float32(50.0)
        result = world.step(action)
        assert (result.action, result.invalid_action) == (action, invalid)
        assert (world.state.ship.alert, world.state.ship.heat) == (47.0, 45.0)


def test_selecting_and_mining_nothing_is_invalid_but_jettison_and_sales_are_not() -> None:
    invalid = {action: started().step(action).invalid_action for action in range(69)}
    valid = {0, 1, 2, 3, 4, 6, 7, 8, 11, 32, 33, 34, 35, *range(36, 61), 68}
    assert {action for action, flag in invalid.items() if not flag} == valid


def test_away_from_the_station_its_actions_are_invalid() -> None:
    world = started()
    world.step(0)
    world.state.ship.credits = np.float32(5000.0)
    for action in range(layout.DOCK, layout.CASH_OUT):
        assert world.step(action).invalid_action, layout.ACTION_NAMES[action]
        world.state.ship.hull = np.float32(100.0)


def test_reply_after_the_end() -> None:
    world = started()
    last = play(world, EPISODE)[-1]
    state = world.rng_state
    reply = world.step(8)
    assert world.rng_state == state
    assert (reply.reward, reply.dt, reply.action) == (0, 0, -1)
    assert (reply.terminated, reply.truncated, reply.invalid_action) == (True, False, True)
    assert reply.obs.tobytes() == last.obs.tobytes()
    assert reply.metrics == last.metrics
    assert not reply.terms.any()


def test_a_time_out_is_truncated_once_and_then_reads_terminated() -> None:
    world = started(time_max=3.0)
    world.state.ship.credits = np.float32(500.0)
    results = play(world, [6, 6, 6, 6])
    assert [(r.terminated, r.truncated) for r in results] == [
        *((False, False), (False, False), (False, True), (True, False))
    ]
    assert term(results[2], "terminal") == np.float32(0.002) * np.float32(0.5)
    assert results[2].events == ()


def test_cashing_out_on_the_last_tick_is_terminated_not_truncated() -> None:
    result = started(time_max=1.0).step(layout.CASH_OUT)
    assert (result.terminated, result.truncated) == (True, False)
    assert result.events == ("cash_out",)


def test_a_wreck_reads_survival_zero_only_on_its_step() -> None:
    world = started()
    world.step(0)
    world.state.ship.hull = np.float32(0.001)
    wreck, after = play(world, [6, 6])
    assert wreck.terminated
    assert "destroyed" in wreck.events
    assert wreck.metrics["survival"] == 0
    assert term(wreck, "terminal") == -100
    assert after.metrics["survival"] == 1


def test_stranded_and_destroyed_together_cost_both() -> None:
    world = started()
    world.step(0)
    world.state.ship.hull = np.float32(0.001)
    world.state.ship.fuel = np.float32(1.0)
    result = world.step(layout.EMERGENCY_BURN)
    assert result.events[-2:] == ("stranded", "destroyed")
    assert term(result, "terminal") == -150


def test_arriving_home_on_an_empty_tank_is_safe() -> None:
    """Kept from the first version, even when the way cost more fuel than there was."""
    world = started()
    world.step(0)
    world.state.ship.fuel = np.float32(1.0)
    result = world.step(0)
    assert result.obs[layout.AT_STATION] == 1
    assert result.obs[layout.FUEL] == 0
    assert not result.terminated
    assert world.step(6).terminated is False


def test_running_dry_in_the_field_strands() -> None:
    world = ReferenceProspector(rules=SAFE)
    world.reset(42)
    world.step(0)
    world.state.ship.fuel = np.float32(18.0)
    result = world.step(layout.EMERGENCY_BURN)
    assert (result.terminated, result.events) == (True, ("stranded",))
    assert term(result, "terminal") == -50


@pytest.mark.parametrize("value", [0.0, -1.0])
def test_settings_of_zero_or_less_mean_the_default(value: float) -> None:
    world = ReferenceProspector(time_max=value, invalid_action_penalty=value)
    assert world.time_max == 20000
    assert world.invalid_action_penalty == np.float32(0.01)


def test_misuse_names_the_fix() -> None:
    with pytest.raises(RuntimeError, match="reset"):
        ReferenceProspector().step(0)
    for seed in (-1, 1 << 64):
        with pytest.raises(ValueError, match="64-bit"):
            ReferenceProspector().reset(seed)


@pytest.mark.parametrize(
    "change",
    [
        {"hold_alert_drop": 2.0},
        {"cool_per_tick": 2.4},
        {"travel_damage_low": 0.84},
        {"inventory_keep": 0.999},
        {"extract_weight": 0.03},
        {"lane_ticks_end": 8},
    ],
    ids=lambda change: next(iter(change)),
)
def test_breaking_one_rule_shows_in_the_episode(change: dict[str, float]) -> None:
    """Guards the comparisons: one that cannot see a broken rule proves nothing."""
    broken = ReferenceProspector(rules=replace(V1, **change))
    broken.reset(42)
    sound = started()
    actions = [0, 6, 12, 29, 30, 6, 8, 6]
    differs = [
        a.obs.tobytes() != b.obs.tobytes() or a.reward != b.reward
        for a, b in zip(play(sound, actions), play(broken, actions), strict=True)
    ]
    assert any(differs)


def test_replaced_rules_are_rounded_to_single_precision() -> None:
    rules = replace(V1, hold_alert_drop=0.1, sell_fractions=(0.1, 0.2, 0.3))
    assert type(rules.hold_alert_drop) is np.float32
    assert {type(fraction) for fraction in rules.sell_fractions} == {np.float32}


ACTIONS = st.one_of(
    st.integers(0, 5), st.integers(7, 35), st.integers(36, 67), st.integers(-300, 300)
)


def check_step(result: StepResult) -> None:
    assert result.obs.dtype == np.float32
    assert np.isfinite(result.obs).all()
    signed = np.zeros(layout.OBS_DIM, dtype=bool)
    signed[layout.PRICE_DELTA] = True
    assert (result.obs >= np.where(signed, -1, 0)).all()
    assert (result.obs <= 1).all()
    assert not result.obs[layout.RESERVED].any()
    total = np.float32(0.0)
    for value in result.terms:
        total = total + value
    assert type(result.reward) is np.float32
    assert total == result.reward
    assert list(result.metrics) == list(layout.INFO_METRICS)
    assert all(type(value) is np.float32 for value in result.metrics.values())
    assert all(np.isfinite(value) for value in result.metrics.values())
    assert not (result.terminated and result.truncated)
    assert list(result.events) == [name for name in layout.EVENTS if name in result.events]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**64 - 1), actions=st.lists(ACTIONS, min_size=5, max_size=60))
def test_any_actions_give_finite_bounded_repeatable_steps(seed: int, actions: list[int]) -> None:
    world, twin = ReferenceProspector(time_max=60.0), ReferenceProspector(time_max=60.0)
    assert world.reset(seed).tobytes() == twin.reset(seed).tobytes()
    for action in actions:
        result, again = world.step(action), twin.step(action)
        check_step(result)
        assert result.obs.tobytes() == again.obs.tobytes()
        assert result.terms.tobytes() == again.terms.tobytes()
        assert (result.reward, result.metrics, result.events) == (
            *(again.reward, again.metrics, again.events),
        )
        assert world.rng_state == twin.rng_state


def test_a_reset_forgets_the_episode_before() -> None:
    used = started(7)
    play(used, EPISODE)
    assert used.reset(42).tobytes() == ReferenceProspector().reset(42).tobytes()
    fresh = started(42)
    for action in EPISODE:
        assert used.step(action).obs.tobytes() == fresh.step(action).obs.tobytes()
