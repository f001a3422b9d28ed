"""A mix is held by whole days: what an hour has to give says nothing about a policy."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from small_runs import small, training
from tiny_worlds import TinyWorld

from astrarium import worlds
from astrarium.runs.errors import CheckpointError
from astrarium.train.anneal_figures import kpis_of
from astrarium.train.annealing import Annealing
from astrarium.train.days import REWARD, DayMeter
from astrarium.worlds.registry import Yardstick
from astrarium.worlds.townlet.entry import ENTRY as TOWN

DAY = 12
STATS = ("share", "good", "all", "losses", "purse")
ENTRY = replace(
    worlds.get("lanterns-v1"),
    bots={"anybody": lambda obs, mask: np.zeros((*obs.shape[:2], 1), np.int32)},
    outcomes={name: name for name in ("share", "losses", "purse")},
    counts=("good", "all", "losses"),
    ratios={"share": ("good", "all")},
    day_steps=lambda _settings: DAY,
    yardsticks=(
        Yardstick("share"),
        Yardstick("losses", higher_is_better=False),
        Yardstick("purse"),
    ),
)
KPIS = ("share", "losses", "purse")


class Hours(TinyWorld):
    """Worlds that pay in the morning, cost in the evening, and tell of the episode so far.

    From some step on something is worse than before.
    """

    def __init__(self, count: int, worse: str = "nothing", since: int = 0, length=10 * DAY) -> None:
        super().__init__(count, heads=(2,))
        self.layout = replace(self.layout, stats=STATS)
        self.stats = np.zeros((count, len(STATS)), np.float32)
        self._worse, self._since, self._length = worse, since, length
        self._ages = np.zeros(count, np.int64)
        self._good = np.zeros(count)
        self._losses = np.zeros(count)

    def advance(self) -> None:
        begun = self._ages == 0
        self._good[begun] = self._losses[begun] = 0.0
        hour = self._ages % DAY
        self._ages += 1
        worse = self._worse if self.time >= self._since else "nothing"
        self.reward[:, 0] = np.where(hour < DAY / 2, 3.0, -2.0) - 0.5 * (worse == "reward")
        self._good += worse != "share"
        self._losses += worse == "losses"
        self.stats[:] = np.stack(
            (
                self._good / self._ages,
                self._good,
                self._ages,
                self._losses,
                np.full(self.num_worlds, 1.0 if worse == "purse" else 5.0),
            ),
            axis=-1,
        )
        over = self._ages == self._length
        self.truncated[:, 0] = over
        self.episode += over.astype(np.uint64)
        self._ages[over] = 0


def frozen(
    world: TinyWorld, steps: int, cycles: int, **anneal: object
) -> tuple[list[int], dict[str, object]]:
    """How often the mix was frozen by the end of each cycle, and the guide's last state."""
    asked = small(
        {
            "ppo": {"rollout_steps": steps, "minibatches": 1, "epochs": 1},
            "anneal": {"teacher": "anybody", "teacher_share": 1.0, "teacher_cycles": 100, **anneal},
        }
    )
    counted: list[int] = []
    with training(asked, world) as ppo:
        guide = Annealing(asked, ppo, ENTRY)
        for _ in range(cycles):
            guide.finish(ppo.update(0.0, guide.note).policies, {})
            counted.append(guide.state()["frozen"])
        return counted, guide.state()


