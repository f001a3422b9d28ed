"""Evaluation: policies, bots and differences on the same held-out episodes."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bot_runs import OFFSET, play_bots, write_run

from astrarium import worlds
from astrarium.errors import ConfigError
from astrarium.runs import DamagedRunError, NoCheckpointError, RunFolder, documents
from astrarium.train import evaluation_report
from astrarium.train.contenders import Contender, contender, window_of, world_of
from astrarium.train.evaluate import PROTOCOL, RETURN, Evaluation, evaluate
from astrarium.train.intervals import mean_interval, share_interval
from astrarium.worlds import ladder
from astrarium.worlds.registry import Yardstick

V2 = worlds.get("prospector-v2")
SHORT = V2.config(time_max=80)
RULES = ladder.Rules(episodes=24, seed=40)
HOLD, CASH_OUT = 6, 68
PROFIT, SURVIVAL = V2.yardsticks[:2]


def always(action: int) -> ladder.Policy:
    return lambda world, step: np.full((world.num_worlds, 1, 1), action, np.int32)


def one_of(name: str, policy: ladder.Policy, **told: Any) -> Contender:
    return Contender(
        **({"name": name, "policy": policy, "entry": V2, "config": SHORT} | told),
        facts={"run_id": name, "greedy": True},
    )


def bot(name: str) -> ladder.Policy:
    return ladder.policies(V2, [name])[name]


@pytest.fixture(scope="module")
def two() -> Evaluation:
    """The hauler as one run, a ship that stays at home as another, beside three bots."""
    names = ["greedy_miner", "cautious_scanner", "market_timer"]
    contenders = [one_of("works", bot("hauler")), one_of("rests", always(HOLD))]
    return evaluate(contenders, RULES, versus=names)


def test_everybody_plays_the_same_seeds(two: Evaluation) -> None:
    assert list(two.contenders) == ["works", "rests"]
    assert two.bots == ["greedy_miner", "cautious_scanner", "market_timer"]
    for record in two.records.values():
        assert record.columns["seed"].tolist() == list(range(40, 64))
    alone = ladder.play(V2, "greedy_miner", bot("greedy_miner"), RULES, SHORT)
    assert two.records["greedy_miner"].digest == alone.digest


def test_figures_have_the_interval_of_their_kind(two: Evaluation) -> None:
    columns = two.records["greedy_miner"].columns
    assert two.figure("greedy_miner", RETURN) == mean_interval(columns["return_total"])
    assert two.figure("greedy_miner", SURVIVAL) == share_interval(columns["survival"])
    assert two.figure("rests", SURVIVAL).high == 1.0
    low = two.figure("rests", SURVIVAL).low
    assert low is not None
    assert 0.8 < low < 1.0


def test_differences_are_paired_by_seed(two: Evaluation) -> None:
    ours, theirs = (two.records[name].columns["return_total"] for name in ("works", "market_timer"))
    difference = two.difference("works", "market_timer", RETURN)
    assert difference == mean_interval(ours - theirs)
    assert difference.sign == 1
    assert evaluation_report.verdict(difference, RETURN) == "better"


def test_fewer_pirates_are_better() -> None:
    pirates = next(one for one in V2.yardsticks if one.stat == "pirate_encounters")
    fewer = mean_interval([-1.0, -2.0, -1.5])
    assert evaluation_report.verdict(fewer, pirates) == "better"
    assert evaluation_report.verdict(fewer, RETURN) == "worse"
    assert evaluation_report.verdict(mean_interval([-1.0, 1.0]), RETURN) == "even"


def test_every_pair_is_compared_once(two: Evaluation) -> None:
    assert two.pairs() == [
        ("works", "rests"),
        *(("works", name) for name in two.bots),
        *(("rests", name) for name in two.bots),
    ]


def test_several_runs_are_averaged_with_an_interval_over_runs(two: Evaluation) -> None:
    means = [two.records[name].columns["return_total"].mean() for name in ("works", "rests")]
    found = two.across_runs(RETURN)
    assert found.value == pytest.approx(np.mean(means))
    assert found.high is not None
    half = 12.7062 * abs(means[0] - means[1]) / math.sqrt(2) / math.sqrt(2)
    assert found.high - found.value == pytest.approx(half, rel=1e-4)


def test_the_three_expectations_are_stated_and_judged() -> None:
    names = ["greedy_miner", "cautious_scanner", "market_timer"]
    good = evaluate([one_of("works", bot("hauler"))], RULES, versus=names)
    assert [(one.yardstick.stat, one.bot) for one in good.expectations()] == [
        ("net_profit", "greedy_miner"),
        ("survival", "cautious_scanner"),
        ("profit_per_tick", "market_timer"),
    ]
    assert all(one.passed for one in good.expectations())
    assert good.reasons() == []
    poor = evaluate([one_of("wastes", bot("random_legal"))], RULES, versus=["short_trip"])
    assert poor.expectations() == [], "those bots did not play"


def test_what_is_not_reached_is_told(two: Evaluation) -> None:
    """Resting earns nothing; with the hauler beside it the mean of both still may."""
    rests = evaluate([one_of("rests", always(HOLD))], RULES, versus=["greedy_miner"])
    (profit,) = rests.expectations()
    miner = two.records["greedy_miner"].columns["net_profit"].mean()
    assert profit.overall.value == pytest.approx(-miner)
    assert profit.passed == (miner <= 0)
    both = two.expectations()[0]
    works, rested = (both.differences[name].value for name in ("works", "rests"))
    assert both.overall.value == pytest.approx((works + rested) / 2)
    lower = Yardstick("pirate_encounters", higher_is_better=False, at_least="greedy_miner")
    quiet = two._expectation(list(two.contenders), lower, "greedy_miner")
    assert quiet.words() == "pirate_encounters at most greedy_miner's"
    assert quiet.passed == (quiet.overall.value <= 0)


def test_a_failed_expectation_is_a_reason() -> None:
    loser = evaluate([one_of("loses", bot("market_timer"))], RULES, versus=["cautious_scanner"])
    (survival,) = loser.expectations()
    expected = (
        []
        if survival.passed
        else [f"survival at least cautious_scanner's: short by {abs(survival.overall.value):.6g}"]
    )
    assert not survival.passed, "choose other seeds: this test needs a loser"
    assert loser.reasons() == expected


def test_bots_can_be_left_out() -> None:
    alone = evaluate([one_of("works", bot("hauler"))], RULES, versus=[])
    assert list(alone.records) == ["works"]
    assert alone.pairs() == alone.expectations() == []
    everyone = evaluate([one_of("rests", always(CASH_OUT))], ladder.Rules(episodes=2))
    assert everyone.bots == list(ladder.policies(V2))


def test_seeds_that_helped_to_choose_a_policy_are_not_held_out() -> None:
    def held_out(seen: range) -> bool:
        chosen = one_of("works", always(CASH_OUT), seen=seen)
        return evaluate([chosen], RULES, versus=[]).held_out()

    assert held_out(range(100_000, 105_002))
    assert held_out(range(0))
    assert held_out(range(40))
    assert held_out(range(64, 70))
    assert not held_out(range(63, 70))
    assert not held_out(range(41))
    assert not held_out(range(50, 51))


def test_the_protocol_is_a_thousand_episodes_below_the_runs_own_seeds() -> None:
    assert (PROTOCOL.episodes, PROTOCOL.seed) == (1000, 7)
    assert PROTOCOL.seed + PROTOCOL.episodes < OFFSET


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"name": "first"}, "first is named twice"),
        (
            {"entry": worlds.get("lanterns-v1")},
            "first plays prospector-v2, other plays lanterns-v1",
        ),
        ({"config": V2.config(time_max=81)}, r"with time_max=80\.0.*with time_max=81\.0"),
    ],
)
def test_policies_that_cannot_be_compared_are_refused(told: dict[str, Any], words: str) -> None:
    first = one_of("first", always(CASH_OUT))
    other = one_of(told.pop("name", "other"), always(CASH_OUT), **told)
    with pytest.raises(ConfigError, match=words):
        evaluate([first, other], RULES)


def test_nobody_cannot_be_evaluated() -> None:
    with pytest.raises(ConfigError, match="at least one run"):
        evaluate([])
    with pytest.raises(ConfigError, match="twice"):
        evaluate([one_of("a", always(CASH_OUT))], RULES, versus=["hauler", "hauler"])


def test_progress_is_told_by_player() -> None:
    told: dict[str, int] = {}

    def begin(name: str) -> ladder.Progress:
        return lambda player, ended, steps: told.update({name: ended})

    evaluate([one_of("leaves", always(CASH_OUT))], RULES, versus=["random_legal"], begin=begin)
    assert told == {"leaves": 24, "random_legal": 24}


def test_the_report_is_json_with_every_comparison(two: Evaluation) -> None:
    config = evaluation_report.config_of(two)
    results = evaluation_report.results_of(two, per_seed=True)
    assert json.loads(json.dumps([config, results], allow_nan=False)) == [config, results]
    assert config["world_config"]["time_max"] == 80
    assert config["held_out"] is True
    assert [run["run_id"] for run in config["runs"]] == ["works", "rests"]
    assert results["players"]["works"]["kind"] == "run"
    assert results["players"]["market_timer"]["kind"] == "bot"
    assert results["players"]["works"]["summary"]["episode_count"] == 24
    assert set(results["players"]["works"]["figures"]["survival"]) == {"value", "low", "high"}
    assert len(results["differences"]) == 7
    assert results["across_runs"]["return_total"]["value"] == two.across_runs(RETURN).value
    assert len(results["expectations"]) == 3
    assert [row["seed"] for row in results["episodes"]["rests"]] == list(range(40, 64))
    assert "episodes" not in evaluation_report.results_of(two, per_seed=False)


def test_the_page_shows_tables(two: Evaluation) -> None:
    page = evaluation_report.markdown(two, per_seed=True)
    assert page.startswith("# works, rests on prospector-v2\n")
    assert "24 episodes of every player, seeds 40 to 63." in page
    for heading in ("Figures", "Differences", "Across runs", "Expected", "Return by seed"):
        assert f"\n## {heading}" in page
    figures = page.split("## Figures")[1].split("##")[0].strip().splitlines()
    assert figures[0] == (
        "| player | return | net_profit | survival | profit_per_tick | overheat_ticks | "
        "pirate_encounters | steps |"
    )
    assert len(figures) == 2 + len(two.records)
    assert all(line.count("|") == figures[0].count("|") for line in figures)
    assert "| 63 | " in page
    short = evaluation_report.markdown(two, per_seed=False)
    assert "Return by seed" not in short
    assert not any(line.endswith(" ") for line in page.splitlines())


def test_numbers_are_written_as_people_read_them() -> None:
    words = evaluation_report.number_words
    assert words(31_234.56, RETURN) == "31,235"
    assert words(-312.34, RETURN) == "-312.3"
    assert words(3.14159, RETURN, signed=True) == "+3.14"
    assert words(0.9971, SURVIVAL) == "99.7%"
    one = mean_interval([1.0])
    assert evaluation_report.interval_words(one, RETURN) == "1.00"


class TestContenders:
    """Policies as they are taken from run folders."""

    def test_the_policy_of_a_window_plays(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        loaded = play_bots(monkeypatch)
        run = write_run(tmp_path, settings={"time_max": 80}, seed=5, replays=False)
        first, last = contender(run, 0), contender(run, greedy=False)
        assert (first.name, last.name) == ("run@0", "run@1")
        assert [one["greedy"] for one in loaded] == [True, False]
        assert first.config == SHORT
        assert first.facts["window_id"] == 0
        assert first.facts["run_seed"] == 5
        assert first.facts["status"] == "completed"
        found = evaluate([first, last], RULES, versus=["greedy_miner", "cautious_scanner"])
        for name, same in (("run@0", "greedy_miner"), ("run@1", "cautious_scanner")):
            assert found.records[name].digest == found.records[same].digest
            assert found.difference(name, same, RETURN).value == 0

    def test_a_policy_plays_as_its_run_evaluates_it_unless_told(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        loaded = play_bots(monkeypatch)
        run = write_run(tmp_path, replays=False, eval_greedy=False)
        assert contender(run).facts["greedy"] is False
        assert contender(run, greedy=True).facts["greedy"] is True
        assert [one["greedy"] for one in loaded] == [False, True]

    def test_the_seeds_of_a_runs_own_evaluations_are_known(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Windows 0 and 1, two episodes each: 100005, 100006, 101005 and 101006 at most."""
        play_bots(monkeypatch)
        run = write_run(tmp_path, seed=5, replays=False)
        assert contender(run).seen == range(100_005, 101_007)

    def test_windows_are_chosen_by_name(self, tmp_path: Path) -> None:
        run = write_run(tmp_path, replays=False)
        assert [window_of(run, one) for one in ("latest", "best", 1, 0)] == [1, 0, 1, 0]
        with pytest.raises(NoCheckpointError, match=r"window 7 \(there are: 0, 1\)"):
            window_of(run, 7)

    def test_the_best_window_is_the_latest_of_equals_and_needs_returns(
        self, tmp_path: Path
    ) -> None:
        bots = ("hauler",) * 3
        even = write_run(tmp_path, "even", bots=bots, returns=(2.0, 2.0, 1.0), replays=False)
        assert window_of(even, "best") == 1
        mute = write_run(tmp_path, "mute", bots=bots, returns=(None,) * 3, replays=False)
        assert window_of(mute, "best") == 2
        some = write_run(tmp_path, "some", bots=bots, returns=(None, -3.0, None), replays=False)
        assert window_of(some, "best") == 1

    def test_a_window_cut_short_is_never_the_best(self, tmp_path: Path) -> None:
        run = write_run(tmp_path, returns=(1.0, 2.0), replays=False, last_complete=False)
        assert window_of(run, "best") == 0

    def test_a_run_without_checkpoints_says_so(self, tmp_path: Path) -> None:
        run = write_run(tmp_path, bots=(), returns=())
        with pytest.raises(NoCheckpointError, match="has no checkpoint yet"):
            contender(run)

    def test_a_config_without_a_world_is_damaged(self, tmp_path: Path) -> None:
        run = write_run(tmp_path, replays=False)
        documents.write(run.folder / "config.json", {})
        state = run.metadata() | {"config_hash": documents.hash_of({})}
        documents.write(run.folder / "run_metadata.json", state)
        with pytest.raises(DamagedRunError, match="names no world"):
            world_of(run)

    def test_a_trained_network_plays_in_a_shrinking_batch(self, tmp_path: Path) -> None:
        """The real loader, on weights nobody trained."""
        run = untrained_run(tmp_path)
        found = evaluate([contender(run, greedy=False)], ladder.Rules(episodes=30), versus=[])
        (record,) = found.records.values()
        assert len(set(record.columns["steps"].tolist())) > 5
        alone = evaluate(
            [contender(run, greedy=False)], ladder.Rules(episodes=1, seed=20), versus=[]
        )
        (same,) = alone.records.values()
        assert same.rows()[0]["return_total"] == record.rows()[13]["return_total"]


def untrained_run(root: Path) -> RunFolder:
    """A run of the real policy, as it is before the first update."""
    from astrarium.runs import Checkpoint, RunFacts, RunWriter
    from astrarium.train.config import layered
    from astrarium.train.player import policy_arrays
    from astrarium.train.policy import Network, Shape
    from astrarium.train.streams import stream

    layers = {"world": {"id": "lanterns-v1"}, "policy": {"hidden": [8], "memory": "gru"}}
    config = layered(layers)
    layout = worlds.make_vec("lanterns-v1").layout
    network = Network(Shape.of(layout), config.policy, stream(1, "weights"))
    facts = RunFacts("ppo", 10, 10, "lanterns-v1", {}, "none", ())
    writer = RunWriter.create(root, config.model_dump(mode="json"), facts, "untrained")
    from bot_runs import _row

    writer.append_window(_row(0, None))
    state = {"policy_arch": network.arch, "obs_shape": [13], "heads": list(layout.heads)}
    arrays = policy_arrays(network, "shared", None)
    writer.save_checkpoint(Checkpoint(0, 10, arrays, {}, b"", state))
    writer.finish()
    return RunFolder.open(writer.folder)
