"""Episodes played by hand, written as runs of their own."""

from __future__ import annotations

import os
import secrets
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from astrarium import machine
from astrarium.runs import RunFacts, RunWriter
from astrarium.runs.moments import utc_now
from astrarium.runs.replay_index import HUMAN
from astrarium.serve.problems import Problem
from astrarium.serve.settings import Settings
from astrarium.train.recording import replay_of
from astrarium.worlds import WorldConfig, WorldEntry
from astrarium.worlds.vector import Actions, Floats

_PREFIX: Final = f"{HUMAN}-"
_CLIENTS_MAX: Final = 10_000
"""Clients whose saves are remembered; those that saved longest ago go first."""


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


class Saves:
    """Room for saved episodes: bounded in all and for each client. For any number of threads."""

    def __init__(self, root: Path, settings: Settings) -> None:
        self._root = root
        self._settings = settings
        self._lock = threading.Lock()
        self._taken: set[str] = set()
        """Runs that are being written."""
        self._by_client: OrderedDict[str, set[str]] = OrderedDict()

    def take(self, client: str) -> str:
        """Take a place, and return the id of the run to write. Raises `Problem` where none is left.

        The count and the place are taken under one lock, so that no race exceeds the limit.
        """
        settings = self._settings
        run_id = f"{_PREFIX}{utc_now():%Y%m%dT%H%M%SZ}-{secrets.token_hex(6)}"
        with self._lock:
            kept = self._kept() | self._taken
            if len(kept) >= settings.human_runs_max:
                raise Problem(
                    409, f"{len(kept)} played episodes are kept already; delete some from the runs"
                )
            own = self._by_client.get(client, set()) & kept
            if len(own) >= settings.human_runs_per_client:
                raise Problem(
                    409, f"{len(own)} of your played episodes are kept already; delete some first"
                )
            self._taken.add(run_id)
            self._by_client[client] = own | {run_id}
            self._by_client.move_to_end(client)
            if len(self._by_client) > _CLIENTS_MAX:
                self._by_client.popitem(last=False)
        return run_id

    def done(self, run_id: str) -> None:
        """Note that a run was written, or that writing it failed; its folder tells which."""
        with self._lock:
            self._taken.discard(run_id)

    def _kept(self) -> set[str]:
        try:
            with os.scandir(self._root) as entries:
                return {one.name for one in entries if one.name.startswith(_PREFIX)}
        except (FileNotFoundError, NotADirectoryError):
            return set()


def write_run(episode: Episode, root: Path, run_id: str) -> Saved:
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
        kind="human",
    )


@cache
def _machine() -> dict[str, Any]:
    """Asking the system and git takes a while, and the answer stays the same."""
    return asdict(machine.facts())