@pytest.mark.parametrize("steps", [3, 5, DAY, 17])
def test_no_hour_freezes_the_mix(steps: int) -> None:
    """Rollouts of a part of a day earn 9, then -6: nothing is worse for it."""
    counted, state = frozen(Hours(3), steps, 6 * DAY // steps)
    assert counted[-1] == 0
    assert state["kpis"] == {REWARD: 6.0, "share": 1.0, "losses": 0.0, "purse": 5.0}


@pytest.mark.parametrize("steps", [3, 5, DAY, 17])
@pytest.mark.parametrize("worse", ["reward", "share", "losses", "purse"])
def test_what_is_worse_late_in_an_episode_freezes_the_mix(worse: str, steps: int) -> None:
    """Five good days are behind: over the episode so far, the sixth would hardly be felt."""
    counted, _ = frozen(Hours(3, worse, since=5 * DAY), steps, -(-8 * DAY // steps))
    good = 5 * DAY // steps
    assert counted[good - 1] == 0
    # From the end of the first bad day on, in every cycle.
    bad = -(-6 * DAY // steps)
    assert counted[bad:] == list(range(counted[bad], counted[bad] + len(counted) - bad))
    assert counted[bad] > 0


def test_a_mix_that_fell_goes_on_once_it_is_well_again() -> None:
    world = Hours(2, "reward", since=2 * DAY)
    end = 4 * DAY
    advance = world.advance

    def healed() -> None:
        if world.time >= end:
            world._worse = "nothing"
        advance()

    world.advance = healed
    counted, _ = frozen(world, DAY, 7)
    assert counted == [0, 0, 1, 2, 2, 2, 2]


def meter_of(world: TinyWorld, day_steps: int | None = DAY) -> DayMeter:
    return DayMeter(world, ENTRY, KPIS, day_steps)


def play(world: TinyWorld, meter: DayMeter, steps: int) -> dict[str, float]:
    for _ in range(steps):
        world.step()
        meter.note(world)
    return meter.figures()


def test_nothing_is_told_before_the_first_day_is_over() -> None:
    world = Hours(2)
    meter = meter_of(world)
    assert play(world, meter, DAY - 1) == {}
    assert play(world, meter, 1)[REWARD] == 6.0


@pytest.mark.parametrize("length", [DAY // 2, DAY + 5, 2 * DAY])
def test_an_episode_is_whole_days_or_a_day_itself(length: int) -> None:
    """What is left after the last whole day is of other hours, and no later day begins in it."""
    world = Hours(2, length=length)
    meter = meter_of(world)
    usual = play(world, meter, length)
    assert usual[REWARD] == (18.0 if length < DAY else 6.0)
    for _ in range(4 * length):
        assert play(world, meter, 1) == usual


def test_without_days_an_episode_is_one() -> None:
    world = Hours(2, length=20)
    meter = meter_of(world, None)
    assert play(world, meter, 19) == {}
    # The first twelve hours come to 6, the first eight of the next to 14.
    told = play(world, meter, 30)
    assert told == {REWARD: 20.0, "share": 1.0, "losses": 0.0, "purse": 5.0}


def test_worlds_need_not_be_in_step() -> None:
    world = Hours(2)
    world._ages[1] = 7
    meter = meter_of(world)
    assert play(world, meter, 4 * DAY + 3)[REWARD] == 6.0


def test_a_day_of_a_town_is_told_by_itself() -> None:
    """On the second nobody does anything, which figures of the episode so far halve at most."""
    world = worlds.make_vec("townlet-v1", 2, seed=3)
    follow = TOWN.oracles["citizens"](world)
    assert TOWN.day_steps is not None
    day = TOWN.day_steps(TOWN.config())
    meter = DayMeter(world, TOWN, kpis_of(TOWN), day)
    told = []
    for idle in (False, True):
        for _ in range(day):
            orders = follow(world.obs, world.mask)
            orders[:] = 0 if idle else orders
            world.step(orders)
            meter.note(world)
        told.append(meter.figures())
    first, second = told
    assert (first["on_time_share"], first["exits"]) == (1.0, 0.0)
    assert second["on_time_share"] < 0.2
    assert second["exits"] > 1.0
    assert second[REWARD] < 2 * first[REWARD] < 0.0
    so_far = world.stats[:, world.layout.stats.index("on_time_share")]
    assert so_far.mean() > 0.4


def test_a_meter_goes_on_from_its_state() -> None:
    world = Hours(2, "share", since=DAY + 4)
    first = meter_of(world)
    play(world, first, DAY + 6)
    second = meter_of(Hours(2))
    second.load(json.loads(json.dumps(first.state())))
    for _ in range(2 * DAY):
        world.step()
        first.note(world)
        second.note(world)
        assert first.figures() == second.figures()
    assert second.figures()["share"] < 1.0
    with pytest.raises(CheckpointError, match="steps"):
        second.load({})
