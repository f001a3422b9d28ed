"""Run folders whose policies are bots: everything about a run but the learning."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from astrarium import worlds
from astrarium.runs import Checkpoint, RunFacts, RunFolder, RunWriter
from astrarium.train.recording import record, window_seed
from astrarium.worlds import VectorWorld, ladder

OFFSET = 100_000
POLICY = "bot"
"""The array a checkpoint keeps: the letters of the bot's name."""


def write_run(
    root: Path,
    run_id: str = "run",
    *,
    world: str = "prospector-v2",
    settings: Mapping[str, Any] | None = None,
    bots: Sequence[str] = ("greedy_miner", "cautious_scanner"),
    returns: Sequence[float | None] = (2.0, 1.0),
    seed: int = 0,
    replays: bool = True,
    last_complete: bool = True,
    **run_settings: Any,
) -> RunFolder:
    """A completed run with a window, a checkpoint and a replay for each of `bots`."""
    config = {
        "world": {"id": world, "settings": dict(settings or {})},
        "run": {"seed": seed, "eval_seed_offset": OFFSET, "eval_episodes": 2, **run_settings},
    }
    facts = RunFacts("ppo", 20, 10, world, {}, "0123abc", ())
    writer = RunWriter.create(root, config, facts, run_id)
    for window_id, (bot, return_mean) in enumerate(zip(bots, returns, strict=True)):
        whole = last_complete or window_id < len(bots) - 1
        writer.append_window(_row(window_id, return_mean) | {"window_complete": whole})
        writer.save_checkpoint(_checkpoint(window_id, bot))
        if replays:
            _add_replay(writer, world, settings or {}, bot, window_id, seed)
    writer.finish()
    return RunFolder.open(writer.folder)


def _row(window_id: int, return_mean: float | None) -> dict[str, Any]:
    return {
        "window_id": window_id,
        "window_complete": True,
        "env_steps_start": window_id * 10,
        "env_steps_end": window_id * 10 + 10,
        "env_steps_in_window": 10,
        "env_steps_total": window_id * 10 + 10,
        "episodes_completed": 1,
        "return_mean": return_mean,
    }


def _checkpoint(window_id: int, bot: str) -> Checkpoint:
    return Checkpoint(
        window_id=window_id,
        env_steps_total=window_id * 10 + 10,
        policy={POLICY: np.frombuffer(bot.encode(), np.uint8)},
        trainer={},
        worlds=b"worlds",
        state={"policy_arch": "bot", "obs_shape": [260], "heads": [69]},
    )


def _add_replay(
    writer: RunWriter, world: str, settings: Mapping[str, Any], bot: str, window_id: int, seed: int
) -> None:
    entry = worlds.get(world)
    first = window_seed(seed, OFFSET, window_id)
    rules = ladder.Rules(episodes=2, seed=first, steps_max=60)
    policy = ladder.policies(entry, [bot])[bot]
    (kept,) = record(entry, bot, policy, rules, entry.config(**settings)).kept
    writer.add_replay(
        kept.replay,
        return_total=kept.episode["return_total"],
        steps=kept.episode["steps"],
        profit=kept.episode.get("net_profit"),
        survival=kept.episode.get("survival"),
        terminated=kept.episode["terminated"],
        truncated=kept.episode["truncated"],
    )


def play_bots(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Let checkpoints of `write_run` be loaded as players; every loading is noted."""
    loaded: list[dict[str, Any]] = []

    def load_player(run: RunFolder, window: int | None = None, **told: Any) -> ladder.Policy:
        loaded.append({"run": run.run_id, "window": window, **told})
        held = run.load_checkpoint("latest" if window is None else window).policy[POLICY]
        name = held.tobytes().decode()

        def player(world: VectorWorld, step: int) -> Any:
            return ladder.policies(worlds.get(world.world_id), [name])[name](world, step)

        return player

    fake = SimpleNamespace(load_player=load_player)
    monkeypatch.setitem(sys.modules, "astrarium.train.player", fake)
    return loaded
