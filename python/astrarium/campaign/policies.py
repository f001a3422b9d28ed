"""Trained policies as captains: found by name among the runs, ready to command a fleet."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from astrarium.errors import ConfigError
from astrarium.runs import Checkpoint, RunFolder
from astrarium.train.config import TrainConfig
from astrarium.train.contenders import Window, window_of, world_of
from astrarium.worlds import ladder, parse_config
from astrarium.worlds.tidebreak.config import TidebreakConfig
from astrarium.worlds.vector import Actions, Layout, VectorWorld

PREFIX: Final = "run:"
"""What the name of a policy begins with."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The policy of a checkpoint that was trained in battles."""

    name: str
    """`run:ID@window`, the window as a number."""
    helm: str
    decision_ticks: int
    """Seconds of one decision in its training."""
    trained: TrainConfig
    checkpoint: Checkpoint

    @classmethod
    def find(cls, root: Path, name: str) -> Self:
        """The policy of a name; its window may be `latest` or `best`."""
        run_id, _, window = name.removeprefix(PREFIX).partition("@")
        run = RunFolder.find(root, run_id)
        entry, settings = world_of(run)
        if not isinstance(settings, TidebreakConfig):
            raise ConfigError(
                f"{name!r} plays {entry.id}; a war is fought by policies of tidebreak-v1"
            )
        trained = parse_config(TrainConfig, run.config(), where=f"config of run {run_id}")
        if trained.policy.groups:
            raise ConfigError(
                f"{name!r} has a policy for each of its ships ({', '.join(trained.policy.groups)})"
                "; a fleet of any size needs one policy for all ships"
            )
        chosen = window_of(run, _window(name, window or "latest"))
        return cls(
            name=f"{PREFIX}{run_id}@{chosen}",
            helm=settings.helm,
            decision_ticks=settings.decision_ticks,
            trained=trained,
            checkpoint=run.load_checkpoint(chosen),
        )

    def player(self, layout: Layout) -> ladder.Policy:
        """Commands every ship of a world; it takes its chances as its own evaluations do."""
        # Not before a battle begins: a war of doctrines never needs torch.
        import torch

        from astrarium.train.player import player_of

        greedy = self.trained.run.eval_greedy
        player = player_of(self.checkpoint, self.trained, layout, self.name, greedy=greedy)

        def decide(world: VectorWorld, step: int) -> Actions:
            # A war is waged on one core: for a few ships more threads wait longer than they work.
            threads = torch.get_num_threads()
            torch.set_num_threads(1)
            try:
                return player(world, step)
            finally:
                torch.set_num_threads(threads)

        return decide


def _window(name: str, given: str) -> Window:
    if given == "latest" or given == "best":
        return given
    if given.isdecimal():
        return int(given)
    raise ConfigError(f"{name!r}: {given!r} is no window; give its number, 'latest' or 'best'")
