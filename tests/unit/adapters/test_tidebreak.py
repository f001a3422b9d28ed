"""Battles as environments of other libraries."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test  # type: ignore[import-untyped]
from sb3_contrib import MaskablePPO
from stable_baselines3 import PPO

from astrarium.adapters.errors import UnsupportedWorldError
from astrarium.adapters.tidebreak import (
    TidebreakEnv,
    TidebreakParallelEnv,
    from_discrete,
    from_flat,
    joined_blocks,
    split_blocks,
)
from astrarium.adapters.tidebreak_wrappers import (
    DiscreteActions,
    FlatBoxActions,
    FlatObs,
    FrameStack,
    make_sb3_env,
    make_sb3_vec_env,
)
from astrarium.errors import ActionError, ConfigError
from astrarium.worlds.tidebreak.scenarios import draw
from astrarium.worlds.tidebreak.units import Units

QUICK: dict[str, Any] = {"decision_ticks": 10, "fidelity": "F0"}


@pytest.mark.parametrize("action", ["hybrid", "discrete", "flat"])
@pytest.mark.parametrize("obs", ["dict", "flat"])
def test_gymnasiums_checker_finds_nothing(action: Any, obs: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(TidebreakEnv(action=action, obs=obs, **QUICK), skip_render_check=True)


def test_pettingzoos_test_passes_and_the_state_is_528_floats() -> None:
    env = TidebreakParallelEnv("duel", **QUICK)
    parallel_api_test(env, num_cycles=80)
    env.reset(seed=3)
    assert env.possible_agents == ["blue_0", "red_0"]
    assert env.state().shape == (528,)
    assert env.state_space.contains(env.state())


def test_wrappers_give_the_same_battle_as_the_forms_they_stand_for() -> None:
    plain = TidebreakEnv(action="discrete", obs="flat", **QUICK)
    wrapped = FlatObs(DiscreteActions(TidebreakEnv(**QUICK)))
    assert wrapped.action_space == plain.action_space
    assert wrapped.observation_space == plain.observation_space
    seen, _ = plain.reset(seed=4)
    assert np.array_equal(wrapped.reset(seed=4)[0], seen)
    rng = np.random.default_rng(1)
    for _ in range(20):
        order = rng.integers(0, [5, 5, 17, 2, 2, 2, 2, 4, 4, 5, 4])
        ours, theirs = plain.step(order), wrapped.step(order)
        assert np.array_equal(ours[0], theirs[0])
        assert ours[1:4] == theirs[1:4]
        assert ours[1] == pytest.approx(float(ours[4]["terms"].sum()), abs=1e-4)
        masks = wrapped.get_wrapper_attr("action_masks")()
        assert np.array_equal(plain.action_masks(), masks)
        if ours[2] or ours[3]:
            break


def test_flat_numbers_are_bins() -> None:
    helm, orders = from_flat(np.array([0.5, -1, -1, 0, -0.1, 1, -1, 0.99, 1, -1, 0], np.float32))
    assert helm.tolist() == [0.5, -1.0]
    assert orders.tolist() == [0, 1, 0, 1, 0, 3, 3, 0, 2]
    helm, orders = from_discrete(np.array([0, 4, 16, 1, 0, 0, 0, 0, 3, 0, 0]))
    assert helm.tolist() == [-1.0, 1.0]
    assert orders[0] == 16


@pytest.mark.parametrize("obs", ["dict", "flat"])
def test_the_checker_finds_nothing_in_the_raw_form(obs: Any) -> None:
    with warnings.catch_warnings():
        # It advises to scale observations, which is what the other form is for.
        warnings.simplefilter("ignore", UserWarning)
        check_env(TidebreakEnv(obs=obs, obs_mode="raw", **QUICK), skip_render_check=True)


@pytest.mark.parametrize(("side", "row"), [("blue", 1), ("red", 9)])
def test_the_raw_form_is_the_scaled_one_in_the_units_of_its_ship(side: Any, row: int) -> None:
    settings: dict[str, Any] = {"side": side, "ship": 1, "obs": "flat", **QUICK}
    raw = TidebreakEnv("convoy_escort", obs_mode="raw", **settings)
    scaled = TidebreakEnv("convoy_escort", **settings)
    units = Units.of(draw("convoy_escort", 1), row)
    told, seen = raw.reset(seed=4)[0], scaled.reset(seed=4)[0]
    order = {"helm": np.ones(2, np.float32), "orders": np.zeros(9, np.int64)}
    for _ in range(20):
        assert np.array_equal(told, units.raw(seen))
        assert raw.observation_space.contains(told)
        told, seen = raw.step(order)[0], scaled.step(order)[0]


def test_wrappers_keep_the_bounds_of_the_raw_form() -> None:
    plain = TidebreakEnv(obs="flat", obs_mode="raw", **QUICK)
    flat = FlatObs(TidebreakEnv(obs_mode="raw", **QUICK))
    assert flat.observation_space == plain.observation_space
    stacked = FrameStack(flat, 2)
    assert stacked.observation_space.contains(stacked.reset(seed=1)[0])


def test_parts_of_an_observation_join_to_the_whole() -> None:
    row = np.arange(719, dtype=np.float32)
    parts = split_blocks(row)
    assert parts["contacts"].shape == (16, 16)
    assert np.array_equal(joined_blocks(parts), row)


def test_frames_are_stacked_oldest_first() -> None:
    env = FrameStack(FlatObs(FlatBoxActions(TidebreakEnv(**QUICK))), 3)
    first, _ = env.reset(seed=1)
    assert np.array_equal(first[0], first[2])
    stacked = env.step(env.action_space.sample())[0]
    assert np.array_equal(stacked[:2], first[1:])
    assert not np.array_equal(stacked[2], first[2])


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ConfigError, match="action is"):
        TidebreakEnv(action="spoken")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="obs_mode is"):
        TidebreakEnv(obs_mode="metres")  # type: ignore[arg-type]
    with pytest.raises(UnsupportedWorldError, match="FlatObs"):
        FrameStack(TidebreakEnv(**QUICK))
    env = TidebreakEnv(**QUICK)
    env.reset(seed=1)
    with pytest.raises(ActionError, match="helm"):
        env.step({"helm": [np.nan, 0.0], "orders": np.zeros(9, np.int64)})


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize(
    ("column", "name"), [(0, "throttle"), (2, "target"), (6, "special"), (10, "damage_control")]
)
@pytest.mark.parametrize("wrapped", [False, True])
def test_a_flat_number_that_is_none_is_named_and_moves_nothing(
    bad: float, column: int, name: str, wrapped: bool
) -> None:
    env: Any = FlatBoxActions(TidebreakEnv(**QUICK)) if wrapped else None
    env = env or TidebreakEnv(action="flat", **QUICK)
    env.reset(seed=1)
    before = env.unwrapped.world.snapshot()
    action = np.zeros(11, np.float32)
    action[column] = bad
    with pytest.raises(ActionError, match=f"^{name} of a flat action is {bad}"):
        env.step(action)
    assert env.unwrapped.world.snapshot() == before


@pytest.mark.long
@pytest.mark.parametrize("learner", [PPO, MaskablePPO])
@pytest.mark.parametrize("batched", [False, True])
def test_sb3_learns_two_thousand_steps(learner: Any, batched: bool) -> None:
    env = make_sb3_vec_env(4, **QUICK) if batched else make_sb3_env(**QUICK)
    model = learner("MlpPolicy", env, n_steps=100, batch_size=100, n_epochs=1, device="cpu")
    model.learn(2_000)
    assert model.num_timesteps >= 2_000


@pytest.mark.long
@pytest.mark.parametrize(
    ("learner", "wrapped"),
    [
        (PPO, lambda: FlatObs(FlatBoxActions(TidebreakEnv(**QUICK)))),
        (PPO, lambda: FrameStack(FlatObs(FlatBoxActions(TidebreakEnv(**QUICK))))),
        (PPO, lambda: FrameStack(make_sb3_env(**QUICK))),
        (MaskablePPO, lambda: FrameStack(make_sb3_env(**QUICK))),
        (MaskablePPO, lambda: FlatObs(DiscreteActions(TidebreakEnv(**QUICK)))),
    ],
)
def test_sb3_learns_two_thousand_steps_through_wrappers(learner: Any, wrapped: Any) -> None:
    model = learner("MlpPolicy", wrapped(), n_steps=100, batch_size=100, n_epochs=1, device="cpu")
    model.learn(2_000)
    assert model.num_timesteps >= 2_000
