"""A trained policy as a player: the same episode in any company."""

from __future__ import annotations

import numpy as np
import pytest
import second_opinion
import torch
from closeness import close
from small_players import GROUPS, LSTM, SCALED, course, made, player, trained
from small_runs import PROSPECTOR, small, training
from tiny_worlds import Scripted, Steer

from astrarium import worlds
from astrarium.runs import Checkpoint, WindowMeter
from astrarium.train.checkpointing import checkpoint_of
from astrarium.train.config import TrainConfig
from astrarium.train.errors import PolicyMismatchError
from astrarium.train.player import load_policy
from astrarium.train.policy import Network, Shape
from astrarium.train.stat_meter import StatMeter
from astrarium.train.streams import stream
from astrarium.worlds import ladder

LAYERS = [{}, {"world": PROSPECTOR}, LSTM, GROUPS, SCALED]


@pytest.mark.parametrize("greedy", [True, False])
@pytest.mark.parametrize("layer", LAYERS)
def test_an_episode_is_the_same_in_any_batch_and_at_any_place(layer, greedy: bool) -> None:
    config = small(layer)
    point = trained(config)
    seeds = np.array([11, 5, 99, 3, 42, 8], np.uint64)
    whole = made(config, seeds)
    together = course(whole, player(config, point, whole.layout, greedy=greedy), 25)
    for places in ([4], [5, 0, 2]):
        part = made(config, seeds[places])
        alone = course(part, player(config, point, part.layout, greedy=greedy), 25)
        np.testing.assert_array_equal(np.array(alone), np.array(together)[:, places])
    assert len(np.unique(np.array(together)[-1])) == 6


def test_a_seed_of_its_own_draws_other_actions() -> None:
    config = small()
    point = trained(config)
    ends = []
    for options in ({"seed": 0}, {"seed": 0}, {"seed": 1}, {"greedy": True}):
        world = made(config, np.arange(6))
        one = player(config, point, world.layout, **({"greedy": False} | options))
        ends.append(course(world, one, 12)[-1])
    assert (ends[0] == ends[1]).all()
    assert (ends[0] != ends[2]).any()
    assert (ends[0] != ends[3]).any()


def reference(config: TrainConfig, point: Checkpoint, world, slots, state):
    """Distributions and values of the agents in `slots`, straight from the network."""
    group = next((name for name, own in config.policy.groups.items() if own == slots), "shared")
    network = Network(Shape.of(world.layout), config.policy, stream(9, "other"))
    load_policy(network, group, point.policy, point.state)
    rows = world.num_worlds * len(slots)
    obs = torch.from_numpy(world.obs[:, list(slots)].reshape(rows, -1).copy())
    if config.ppo.normalise_observations:
        count, mean, spread = (
            torch.from_numpy(point.policy[f"{group}.observation_scale.{name}"])
            for name in ("count", "mean", "spread")
        )
        deviation = (spread / count + 1e-8).sqrt()
        obs = ((obs - mean) / deviation).clamp(-5, 5).float()
    with torch.no_grad():
        outputs, state = network(obs, state or network.first_state(rows))
    mask = torch.from_numpy(world.mask[:, list(slots)].reshape(rows, -1).copy())
    heads, _, value = second_opinion.policy_of(network, outputs.double(), mask)
    return heads, value, state


@pytest.mark.parametrize("layer", LAYERS)
def test_thoughts_are_the_networks_and_the_greedy_take_the_likeliest(layer) -> None:
    config = small(layer)
    point = trained(config)
    world = made(config, np.arange(4))
    one = player(config, point, world.layout, thinking=True)
    groups = config.policy.groups or {"shared": tuple(range(world.layout.agents))}
    states: dict[str, tuple[torch.Tensor, ...]] = dict.fromkeys(groups, ())
    for step in range(6):
        actions = one(world, step)
        assert one.thoughts is not None
        for name, slots in groups.items():
            heads, value, states[name] = reference(config, point, world, slots, states[name])
            shape = (4, len(slots))
            np.testing.assert_allclose(
                one.thoughts.value[:, list(slots)], value.reshape(shape), rtol=1e-5, atol=1e-6
            )
            shares = torch.cat([head.probs for head in heads], -1).reshape(*shape, -1)
            np.testing.assert_allclose(
                one.thoughts.probabilities[:, list(slots)], shares, rtol=1e-4, atol=1e-6
            )
            for at, head in enumerate(heads):
                chosen = actions[:, list(slots), at].reshape(-1)
                best = head.probs.max(-1).values
                taken = head.probs[range(len(chosen)), chosen]
                close(taken, best, rtol=1e-5, atol=1e-6)
        world.step(actions)
    plain = player(config, point, world.layout)
    plain(world, 0)
    assert plain.thoughts is None


