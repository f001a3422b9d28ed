"""The bot runner, against cases small enough to work out by hand and the published ladder."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from astrarium import worlds
from astrarium.errors import ConfigError, SeedError
from astrarium.worlds import ladder
from astrarium.worlds.random_legal import random_legal
from astrarium.worlds.vector import VectorWorld

HOLD, CASH_OUT, OUT_OF_RANGE = 6, 68, 69
V1 = worlds.get("prospector-v1")


def always(action: int) -> ladder.Policy:
    return lambda world, step: np.full((world.num_worlds, 1, 1), action, np.int32)


def play(
    policy: ladder.Policy, config: dict[str, Any] | None = None, **rules: int
) -> ladder.Record:
    settings = worlds.parse_config(V1.config, config)
    return ladder.play(V1, "player", policy, ladder.Rules(**rules), settings)


def test_cashing_out_at_once_takes_one_step_and_costs_one_tick() -> None:
    record = play(always(CASH_OUT), episodes=3)
    assert record.columns["seed"].tolist() == [7, 8, 9]
    assert record.columns["steps"].tolist() == [1, 1, 1]
    assert record.columns["dt_total"].tolist() == [1, 1, 1]
    assert record.columns["return_total"] == pytest.approx(-0.001)
    assert record.columns["terminated"].all()
    assert not record.columns["truncated"].any()
    assert record.columns["survival"].tolist() == [1, 1, 1]
    summary = record.summary()
    assert summary["survival_rate"] == 1.0
    assert summary["steps_total"] == summary["dt_total"] == summary["episode_count"] == 3


def test_holding_at_the_station_lasts_until_the_time_is_over() -> None:
    record = play(always(HOLD), {"time_max": 50}, episodes=2)
    assert record.columns["steps"].tolist() == [50, 50]
    assert record.columns["return_total"] == pytest.approx(-0.05)
    assert record.columns["truncated"].all()
    assert not record.columns["terminated"].any()
    assert not record.columns["guard_truncated"].any()
    assert record.columns["time_remaining"].tolist() == [0, 0]


def test_the_guard_gives_up_and_invalid_actions_are_counted() -> None:
    record = play(always(OUT_OF_RANGE), episodes=4, steps_max=5)
    assert record.columns["guard_truncated"].all()
    assert not record.columns["terminated"].any()
    assert record.columns["steps"].tolist() == [5] * 4
    assert record.columns["invalid_actions"].tolist() == [5] * 4
    assert record.columns["return_total"] == pytest.approx(5 * (-0.001 - 0.01))
    summary = record.summary()
    assert summary["guard_truncated_count"] == 4
    assert summary["invalid_action_rate_mean"] == summary["invalid_action_rate_global"] == 1.0


def test_rates_are_averaged_by_episode_and_over_all_steps() -> None:
    def one_bad_then_out(world: VectorWorld, step: int) -> Any:
        """One invalid action; the episode of the even seed cashes out next, the odd one later."""
        early = (world.episode_seed % 2 == 0) & (step == 1)
        leave = early | (step == 4)
        actions = np.where(step == 0, OUT_OF_RANGE, np.where(leave, CASH_OUT, HOLD))
        return actions.astype(np.int32)[:, None, None]

    summary = play(one_bad_then_out, episodes=2, seed=8).summary()
    assert summary["steps_total"] == 2 + 5
    assert summary["invalid_action_rate_mean"] == pytest.approx((1 / 2 + 1 / 5) / 2)
    assert summary["invalid_action_rate_global"] == pytest.approx(2 / 7)


def test_episodes_keep_their_rows_while_the_batch_shrinks() -> None:
    """Episode i cashes out in step i + 1; each halving of the batch must not mix them up."""

    def leave_in_turn(world: VectorWorld, step: int) -> Any:
        leave = world.episode_seed <= 100 + step
        return np.where(leave, CASH_OUT, HOLD).astype(np.int32)[:, None, None]

    record = play(leave_in_turn, episodes=40, seed=100)
    assert record.columns["seed"].tolist() == list(range(100, 140))
    assert record.columns["steps"].tolist() == list(range(1, 41))
    assert record.columns["return_total"] == pytest.approx(-0.001 * np.arange(1, 41))
    rows = record.rows()
    assert rows[5]["bot"] == "player"
    assert (rows[5]["seed"], rows[5]["steps"]) == (105, 6)


PUBLISHED = {
    # return, net profit mean and median, survival, steps, ticks; 200 episodes from seed 7.
    "greedy_miner": ("-106.8", "195", "0", "0.000", "56.6", "97.0"),
    "cautious_scanner": ("-89.6", "-85", "0", "0.000", "63.3", "132.8"),
    "market_timer": ("-112.7", "19", "0", "0.000", "53.4", "58.7"),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_three_bots_score_as_published(name: str) -> None:
    policy = ladder.policies(V1, [name])[name]
    summary = ladder.play(V1, name, policy, ladder.Rules(episodes=200)).summary()
    assert (
        f"{summary['return_mean']:.1f}",
        f"{summary['net_profit_mean']:.0f}",
        f"{summary['net_profit_median']:.0f}",
        f"{summary['survival_rate']:.3f}",
        f"{summary['steps_mean']:.1f}",
        f"{summary['dt_mean']:.1f}",
    ) == PUBLISHED[name]


def test_an_episode_depends_on_nothing_but_its_seed() -> None:
    many = play(random_legal, episodes=30, threads=1)
    threaded = play(random_legal, episodes=30, threads=3)
    assert many.digest == threaded.digest
    few = play(random_legal, episodes=4, seed=20)
    for name, column in few.columns.items():
        assert column.tolist() == many.columns[name][13:17].tolist(), name


def test_digests_tell_players_apart() -> None:
    one, two = play(always(CASH_OUT), episodes=2), play(always(CASH_OUT), episodes=2, seed=8)
    assert one.digest != two.digest
    assert ladder.digest_of([one, two]) != ladder.digest_of([two, one])


def test_chance_takes_every_legal_choice_equally_often() -> None:
    draws = 30_000
    mask = np.tile(np.array([0, 1, 1, 0, 1, 1, 0], np.uint8), (draws, 1, 1))
    batch = SimpleNamespace(
        layout=SimpleNamespace(agents=1, heads=(5, 2), controls=0),
        num_worlds=draws,
        mask=mask,
        episode_seed=np.arange(draws, dtype=np.uint64),
    )
    actions = random_legal(cast("VectorWorld", batch), step=3)
    first = np.bincount(actions[:, 0, 0], minlength=5)
    assert first[[0, 3]].sum() == 0
    # Five standard deviations of a third of the draws.
    assert np.abs(first[[1, 2, 4]] - draws / 3).max() < 5 * np.sqrt(draws * 2 / 9)
    assert (actions[:, 0, 1] == 0).all()
    again = random_legal(cast("VectorWorld", batch), step=3)
    other = random_legal(cast("VectorWorld", batch), step=4)
    assert (actions == again).all()
    assert (actions != other).any()


def test_chance_never_breaks_a_rule() -> None:
    record = play(random_legal, episodes=20)
    assert record.columns["invalid_actions"].sum() == 0


def test_worlds_with_several_agents_and_heads_play_too() -> None:
    entry = worlds.get("lanterns-v1")
    for name, policy in ladder.policies(entry).items():
        record = ladder.play(entry, name, policy, ladder.Rules(episodes=5))
        assert (record.columns["steps"] == record.columns["dt_total"]).all()
        assert "lamps_lit_mean" in record.summary()


def test_the_report_says_what_was_played() -> None:
    rules = ladder.Rules(episodes=2)
    record = play(always(CASH_OUT), episodes=2)
    report = ladder.report([record], V1, rules, V1.config())
    assert report["config"]["world"] == "prospector-v1"
    assert report["config"]["world_config"]["time_max"] == 20_000
    assert [row["seed"] for row in report["bots"]["player"]] == [7, 8]
    assert report["summary"]["player"]["episode_count"] == 2


def test_a_bot_nobody_knows_is_refused_with_advice() -> None:
    with pytest.raises(ConfigError, match="did you mean 'greedy_miner'"):
        ladder.policies(V1, ["greedy_minor"])


def test_seeds_that_do_not_exist_are_refused() -> None:
    with pytest.raises(SeedError, match="smaller seed"):
        play(always(CASH_OUT), episodes=2, seed=2**64 - 1)


class LeavesInTurn:
    """Episode i cashes out in step i + 1. Knows the episodes by what it was told of the batch."""

    def __init__(self, first_seed: int) -> None:
        self.first_seed = first_seed
        self.known = np.zeros(0, np.uint64)
        self.shrinkages = 0

    def __call__(self, world: VectorWorld, step: int) -> Any:
        if step == 0:
            self.known = world.episode_seed.copy()
        running = world.episode == 0
        assert (self.known == world.episode_seed)[running].all()
        leave = self.known <= self.first_seed + step
        return np.where(leave, CASH_OUT, HOLD).astype(np.int32)[:, None, None]

    def kept(self, places: ladder.Places) -> None:
        self.known = self.known[places]
        self.shrinkages += 1


def test_a_policy_that_remembers_is_told_when_the_batch_shrinks() -> None:
    policy = LeavesInTurn(100)
    record = play(policy, episodes=40, seed=100)
    assert record.columns["steps"].tolist() == list(range(1, 41))
    assert policy.shrinkages > 3


def test_a_watcher_sees_every_step_of_every_episode_once() -> None:
    steps = np.zeros(40, np.int64)
    orders: dict[int, list[int]] = {episode: [] for episode in range(40)}

    def watch(world: VectorWorld, episodes: ladder.Places, places: ladder.Places) -> None:
        assert (world.num_worlds >= places).all()
        steps[episodes] += 1
        for episode, action in zip(episodes, world.actions[places, 0, 0], strict=True):
            orders[episode].append(int(action))

    rules = ladder.Rules(episodes=40, seed=100)
    record = ladder.play(V1, "player", LeavesInTurn(100), rules, watch=watch)
    assert steps.tolist() == record.columns["steps"].tolist()
    assert orders[3] == [HOLD, HOLD, HOLD, CASH_OUT]
