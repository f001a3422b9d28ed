"""Windows: what a run did in every so many ticks, one row each.

The unit is the tick, not the call. Within a step, worlds take their ticks one after another in the
order of the batch, so every tick has a place, every window has exactly its size, and a step across
a boundary is shared out: reward and metrics by ticks, the call and the end of an episode to the
window that holds the step's last tick.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from astrarium.errors import ConfigError
from astrarium.runs.errors import CheckpointError
from astrarium.worlds.frames import INVALID, TICKS
from astrarium.worlds.vector import Floats, Layout, VectorWorld

TIMING_FIELDS: Final = ("wall_seconds", "steps_per_second", "ticks_per_second")
"""What a trainer adds to a row; two runs that are equal may differ in these."""

_TICKS_MAX: Final = float(1 << 40)
"""Of one step of one world: a longer one is not a number of ticks."""

Counts = npt.NDArray[np.int64]
Sums = npt.NDArray[np.float64]

_COUNTS: Final = ("steps", "episodes", "terminated", "truncated", "worlds_ended", "invalid_ticks")


@dataclass(slots=True)
class _Tally:
    """What the open window holds so far."""

    outcomes: Sums
    """Sums of final figures, over worlds whose episode ended."""
    stats: Sums
    """Sums over ticks of running figures."""
    steps: int = 0
    episodes: int = 0
    terminated: int = 0
    truncated: int = 0
    worlds_ended: int = 0
    invalid_ticks: int = 0
    reward: float = 0.0
    returns: float = 0.0


_FIELDS: Final = (
    *("run_id", "window_id", "window_complete"),
    *("env_steps_start", "env_steps_end", "env_steps_in_window", "env_steps_total"),
    *("steps_in_window", "episodes_completed", "terminated_episodes", "truncated_episodes"),
    *("reward_sum", "reward_mean", "return_mean", "invalid_action_rate"),
    *TIMING_FIELDS,
)


def _mean_of(stat: str) -> str:
    return f"{stat}_mean"


def _finite(figures: Floats) -> Floats:
    """A figure that is not finite counts as 0."""
    return np.where(np.isfinite(figures), figures, np.float32(0))


class WindowMeter:
    """Turns the steps of one batch into rows of windows."""

    def __init__(
        self,
        run_id: str,
        layout: Layout,
        num_worlds: int,
        window_env_steps: int,
        outcomes: Mapping[str, str],
    ) -> None:
        """`outcomes` names rows after stats whose final values they are the mean of."""
        if window_env_steps < 1:
            raise ConfigError(f"window_env_steps is {window_env_steps}; give at least 1 tick")
        unknown = sorted(set(outcomes.values()) - set(layout.stats))
        if unknown:
            raise ConfigError(f"outcomes name {unknown}, but stats are {list(layout.stats)}")
        means = [_mean_of(stat) for stat in layout.stats]
        twice = sorted(({*outcomes} & {*means, *_FIELDS}) | ({*means} & {*_FIELDS}))
        if twice:
            raise ConfigError(
                f"a row would have {twice} twice; give that outcome or stat another name"
            )
        self._run_id = run_id
        self._layout = layout
        self._size = window_env_steps
        self._outcomes = dict(outcomes)
        self._outcome_columns = [layout.stats.index(stat) for stat in outcomes.values()]
        self._ticks_column = layout.stats.index(TICKS) if TICKS in layout.stats else None
        self._has_invalid = INVALID in layout.events
        self._invalid_bit = np.uint32(1 << layout.events.index(INVALID) if self._has_invalid else 0)
        self._one_tick: Counts = np.ones(num_worlds, np.int64)
        self._returns: Sums = np.zeros((num_worlds, layout.agents))
        self._episode = np.zeros(num_worlds, np.uint64)
        self._total = 0
        self._window_id = 0
        self._tally = self._empty()

    @property
    def env_steps_total(self) -> int:
        """Ticks so far."""
        return self._total

    def note(self, world: VectorWorld) -> list[dict[str, Any]]:
        """Take in the step the batch has just made; the rows of windows that it closed."""
        ticks = self._ticks_of(world)
        self._returns += world.reward
        total = self._total + int(np.add.reduce(ticks))
        if total <= self._window_end:
            self._add_ticks(world, slice(None), ticks, None)
            self._add_endings(world, slice(None))
            self._total = total
            rows = [self._close()] if total == self._window_end else []
        else:
            rows = self._share_out(world, ticks)
        if self._layout.agents > 1:
            self._episode[:] = world.episode
        return rows

    def partial(self) -> dict[str, Any] | None:
        """The row of the window that is still open; None where it holds nothing."""
        if self._total == self._window_id * self._size:
            return None
        return self._row(complete=False)

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Everything a meter made with the same arguments needs to go on from here."""
        tally = self._tally
        counts = [getattr(tally, name) for name in _COUNTS]
        return {
            "counts": np.array([self._size, self._total, self._window_id, *counts], np.int64),
            "sums": np.array([tally.reward, tally.returns, *tally.outcomes, *tally.stats]),
            "returns": self._returns.copy(),
            "episode": self._episode.copy(),
        }

    def load(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go on from what `state` gave."""
        own = self.state()
        for name, array in own.items():
            given = state.get(name)
            if given is None or given.shape != array.shape or given.dtype != array.dtype:
                found = "missing" if given is None else f"{given.dtype}{list(given.shape)}"
                raise CheckpointError(
                    f"the windows' {name} is {found} in place of {array.dtype}"
                    f"{list(array.shape)}; resume with the world and batch the run began with"
                )
        size, total, window_id, *counts = state["counts"].tolist()
        if size != self._size:
            raise CheckpointError(
                f"windows had {size} ticks, not {self._size}; resume with the same window_env_steps"
            )
        reward, returns = state["sums"][:2].tolist()
        outcomes, stats = np.split(state["sums"][2:], [len(self._outcomes)])
        self._total, self._window_id = total, window_id
        self._tally = _Tally(outcomes.copy(), stats.copy(), reward=reward, returns=returns)
        for name, count in zip(_COUNTS, counts, strict=True):
            setattr(self._tally, name, count)
        self._returns[:] = state["returns"]
        self._episode[:] = state["episode"]

    @property
    def _window_end(self) -> int:
        return (self._window_id + 1) * self._size

    def _empty(self) -> _Tally:
        return _Tally(np.zeros(len(self._outcomes)), np.zeros(len(self._layout.stats)))

    def _ticks_of(self, world: VectorWorld) -> Counts:
        if self._ticks_column is None:
            return self._one_tick
        told = world.stats[:, self._ticks_column].copy()
        # Written so that a NaN fails it; the cast below would make any number of it.
        if not (np.minimum.reduce(told) >= 1 and np.maximum.reduce(told) <= _TICKS_MAX):
            told = np.where((told >= 1) & (told <= _TICKS_MAX), told, np.float32(1))
        return told.astype(np.int64)

    def _share_out(self, world: VectorWorld, ticks: Counts) -> list[dict[str, Any]]:
        """A step with a boundary inside it."""
        rows: list[dict[str, Any]] = []
        ends = self._total + np.cumsum(ticks)
        first, count = 0, len(ends)
        while first < count:
            boundary = self._window_end
            done = int(np.searchsorted(ends, boundary, side="right"))
            part = slice(first, min(done + 1, count))
            starts = np.maximum(ends[part] - ticks[part], self._total)
            inside = np.minimum(ends[part], boundary) - starts
            self._add_ticks(world, part, inside, inside / ticks[part])
            self._add_endings(world, slice(first, done))
            self._total = min(boundary, int(ends[-1]))
            if self._total == boundary:
                rows.append(self._close())
            first = done
        return rows

    def _add_ticks(
        self, world: VectorWorld, part: slice, ticks: Counts, shares: Sums | None
    ) -> None:
        """Rewards and metrics of some worlds, for the given ticks of each."""
        tally = self._tally
        reward = world.reward[part]
        shared = reward if shares is None else reward * shares[:, None]
        tally.reward += float(np.add.reduce(shared, axis=None, dtype=np.float64))
        # Row after row, in double: a product of a float and a number of ticks is exact in it.
        weights, stats = ticks.astype(np.float64), world.stats[part]
        weighted = np.einsum("i,ij->j", weights, stats)
        if not math.isfinite(np.add.reduce(weighted)):
            weighted = np.einsum("i,ij->j", weights, _finite(stats))
        tally.stats += weighted
        if self._has_invalid:
            invalid = world.events[part] & self._invalid_bit
            if np.count_nonzero(invalid):
                tally.invalid_ticks += int(ticks[invalid.any(axis=1)].sum())

    def _add_endings(self, world: VectorWorld, part: slice) -> None:
        """Calls of some worlds, and the episodes that ended in them."""
        tally = self._tally
        terminated, truncated = world.terminated[part], world.truncated[part]
        tally.steps += len(terminated)
        ended = (terminated | truncated) != 0
        episodes = int(np.count_nonzero(ended))
        if episodes == 0:
            return
        tally.episodes += episodes
        tally.terminated += int(np.count_nonzero(terminated))
        tally.truncated += int(np.count_nonzero(truncated))
        returns = self._returns[part]
        tally.returns += float(np.add.reduce(returns[ended]))
        returns[ended] = 0.0
        over = ended[:, 0] if self._layout.agents == 1 else self._worlds_over(world, part, ended)
        places = np.flatnonzero(over)
        final = _finite(world.stats[part][places][:, self._outcome_columns])
        tally.outcomes += np.add.reduce(final, axis=0, dtype=np.float64)
        tally.worlds_ended += len(places)

    def _worlds_over(
        self, world: VectorWorld, part: slice, ended: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.bool_]:
        """Worlds that ended for all their agents: only then are their figures final."""
        moved_on = world.episode[part] != self._episode[part]
        return ended.any(axis=1) & (moved_on | ~world.alive[part].any(axis=1))

    def _close(self) -> dict[str, Any]:
        row = self._row(complete=True)
        self._window_id += 1
        self._tally = self._empty()
        return row

    def _row(self, *, complete: bool) -> dict[str, Any]:
        tally = self._tally
        start = self._window_id * self._size
        ticks = self._total - start
        stats = (tally.stats / ticks).tolist()
        return {
            "run_id": self._run_id,
            "window_id": self._window_id,
            "window_complete": complete,
            "env_steps_start": start,
            "env_steps_end": self._total,
            "env_steps_in_window": ticks,
            "env_steps_total": self._total,
            "steps_in_window": tally.steps,
            "episodes_completed": tally.episodes,
            "terminated_episodes": tally.terminated,
            "truncated_episodes": tally.truncated,
            "reward_sum": tally.reward,
            "reward_mean": tally.reward / ticks,
            "return_mean": tally.returns / tally.episodes if tally.episodes else None,
            "invalid_action_rate": tally.invalid_ticks / ticks if self._has_invalid else None,
            **{
                name: float(total) / tally.worlds_ended if tally.worlds_ended else None
                for name, total in zip(self._outcomes, tally.outcomes, strict=True)
            },
            **{
                _mean_of(name): mean
                for at, (name, mean) in enumerate(zip(self._layout.stats, stats, strict=True))
                if at != self._ticks_column
            },
        }
