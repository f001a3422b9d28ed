"""Small training runs that are born in a nursery, and what they did with their lives."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from astrarium.runs import TIMING_FIELDS, RunFolder
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
