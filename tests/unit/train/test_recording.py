"""Episodes recorded as replays: the same ones that were played."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from astrarium import worlds
from astrarium.runs import ReplayError, replays
from astrarium.runs.replaying import verify
from astrarium.train.recording import best, every, record, window_seed
from astrarium.worlds import VectorWorld, ladder, registry

V1, V2 = worlds.get("prospector-v1"), worlds.get("prospector-v2")
HOLD, CASH_OUT = 6, 68


def bot(entry: worlds.WorldEntry, name: str) -> ladder.Policy:
    return ladder.policies(entry, [name])[name]


@pytest.mark.parametrize(
    ("world_id", "name"),
    [
        ("prospector-v1", "cautious_scanner"),
        ("prospector-v2", "random_legal"),
        ("prospector-v2", "planner"),
        ("lanterns-v1", "random_legal"),
    ],
)
def test_any_player_can_be_recorded_and_its_replays_hold(world_id: str, name: str) -> None:
    entry = worlds.get(world_id)
    rules = ladder.Rules(episodes=4, seed=3, steps_max=150)
    made = record(entry, name, bot(entry, name), rules, choice=every, commit="0123abc")
    alone = ladder.play(entry, name, bot(entry, name), rules)
    assert made.record.digest == alone.digest
    assert [kept.replay.header["seed"] for kept in made.kept] == [3, 4, 5, 6]
    for kept, row in zip(made.kept, alone.rows(), strict=True):
        assert kept.episode == {key: value for key, value in row.items() if key != "bot"}
        assert len(kept.replay.frames) == row["steps"]
        assert kept.replay.frames[-1]["t"] == row["dt_total"]
        assert verify(kept.replay).holds
        assert all(frame["policy"] is None for frame in kept.replay.frames)
        replays.encode(kept.replay)


def test_a_header_says_what_was_played_by_whom() -> None:
    config = V2.config(time_max=30)
    rules = ladder.Rules(episodes=1, seed=5)
    (kept,) = record(
        *(V2, "hauler", bot(V2, "hauler"), rules, config), about={"window_id": 3}, commit="0123abc"
    ).kept
    header = kept.replay.header
    assert header["world"] == "prospector-v2"
    assert header["world_config"] == {"time_max": 30.0, "invalid_action_penalty": 0.001}
    assert header["policy"] == {"name": "hauler", "window_id": 3}
    assert header["build"]["commit"] == "0123abc"
    assert header["agents"] == ["ship"]
    assert len(header["action_names"][0]) == 69
    assert header["events"][0] == "invalid_action"


def test_the_best_return_is_kept() -> None:
    made = record(V2, "hauler", bot(V2, "hauler"), ladder.Rules(episodes=6, steps_max=60))
    returns = made.record.columns["return_total"]
    (kept,) = made.kept
    assert kept.episode["return_total"] == returns.max()
    assert returns.argmax() > 0, "the first one would be no proof"
    assert kept.replay.header["seed"] == 7 + returns.argmax()


def test_the_first_is_kept_on_ties() -> None:
    def leave(world: VectorWorld, step: int) -> Any:
        return np.full((world.num_worlds, 1, 1), CASH_OUT, np.int32)

    made = record(V1, "leaver", leave, ladder.Rules(episodes=3, seed=9))
    assert set(made.record.columns["return_total"]) == {made.kept[0].episode["return_total"]}
    assert made.kept[0].replay.header["seed"] == 9
    assert best(made.record) == [0]


class Fickle:
    """Draws from its own generator: played again, it would do something else."""

    def __init__(self) -> None:
        self.generator = np.random.default_rng(0)

    def __call__(self, world: VectorWorld, step: int) -> Any:
        actions = self.generator.integers(0, 70, (world.num_worlds, 1, 1))
        return actions.astype(np.int32)


def test_what_is_recorded_is_what_was_played_while_the_batch_shrank() -> None:
    made = record(V2, "fickle", Fickle(), ladder.Rules(episodes=24), choice=every)
    steps = made.record.columns["steps"]
    assert len(set(steps.tolist())) > 10
    for kept in made.kept:
        assert kept.replay.frames[-1]["action"] == CASH_OUT
        assert verify(kept.replay).holds


@dataclass
class Opinion:
    value: Any
    probabilities: Any


class Thoughtful:
    """Thinks the later a choice the likelier; remembers how often it was asked."""

    thoughts: Opinion | None = None

    def __call__(self, world: VectorWorld, step: int) -> Any:
        layout = world.layout
        shares = [np.arange(1, count + 1) / (count * (count + 1) / 2) for count in layout.heads]
        shape = (world.num_worlds, layout.agents, layout.num_choices)
        value = np.full(shape[:2], step, np.float32)
        self.thoughts = Opinion(
            value, np.broadcast_to(np.concatenate(shares), shape).astype(np.float32)
        )
        return ladder.policies(worlds.get(world.world_id))["random_legal"](world, step)


def test_thoughts_are_written_beside_what_was_done() -> None:
    rules = ladder.Rules(episodes=2, steps_max=20)
    (kept,) = record(V2, "thoughtful", Thoughtful(), rules).kept
    for step, frame in enumerate(kept.replay.frames):
        told = frame["policy"]
        assert told["value"] == step
        (head,) = told["probabilities"]
        assert len(head) == 69
        assert head == [round(one, 6) for one in head]
        assert told["probability"] == head[frame["action"]]
        assert told["probability"] == pytest.approx((frame["action"] + 1) / 2415, abs=1e-6)
    assert verify(kept.replay).holds


def test_each_agent_in_play_has_thoughts_of_its_own() -> None:
    entry = worlds.get("lanterns-v1")
    (kept,) = record(entry, "thoughtful", Thoughtful(), ladder.Rules(episodes=1, seed=5)).kept
    alive = [True, True]
    for frame in kept.replay.frames:
        assert [told is not None for told in frame["policy"]] == alive
        for told, (way, lamp) in zip(frame["policy"], frame["action"], strict=True):
            if told is not None:
                chance = (way + 1) / 6 * (lamp + 1) / 3
                assert told["probability"] == pytest.approx(chance, abs=2e-6)
                assert [len(head) for head in told["probabilities"]] == [3, 2]
        alive = frame["info"]["alive"]
    assert alive == [False, False]
    assert verify(kept.replay).holds
    replays.encode(kept.replay)


def test_an_order_out_of_range_has_no_probability() -> None:
    class Wrong(Thoughtful):
        def __call__(self, world: VectorWorld, step: int) -> Any:
            return super().__call__(world, step) * 0 + 69

    (kept,) = record(V2, "wrong", Wrong(), ladder.Rules(episodes=1, steps_max=2)).kept
    assert kept.replay.frames[0]["policy"]["probability"] == 0.0
    assert kept.replay.frames[0]["events"] == ["invalid_action"]


@pytest.fixture
def counter_world(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The world in plain Python of the checker's tests: it has controls."""
    worlds.ids()
    monkeypatch.setattr(registry, "_known", dict(registry._known))
    path = Path(__file__).parents[1] / "check" / "counter_world.py"
    spec = importlib.util.spec_from_file_location("counter_world", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def steered(world: VectorWorld, step: int) -> Any:
    """Moves up and down, and steers by the seed."""
    world.controls[:, 0, 0] = np.sin(step + world.episode_seed.astype(np.float64))
    return np.full((world.num_worlds, 1, 1), 2 * (step % 2), np.int32)


def test_controls_are_recorded_and_verified(counter_world: ModuleType) -> None:
    entry = counter_world.COUNTER
    worlds.register(entry)
    rules = ladder.Rules(episodes=8, seed=2)
    made = record(entry, "steered", steered, rules, choice=every)
    assert len(set(made.record.columns["steps"].tolist())) > 1
    for kept in made.kept:
        first = kept.replay.frames[0]["controls"]
        assert np.float32(first[0][0]) == np.float32(np.sin(kept.episode["seed"]))
        assert verify(kept.replay).holds
        replays.encode(kept.replay)
    frames = [dict(frame) for frame in made.kept[0].replay.frames]
    frames[0]["controls"] = [[0.75]]
    difference = verify(replays.Replay(made.kept[0].replay.header, frames)).difference
    assert difference is not None
    assert difference.frame == 0
    del frames[0]["controls"]
    with pytest.raises(ReplayError, match="frame 0 has no controls"):
        verify(replays.Replay(made.kept[0].replay.header, frames))


def test_a_world_that_is_not_exact_is_found_out(counter_world: ModuleType) -> None:
    steps = iter(range(1_000_000))

    class Moody(counter_world.CounterWorld):
        def breeze(self, counter: Any, index: int) -> int:
            return next(steps) // 40 % 2

    entry = counter_world.entry_of(Moody)
    with pytest.raises(ReplayError, match="astrarium check counter-v1"):
        record(entry, "steered", steered, ladder.Rules(episodes=8, seed=2), choice=every)


def test_windows_have_seeds_of_their_own() -> None:
    assert window_seed(5, 100_000, 0) == 100_005
    assert window_seed(5, 100_000, 12) == 112_005


def test_bots_and_verification_need_no_torch() -> None:
    program = (
        "import sys\n"
        "import astrarium.train.recording, astrarium.train.evaluate\n"
        "import astrarium.train.evaluation_report, astrarium.runs.replaying\n"
        "import astrarium.cli.evaluate, astrarium.cli.replay\n"
        "assert 'torch' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
