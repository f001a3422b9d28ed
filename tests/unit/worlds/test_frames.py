"""One step of one world as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from astrarium import worlds
from astrarium.errors import CountError
from astrarium.worlds import ladder
from astrarium.worlds.frames import Camera, short_decimals
from astrarium.worlds.prospector import layout as ship
from astrarium.worlds.prospector import traders

HOLD, CASH_OUT, OUT_OF_RANGE = 6, 68, 69
NEVER_COOLS = replace(traders.HAULER, hot=2.0)


def frames_of(
    world_id: str, policy: ladder.Policy, steps: int = 10_000, seed: int = 7, **config: Any
) -> Iterator[dict[str, Any]]:
    entry = worlds.get(world_id)
    world = entry.make(entry.config(**config), 1, 1, "disabled")
    world.reset_with_seeds([seed])
    camera = Camera(entry, world)
    for step in range(steps):
        world.step(policy(world, step))
        frame = camera.frame()
        assert msgspec.json.decode(msgspec.json.encode(frame)) == frame
        yield frame
        if ((world.alive == 0) | (world.terminated != 0) | (world.truncated != 0)).all():
            return


def orders(*actions: int) -> ladder.Policy:
    return lambda world, step: np.full((1, 1, 1), actions[step], np.int32)


def bot(world_id: str, name: str) -> ladder.Policy:
    return ladder.policies(worlds.get(world_id), [name])[name]


def trader(habits: traders.Habits) -> ladder.Policy:
    act = partial(traders.trade, habits=habits)
    return lambda world, step: act(world.obs[:, 0])[:, None, None]


def test_a_frame_has_the_fields_viewers_ask_for() -> None:
    (frame,) = frames_of("prospector-v1", orders(CASH_OUT))
    assert frame["schema_version"] == 1
    assert (frame["frame_index"], frame["t"], frame["dt"], frame["action"]) == (0, 1, 1, CASH_OUT)
    assert (frame["terminated"], frame["truncated"]) == (True, False)
    assert frame["reward"] == pytest.approx(-0.001)
    assert set(frame["render_state"]) == {
        *("observation", "time_remaining", "credits", "net_profit", "survival"),
        *("cargo_utilization_avg", "node_context"),
    }
    assert len(frame["render_state"]["observation"]) == 260
    assert frame["render_state"]["time_remaining"] == 19_999
    assert set(frame["info"]) == {*ship.INFO_METRICS, "dt", "invalid_action"}
    assert list(frame["terms"]) == list(ship.REWARD_TERMS)
    assert len(frame["digest"]) == 16


def test_ticks_add_up_and_places_have_names() -> None:
    ticks = 0
    seen = set[str]()
    for index, frame in enumerate(frames_of("prospector-v2", bot("prospector-v2", "hauler"), 200)):
        ticks += frame["dt"]
        assert (frame["frame_index"], frame["t"]) == (index, ticks)
        state = frame["render_state"]
        at_station = state["observation"][ship.AT_STATION] == 1
        assert state["node_context"] == ("station" if at_station else "field")
        seen.add(state["node_context"])
    assert seen == {"station", "field"}
    assert ticks > 200


def test_an_invalid_action_is_told_and_a_cash_out_is_no_explosion() -> None:
    first, last = frames_of("prospector-v2", orders(OUT_OF_RANGE, CASH_OUT))
    assert first["events"] == ["invalid_action"]
    assert first["info"]["invalid_action"] is True
    assert first["action"] == OUT_OF_RANGE
    assert last["events"] == ["cash_out"]
    assert last["terminated"] is True
    assert last["info"]["invalid_action"] is False


def test_time_that_is_over_is_an_event() -> None:
    *_, last = frames_of("prospector-v2", orders(HOLD, HOLD, HOLD), time_max=3)
    assert last["events"] == ["truncated"]
    assert (last["terminated"], last["truncated"]) == (False, True)


@pytest.mark.parametrize("seed", [7, 8, 9])
def test_a_lost_ship_says_how_it_was_lost(seed: int) -> None:
    *_, last = frames_of("prospector-v1", bot("prospector-v1", "greedy_miner"), seed=seed)
    assert last["events"][-1] == "terminated"
    assert {"stranded", "destroyed"} & set(last["events"])
    assert last["render_state"]["survival"] == 0


@pytest.mark.parametrize("habits", [traders.HAULER, NEVER_COOLS], ids=["hauler", "never cools"])
def test_events_are_those_that_happened_in_the_order_told(habits: traders.Habits) -> None:
    """Counters and observations are a second opinion on what happened."""
    order = (*ship.EVENTS, "terminated", "truncated")
    encounters = overheated = 0.0
    counted = dict.fromkeys(order, 0)
    for frame in frames_of("prospector-v2", trader(habits), 800):
        events, info = frame["events"], frame["info"]
        assert events == sorted(set(events), key=order.index)
        assert ("pirate_encounter" in events) == (info["pirate_encounters"] > encounters)
        assert ("overheat_tick" in events) == (info["overheat_ticks"] > overheated)
        encounters, overheated = info["pirate_encounters"], info["overheat_ticks"]
        if "fracture" in events:
            assert depletion_of_the_selected(frame) == 1
        for event in events:
            counted[event] += 1
    assert counted["fracture"] > 0
    assert counted["pirate_encounter"] > 0
    assert (counted["overheat_tick"] > 0) == (habits is NEVER_COOLS)


def depletion_of_the_selected(frame: dict[str, Any]) -> float:
    rocks = np.reshape(frame["render_state"]["observation"][ship.ASTEROIDS], (16, -1))
    (selected,) = rocks[rocks[:, ship.ASTEROID_SELECTED] == 1]
    return selected[ship.ASTEROID_DEPLETION]


def test_several_agents_and_heads_are_told_apart() -> None:
    frames = list(frames_of("lanterns-v1", bot("lanterns-v1", "random_legal"), seed=5))
    lost = next(frame for frame in frames if any(frame["terminated"]))
    assert lost["terminated"] == [True, False]
    assert lost["info"]["alive"] == [False, True]
    assert lost["events"][-2:] == ["keeper_0:lost", "keeper_0:terminated"]
    assert np.shape(lost["action"]) == (2, 2)
    assert np.shape(lost["render_state"]["observation"]) == (2, 13)
    assert [set(terms) for terms in lost["terms"]] == [{"lamp", "lost"}] * 2
    assert lost["reward"] == [sum(terms.values()) for terms in lost["terms"]]
    assert "controls" not in lost
    assert (lost["dt"], lost["t"]) == (1, lost["frame_index"] + 1)


@pytest.mark.parametrize(("count", "autoreset"), [(2, "disabled"), (1, "same_step")])
def test_a_batch_that_would_show_the_next_episode_is_refused(count: int, autoreset: Any) -> None:
    entry = worlds.get("lanterns-v1")
    with pytest.raises(CountError, match="autoreset 'disabled'"):
        Camera(entry, entry.make(entry.config(), count, 1, autoreset))


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1))
def test_short_decimals_are_the_same_single_precision_floats(values: list[float]) -> None:
    exact = np.array([values], np.float32)
    assert np.array_equal(np.array(short_decimals(exact), np.float32), exact)


def test_short_decimals_are_short() -> None:
    assert short_decimals(np.array([[0.1, 0.3, -0.7, 1.0]], np.float32)) == [[0.1, 0.3, -0.7, 1.0]]
