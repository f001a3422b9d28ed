"""What runs of Esper tell: in order, alike for alike seeds, and whole after any ending."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from little_hosts import begun, grow_next, grown_until, little_entry, little_world

from astrarium import worlds
from astrarium.esper import orders
from astrarium.esper.contracts.actions import WAIT, ActionSpec
from astrarium.esper.contracts.happenings import decode, encode, kind_of
from astrarium.esper.contracts.heads import AlphaSpeed, Op
from astrarium.esper.contracts.host_happenings import CausalLog, EpisodeOutcome, EpochCompleted
from astrarium.esper.contracts.stages import Stage
from astrarium.esper.entry import WORLDS
from astrarium.esper.episode_snapshots import pack, unpack
from astrarium.esper.world import EsperWorld
from astrarium.runs import RunFolder
from astrarium.train import training
from astrarium.train.config import TrainConfig, layered, preset
from astrarium.worlds import registry
from astrarium.worlds.news import TellsNews

GOLDEN = Path(__file__).parent / "short_run_events.json"
WORLD = "esper-digits-impaired-v1"
TAIL = [
    "PPO_UPDATE_COMPLETED",
    "ANALYTICS_SNAPSHOT:batch_stats",
    "BATCH_EPOCH_COMPLETED",
    "ANALYTICS_SNAPSHOT:action_distribution",
]


@pytest.fixture(autouse=True)
def _on_little_data(monkeypatch: pytest.MonkeyPatch) -> None:
    worlds.ids()
    monkeypatch.setitem(registry._known, WORLD, little_entry())


def config_in(root: Path, **world: Any) -> TrainConfig:
    little: dict[str, Any] = {
        "world": {"worlds": 2, "settings": {"epochs": 5, **world}},
        "policy": {"hidden": [8], "memory_size": 8},
        "ppo": {"rollout_steps": 5},
        "run": {"total_env_steps": 40, "window_env_steps": 10, "eval_episodes": 0, "threads": 1},
    }
    return layered(preset(WORLD), little, {"run": {"root": root, "id": "one"}})


def lines(folder: Path) -> list[dict[str, Any]]:
    """Everything told, without the times, each line checked on the way."""
    told = RunFolder.open(folder).world_events()
    assert all(encode(decode(one)).keys() == one.keys() for one in told)
    assert all(one["at"] for one in told)
    return [{name: value for name, value in one.items() if name != "at"} for one in told]


def test_two_runs_of_a_seed_tell_the_same(tmp_path: Path) -> None:
    first, second = (
        training.start(config_in(tmp_path / name)).folder for name in ("first", "second")
    )
    assert lines(first) == lines(second)
    kinds = [one["kind"] for one in lines(first)]
    assert kinds[0] == "TRAINING_STARTED"
    # The barrier comes in its place in every round, and nothing of the next round before it.
    for number in range(4):
        of_round = [one["kind"] for one in lines(first) if one["round"] == number]
        assert of_round[-4:] == TAIL
    assert kinds.count("EPOCH_COMPLETED") == kinds.count("ANALYTICS_SNAPSHOT:last_action") == 40


def test_an_epoch_is_told_before_what_was_decided_about_it(tmp_path: Path) -> None:
    open_epochs = dict[int, tuple[int, int]]()
    for one in lines(training.start(config_in(tmp_path)).folder):
        if one["kind"] == "EPOCH_COMPLETED":
            assert one["env"] not in open_epochs
            open_epochs[one["env"]] = (one["episode"], one["epoch"])
        elif one["kind"] == "ANALYTICS_SNAPSHOT:last_action":
            assert open_epochs.pop(one["env"]) == (one["episode"], one["epoch"])
            assert 0.0 < one["probability"] <= 1.0
            assert one["reward"] == pytest.approx(sum(one["components"].values()))
    assert not open_epochs


def break_after(steps: int) -> Callable[[Any], None]:
    """A run that breaks in the middle of what a checkpoint does not hold yet."""

    def tell(progress: training.Progress) -> None:
        if progress.env_steps_total >= steps:
            raise RuntimeError("the power went off")

    return tell


def test_a_run_that_broke_and_went_on_tells_what_an_unbroken_one_does(tmp_path: Path) -> None:
    whole = training.start(config_in(tmp_path / "whole")).folder
    config = config_in(tmp_path / "broken")
    rarely = config.run.model_copy(update={"checkpoint_every_windows": 2})
    config = config.model_copy(update={"run": rarely})
    with pytest.raises(RuntimeError, match="power"):
        training.start(config, tell=break_after(20))
    folder = tmp_path / "broken" / "one"
    more = len(lines(folder))
    training.resume(folder)
    assert lines(folder) == lines(whole)
    held = json.loads((folder / "checkpoints/000000/manifest.json").read_text())["journals"]
    # There was something to cut off.
    assert 0 < held["world_events.jsonl"]["bytes"] < (folder / "world_events.jsonl").stat().st_size
    assert more > sum(one["round"] == 0 for one in lines(folder))


SCRIPT = (
    ActionSpec(Op.GERMINATE, "r0c0", "norm"),
    ActionSpec(Op.ADVANCE, "r0c0"),
    ActionSpec(Op.PRUNE, "r0c0", alpha_speed=AlphaSpeed.INSTANT),
    WAIT,
    WAIT,
)


def test_the_short_run_tells_exactly_what_it_always_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One round of one host of five epochs, with scripted orders in place of the policy's."""
    step, script = EsperWorld.step, iter(SCRIPT)

    def follow_the_script(world: EsperWorld) -> None:
        slots = world.hosts[0].network.slot_ids
        step(world, [[orders.choices_of(next(script), slots)]])

    monkeypatch.setattr(EsperWorld, "step", follow_the_script)
    whole = next(one for one in WORLDS if one.id == WORLD)
    monkeypatch.setitem(registry._known, WORLD, whole)
    config = config_in(tmp_path, min_prune_age=1, reward_mode="loss")
    alone = config.world.model_copy(update={"worlds": 1})
    short = config.run.model_copy(update={"total_env_steps": 5, "window_env_steps": 5})
    plain = config.ppo.model_copy(update={"normalise_rewards": False})
    told = lines(
        training.start(
            config.model_copy(update={"world": alone, "run": short, "ppo": plain})
        ).folder
    )
    golden = json.loads(GOLDEN.read_text())
    counted = Counter(one["kind"] for one in told)
    assert counted.pop("MORPHOLOGY_CAUSAL_LOG") == golden["causal_log"]
    assert dict(counted) == golden["events"]
    # In this order, so that a reader who stops at the barrier has the whole round.
    order = [one["kind"] for one in told if one["kind"] != "MORPHOLOGY_CAUSAL_LOG"]
    assert order == golden["order"]


