"""Battles that doctrines fought, for looking at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from served_runs import add_window

from astrarium import worlds
from astrarium.runs import Replay, RunFacts, RunWriter
from astrarium.train.recording import record
from astrarium.worlds import ladder

WORLD = "tidebreak-v1"
CONVOY: dict[str, Any] = {"scenario": "convoy_escort", "side": "both"}
DUEL: dict[str, Any] = {"scenario": "duel"}


def fought(settings: dict[str, Any], seconds: int, seed: int = 5) -> Replay:
    """A battle between two sides that both fight in line."""
    entry = worlds.get(WORLD)
    policy = ladder.policies(entry, ["line"])["line"]
    rules = ladder.Rules(episodes=1, seed=seed, steps_max=seconds)
    config = entry.config.model_validate(settings)
    (kept,) = record(entry, "line", policy, rules, config).kept
    return kept.replay


def write_battle(root: Path, run_id: str, replay: Replay) -> None:
    """A run with that replay."""
    config = {"world": {"id": WORLD, "settings": {}}, "run": {"seed": 5}}
    facts = RunFacts("ppo", 20, 10, WORLD, {"cpu": "abacus"}, "0123abc", ())
    writer = RunWriter.create(root, config, facts, run_id)
    add_window(writer, 0)
    writer.add_replay(
        replay,
        return_total=0.0,
        steps=len(replay.frames),
        profit=None,
        survival=None,
        terminated=True,
        truncated=False,
    )
    writer.finish()
