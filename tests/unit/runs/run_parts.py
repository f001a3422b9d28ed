"""A small made-up training run, the same every time: what the tests of runs are about."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from astrarium.runs import Checkpoint, Replay, RunFacts, RunWriter, documents

MOMENT = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)
CONFIG = {"world": {"id": "prospector-v2"}, "seed": 3}


def facts(**changed: Any) -> RunFacts:
    """What is known of the run before it begins."""
    told: dict[str, Any] = {
        "trainer_backend": "ppo",
        "target_env_steps": 40,
        "window_env_steps": 10,
        "world": "prospector-v2",
        "machine": {"cpu": "abacus"},
        "commit": "0123456789ab+dirty",
        "info_metric_keys": ("credits",),
        "extra": {"ppo_device": "cpu"},
    }
    return RunFacts(**(told | changed))


def still() -> datetime:
    """A clock that stands, so that two runs have the same times."""
    return MOMENT


def ticking() -> Callable[[], datetime]:
    """A clock that moves on a second with every look."""
    looks = iter(range(1_000_000))
    return lambda: MOMENT + timedelta(seconds=next(looks))


def row(window_id: int, **changed: Any) -> dict[str, Any]:
    """The row of a window."""
    return {
        "run_id": "run",
        "window_id": window_id,
        "window_complete": True,
        "env_steps_start": window_id * 10,
        "env_steps_end": window_id * 10 + 10,
        "env_steps_in_window": 10,
        "env_steps_total": window_id * 10 + 10,
        "episodes_completed": 2,
        "reward_mean": 0.5 * window_id,
        "survival_rate": None,
    } | changed


def checkpoint(window_id: int) -> Checkpoint:
    """The checkpoint of a window; every one is different."""
    return Checkpoint(
        window_id=window_id,
        env_steps_total=window_id * 10 + 10,
        policy={"actor.weight": np.full((3, 2), window_id, np.float32)},
        trainer={"adam.step": np.array(window_id, np.int64), "returns": np.zeros((4, 1))},
        worlds=b"worlds " * (window_id + 1),
        state={
            "policy_arch": "mlp-8-tanh-v1",
            "obs_shape": [4],
            "heads": [3],
            "updates": window_id,
        },
    )


def header(**changed: Any) -> dict[str, Any]:
    """The header of a replay."""
    return {
        "kind": "header",
        "format": 1,
        "world": "prospector-v2",
        "world_config": {"time_max": 20.0},
        "config_hash": "00ff",
        "build": {"version": "0.1.0", "commit": "none"},
        "seed": (1 << 64) - 1,
        "policy": {"name": "greedy"},
        "action_names": [["hold", "mine", "sell"]],
        "obs_names": ["fuel", "hull"],
        "terms": ["sell", "fuel"],
        "events": ["fracture"],
        "agents": ["ship"],
    } | changed


def frame(index: int, **changed: Any) -> dict[str, Any]:
    """One frame of a replay."""
    return {
        "schema_version": 1,
        "frame_index": index,
        "t": 2 * index + 2,
        "dt": 2,
        "action": index % 3,
        "reward": -0.25,
        "terminated": False,
        "truncated": False,
        "render_state": {"observation": [0.5, index / 8]},
        "events": [],
        "info": {"credits": 1.0},
        "digest": f"{index:016x}",
        "terms": {"sell": 0.0, "fuel": -0.25},
        "policy": None,
    } | changed


def replay(mark: int = 0, frames: int = 4) -> Replay:
    """A replay; another `mark` is another episode."""
    return Replay(header(seed=mark), [frame(index) for index in range(frames)])


OUTCOME: dict[str, Any] = {
    "return_total": -1.0,
    "steps": 4,
    "profit": 120.0,
    "survival": 1.0,
    "terminated": True,
    "truncated": False,
}


def new_run(root: Path, **changed: Any) -> RunWriter:
    """A run called `run`, without anything in it."""
    told: dict[str, Any] = {"run_id": "run", "now": still} | changed
    return RunWriter.create(root, CONFIG, facts(), **told)


def up_to_checkpoint(writer: RunWriter, window_id: int) -> None:
    """The first half of a trainer's work on a window."""
    writer.append_event({"kind": "update", "window_id": window_id})
    writer.append_window(row(window_id))
    writer.update(ppo_policy_updates=window_id)
    writer.save_checkpoint(checkpoint(window_id))


def after_checkpoint(writer: RunWriter, window_id: int) -> None:
    """The second half, which a resumed run does again."""
    writer.append_event({"kind": "checkpoint", "window_id": window_id})
    writer.add_replay(replay(window_id), **(OUTCOME | {"return_total": float(window_id % 3)}))


def train(writer: RunWriter, windows: range) -> None:
    """Whole windows."""
    for window_id in windows:
        up_to_checkpoint(writer, window_id)
        after_checkpoint(writer, window_id)


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file of a run by path, without its lock."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "run.lock"
    }


def edited(place: Path, **fields: Any) -> None:
    """Change a document of a run as its writer would, seal included."""
    documents.write(place, documents.read(place, dict[str, Any]) | fields)


def story_of(folder: Path) -> dict[str, Any]:
    """The same without what tells of resumes: equal for runs that did the same."""
    files: dict[str, Any] = dict(files_of(folder))
    state = files["run_metadata.json"] = json.loads(files["run_metadata.json"])
    del state["resumes"], state["seal"]
    for name in files:
        if name.endswith("manifest.json"):
            files[name] = json.loads(files[name])
            del files[name]["metadata"]["resumes"], files[name]["seal"]
    return files