def test_samples_follow_the_probabilities() -> None:
    config = small()
    point = trained(config)
    world = made(config, np.arange(4000))
    world.reset_with_seeds(np.arange(4000))
    one = player(config, point, world.layout, greedy=False, thinking=True)
    actions = one(world, 0)
    assert one.thoughts is not None
    first = 0
    for head, size in enumerate(world.layout.heads):
        expected = one.thoughts.probabilities[:, :, first : first + size].mean((0, 1))
        counted = np.bincount(actions[:, :, head].reshape(-1), minlength=size) / 8000
        np.testing.assert_allclose(counted, expected, atol=0.02)
        first += size
    assert (np.ptp(expected) > 0.05) or len(expected) == 2


# Memory


def test_what_is_remembered_follows_a_batch_that_shrinks() -> None:
    config = small(GROUPS)
    point = trained(config)
    seeds = np.arange(6, dtype=np.uint64)
    whole = made(config, seeds)
    together = course(whole, player(config, point, whole.layout), 20)
    shrinking = made(config, seeds)
    one = player(config, point, shrinking.layout)
    for step in range(20):
        shrinking.step(one(shrinking, step))
        if step in (6, 11):
            places = np.array([5, 0, 2] if step == 6 else [2, 0], np.intp)
            shrinking = shrinking.fork(places)
            one.kept(places)
    # 5, 0, 2 and of those the third and the first.
    np.testing.assert_array_equal(shrinking.digests(), together[-1][[2, 5]])


def test_a_ladder_plays_the_same_episodes_whatever_ends_when() -> None:
    """It shrinks its batch as episodes end; each is still what it is alone."""
    config = small(LSTM)
    point = trained(config)
    entry = worlds.get("lanterns-v1")
    settings = entry.config(ticks_max=60)
    layout = made(config, [0]).layout
    one = player(config, point, layout, greedy=False)
    whole = ladder.play(entry, "me", one, ladder.Rules(episodes=6, seed=3), settings)
    for episode in range(6):
        rules = ladder.Rules(episodes=1, seed=3 + episode)
        alone = ladder.play(entry, "me", one, rules, settings)
        assert alone.rows()[0] == whole.rows()[episode]
    assert len({row["steps"] for row in whole.rows()}) > 1


def test_the_memory_of_a_slot_is_cleared_as_in_training() -> None:
    """After an end, and when somebody comes to an empty slot; worlds themselves go on."""
    config = small(LSTM, {"ppo": {"rollout_steps": 40}})
    with training(config, Scripted(5, 80)) as ppo:
        ppo.collect(lambda world: None)
        (learner,) = ppo.learners
        rollout = learner.rollout
        ppo.world.snapshot = lambda: b""
        layout = ppo.world.layout
        meters = WindowMeter("", layout, 5, 100, {}), StatMeter(layout, 5, (), ())
        point = checkpoint_of(ppo, *meters, 0, 0)
        value, alive = rollout.value[:-1].numpy().copy(), rollout.alive[:-1].numpy().copy()
    # Whatever is seen in an empty slot meanwhile.
    world = Scripted(5, 80, noise=1.0)
    one = player(config, point, world.layout, thinking=True)
    for t in range(40):
        actions = one(world, t)
        assert one.thoughts is not None
        seen = one.thoughts.value.reshape(-1)
        np.testing.assert_allclose(seen[alive[t]], value[t][alive[t]], rtol=1e-5, atol=1e-6)
        world.step(actions)
    assert not alive.all()


