"""The bots of version 2: they live, they obey the mask, and their habits are what they say."""

from dataclasses import replace

import numpy as np
import pytest

import astrarium
from astrarium import worlds
from astrarium.worlds import ladder
from astrarium.worlds.prospector import layout, traders
from astrarium.worlds.prospector.planner import Planner

ENTRY = worlds.get("prospector-v2")
RULES = ladder.Rules(episodes=48, seed=1000)


@pytest.fixture(scope="module")
def summaries():
    players = ladder.policies(ENTRY)
    return {
        name: ladder.play(ENTRY, name, policy, RULES).summary() for name, policy in players.items()
    }


def test_the_ladder_has_every_player(summaries) -> None:
    assert list(summaries) == [
        "random_legal",
        "greedy_miner",
        "cautious_scanner",
        "market_timer",
        "short_trip",
        "hauler",
        "planner",
    ]


@pytest.mark.parametrize("name", ["short_trip", "hauler"])
def test_a_trader_lives_and_never_asks_for_the_impossible(summaries, name: str) -> None:
    assert summaries[name]["survival_rate"] >= 0.9
    assert summaries[name]["invalid_action_rate_global"] == 0
    assert summaries[name]["net_profit_mean"] > 10_000


def test_sight_of_the_hidden_state_is_worth_more_than_any_bot(summaries) -> None:
    best = max(row["return_mean"] for name, row in summaries.items() if name != "planner")
    assert summaries["planner"]["return_mean"] > 1.5 * best


def test_habits_decide() -> None:
    """A trader that turns home at once carries less, and one that never cools overheats."""
    world = astrarium.make_vec("prospector-v2", 32, seed=3)
    hot = replace(traders.HAULER, hot=2.0)
    heat = {}
    for name, habits in (("cools", traders.HAULER), ("never", hot)):
        world.reset(3)
        most = np.zeros(32)
        for _ in range(300):
            world.step(traders.trade(world.obs[:, 0], habits))
            most = np.maximum(most, world.obs[:, 0, layout.HEAT])
        heat[name] = most.mean()
    assert heat["cools"] < 0.8 < heat["never"]


def test_a_bot_refuses_what_is_not_a_batch_of_observations() -> None:
    with pytest.raises(ValueError, match=r"float32 observations of shape \(n, 260\)"):
        traders.hauler(np.zeros(260, np.float32))


def test_the_planner_always_knows_a_way_home() -> None:
    """Every way of its map, followed lane by lane, ends at the station."""
    world = astrarium.make_vec("prospector-v2", 64, seed=5)
    planner = Planner(world)
    ways = planner._map
    lanes = world.reveal()[:, 4 + 32 * 4 : 4 + 32 * 4 + 32 * 6 * 4].reshape(64, 32, 6, 4)
    kinds = world.reveal()[:, 4 : 4 + 32 * 4].reshape(64, 32, 4)[:, :, 0]
    for belt in range(64):
        for node in np.flatnonzero(kinds[belt] >= 0):
            here, ticks = int(node), 0.0
            for _ in range(32):
                if here == 0:
                    break
                lane = lanes[belt, here, ways.lane[belt, here, 0]]
                here, ticks = int(lane[0]), ticks + float(lane[1])
            assert here == 0
            assert ticks == ways.ticks[belt, node, 0]
