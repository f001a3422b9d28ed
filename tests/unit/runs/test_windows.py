"""Windows against a slow meter that counts tick by tick, world by world."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astrarium import make_vec
from astrarium.errors import ConfigError
from astrarium.runs import TIMING_FIELDS, CheckpointError, WindowMeter
from astrarium.worlds import Layout
from astrarium.worlds.random_legal import random_legal

OUTCOMES = {"profit_mean": "net_profit", "survival_rate": "survival"}


def layout_of(agents: int = 1, dt: bool = True, invalid: bool = True) -> Layout:
    return Layout(
        agents=agents,
        obs_dim=1,
        obs_low=-1,
        obs_high=1,
        heads=(2,),
        controls=0,
        terms=("all",),
        stats=("net_profit", "survival", *(("dt",) if dt else ())),
        events=("other", *(("invalid_action",) if invalid else ())),
    )


class Batch:
    """The arrays of a batch that a meter reads, made up."""

    def __init__(self, layout: Layout, count: int) -> None:
        self.layout, shape = layout, (count, layout.agents)
        self.reward = np.zeros(shape, np.float32)
        self.stats = np.ones((count, len(layout.stats)), np.float32)
        self.terminated = np.zeros(shape, np.uint8)
        self.truncated = np.zeros(shape, np.uint8)
        self.events = np.zeros(shape, np.uint32)
        self.alive = np.ones(shape, np.uint8)
        self.episode = np.zeros(count, np.uint64)

    def draw(self, rng: np.random.Generator, ticks_max: int) -> None:
        """One step of anything."""
        self.reward[:] = rng.normal(size=self.reward.shape)
        self.stats[:] = rng.normal(scale=100, size=self.stats.shape)
        if "dt" in self.layout.stats:
            self.stats[:, self.layout.stats.index("dt")] = rng.integers(
                0, ticks_max, len(self.stats), endpoint=True
            )
        self.terminated[:] = rng.random(self.reward.shape) < 0.2
        self.truncated[:] = rng.random(self.reward.shape) < 0.1
        self.events[:] = rng.integers(0, 4, self.reward.shape)
        # A world of several agents is over when all of them are, and only sometimes then.
        ended = ((self.terminated | self.truncated) != 0).all(axis=1)
        self.episode[
            ended & (rng.random(len(ended)) < 0.5 if self.layout.agents > 1 else ended)
        ] += 1


@dataclass
class SlowMeter:
    """One tick at a time, in exact fractions."""

    layout: Layout
    count: int
    size: int
    total: int = 0
    rows: dict[int, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.returns = [[Fraction()] * self.layout.agents for _ in range(self.count)]
        self.episode = [0] * self.count

    def window(self) -> dict[str, Any]:
        empty = {"ticks": 0, "steps": 0, "reward": Fraction(), "invalid": 0, "returns": []}
        empty |= {"terminated": 0, "truncated": 0, "final": []}
        empty |= {"stats": [Fraction() for _ in self.layout.stats]}
        return self.rows.setdefault(self.total // self.size, empty)

    def note(self, batch: Batch) -> None:
        names, events = self.layout.stats, self.layout.events
        for world in range(self.count):
            stats = [Fraction(float(value)) for value in batch.stats[world]]
            ticks = max(1, int(stats[names.index("dt")])) if "dt" in names else 1
            reward = sum((Fraction(float(one)) for one in batch.reward[world]), Fraction())
            invalid = "invalid_action" in events and any(batch.events[world] >> 1 & 1)
            for tick in range(ticks):
                window = self.window()
                window["ticks"] += 1
                window["reward"] += reward / ticks
                window["invalid"] += invalid
                window["stats"] = [a + b for a, b in zip(window["stats"], stats, strict=True)]
                if tick == ticks - 1:
                    window["steps"] += 1
                    self.endings(window, batch, world, stats)
                self.total += 1

    def endings(
        self, window: dict[str, Any], batch: Batch, world: int, stats: list[Fraction]
    ) -> None:
        any_ended = False
        for agent in range(self.layout.agents):
            self.returns[world][agent] += Fraction(float(batch.reward[world, agent]))
            terminated, truncated = batch.terminated[world, agent], batch.truncated[world, agent]
            window["terminated"] += int(terminated)
            window["truncated"] += int(truncated)
            if terminated or truncated:
                any_ended = True
                window["returns"].append(self.returns[world][agent])
                self.returns[world][agent] = Fraction()
        moved_on = int(batch.episode[world]) != self.episode[world]
        self.episode[world] = int(batch.episode[world])
        if any_ended and (self.layout.agents == 1 or moved_on):
            window["final"].append(stats)

    def row(self, number: int) -> dict[str, Any]:
        window = self.rows[number]
        ticks, returns, final = window["ticks"], window["returns"], window["final"]
        start = number * self.size
        has_invalid = "invalid_action" in self.layout.events
        return {
            "run_id": "run",
            "window_id": number,
            "window_complete": ticks == self.size,
            "env_steps_start": start,
            "env_steps_end": start + ticks,
            "env_steps_in_window": ticks,
            "env_steps_total": start + ticks,
            "steps_in_window": window["steps"],
            "episodes_completed": len(returns),
            "terminated_episodes": window["terminated"],
            "truncated_episodes": window["truncated"],
            "reward_sum": window["reward"],
            "reward_mean": window["reward"] / ticks,
            "return_mean": sum(returns) / len(returns) if returns else None,
            "invalid_action_rate": Fraction(window["invalid"], ticks) if has_invalid else None,
            "profit_mean": sum(one[0] for one in final) / len(final) if final else None,
            "survival_rate": sum(one[1] for one in final) / len(final) if final else None,
            "net_profit_mean": window["stats"][0] / ticks,
            "survival_mean": window["stats"][1] / ticks,
        }


def assert_same(row: dict[str, Any], expected: dict[str, Any]) -> None:
    assert list(row) == list(expected)
    for name, value in expected.items():
        if isinstance(value, Fraction):
            # What adding some hundred doubles may lose, for values that may cancel.
            assert row[name] == pytest.approx(float(value), rel=1e-11, abs=1e-9), name
            assert isinstance(row[name], float)
        else:
            assert row[name] == value, name


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    count=st.integers(1, 9),
    agents=st.integers(1, 3),
    size=st.integers(1, 40),
    ticks_max=st.sampled_from([0, 1, 3, 8, 50]),
    steps=st.integers(1, 12),
    dt=st.booleans(),
    invalid=st.booleans(),
)
def test_rows_are_those_of_the_slow_meter(
    seed: int,
    count: int,
    agents: int,
    size: int,
    ticks_max: int,
    steps: int,
    dt: bool,
    invalid: bool,
) -> None:
    layout = layout_of(agents, dt, invalid)
    rng, batch = np.random.default_rng(seed), Batch(layout, count)
    meter = WindowMeter("run", layout, count, size, OUTCOMES)
    slow = SlowMeter(layout, count, size)
    rows: list[dict[str, Any]] = []
    for _ in range(steps):
        batch.draw(rng, ticks_max)
        rows += meter.note(batch)
        slow.note(batch)
    assert meter.env_steps_total == slow.total
    assert len(rows) == slow.total // size
    last = meter.partial()
    assert (last is None) == (slow.total % size == 0)
    for number, row in enumerate(rows if last is None else [*rows, last]):
        assert_same(row, slow.row(number))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 3), st.integers(0, 9))
def test_a_meter_goes_on_from_its_state_to_the_bit(seed: int, agents: int, stop: int) -> None:
    layout = layout_of(agents)
    rng, batch = np.random.default_rng(seed), Batch(layout, 5)
    meter = WindowMeter("run", layout, 5, 17, OUTCOMES)
    rows: list[dict[str, Any]] = []
    again: list[dict[str, Any]] = []
    for step in range(10):
        batch.draw(rng, 6)
        if step == stop:
            other = WindowMeter("run", layout, 5, 17, OUTCOMES)
            other.load(meter.state())
        rows += (new := meter.note(batch))
        if step >= stop:
            assert other.note(batch) == new
            again += new
    assert other.partial() == meter.partial()
    assert rows[len(rows) - len(again) :] == again


def test_a_state_is_a_copy() -> None:
    batch = Batch(layout_of(), 2)
    meter = WindowMeter("run", batch.layout, 2, 10, OUTCOMES)
    state = meter.state()
    batch.reward[:] = 5
    meter.note(batch)
    assert not state["returns"].any()
    assert not state["sums"].any()
    meter.load(state)
    assert meter.partial() is None


def test_one_step_may_close_several_windows() -> None:
    batch = Batch(layout_of(), 3)
    batch.reward[:, 0] = (12, 1, 1)
    batch.stats[:, 2] = (12, 1, 1)
    batch.terminated[0] = 1
    meter = WindowMeter("run", batch.layout, 3, 5, OUTCOMES)
    first, second = meter.note(batch)
    assert (first["reward_sum"], second["reward_sum"]) == (5, 5)
    assert [row["steps_in_window"] for row in (first, second)] == [0, 0]
    assert [row["episodes_completed"] for row in (first, second)] == [0, 0]
    third = meter.partial()
    assert third is not None
    assert (third["reward_sum"], third["steps_in_window"], third["return_mean"]) == (4, 3, 12)
    assert third["window_complete"] is False


def test_returns_are_kept_apart() -> None:
    """Eight worlds with reward 1 a step, one of which ends after 50: its return is 50."""
    batch = Batch(layout_of(), 8)
    batch.reward[:] = 1
    meter = WindowMeter("run", batch.layout, 8, 400, OUTCOMES)
    for step in range(50):
        batch.terminated[3] = step == 49
        rows = meter.note(batch)
    assert rows[0]["return_mean"] == 50


def test_an_outcome_is_of_finished_episodes_only() -> None:
    """A share of ticks would read 0.9 where every episode was lost."""
    batch = Batch(layout_of(), 1)
    meter = WindowMeter("run", batch.layout, 1, 10, OUTCOMES)
    for _ in range(9):
        batch.stats[0] = (7, 1, 1)
        meter.note(batch)
    assert meter.partial()["survival_rate"] is None
    assert meter.partial()["return_mean"] is None
    batch.stats[0] = (-30, 0, 1)
    batch.terminated[:] = 1
    (row,) = meter.note(batch)
    assert (row["survival_rate"], row["profit_mean"]) == (0, -30)
    assert row["survival_mean"] == pytest.approx(0.9)


def test_a_world_of_several_agents_has_an_outcome_when_it_ends_for_all() -> None:
    batch = Batch(layout_of(agents=2), 1)
    meter = WindowMeter("run", batch.layout, 1, 100, OUTCOMES)
    batch.stats[0] = (5, 1, 1)
    batch.terminated[0] = (1, 0)
    batch.alive[0] = (0, 1)
    meter.note(batch)
    assert (meter.partial()["episodes_completed"], meter.partial()["profit_mean"]) == (1, None)
    batch.stats[0] = (8, 1, 1)
    batch.terminated[0] = (0, 1)
    batch.alive[0] = (0, 0)  # as with autoreset disabled: nobody is left
    meter.note(batch)
    assert (meter.partial()["episodes_completed"], meter.partial()["profit_mean"]) == (2, 8)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_figure_that_is_not_finite_counts_as_nothing(bad: float) -> None:
    batch = Batch(layout_of(), 3)
    batch.stats[:] = [(10, 1, 2), (bad, 1, bad), (-bad, 1, 1)]
    batch.terminated[:] = 1
    meter = WindowMeter("run", batch.layout, 3, 4, OUTCOMES)
    (row,) = meter.note(batch)
    assert (row["env_steps_total"], row["net_profit_mean"]) == (4, 5)
    assert row["profit_mean"] == pytest.approx(10 / 3)


@pytest.mark.parametrize("world_id", ["prospector-v2", "lanterns-v1"])
def test_a_real_batch_adds_up(world_id: str) -> None:
    outcomes = OUTCOMES if world_id == "prospector-v2" else {"lit_mean": "lamps_lit"}
    world = make_vec(world_id, 64, seed=5)
    meter = WindowMeter("run", world.layout, 64, 500, outcomes)
    rows: list[dict[str, Any]] = []
    rewards = ticks = ended = 0.0
    for step in range(60):
        world.step(random_legal(world, step))
        rows += meter.note(world)
        rewards += float(world.reward.sum(dtype=np.float64))
        ended += int(((world.terminated | world.truncated) != 0).sum())
        has_dt = "dt" in world.layout.stats
        ticks += float(world.stats[:, -1].sum()) if has_dt else 64
    rows.append(meter.partial())
    assert len(rows) > 3
    assert sum(row["reward_sum"] for row in rows) == pytest.approx(rewards)
    assert sum(row["env_steps_in_window"] for row in rows) == ticks == meter.env_steps_total
    assert sum(row["steps_in_window"] for row in rows) == 60 * 64
    assert sum(row["episodes_completed"] for row in rows) == ended > 0
    assert rows[0].keys().isdisjoint(TIMING_FIELDS)
    assert ("invalid_action" in world.layout.events) == (rows[0]["invalid_action_rate"] is not None)


@pytest.mark.parametrize(
    ("size", "outcomes", "message"),
    [
        (0, {}, "window_env_steps is 0"),
        (5, {"x": "nothing"}, "outcomes name .*nothing"),
        (5, {"reward_mean": "survival"}, "reward_mean.* twice"),
        (5, {"survival_mean": "survival"}, "survival_mean.* twice"),
        (5, {"wall_seconds": "survival"}, "wall_seconds.* twice"),
    ],
)
def test_settings_that_cannot_be_are_refused(
    size: int, outcomes: dict[str, str], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        WindowMeter("run", layout_of(), 2, size, outcomes)


def test_the_state_of_another_meter_is_refused() -> None:
    state = WindowMeter("run", layout_of(), 2, 10, OUTCOMES).state()
    with pytest.raises(CheckpointError, match="same window_env_steps"):
        WindowMeter("run", layout_of(), 2, 11, OUTCOMES).load(state)
    with pytest.raises(CheckpointError, match=r"returns is float64\[2, 1\] in place of"):
        WindowMeter("run", layout_of(), 3, 10, OUTCOMES).load(state)
    del state["sums"]
    with pytest.raises(CheckpointError, match="sums is missing"):
        WindowMeter("run", layout_of(), 2, 10, OUTCOMES).load(state)