def test_a_world_that_was_begun_anew_is_met_for_the_first_time() -> None:
    config = small(LSTM)
    point = trained(config)
    world = made(config, np.arange(3))
    one = player(config, point, world.layout, thinking=True)
    course(world, one, 5)
    world.reset_worlds([1])
    one(world, 5)
    fresh = player(config, point, world.layout, thinking=True)
    fresh(world, 0)
    assert one.thoughts is not None
    assert fresh.thoughts is not None
    np.testing.assert_allclose(one.thoughts.value[1], fresh.thoughts.value[1], rtol=1e-5)
    assert (np.abs(one.thoughts.value - fresh.thoughts.value)[[0, 2]] > 1e-4).any()


# Controls


@pytest.mark.parametrize("kind", ["gaussian", "squashed"])
@pytest.mark.parametrize("heads", [(), (2,)])
def test_controls_go_straight_to_the_world(kind: str, heads) -> None:
    config = small({"policy": {"controls": kind}})
    point = trained(config, Steer(8, heads), louder=5.0)
    world = Steer(500, heads)
    greedy = player(config, point, world.layout)
    actions = greedy(world, 0)
    assert actions.shape == (500, 1, len(heads))
    mean = world.controls.copy()
    assert (np.abs(mean) <= 1.0).all()
    greedy(world, 0)
    np.testing.assert_array_equal(world.controls, mean)
    sampling = player(config, point, world.layout, greedy=False)
    sampling(world, 0)
    drawn = world.controls.copy()
    assert (np.abs(drawn) <= 1.0).all()
    # What was drawn lies around the mean with the deviation of the policy.
    shape = (len(drawn),)
    deviation = np.exp(point.policy["shared.log_std"][0])
    bent = (lambda u: np.clip(u, -1, 1)) if kind == "gaussian" else np.tanh
    centre = np.clip(mean, -0.999999, 0.999999)
    centre = centre if kind == "gaussian" else np.arctanh(centre)
    noise = np.random.default_rng(0).standard_normal(shape)
    expected = bent(centre.reshape(shape) + deviation * noise)
    for share in (0.1, 0.5, 0.9):
        found = np.quantile(drawn, share)
        assert found == pytest.approx(np.quantile(expected, share), abs=0.15)
    other = player(config, point, world.layout, greedy=False, seed=1)
    other(world, 0)
    assert (world.controls != drawn).mean() > 0.8


DUEL = {"id": "tidebreak-v1", "worlds": 2}
F0 = {"decision_ticks": 10, "fidelity": "F0"}


@pytest.mark.parametrize(
    "there", [{"side": "red"}, {"scenario": "uneven", "side": "both"}, {"scenario": "skirmish"}]
)
def test_one_policy_for_all_plays_however_many_agents_there_are(there) -> None:
    config = small({"world": {**DUEL, "settings": {**F0, "side": "both"}}}, LSTM)
    trained_in = worlds.make_vec("tidebreak-v1", 2, config={**F0, "side": "both"})
    one = player(config, trained(config, trained_in, count=1), trained_in.layout)
    for settings in ({**F0, "side": "both"}, {**F0, **there}):
        world = worlds.make_vec("tidebreak-v1", 3, config=settings)
        assert len(set(map(str, course(world, one, 4)))) == 4
        assert (world.events & (1 << world.layout.events.index("invalid_action"))).sum() == 0


def test_policies_of_their_own_slots_play_where_those_slots_are() -> None:
    groups = {"policy": {"groups": {"blue": [0], "red": [1]}}}
    config = small({"world": {**DUEL, "settings": {**F0, "side": "both"}}}, groups)
    both = worlds.make_vec("tidebreak-v1", 2, config=config.world.settings)
    one = player(config, trained(config, both, count=1), both.layout)
    with pytest.raises(PolicyMismatchError, match="plays the slots"):
        one(worlds.make_vec("tidebreak-v1", 2, config=F0), 0)
