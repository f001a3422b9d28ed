"""What hosts are paid when the governor steps in: terms, windows, lines and views agree."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from little_hosts import TASK, grow_next, little_data, little_world

from astrarium.esper import growing, orders
from astrarium.esper.contracts.actions import WAIT, ActionSpec
from astrarium.esper.contracts.errors import IsolationError
from astrarium.esper.contracts.heads import Op
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.entry import EsperConfig
from astrarium.esper.growing import Growth, grow
from astrarium.esper.queries import ask
from astrarium.esper.world import EsperWorld
from astrarium.runs import RunFolder, WindowMeter
from astrarium.worlds.news import RunBeginning

HOSTS = 2
LAST_ACTION = "ANALYTICS_SNAPSHOT:last_action"


def break_host(world: EsperWorld, at: int) -> None:
    with torch.no_grad():
        world.hosts[at].network.host_descent.flat.fill_(math.nan)


def step(world: EsperWorld, specs: dict[int, ActionSpec]) -> list[dict[str, Any]]:
    """Take one step; return what the hosts told."""
    for at in range(world.num_worlds):
        spec = specs.get(at, WAIT)
        world.actions[at, 0] = orders.choices_of(spec, world.hosts[at].network.slot_ids)
    world.step()
    return world.newsroom.take()


def term(world: EsperWorld, at: int, name: str) -> float:
    return float(world.terms[at, 0, world.layout.terms.index(name)])


@settings(max_examples=6, deadline=None)
@given(
    drills=st.lists(st.tuples(st.integers(1, 9), st.integers(0, HOSTS - 1)), max_size=3),
    grows=st.booleans(),
    window=st.integers(1, 7),
    mode=st.sampled_from(["shaped", "escrow", "gain"]),
)
def test_terms_sum_to_the_reward_in_steps_windows_and_lines(
    drills: list[tuple[int, int]], grows: bool, window: int, mode: str
) -> None:
    world = little_world(HOSTS, autoreset="next_step", epochs=6, reward_mode=mode)
    world.newsroom.begin(RunBeginning("drill", 0))
    meter = WindowMeter("", world.layout, HOSTS, window, {})
    paid = list[float]()
    rows, lines = list[dict[str, Any]](), list[dict[str, Any]]()
    for number in range(11):
        for when, at in drills:
            if when == number and not world.over[at]:
                break_host(world, at)
        specs = {at: grow_next(host) for at, host in enumerate(world.hosts) if grows}
        told = step(world, {at: one for at, one in specs.items() if not world.over[at]})
        assert np.allclose(world.terms.sum(axis=-1), world.reward, atol=1e-5)
        by_host = {one["env"]: one for one in told if one["kind"] == LAST_ACTION}
        for at in range(HOSTS):
            line = by_host.get(at, {"reward": 0.0, "components": {}})
            assert line["reward"] == pytest.approx(float(world.reward[at, 0]), abs=1e-5)
            assert line["reward"] == pytest.approx(sum(line["components"].values()))
            paid.append(line["reward"])
        rows += meter.note(world)
        lines += told
    for row in rows:
        inside = paid[row["env_steps_start"] : row["env_steps_end"]]
        assert row["reward_sum"] == pytest.approx(sum(inside), abs=1e-4)
    outcomes = [one for one in lines if one["kind"] == "EPISODE_OUTCOME"]
    assert outcomes
    for outcome in outcomes:
        place = (outcome["env"], outcome["episode"])
        own = [
            one
            for one in lines
            if one["kind"] == LAST_ACTION and (one["env"], one["episode"]) == place
        ]
        assert outcome["episode_reward"] == pytest.approx(sum(one["reward"] for one in own))
        assert own[-1]["reward_total"] == pytest.approx(outcome["episode_reward"])
        rolled_back = outcome["outcome_type"] == "rolled_back"
        assert (own[-1]["components"] == {"rollback_penalty": -10.0}) is rolled_back


def test_views_and_windows_of_a_run_with_a_rollback_sum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Drilled(EsperWorld):
        def __init__(self, *given: Any, **options: Any) -> None:
            super().__init__(*given, data=little_data(), **options)
            self.steps = 0

        def step(self, *given: Any) -> None:
            self.steps += 1
            if self.steps == 12:
                break_host(self, 0)
            super().step(*given)

    monkeypatch.setattr(growing, "EsperWorld", Drilled)
    growth = Growth(TASK, "random_growth", hosts=2, seed=1, config=EsperConfig(epochs=20))
    _, folder = grow(growth, tmp_path, "drilled")
    summed = "SELECT env, episode, sum(value) FROM rewards GROUP BY ALL ORDER BY ALL"
    ended = "SELECT env, episode, episode_reward FROM episode_outcomes ORDER BY ALL"
    by_term = {row[:2]: row[2] for row in ask(tmp_path, summed).rows}
    outcomes = {row[:2]: row[2] for row in ask(tmp_path, ended).rows}
    assert outcomes
    assert outcomes == pytest.approx({place: by_term[place] for place in outcomes})
    penalty = ask(tmp_path, "SELECT term, value FROM rewards WHERE env = 0 AND epoch = 12")
    assert penalty.rows[0] == ("rollback_penalty", -10.0)
    rows = RunFolder.open(folder).windows()
    assert sum(row["reward_sum"] for row in rows) == pytest.approx(sum(by_term.values()), abs=1e-3)


def with_a_broken_seed(**config: Any) -> EsperWorld:
    """Two hosts; the seed of the first is not finite and about to be trained."""
    world = little_world(HOSTS, autoreset="next_step", epochs=30, **config)
    world.newsroom.begin(RunBeginning("drill", 0))
    step(world, {0: ActionSpec(Op.GERMINATE, "r0c0", "conv_light")})
    seed = world.hosts[0].network.slot("r0c0").descent
    assert seed is not None
    with torch.no_grad():
        seed.flat.fill_(math.nan)
    return world


def test_a_seed_that_is_not_finite_is_pruned_and_the_batch_goes_on() -> None:
    world = with_a_broken_seed()
    told = step(world, {0: ActionSpec(Op.ADVANCE, "r0c0")})
    state = world.hosts[0].network.slot("r0c0").state
    assert (state.stage, state.prune_reason) == (Stage.PRUNED, "governor_nan")
    told += step(world, {})
    assert not world.over.any()
    assert math.isfinite(world.hosts[0].signals.val_loss)
    kinds = {one["kind"] for one in told if one["env"] == 0}
    assert {"VIOLATION_RECORDED", "SEED_PRUNED"} <= kinds
    assert "VIOLATION_RECORDED" not in {one["kind"] for one in told if one["env"] == 1}
    assert term(world, 0, "auto_prune_penalty") == pytest.approx(-0.2)
    step(world, {})
    assert term(world, 0, "auto_prune_penalty") == 0.0


def test_a_strict_run_stops_at_a_seed_that_is_not_finite() -> None:
    world = with_a_broken_seed(strict_isolation=True)
    with pytest.raises(IsolationError, match="strict_isolation=false"):
        step(world, {0: ActionSpec(Op.ADVANCE, "r0c0")})
