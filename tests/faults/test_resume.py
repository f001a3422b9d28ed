"""A training run that is killed, stopped or out of disk ends as if nothing had happened."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from nursery import settle

from astrarium.atomic import WriteError
from astrarium.runs import TIMING_FIELDS, NoCheckpointError, RunFolder
from astrarium.train import training
from astrarium.train.config import layered

HERE = Path(__file__).parent
FOLDER = Path("runs/run")
COMMON: dict[str, Any] = {
    "policy": {"hidden": [16]},
    "ppo": {
        "rollout_steps": 16,
        "epochs": 2,
        "minibatches": 2,
        "normalise_observations": True,
        "normalise_rewards": True,
    },
    "run": {"root": "runs", "id": "run", "seed": 3, "threads": 1, "device": "cpu"},
}
CONFIGS: dict[str, dict[str, Any]] = {
    "prospector": {
        "world": {"id": "prospector-v2", "settings": {"time_max": 120}, "worlds": 16},
        "run": {"window_env_steps": 1200, "total_env_steps": 7000, "eval_episodes": 2},
    },
    "lanterns": {
        "world": {"id": "lanterns-v1", "settings": {"ticks_max": 40}, "worlds": 16},
        "policy": {"memory": "lstm", "memory_size": 8},
        "run": {"window_env_steps": 500, "total_env_steps": 2900, "eval_episodes": 2},
    },
}


def config_of(name: str, **run: Any) -> Any:
    return layered(COMMON, CONFIGS[name], {"run": run})


def story(folder: Path) -> dict[str, Any]:
    """Everything a run did, without when it did it and how often it was interrupted."""
    run = RunFolder.open(folder)
    told: dict[str, Any] = {}
    told["windows"] = [
        {name: value for name, value in row.items() if name not in TIMING_FIELDS}
        for row in run.windows()
    ]
    about_lives = ("run_resumed", "run_interrupted", "run_failed")
    told["events"] = [
        {name: value for name, value in event.items() if name != "at"}
        for event in run.events()
        if event["kind"] not in about_lives
    ]
    for one in run.checkpoints():
        point = run.load_checkpoint(one.window_id, resumable=one.resumable)
        told[f"checkpoint {one.window_id}"] = (one.resumable, point.state, point.env_steps_total)
        for part in (point.policy, point.trainer):
            for name, array in part.items():
                whole = (array.dtype.str, array.shape, array.tobytes())
                told[f"checkpoint {one.window_id} {name}"] = whole
        told[f"checkpoint {one.window_id} worlds"] = point.worlds
    told["replays"] = {path.name: path.read_bytes() for path in (folder / "replays").iterdir()}
    entries = msgspec.to_builtins(run.replay_index().entries)
    told["index"] = [entry | {"created_at": ""} for entry in entries]
    return told


def assert_same(folder: Path, whole: dict[str, Any], where: str = "") -> None:
    """Named by the first part that differs, for the whole is unreadable."""
    found = story(folder)
    assert sorted(found) == sorted(whole), where
    for name, part in whole.items():
        assert found[name] == part, f"{name} {where}"
    assert RunFolder.open(folder).status() == "completed"


class Nursery:
    """Where trainers are born."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "nursery.py"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=HERE,
        )
        assert self._answer() == "ready"

    def life(self, home: Path, **order: Any) -> dict[str, int]:
        """Train until the end, or until killed: after a while, or ahead of a call to the disk."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"home": str(home), **order}) + "\n")
        self._process.stdin.flush()
        return json.loads(self._answer())

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def close(self) -> None:
        self._process.communicate()
        assert self._process.returncode == 0


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    made = Nursery()
    yield made
    made.close()


class Whole:
    """A run that nothing happened to."""

    def __init__(self, nursery: Nursery, home: Path, name: str) -> None:
        home.mkdir()
        self.config = config_of(name).model_dump(mode="json")
        began = time.monotonic()
        end = nursery.life(home, config=self.config)
        self.seconds = time.monotonic() - began
        assert end["code"] == 0
        self.calls = end["calls"]
        self.story = story(home / FOLDER)


@pytest.fixture(scope="module")
def wholes(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Whole]:
    root = tmp_path_factory.mktemp("whole")
    return {name: Whole(nursery, root / name, name) for name in CONFIGS}


@pytest.mark.parametrize("name", CONFIGS)
def test_the_runs_are_worth_comparing(name: str, wholes: dict[str, Whole]) -> None:
    told = wholes[name].story
    assert len(told["windows"]) > 4
    assert not told["windows"][-1]["window_complete"]
    assert len(told["replays"]) > 2
    updates = [event for event in told["events"] if event["kind"] == "update_finished"]
    assert len(updates) > 4
    resumable = [name for name, part in told.items() if name.count(" ") == 1 and part[0] is True]
    assert len(resumable) == 2
    # Checkpoints fall into the middle of windows and of episodes.
    last = resumable[-1]
    assert told[f"{last} shared.reward_scale.running"][2].strip(b"\0")


def lives(
    nursery: Nursery, home: Path, whole: Whole, moments: Callable[[], dict[str, Any]]
) -> list[dict[str, Any]]:
    """Kill and resume until the run is through; how each life was ended."""
    ended: list[dict[str, Any]] = []
    home.mkdir()
    while len(ended) < 60:
        fate = moments()
        begun = (home / FOLDER).exists() and RunFolder.open(home / FOLDER).checkpoints()
        if begun:
            order = {"resume": str(FOLDER), "threads": 1 + len(ended) % 2}
        else:
            # Nothing to go on with: begun anew, as the error of a resume would say.
            shutil.rmtree(home / "runs", ignore_errors=True)
            order = {"config": whole.config}
        end = nursery.life(home, **order, **fate)
        ended.append(fate)
        assert end["code"] in (0, -signal.SIGKILL), ended
        if end["code"] == 0:
            return ended
    raise AssertionError(f"no end after {ended}")


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("seed", [1, 2])
def test_killed_at_the_disk(
    name: str, seed: int, nursery: Nursery, wholes: dict[str, Whole], tmp_path: Path
) -> None:
    """Ahead of any call that changes the disk, the order in which a kill hurts most."""
    whole, draw = wholes[name], random.Random(seed)
    kills = iter([draw.randrange(whole.calls), *(draw.randrange(whole.calls // 2) for _ in "...")])

    def moments() -> dict[str, Any]:
        return {"die_at": next(kills, None)}

    ended = lives(nursery, tmp_path / "home", whole, moments)
    assert_same(tmp_path / "home" / FOLDER, whole.story, str(ended))
    assert len(ended) >= 2


@pytest.mark.parametrize("name", CONFIGS)
def test_killed_by_the_clock(
    name: str, nursery: Nursery, wholes: dict[str, Whole], tmp_path: Path
) -> None:
    """At any moment, most of them in the middle of learning."""
    whole, draw = wholes[name], random.Random(9)
    kills = iter([draw.uniform(0.2, 0.7) * whole.seconds for _ in "...."])

    def moments() -> dict[str, Any]:
        return {"kill_after": next(kills, None)}

    ended = lives(nursery, tmp_path / "home", whole, moments)
    assert_same(tmp_path / "home" / FOLDER, whole.story, str(ended))


@pytest.mark.parametrize("name", CONFIGS)
def test_killed_between_the_last_checkpoint_and_the_end(
    name: str, nursery: Nursery, wholes: dict[str, Whole], tmp_path: Path
) -> None:
    """The last window is incomplete, and written once."""
    whole = wholes[name]
    for back in (3, 9):
        home = tmp_path / str(back)
        fates = iter([{"die_at": whole.calls - back}, {"die_at": None}])
        ended = lives(nursery, home, whole, lambda fates=fates: next(fates))
        assert len(ended) == 2
        assert_same(home / FOLDER, whole.story, f"{back} calls before the end")


# In this process


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place of its own, on a disk that does not let us wait."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "fsync", lambda handle: None)
    settle(monkeypatch)
    return tmp_path


@pytest.mark.parametrize("name", CONFIGS)
def test_stopped_on_request(name: str, wholes: dict[str, Whole], home: Path) -> None:
    answers = iter([False, True])
    outcome = training.start(config_of(name), stop=lambda: next(answers))
    assert outcome.status == "interrupted"
    assert RunFolder.open(FOLDER).status() == "interrupted"
    again = training.resume(FOLDER, stop=lambda: True)
    assert again.status == "interrupted"
    assert again.env_steps_total > outcome.env_steps_total
    end = training.resume(FOLDER)
    assert end.status == "completed"
    assert_same(FOLDER, wholes[name].story)
    best = [one for one in wholes[name].story["index"] if "best_so_far" in one["tags"]]
    assert end.best_replay is not None
    assert end.best_replay.replay_id == best[-1]["replay_id"]
    kinds = [event["kind"] for event in RunFolder.open(FOLDER).events()]
    assert kinds.count("run_resumed") == 2


def test_interrupted_by_force(wholes: dict[str, Whole], home: Path) -> None:
    """Ctrl-C in the middle of an update."""
    told = 0

    def impatient(progress: training.Progress) -> None:
        nonlocal told
        told += 1
        if told == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        training.start(config_of("lanterns"), tell=impatient)
    assert RunFolder.open(FOLDER).status() == "interrupted"
    training.resume(FOLDER)
    assert_same(FOLDER, wholes["lanterns"].story)


def test_a_run_that_is_complete_stays_as_it_is(wholes: dict[str, Whole], home: Path) -> None:
    first = training.start(config_of("lanterns"))
    again = training.resume(FOLDER)
    assert again.env_steps_total == first.env_steps_total
    assert again.status == "completed"
    assert_same(FOLDER, wholes["lanterns"].story)


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("prospector", "trainer.safetensors"),
        ("lanterns", "policy.safetensors"),
        ("lanterns", "worlds.zst"),
    ],
)
def test_a_damaged_checkpoint_is_passed_over(
    name: str, part: str, wholes: dict[str, Whole], home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    answers = iter([False, False, True])
    training.start(config_of(name), stop=lambda: next(answers))
    newest = RunFolder.open(FOLDER).checkpoints()[-1]
    spoilt = newest.folder / part
    content = bytearray(spoilt.read_bytes())
    content[len(content) // 2] ^= 1
    spoilt.write_bytes(content)
    training.resume(FOLDER)
    assert f"checkpoint of window {newest.window_id} passed over" in caplog.text
    assert_same(FOLDER, wholes[name].story)


def test_a_run_without_a_checkpoint_says_so(home: Path) -> None:
    def at_once(progress: training.Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        training.start(config_of("lanterns"), tell=at_once)
    with pytest.raises(NoCheckpointError, match="start a new run"):
        training.resume(FOLDER)


@pytest.mark.parametrize(("name", "lasting"), [("prospector", False), ("lanterns", True)])
def test_a_full_disk_leaves_a_run_to_go_on_with(
    name: str,
    lasting: bool,
    wholes: dict[str, Whole],
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Full for one call, or for every call until somebody makes room."""
    draw = random.Random(4)
    begin = [lambda: training.start(config_of(name)), lambda: training.resume(FOLDER)]
    for train, first in zip(begin, (50, 5), strict=True):
        with monkeypatch.context() as patch:
            disk_that_fills(patch, draw.randrange(first, first + 35), lasting)
            with pytest.raises(WriteError, match="No space left") as caught:
                train()
            assert caught.value.errno == errno.ENOSPC
        status = RunFolder.open(FOLDER).status()
        assert status == ("killed" if lasting else "failed")
    training.resume(FOLDER)
    assert_same(FOLDER, wholes[name].story)


def disk_that_fills(patch: pytest.MonkeyPatch, at: int, lasting: bool) -> None:
    """Writing fails at a call and perhaps ever after."""
    calls = 0

    def wrapped(call: Callable[..., Any]) -> Callable[..., Any]:
        def writing(*args: Any, **kwargs: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == at or (lasting and calls > at):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return call(*args, **kwargs)

        return writing

    for name in ("pwrite", "replace"):
        patch.setattr(os, name, wrapped(getattr(os, name)))
