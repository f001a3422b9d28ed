"""Run folders to be served, written by the writer of runs, and a server with a socket."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import uvicorn

from astrarium import worlds
from astrarium.runs import Checkpoint, Replay, RunFacts, RunWriter
from astrarium.serve.running import config_of
from astrarium.serve.settings import Settings
from astrarium.train.recording import Recorded, record
from astrarium.worlds import ladder

WORLD = "prospector-v2"


@cache
def recorded(bot: str = "hauler", seed: int = 11, steps: int = 60) -> Recorded:
    """A real episode of a bot, cut after some steps."""
    entry = worlds.get(WORLD)
    policy = ladder.policies(entry, [bot])[bot]
    rules = ladder.Rules(episodes=1, seed=seed, steps_max=steps)
    (kept,) = record(entry, bot, policy, rules).kept
    return kept


def long_replay(frames: int, mark: int = 0) -> Replay:
    """A replay of many frames, each a real one under another number."""
    real = recorded().replay
    pattern = real.frames
    return Replay(
        {**real.header, "seed": mark},
        [{**pattern[at % len(pattern)], "frame_index": at, "t": at + 1} for at in range(frames)],
    )


def row(window_id: int, **changed: Any) -> dict[str, Any]:
    """The row of a window."""
    return {
        "window_id": window_id,
        "window_complete": True,
        "env_steps_start": window_id * 10,
        "env_steps_end": window_id * 10 + 10,
        "env_steps_in_window": 10,
        "env_steps_total": window_id * 10 + 10,
        "episodes_completed": 1,
        "reward_mean": 0.5,
        "return_mean": float(window_id),
        "profit_mean": None,
        "survival_rate": None,
        "overheat_ticks_mean": 0.0,
        "pirate_encounters_mean": 0.0,
        "value_lost_to_pirates_mean": 0.0,
        "mining_ticks_mean": 1.0,
        "scan_count_mean": 1.0,
    } | changed


def new_run(root: Path, run_id: str = "run", *, seed: int = 3) -> RunWriter:
    """A run that has begun."""
    config = {"world": {"id": WORLD, "settings": {}}, "run": {"seed": seed}}
    facts = RunFacts("ppo", 20, 10, WORLD, {"cpu": "abacus"}, "0123abc", ("credits",))
    return RunWriter.create(root, config, facts, run_id)


def add_window(writer: RunWriter, window_id: int) -> None:
    """A window with its checkpoint."""
    writer.append_window(row(window_id))
    writer.save_checkpoint(
        Checkpoint(
            window_id=window_id,
            env_steps_total=window_id * 10 + 10,
            policy={"weights": np.zeros(2, np.float32)},
            trainer={},
            worlds=b"worlds",
            state={"policy_arch": "none", "obs_shape": [260], "heads": [69]},
        )
    )


def add_replay(writer: RunWriter, replay: Replay, return_total: float = 1.0) -> str:
    """A replay of the latest checkpoint; its id."""
    entry = writer.add_replay(
        replay,
        return_total=return_total,
        steps=len(replay.frames),
        profit=120.0,
        survival=1.0,
        terminated=True,
        truncated=False,
    )
    return entry.replay_id


def write_run(root: Path, run_id: str = "run", *, windows: int = 2, frames: int = 60) -> list[str]:
    """A completed run with a replay for each window; their ids."""
    writer = new_run(root, run_id)
    ids: list[str] = []
    for window_id in range(windows):
        add_window(writer, window_id)
        replay = long_replay(frames, mark=window_id)
        ids.append(add_replay(writer, replay, return_total=float(window_id)))
    writer.finish()
    return ids


@contextlib.contextmanager
def served(settings: Settings, app: Any = None, **changed: Any) -> Iterator[str]:
    """A server in a thread: its address."""
    config = config_of(settings, **{"port": 0, "log_level": "error", **changed})
    if app is not None:
        config.app = app
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 30
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        assert time.monotonic() < deadline, "the server takes too long to start"
        time.sleep(0.01)
    host, port = server.servers[0].sockets[0].getsockname()[:2]
    try:
        yield f"{host}:{port}"
    finally:
        server.should_exit = True
        thread.join(30)
        assert not thread.is_alive(), "the server did not end"
