"""A town that was lived in by scripted citizens, with everything that a picture must cope with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from served_runs import add_window

from astrarium import worlds
from astrarium.runs import Replay, RunFacts, RunWriter
from astrarium.train.recording import record
from astrarium.worlds import ladder

WORLD = "townlet-v1"
PEOPLE = ("alice", "bob", "carol", "dave", "erin", "frank")
TICKS = 320

EVENTFUL: dict[str, Any] = {
    "population": {"agents": len(PEOPLE), "names": PEOPLE},
    # So hungry that queues form, quarrels break out and somebody has to leave.
    "rewards": {"decay_rates": {"hunger": 0.010, "hygiene": 0.005, "energy": 0.008}},
    "features": {"allow_unlivable": True},
    "perturbations": {
        "enabled": True,
        "specs": {
            "blackout": {
                "kind": "blackout",
                "prob_per_day": 1.0,
                "cooldown_ticks": 10_000,
                "duration": [60, 60],
            }
        },
    },
}
"""Six people in trouble, and the power goes out at once."""
CROWDED: dict[str, Any] = {
    "population": {"agents": 64},
    "features": {"allow_unlivable": True},
}
PLANNED: dict[str, Any] = {
    "population": {"agents": 2},
    "features": {"allow_unlivable": True},
    "world": {
        "layout": ["." * 30 + "CCTTq" + "." * 13 if y == 40 else "." * 48 for y in range(48)]
    },
}
"""A counter, two tables and a place in line where there is nothing else."""


def lived(settings: dict[str, Any], ticks: int) -> Replay:
    """An episode of the scripted citizens."""
    entry = worlds.get(WORLD)
    policy = ladder.policies(entry, ["citizens"])["citizens"]
    rules = ladder.Rules(episodes=1, seed=17, steps_max=ticks)
    config = entry.config.model_validate(settings)
    (kept,) = record(entry, "citizens", policy, rules, config).kept
    return kept.replay


def write_town(root: Path, run_id: str, replay: Replay) -> None:
    """A run with that replay."""
    config = {"world": {"id": WORLD, "settings": {}}, "run": {"seed": 17}}
    facts = RunFacts("ppo", 20, 10, WORLD, {"cpu": "abacus"}, "0123abc", ())
    writer = RunWriter.create(root, config, facts, run_id)
    add_window(writer, 0)
    writer.add_replay(
        replay,
        return_total=-1.0,
        steps=len(replay.frames),
        profit=None,
        survival=None,
        terminated=False,
        truncated=False,
    )
    writer.finish()
