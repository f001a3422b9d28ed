"""A training run that is killed, stopped or out of disk ends as if nothing had happened."""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from nursery import settle
from training_lives import CONFIGS, FOLDER, Nursery, Whole, assert_same, config_of

from astrarium.atomic import WriteError
from astrarium.runs import NoCheckpointError, RunFolder
from astrarium.train import training


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    made = Nursery()
    yield made
    made.close()


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
