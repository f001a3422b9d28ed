"""Self-play against one's own past: in some worlds an earlier checkpoint plays the other side.

For worlds whose agents are two sides, the first half of the slots against the second. In every
cycle the opponent is drawn from the checkpoints written before the window at hand, so a run that
was killed and goes on meets the same ones. Guests' orders are carried out and
nothing is learned from them.
"""

# torch leaves the types of many of its functions open.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
import torch

from astrarium.errors import ConfigError
from astrarium.runs import RunFolder
from astrarium.train.config import TrainConfig
from astrarium.train.player import Player, player_of
from astrarium.train.ppo import PPO
from astrarium.train.streams import stream
from astrarium.worlds.vector import VectorWorld


class League:
    """The guide of a run that meets its own past; see `ppo.Guide`."""

    def __init__(self, config: TrainConfig, ppo: PPO) -> None:
        agents = ppo.world.layout.agents
        if agents % 2:
            raise ConfigError(
                f"league.share is {config.league.share}, but {ppo.world.world_id} has {agents} "
                "agents here; a league needs two sides of equal size (for Tidebreak, side = 'both')"
            )
        if ppo.world.layout.controls:
            raise ConfigError("a league plays discrete heads only; leave controls out")
        self._config, self._ppo = config, ppo
        self._run: RunFolder | None = None
        self._before_window = 0
        self._guest: Player | None = None
        self._rows: Final = _guest_rows(ppo.world, config.league.share)
        self._step = 0
        ppo.guide = self

    def follow(self, run: RunFolder, window_id: int) -> None:
        """Meet those of the run's checkpoints that were written before this window."""
        self._run, self._before_window = run, window_id

    def begin(self, cycle: int) -> None:
        """Draw the opponent of this rollout; none while there is no past."""
        self._guest = None
        self._step = cycle * self._config.ppo.rollout_steps
        windows = self._windows()
        if windows:
            drawn = stream(self._config.run.seed, "league", cycle).random()
            window = windows[min(int(drawn * len(windows)), len(windows) - 1)]
            self._guest = self._invited(window)

    def steer(self, t: int, world: VectorWorld) -> None:
        """Let the guest give the orders of its side in its worlds."""
        if self._guest is None:
            return
        orders = self._guest(world, self._step)
        self._step += 1
        world.actions[self._rows] = orders[self._rows]
        for learner in self._ppo.learners:
            learner.rollout.own[t] = torch.from_numpy(~learner.rollout.mine(self._rows))

    def _windows(self) -> list[int]:
        if self._run is None:
            return []
        written = (place.window_id for place in self._run.checkpoints())
        past = sorted(window for window in written if window < self._before_window)
        return past[-self._config.league.size :]

    def _invited(self, window: int) -> Player:
        # Read anew every time: what a guest remembers of one rollout is no part of a checkpoint.
        assert self._run is not None
        checkpoint = self._run.load_checkpoint(window)
        layout, name = self._ppo.world.layout, f"window {window}"
        return player_of(checkpoint, self._config, layout, name, greedy=False)


def _guest_rows(world: VectorWorld, share: float) -> npt.NDArray[np.bool_]:
    """(n, m): the slots of guests, the second side in one world and the first in the next."""
    rows = np.zeros(world.alive.shape, np.bool_)
    half = world.layout.agents // 2
    for index in range(round(share * world.num_worlds)):
        side = slice(half, None) if index % 2 == 0 else slice(None, half)
        rows[index, side] = True
    return rows


def league_of(config: TrainConfig, ppo: PPO) -> League | None:
    """What the config asks for; None where nobody is met."""
    if config.league.share == 0.0:
        return None
    if ppo.guide is not None:
        raise ConfigError("a run has one guide: leave out either the anneal or league.share")
    return League(config, ppo)
