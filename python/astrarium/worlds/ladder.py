"""The bot runner: every scripted player of a world on the same episodes, side by side.

Episode i of every player has seed `seed + i`, and all episodes of a player run in one batch. A
world that ends begins anew with the others and is no longer looked at; once most have ended, the
rest goes on in a smaller batch. Neither changes an episode: a world's course depends on its seed
and its actions only.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from astrarium.errors import ConfigError, SeedError, did_you_mean
from astrarium.worlds.config import WorldConfig, parse_config
from astrarium.worlds.frames import INVALID, TICKS
from astrarium.worlds.orders import placed
from astrarium.worlds.random_legal import random_legal
from astrarium.worlds.registry import Bot, WorldEntry
from astrarium.worlds.vector import Actions, Floats, VectorWorld, Words

RANDOM: Final = "random_legal"
_MEDIANS: Final = ("return_total", "net_profit")
_CONFIDENCE_95: Final = 1.959964
_SHRINK_BELOW: Final = 0.5

Policy = Callable[[VectorWorld, int], Actions]
"""From a batch and the number of steps taken so far to actions (n, m, H); controls go straight to
the batch."""
Progress = Callable[[str, int, int], None]
"""Told after every step: the player, its episodes that have ended, its steps so far."""
Places = npt.NDArray[np.intp]
Watch = Callable[[VectorWorld, Places, Places], None]
"""Shown every step: the batch, the episodes that took part in it, and their places in the batch."""


@runtime_checkable
class Remembering(Protocol):
    """A policy that keeps notes on the episodes of its batch, by their places."""

    def kept(self, places: Places) -> None:
        """The batch has shrunk to these places, in this order."""
        ...


@dataclass(frozen=True, slots=True)
class Rules:
    """What all players of a ladder have in common."""

    episodes: int = 100
    seed: int = 7
    steps_max: int = 30_000
    """Steps after which an episode is given up."""
    threads: int = 1

    def words(self) -> str:
        """Which episodes are played, in a few words."""
        if self.episodes == 1:
            return f"1 episode each, seed {self.seed}"
        last = self.seed + self.episodes - 1
        return f"{self.episodes:,} episodes each, seeds {self.seed} to {last}"


@dataclass(frozen=True, slots=True)
class Record:
    """All episodes of one player; every column has one entry per episode, in order of seeds."""

    bot: str
    columns: dict[str, npt.NDArray[Any]]
    digest: str
    """Of every figure above and the last observations: equal on every machine of a platform."""
    seconds: float

    def rows(self) -> list[dict[str, Any]]:
        """One dictionary per episode."""
        lists = {name: column.tolist() for name, column in self.columns.items()}
        count = len(self.columns["seed"])
        return [
            {"bot": self.bot, **{name: values[at] for name, values in lists.items()}}
            for at in range(count)
        ]

    def summary(self) -> dict[str, Any]:
        """The player in one row: totals, means, and medians where a mean misleads."""
        columns = self.columns
        figures = {name: column for name, column in columns.items() if column.dtype.kind == "f"}
        steps = int(columns["steps"].sum())
        return_spread = float(columns["return_total"].std(ddof=1)) if len(self) > 1 else 0.0
        return {
            "episode_count": len(self),
            "terminated_count": int(columns["terminated"].sum()),
            "truncated_count": int(columns["truncated"].sum()),
            "guard_truncated_count": int(columns["guard_truncated"].sum()),
            "steps_total": steps,
            "dt_total": int(columns["dt_total"].sum()),
            "steps_mean": float(columns["steps"].mean()),
            "dt_mean": float(columns["dt_total"].mean()),
            **{_mean_name(name): float(column.mean()) for name, column in figures.items()},
            **{
                f"{name.removesuffix('_total')}_median": float(np.median(columns[name]))
                for name in _MEDIANS
                if name in columns
            },
            "return_ci95": _CONFIDENCE_95 * return_spread / math.sqrt(len(self)),
            "invalid_action_rate_global": int(columns["invalid_actions"].sum()) / max(1, steps),
        }

    def __len__(self) -> int:
        return len(self.columns["seed"])


def _mean_name(column: str) -> str:
    return {"return_total": "return_mean", "survival": "survival_rate"}.get(
        column, f"{column}_mean"
    )


def policies(entry: WorldEntry, names: Sequence[str] | None = None) -> dict[str, Policy]:
    """The world's players by name: chance, its bots, its oracles; or only those asked for."""
    known: dict[str, Policy] = {RANDOM: random_legal}
    known |= {name: _seeing(bot) for name, bot in entry.bots.items()}
    known |= {name: _Planning(make) for name, make in entry.oracles.items()}
    for name in names or ():
        if name not in known:
            raise ConfigError(
                f"{entry.id} has no bot called {name!r}{did_you_mean(name, known)} "
                f"(known: {', '.join(known)})"
            )
    return {name: known[name] for name in names} if names else known


