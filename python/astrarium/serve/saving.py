"""Episodes played by hand, written as runs of their own."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from astrarium import machine
from astrarium.runs import RunFacts, RunWriter
from astrarium.runs.moments import utc_now
from astrarium.runs.replay_index import HUMAN
from astrarium.train.recording import replay_of
from astrarium.worlds import WorldConfig, WorldEntry
from astrarium.worlds.vector import Actions, Floats


@dataclass(frozen=True, slots=True)
class Saved:
    """Where an episode was written."""

    run_id: str
    replay_id: str


@dataclass(frozen=True, slots=True)
class Episode:
    """What was played, and what it came to."""

    entry: WorldEntry
    config: WorldConfig
    seed: int
    orders: Sequence[tuple[Actions, Floats]]
    return_total: float
    ticks: int
    stats: Mapping[str, float]
    terminated: bool
    truncated: bool


def write_run(episode: Episode, root: Path) -> Saved:
    """Play the orders once more, record that, and write it below `root`."""
    entry, stats, commit = episode.entry, episode.stats, _machine()["commit"]
    replay = replay_of(
        entry,
        episode.config,
        episode.seed,
        episode.orders,
        about={"name": HUMAN},
        commit=commit,
    )
    run_id = f"{HUMAN}-{utc_now():%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}"
    writer = RunWriter.create(root, _config(episode), _facts(episode, commit), run_id)
    try:
        kept = writer.add_replay(
            replay,
            return_total=episode.return_total,
            steps=len(episode.orders),
            profit=stats.get(entry.outcomes.get("profit_mean", "")),
            survival=stats.get(entry.outcomes.get("survival_rate", "")),
            terminated=episode.terminated,
            truncated=episode.truncated,
            played_by=HUMAN,
        )
        writer.finish()
    except BaseException as error:
        writer.fail(error)
        raise
    return Saved(run_id, kept.replay_id)


def _config(episode: Episode) -> dict[str, Any]:
    settings = episode.config.model_dump(mode="json")
    return {
        "world": {"id": episode.entry.id, "settings": settings, "worlds": 1},
        "run": {"seed": episode.seed},
    }


def _facts(episode: Episode, commit: str) -> RunFacts:
    return RunFacts(
        trainer_backend=HUMAN,
        target_env_steps=episode.ticks,
        window_env_steps=max(1, episode.ticks),
        world=episode.entry.id,
        machine=_machine(),
        commit=commit,
        info_metric_keys=tuple(episode.stats),
    )


@cache
def _machine() -> dict[str, Any]:
    """Asking the system and git takes a while, and the answer stays the same."""
    return asdict(machine.facts())
