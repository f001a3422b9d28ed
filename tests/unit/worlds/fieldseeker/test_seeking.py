"""A world of controls only, through every room that plays worlds."""

from __future__ import annotations

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env

import astrarium.adapters.gymnasium
from astrarium import worlds
from astrarium.worlds import ladder
from astrarium.worlds.random_legal import random_legal

ENTRY = worlds.get("fieldseeker-v1")


def test_the_scripted_boat_finds_the_fire_and_chance_does_not() -> None:
    rules = ladder.Rules(episodes=12)
    found = {
        name: ladder.play(ENTRY, name, policy, rules).summary()["reached_mean"]
        for name, policy in ladder.policies(ENTRY).items()
    }
    assert found["up_the_warmth"] > 0.9
    assert found["random_legal"] < 0.3


def test_chance_moves_the_levers_the_same_in_any_batch() -> None:
    one, three = worlds.make_vec(ENTRY.id, 1), worlds.make_vec(ENTRY.id, 3)
    one.reset_with_seeds([9])
    three.reset_with_seeds([4, 9, 5])
    assert random_legal(three, 2).shape == (3, 1, 0)
    random_legal(one, 2)
    assert (one.controls[0] == three.controls[1]).all()
    assert (np.abs(three.controls) <= 1).all()
    assert three.controls.std() > 0.1


def test_gymnasium_steers_it_with_a_box() -> None:
    env = gymnasium.make(astrarium.adapters.gymnasium.gymnasium_id(ENTRY.id))
    check_env(env.unwrapped, skip_render_check=True)
    assert env.action_space == gymnasium.spaces.Box(-1.0, 1.0, (2,), np.float32)
    env.reset(seed=3)
    _, reward, *_, info = env.step(np.array([1.0, 0.0], np.float32))
    assert np.isclose(reward, sum(info["reward_terms"].values()))
    assert "action_mask" not in info


def test_speed_and_heading_follow_the_levers() -> None:
    batch = worlds.make_vec(ENTRY.id, 1)
    batch.reset_with_seeds([3])
    x, y, heading, speed, *fire = batch.reveal()[0]
    assert speed == 0
    batch.step(controls=np.array([[[1.0, 0.0]]], np.float32))
    x_after, y_after, straight, fast, *_ = batch.reveal()[0]
    assert straight == heading
    assert 19 < fast <= 20
    assert np.isclose(np.arctan2(y_after - y, x_after - x), heading, atol=1e-3)
    batch.step(controls=np.array([[[-1.0, 1.0]]], np.float32))
    turned = (batch.reveal()[0, 2] - heading) % (2 * np.pi)
    assert np.isclose(turned, np.pi / 4, atol=1e-3)
    distance = np.hypot(*(np.array(fire) - batch.reveal()[0, :2]))
    assert np.isclose(batch.stats[0, 1], distance, rtol=1e-5)