def _seeing(bot: Bot) -> Policy:
    return lambda world, step: placed(world, bot(world.obs, world.mask))


class _Planning:
    """An oracle: made for the episodes of a batch, it keeps notes on them by their places."""

    def __init__(self, make: Callable[[VectorWorld], Bot]) -> None:
        self._make = make
        self._bot: Bot | None = None

    def __call__(self, world: VectorWorld, step: int) -> Actions:
        if step == 0 or self._bot is None:
            self._bot = self._make(world)
        return placed(world, self._bot(world.obs, world.mask))


def play(
    entry: WorldEntry,
    name: str,
    policy: Policy,
    rules: Rules,
    config: WorldConfig | None = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> Record:
    """Run every episode of one player."""
    if rules.seed + rules.episodes > 1 << 64:
        raise SeedError(
            f"episode {rules.episodes - 1} would have seed {rules.seed + rules.episodes - 1}; "
            "the last is 2**64 - 1, so begin with a smaller seed"
        )
    settings = parse_config(entry.config, config, where=entry.id)
    world = entry.make(settings, rules.episodes, rules.threads, "same_step")
    seeds = np.uint64(rules.seed) + np.arange(rules.episodes, dtype=np.uint64)
    world.reset_with_seeds(seeds)
    table = _Table(world, seeds)
    began = time.perf_counter()
    for step in range(rules.steps_max):
        world.step(policy(world, step))
        if watch is not None:
            watch(world, table.running, table.running_places)
        table.note(world)
        if progress is not None:
            progress(name, table.ended_count, table.steps_total)
        if len(table.running) == 0:
            break
        shrinks = not isinstance(policy, _Planning)
        if shrinks and len(table.running) < _SHRINK_BELOW * world.num_worlds:
            kept = world.fork(table.running_places, threads=rules.threads)
            world.close()
            world = kept
            _tell(policy, table.running_places)
            table.moved()
    table.give_up(world)
    world.close()
    seconds = time.perf_counter() - began
    return Record(name, table.columns(), table.digest(), seconds)


def _tell(policy: object, places: Places) -> None:
    """Say that the batch has shrunk, to a policy that wants to know."""
    if isinstance(policy, Remembering):
        policy.kept(places)


class _Table:
    """What is known of each episode while they run."""

    def __init__(self, world: VectorWorld, seeds: Words) -> None:
        count, layout = len(seeds), world.layout
        self._layout = layout
        self._seeds = seeds
        self._ticks_at = layout.stats.index(TICKS) if TICKS in layout.stats else None
        has_invalid = INVALID in layout.events
        self._invalid_bit = 1 << layout.events.index(INVALID) if has_invalid else 0
        self.running = np.arange(count)
        """Episodes still going on; entry k is about the world at `running_places[k]`."""
        self.running_places = np.arange(count)
        self._steps = np.zeros(count, np.int64)
        self._ticks = np.zeros(count, np.int64)
        self._returns = np.zeros(count, np.float64)
        self._invalid = np.zeros(count, np.int64)
        self._terminated = np.zeros(count, np.bool_)
        self._truncated = np.zeros(count, np.bool_)
        self._given_up = np.zeros(count, np.bool_)
        self._stats: Floats = np.zeros((count, len(layout.stats)), np.float32)
        self._last_obs: Floats = np.zeros((count, layout.agents, layout.obs_dim), np.float32)

    @property
    def ended_count(self) -> int:
        """Episodes that are over."""
        return len(self._seeds) - len(self.running)

    @property
    def steps_total(self) -> int:
        """Steps of all episodes so far."""
        return int(self._steps.sum())

    def note(self, world: VectorWorld) -> None:
        """Take in what the last step did to the running episodes."""
        who, at = self.running, self.running_places
        self._steps[who] += 1
        self._returns[who] += world.reward[at].sum(axis=1, dtype=np.float64)
        if self._ticks_at is None:
            self._ticks[who] += 1
        else:
            self._ticks[who] += world.stats[at, self._ticks_at].astype(np.int64)
        if self._invalid_bit:
            self._invalid[who] += (world.events[at] & self._invalid_bit).any(axis=1)
        # Every world began at episode 0 and moves on in the step that ends it.
        over = world.episode[at] != 0
        if over.any():
            done, places = who[over], at[over]
            self._terminated[done] = world.terminated[places].any(axis=1)
            self._truncated[done] = world.truncated[places].any(axis=1)
            self._stats[done] = world.stats[places]
            self._last_obs[done] = world.final_obs[places]
            self.running, self.running_places = who[~over], at[~over]

    def moved(self) -> None:
        """The running episodes are now the whole batch, in the same order."""
        self.running_places = np.arange(len(self.running))

    def give_up(self, world: VectorWorld) -> None:
        """Close the books on episodes that never ended."""
        who, at = self.running, self.running_places
        self._given_up[who] = True
        self._stats[who] = world.stats[at]
        self._last_obs[who] = world.obs[at]

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """One array per figure: the runner's own, then the world's final ones by name."""
        final = {
            name: self._stats[:, at].astype(np.float64)
            for at, name in enumerate(self._layout.stats)
            if at != self._ticks_at
        }
        return {
            "seed": self._seeds,
            "steps": self._steps,
            "dt_total": self._ticks,
            "return_total": self._returns,
            "terminated": self._terminated,
            "truncated": self._truncated,
            "guard_truncated": self._given_up,
            "invalid_actions": self._invalid,
            "invalid_action_rate": self._invalid / np.maximum(self._steps, 1),
            **final,
        }

    def digest(self) -> str:
        """All figures and last observations in eight bytes."""
        whole = hashlib.blake2b(digest_size=8)
        for column in self.columns().values():
            whole.update(np.ascontiguousarray(column).tobytes())
        whole.update(self._last_obs.tobytes())
        return whole.hexdigest()


def digest_of(records: Iterable[Record]) -> str:
    """One digest for a whole ladder, players in order."""
    whole = hashlib.blake2b(digest_size=8)
    for record in records:
        whole.update(f"{record.bot}={record.digest};".encode())
    return whole.hexdigest()


def report(
    records: Sequence[Record], entry: WorldEntry, rules: Rules, config: WorldConfig
) -> Mapping[str, Any]:
    """The ladder's part of a report: what was played, every episode, and the summary."""
    return {
        "config": {
            "world": entry.id,
            "world_config": config.model_dump(),
            "episodes": rules.episodes,
            "seed": rules.seed,
            "steps_max": rules.steps_max,
            "threads": rules.threads,
        },
        "bots": {record.bot: record.rows() for record in records},
        "summary": {record.bot: record.summary() for record in records},
        "digest": digest_of(records),
    }