def test_news_nobody_takes_are_forgotten_with_the_next_step() -> None:
    world = little_world(1, epochs=4)
    assert isinstance(world, TellsNews)
    for _ in range(3):
        world.step()
    told = [one["kind"] for one in world.newsroom.take()]
    assert told == ["EPOCH_COMPLETED", "ANALYTICS_SNAPSHOT:last_action"]
    assert world.newsroom.take() == []
    world.close()


def test_processes_tell_what_threads_tell() -> None:
    def told(threads: int) -> list[dict[str, Any]]:
        world = little_world(2, threads=threads, epochs=3)
        found: list[dict[str, Any]] = []
        for _ in range(4):
            world.step()
            found += world.newsroom.take()
        world.close()
        return found

    one = told(1)
    assert one == told(2)
    assert Counter(line["env"] for line in one) == {0: 9, 1: 9}


def test_an_epoch_that_is_not_decided_on_survives_a_snapshot() -> None:
    episode = begun()
    assert not episode.take_news()
    again = unpack(pack(episode), episode.data, episode.rules)
    for one in (episode, again):
        one.decide(WAIT)
    assert episode.take_news() == again.take_news()


def test_an_action_is_logged_from_proposal_to_watch() -> None:
    episode = begun(epochs=4)
    episode.decide(grow_next(episode))
    episode.proceed()
    episode.decide(WAIT)
    logged = [one for one in episode.take_news() if isinstance(one, CausalLog)]
    assert [one.station for one in logged] == ["proposal", "verdict", "mutation", "watch"]
    assert len({one.action_id for one in logged}) == len({one.observation_hash for one in logged})
    assert logged[0].action_id.format(round=2, env=3) == "morph-b2-e1-env3-r0c0-op1"
    assert [one.epoch for one in logged] == [1, 1, 1, 2]


def test_a_refusal_is_told_with_its_reason() -> None:
    episode = begun(epochs=4)
    episode.decide(ActionSpec(Op.FOSSILIZE, "r0c0"))
    *logged, action = episode.take_news()
    verdict = logged[-1]
    assert isinstance(verdict, CausalLog)
    assert (verdict.station, verdict.approved, verdict.blocked_factor) == ("verdict", False, "mask")
    assert encode(action)["reason"] == verdict.reason != ""


def test_a_host_with_seeds_tells_what_each_is_worth() -> None:
    episode = grown_until(Stage.HOLDING, epochs=40, seed_limit=1)
    episode.decide(WAIT)
    (epoch,) = [one for one in episode.take_news() if isinstance(one, EpochCompleted)][-1:]
    (seed,) = epoch.seeds
    assert (seed.stage, seed.alpha) == ("HOLDING", 1.0)
    assert seed.contribution is not None
    assert seed.accuracy_without == epoch.val_accuracy - seed.contribution
    assert epoch.host_accuracy == pytest.approx(seed.accuracy_without)
    assert epoch.param_ratio > 1.0


def test_a_rollback_is_told_and_ends_the_episode() -> None:
    episode = begun(epochs=9)
    episode.decide(grow_next(episode))
    with_nan = episode.network.host_descent.flat
    with_nan.fill_(float("nan"))
    assert episode.proceed() is not None
    news = episode.take_news()
    kinds = [kind_of(one) for one in news]
    assert kinds[-6:] == [
        "MORPHOLOGY_CAUSAL_LOG",
        "NUMERICAL_INSTABILITY_DETECTED",
        "SEED_STAGE_CHANGED",
        "SEED_PRUNED",
        "GOVERNOR_ROLLBACK",
        "EPISODE_OUTCOME",
    ]
    outcome = news[-1]
    assert isinstance(outcome, EpisodeOutcome)
    assert (outcome.outcome_type, outcome.pruned) == ("rolled_back", 1)
    assert outcome.episode_reward == -10.0
