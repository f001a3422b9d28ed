"""Figures of a rollout: what happened in it, whatever the hour of the episode it fell into."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_runs import small, training
from tiny_worlds import TinyWorld

from astrarium import worlds
from astrarium.runs.errors import CheckpointError
from astrarium.train.stat_meter import StatMeter
from astrarium.worlds.townlet.entry import ENTRY

COUNTS = ("quarrels",)
STATS = ("mood", "quarrels", "unasked")


class Days(TinyWorld):
    """Worlds in which two quarrels happen at every step; episodes last `length` steps."""

    def __init__(self, worlds: int, length: int) -> None:
        super().__init__(worlds, heads=(2,))
        self.layout = replace(self.layout, stats=STATS)
        self.stats = np.zeros((worlds, len(STATS)), np.float32)
        self._length = length

    def advance(self) -> None:
        tick = self.time % self._length + 1
        self.stats[:] = [0.5, 2 * tick, 99.0]
        over = tick == self._length
        self.truncated[:] = over
        self.episode += np.uint64(over)


def meter_of(world: TinyWorld) -> StatMeter:
    return StatMeter(world.layout, world.num_worlds, {"mood", "quarrels", "unknown"}, COUNTS)


def rollout(world: Days, meter: StatMeter, steps: int) -> dict[str, float]:
    for _ in range(steps):
        world.step()
        meter.note(world)
    return meter.take()


@settings(deadline=None)
@given(length=st.integers(1, 9), steps=st.integers(1, 7))
def test_rollouts_of_equal_content_are_told_alike_at_any_hour(length: int, steps: int) -> None:
    """Episodes may end within them, at their last step, or not at all."""
    world = Days(3, length)
    meter = meter_of(world)
    for _ in range(6):
        assert rollout(world, meter, steps) == {"mood": 0.5, "quarrels": 2.0 * steps}


def test_counts_are_means_over_worlds_and_a_figure_that_is_not_finite_is_none() -> None:
    world = Days(2, 99)
    meter = meter_of(world)
    world.step()
    world.stats[0] = [np.nan, 0.0, 0.0]
    meter.note(world)
    assert meter.take() == {"mood": 0.25, "quarrels": 1.0}


class Talks(TinyWorld):
    """Chats of one world, each of some quality, as they are told of a step: none, one or more."""

    def __init__(self, qualities: list[list[float]], length: int) -> None:
        super().__init__(1, heads=(2,))
        self.layout = replace(self.layout, stats=("mean", "sum", "chats"))
        self.stats = np.zeros((1, 3), np.float32)
        self._qualities, self._length = qualities, length

    def advance(self) -> None:
        begun = self.time - self.time % self._length
        held = [one for step in self._qualities[begun : self.time + 1] for one in step]
        self.stats[0] = [np.mean(held) if held else 0.0, sum(held), len(held)]
        self.episode += np.uint64(self.time % self._length == self._length - 1)


def test_a_ratio_is_that_of_what_happened_in_the_rollout() -> None:
    """As the world tells it, it is of the whole episode, and 0 until there is anything."""
    world = Talks([[], [1.0], [0.5, 0.5], [], [], [], [0.25], [0.75]], length=7)
    wanted = {"mean", "chats"}
    meter = StatMeter(world.layout, 1, wanted, ("chats",), {"mean": ("sum", "chats")})
    told = []
    for _ in range(4):
        for _ in range(2):
            world.step()
            meter.note(world)
        told.append(meter.take())
    assert [one["mean"] for one in told] == [1.0, 0.5, 0.0, 0.5]
    assert [one["chats"] for one in told] == [1.0, 2.0, 0.0, 2.0]
    assert all(set(one) == wanted for one in told)


def test_a_meter_goes_on_from_its_state() -> None:
    world = Days(2, 5)
    first = meter_of(world)
    rollout(world, first, 3)
    second = meter_of(world)
    second.load(first.state())
    assert rollout(world, second, 4) == {"mood": 0.5, "quarrels": 8.0}
    with pytest.raises(CheckpointError, match="before"):
        second.load({"episode": first.state()["episode"]})


def test_a_town_loses_nothing_where_an_episode_ends_inside_a_rollout() -> None:
    """The sums over all rollouts are the final figures of all episodes, and of the one begun."""
    world = worlds.make_vec("townlet-v1", 2, seed=3, config={"env": {"max_ticks": 150}})
    follow = ENTRY.oracles["citizens"](world)
    meter = StatMeter(world.layout, 2, ENTRY.counts, ENTRY.counts)
    names = [name for name in ENTRY.counts if name in world.layout.stats]
    told = dict.fromkeys(names, 0.0)
    final = dict.fromkeys(names, 0.0)
    episode = world.episode.copy()
    for step in range(1, 401):
        world.step(follow(world.obs, world.mask))
        meter.note(world)
        over = world.episode != episode
        episode[:] = world.episode
        for name in final:
            column = world.stats[:, world.layout.stats.index(name)].astype(np.float64)
            final[name] += column[over | (step == 400)].sum() / 2
        if step % 40 == 0:
            for name, value in meter.take().items():
                told[name] += value
    assert told["ticks"] == 400
    assert told["finished"] > 0
    assert told == pytest.approx(final)


def test_what_every_reward_came_to_is_told_with_every_update() -> None:
    with training(small()) as ppo:
        paid, alive = [], []
        for at in range(3):
            update = ppo.update(at / 10, lambda world: paid.append(world.reward.copy()))
            alive.append(ppo.learners[0].rollout.alive[:-1].numpy().copy())
        (figures,) = update.policies.values()
        seen = np.array(paid).reshape(48, -1)[np.concatenate(alive)].astype(np.float64)
        assert figures["reward_running_mean"] == pytest.approx(seen.mean(), rel=1e-6)
        assert figures["reward_running_variance"] == pytest.approx(seen.var(), rel=1e-6)
